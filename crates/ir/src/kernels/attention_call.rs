//! How calls of fused attention say their products and the layouts of their operands and results.
//!
//! Input: which way the call goes, and the position of the sequence in queries, keys and values (1: `BTNH`, 2: `BNTH`).
//! Output: text of its configuration, and attributes.

use crate::attribute::Attr;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::TensorType;

/// Ways that a call goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From queries, keys and values to the output.
    Forward,
    /// From the output's gradient to theirs.
    Backward,
}

/// Contracting dim and batch dims of both sides of a product.
type Product = ([usize; 2], [[usize; 2]; 2]);

/// Entries of the configuration for the products of a call, one behind the other.
pub fn products(direction: Direction, sequence: usize) -> String {
    let packed = if sequence == 1 { [0, 2] } else { [0, 1] };
    let scores = [0, 1];
    let products: &[(&str, Product)] = match direction {
        Direction::Forward => {
            &[("bmm1", ([3, 3], [packed, packed])), ("bmm2", ([3, sequence], [scores, packed]))]
        }
        Direction::Backward => &[
            ("bmm1_grad_gemm1", ([2, sequence], [scores, packed])),
            ("bmm1_grad_gemm2", ([3, sequence], [scores, packed])),
            ("bmm2_grad_gemm1", ([2, sequence], [scores, packed])),
            ("bmm2_grad_gemm2", ([3, 3], [packed, packed])),
        ],
    };
    products.iter().map(|(name, product)| dot(name, *product)).collect::<Vec<_>>().join(", ")
}

fn dot(name: &str, ([left, right], [left_batch, right_batch]): Product) -> String {
    let list = |dims: [usize; 2]| format!("[\"{}\", \"{}\"]", dims[0], dims[1]);
    format!(
        "\"{name}_dot_dimension_numbers\": {{\"lhs_contracting_dimensions\": [\"{left}\"], \
         \"rhs_contracting_dimensions\": [\"{right}\"], \"lhs_batch_dimensions\": {}, \
         \"rhs_batch_dimensions\": {}}}",
        list(left_batch),
        list(right_batch),
    )
}

/// Layouts of operands and of results. The output and the gradients of queries, keys and values, whose heads stand before
/// their positions, lie in memory as queries do.
pub fn layouts(
    direction: Direction,
    sequence: usize,
    operands: &[TensorType],
    results: &[TensorType],
) -> [Attr; 2] {
    let order: &[i64] = if sequence == 1 { &[3, 1, 2, 0] } else { &[3, 2, 1, 0] };
    let num_arranged = if direction == Direction::Backward { 3 } else { 1 };
    let plain = |ty: &TensorType| layout(&(0..ty.rank() as i64).rev().collect::<Vec<_>>());
    let result = |(at, ty): (usize, &TensorType)| if at < num_arranged { layout(order) } else { plain(ty) };
    [
        Attr::Array(operands.iter().map(plain).collect()),
        Attr::Array(results.iter().enumerate().map(result).collect()),
    ]
}

/// An order of dims in memory, minor first.
fn layout(order: &[i64]) -> Attr {
    Attr::DenseIndex(Literal::ints(vec![order.len()], order))
}
