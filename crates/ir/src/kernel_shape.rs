//! Kernels by what decides how fast they run: the kind of work, and its sizes.
//!
//! Input: an op and the types of its operands and results, which may be those of one device. Output: a [`KernelShape`]
//! ([`crate::op::OpDef::kernel`]), which each op gives in its own file. How many operations it takes and how many bytes
//! are read and written is no part of it: `flops` and `bytes` say that, and what a compiler fuses saves bytes.
//!
//! Example: `tensor<8x64x32xbf16>` by `tensor<8x32x16xbf16>`, dim 0 being a batch dim, is a `Matmul` of 8 products of
//! 64 x 32 by 32 x 16.
//!
//! Which custom calls there are is in [`crate::kernels`].

use crate::program::InstView;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// A kernel: its kind and sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelShape {
    /// Nothing runs: it relabels what there is, or what runs stands in its regions.
    Nothing,
    /// Products of matrices.
    Matmul(Matmul),
    /// Fused attention.
    Attention(Attention),
    /// A convolution.
    Convolution(Convolution),
    /// Each element of the results is made from the elements at its place.
    Elementwise,
    /// Elements come to other places.
    Move,
    /// Elements are combined along dims, or in windows.
    Reduce,
    /// Rows are sorted, or their largest elements found.
    Sort(Sort),
    /// Elements are copied between the memory of a device and that of its host.
    HostCopy,
    /// Data is exchanged between devices.
    Collective,
    /// None of these.
    Other,
}

/// `batch` products of an `m x k` with a `k x n` matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matmul {
    /// Products of their own.
    pub batch: usize,
    /// Rows of the left operand.
    pub m: usize,
    /// Columns of the right operand.
    pub n: usize,
    /// What is summed.
    pub k: usize,
    /// The elements of the two operands.
    pub elements: [ElementType; 2],
}

/// Attention of queries to keys, with the scores never stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attention {
    /// Examples by heads of queries.
    pub batch: usize,
    /// Queries of each.
    pub queries: usize,
    /// Keys of each.
    pub keys: usize,
    /// Features of queries and keys.
    pub features: usize,
    /// Features of values.
    pub values: usize,
    /// Whether a query sees only the keys up to its own place.
    pub is_causal: bool,
    /// Whether it makes gradients.
    pub is_backward: bool,
    /// The elements of the queries.
    pub element: ElementType,
}

/// A convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convolution {
    /// Elements of the result.
    pub outputs: usize,
    /// Places that each of them looks at.
    pub window: usize,
    /// Features that each of them is summed over.
    pub taken: usize,
    /// Features of the result.
    pub given: usize,
    /// Features in each of the groups that do not know of one another, 1 in a depthwise convolution; `None`: the whole
    /// program's has but one group.
    pub features_per_group: Option<usize>,
    /// The elements of the two operands.
    pub elements: [ElementType; 2],
}

/// Rows that are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// How many.
    pub rows: usize,
    /// Elements of each.
    pub length: usize,
}

impl KernelShape {
    /// What takes so many operations and reads and writes so many bytes, and does not work element by element.
    pub(crate) fn of_figures(flops: f64, bytes: f64) -> Self {
        match (flops > 0.0, bytes > 0.0) {
            (true, _) => Self::Other,
            (false, true) => Self::Move,
            (false, false) => Self::Nothing,
        }
    }

    /// What sorts a tensor along a dim; `None`: it has no dims.
    pub(crate) fn of_sort(tensor: &TensorType, dim: Option<usize>) -> Self {
        let length = dim.map_or(1, |dim| tensor.shape[dim]);
        Self::Sort(Sort { rows: tensor.num_elements() / length.max(1), length })
    }
}

/// The first two operands, if both are tensors.
pub(crate) fn factors(operands: &[Type]) -> Option<[&TensorType; 2]> {
    let [left, right, ..] = operands else { return None };
    Some([left.as_tensor()?, right.as_tensor()?])
}

impl InstView<'_> {
    /// The kernel as which a verified instruction runs whole.
    pub fn kernel(&self) -> KernelShape {
        let operands: Vec<Type> = self.operand_types().cloned().collect();
        let results: Vec<Type> = self.result_types().cloned().collect();
        self.inst.op.kernel(&operands, &results)
    }

    /// Returns whether it is a product of matrices.
    pub fn is_matmul(&self) -> bool {
        // Few ops are products, so the types of the others are not gathered.
        self.inst.op.accuracy().is_some() && matches!(self.kernel(), KernelShape::Matmul(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;

    /// The kernel of the first instruction, with what it takes.
    fn kernel(signature: &str, line: &str) -> (KernelShape, f64) {
        let result = signature.rsplit("-> ").next().unwrap();
        let text = format!("func.func @main{signature} {{\n  %0 = {line}\n  return %0 : {result}\n}}");
        let program = crate::text::read(&Source::new("kernel.mlir", text)).unwrap();
        crate::verify::verify(&program).unwrap();
        let body = &program.main().unwrap().body;
        let view = body.view(body.regions[body.entry()].insts[0]);
        let types = [view.operand_types().cloned().collect(), view.result_types().cloned().collect()];
        let [operands, results]: [Vec<Type>; 2] = types;
        (view.kernel(), view.inst.op.flops(&operands, &results))
    }

    #[test]
    fn products_have_batches_rows_columns_and_what_is_summed() {
        let types = "(tensor<8x64x32xbf16>, tensor<32x8x16xf8E4M3FN>) -> tensor<8x64x16xf32>";
        let signature = types.replacen("tensor", "%a: tensor", 1).replacen(", tensor", ", %b: tensor", 1);
        let line = format!(
            "stablehlo.dot_general %a, %b, batching_dims = [0] x [1], contracting_dims = [2] x [0] : {types}"
        );
        let (shape, flops) = kernel(&signature, &line);
        let elements = [ElementType::Bf16, ElementType::F8E4M3Fn];
        assert_eq!(shape, KernelShape::Matmul(Matmul { batch: 8, m: 64, n: 16, k: 32, elements }));
        assert_eq!(flops, 2.0 * (8 * 64 * 16 * 32) as f64);
        let types = "(tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>";
        let signature = types.replacen("tensor", "%a: tensor", 1).replacen(", tensor", ", %b: tensor", 1);
        let (shape, flops) = kernel(&signature, &format!("stablehlo.dot %a, %b : {types}"));
        let elements = [ElementType::F32; 2];
        assert_eq!(shape, KernelShape::Matmul(Matmul { batch: 1, m: 1, n: 16, k: 32, elements }));
        assert_eq!(flops, 2.0 * (16 * 32) as f64);
    }

    #[test]
    fn convolutions_have_windows_features_and_groups() {
        let types = "(tensor<2x32x12xf32>, tensor<4x3x24xf32>) -> tensor<2x29x24xf32>";
        let signature = types.replacen("tensor", "%a: tensor", 1).replacen(", tensor", ", %b: tensor", 1);
        let line = format!(
            "stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} \
             {{batch_group_count = 1 : i64, feature_group_count = 4 : i64}} : {types}"
        );
        let (shape, flops) = kernel(&signature, &line);
        let expected = Convolution {
            outputs: 2 * 29 * 24,
            window: 4,
            taken: 3,
            given: 24,
            features_per_group: Some(3),
            elements: [ElementType::F32; 2],
        };
        assert_eq!(shape, KernelShape::Convolution(expected));
        assert_eq!(flops, 2.0 * (2 * 29 * 24 * 4 * 3) as f64);
    }

    #[test]
    fn what_has_no_sizes_has_a_kind() {
        let x = "(%a: tensor<4x8xf32>) -> tensor<4x8xf32>";
        let of = |line: &str| kernel(x, line).0;
        assert_eq!(of("stablehlo.add %a, %a : tensor<4x8xf32>"), KernelShape::Elementwise);
        assert_eq!(of("stablehlo.reverse %a, dims = [0] : tensor<4x8xf32>"), KernelShape::Move);
        assert_eq!(of("stablehlo.optimization_barrier %a : tensor<4x8xf32>"), KernelShape::Nothing);
        let cholesky = kernel(
            "(%a: tensor<4x4xf32>) -> tensor<4x4xf32>",
            "stablehlo.cholesky %a, lower = true : tensor<4x4xf32>",
        );
        assert_eq!(cholesky.0, KernelShape::Other);
        let sorted = "\"stablehlo.sort\"(%a) <{dimension = 1 : i64, is_stable = true}> ({\n\
                      ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n\
                      %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n\
                      stablehlo.return %1 : tensor<i1>\n}) : (tensor<4x8xf32>) -> tensor<4x8xf32>";
        assert_eq!(of(sorted), KernelShape::Sort(Sort { rows: 4, length: 8 }));
    }
}
