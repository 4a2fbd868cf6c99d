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
    /// The scan of Mamba-2, in chunks.
    ChunkScan(ChunkScan),
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

impl Attention {
    /// Operations of the products by which a program that writes the attention out does the same, masked or not, gradients
    /// without the scores that are made again; and the part of these that are products between tokens.
    pub fn written_out(&self) -> [f64; 2] {
        let pairs = self.batch as f64 * self.queries as f64 * self.keys as f64;
        let products = 2.0 * pairs * (self.features + self.values) as f64;
        let all = if self.is_backward { 2.0 * products } else { products };
        [all, if self.queries > 1 && self.keys > 1 { all } else { 0.0 }]
    }
}

/// The scan of Mamba-2, of whose chunks nothing is stored but states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkScan {
    /// Examples.
    pub batch: usize,
    /// Steps of each.
    pub length: usize,
    /// Heads.
    pub heads: usize,
    /// Elements of a head.
    pub features: usize,
    /// Groups of heads that share the vectors of the state.
    pub groups: usize,
    /// Elements of the state, for each element of a head.
    pub state: usize,
    /// Steps of a chunk, at most as many as there are.
    pub chunk: usize,
    /// Whether it makes gradients.
    pub is_backward: bool,
    /// The elements of the inputs.
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

/// Operations of the products of a scan, each in full.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChunkProducts {
    /// What writes a state by what reads it, for all pairs of steps of a chunk.
    pub scores: f64,
    /// These by the inputs.
    pub inside: f64,
    /// What a chunk adds to the state; or what the state at its start leaves to it.
    pub states: f64,
    /// States by what is left of them between any two chunks, as a program has it that writes the scan out.
    pub between: f64,
}

impl ChunkScan {
    /// Number of chunks.
    pub fn chunks(&self) -> usize {
        self.length.div_ceil(self.chunk.max(1))
    }

    /// The products of a pass forward.
    pub fn products(&self) -> ChunkProducts {
        let [batch, heads, groups] = [self.batch, self.heads, self.groups].map(|size| size as f64);
        let [features, state] = [self.features, self.state].map(|size| size as f64);
        let [chunk, chunks] = [self.chunk, self.chunks()].map(|size| size as f64);
        let pairs = batch * chunks * chunk * chunk;
        let elements = heads * features * state;
        ChunkProducts {
            scores: 2.0 * pairs * groups * state,
            inside: 2.0 * pairs * heads * features,
            states: 2.0 * batch * chunks * chunk * elements,
            between: 2.0 * batch * chunks * chunks * elements,
        }
    }

    /// Operations of the kernels that run it. Forward: the scores, the half of them that is not masked by the inputs, what
    /// chunks add to states, and what states leave to chunks. Backward these are made again, but for the last, and the
    /// gradients of each product's factors are two products.
    pub fn flops(&self) -> f64 {
        let ChunkProducts { scores, inside, states, .. } = self.products();
        match self.is_backward {
            false => scores + inside / 2.0 + 2.0 * states,
            true => 3.0 * scores + 3.0 * inside / 2.0 + 5.0 * states,
        }
    }

    /// Operations of the products by which a program that writes the scan out does the same, gradients without what is made
    /// again, and the part of these that are products between steps or chunks.
    pub fn written_out(&self) -> [f64; 2] {
        let ChunkProducts { scores, inside, states, between } = self.products();
        let several = |count: usize, products: f64| if count > 1 { products } else { 0.0 };
        let tokens = several(self.chunk, scores + inside) + several(self.chunks(), between);
        [scores + inside + 2.0 * states + between, tokens]
            .map(|products| if self.is_backward { 2.0 * products } else { products })
    }

    /// How often kernels read the operands, on average: forward one makes scores or states, and one the result; backward one
    /// each makes the gradients of a factor.
    pub(crate) fn readings(&self) -> f64 {
        if self.is_backward { 5.0 } else { 2.0 }
    }

    /// Bytes of the states between chunks, or of the scores of all chunks, in f32.
    fn between_kernels(&self) -> [u64; 2] {
        let of_chunk = [self.heads * self.features * self.state, self.groups * self.chunk * self.chunk];
        of_chunk.map(|elements| 4 * (self.batch * self.chunks()) as u64 * elements as u64)
    }

    /// Bytes that kernels write and read of states and scores.
    pub(crate) fn scratch_bytes(&self) -> f64 {
        let [states, scores] = self.between_kernels().map(|bytes| bytes as f64);
        let (of_states, of_scores) = if self.is_backward { (9.0, 6.0) } else { (4.0, 2.0) };
        of_states * states + of_scores * scores
    }

    /// Bytes that a call holds beside operands and results while it runs: scores, what chunks add to states and what these
    /// are; backward gradients of scores and states too.
    pub fn held_bytes(&self) -> u64 {
        let [states, scores] = self.between_kernels();
        if self.is_backward { 3 * states + 2 * scores } else { 2 * states + scores }
    }
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
    fn scans_have_the_products_of_their_chunks() {
        let types =
            ["2x10x4x8", "2x10x4", "4", "2x10x2x6", "2x10x2x6"].map(|shape| format!("tensor<{shape}xf32>"));
        let operands = types.join(", ");
        let names = ["x", "s", "a", "w", "r"];
        let arguments: Vec<String> =
            names.iter().zip(&types).map(|(name, ty)| format!("%{name}: {ty}")).collect();
        let signature = format!("({}) -> tensor<2x10x4x8xf32>", arguments.join(", "));
        let line = format!(
            "stablehlo.custom_call @mamba_chunk_scan_combined_fwd(%x, %s, %a, %w, %r) {{api_version = 4 : i32, \
             backend_config = {{chunk_size = 4 : i64}}}} : ({operands}) -> tensor<2x10x4x8xf32>"
        );
        let (shape, flops) = kernel(&signature, &line);
        let KernelShape::ChunkScan(scan) = shape else { panic!("{shape:?}") };
        assert_eq!([scan.batch, scan.length, scan.heads, scan.features], [2, 10, 4, 8]);
        assert_eq!([scan.groups, scan.state, scan.chunk, scan.chunks()], [2, 6, 4, 3]);
        let [scores, inside] = [2 * (2 * 3 * 4 * 4) * 2 * 6, 2 * (2 * 3 * 4 * 4) * 4 * 8];
        let [states, between] = [2 * (2 * 3 * 4) * 4 * 8 * 6, 2 * (2 * 3 * 3) * 4 * 8 * 6];
        assert_eq!(flops, (scores + inside / 2 + 2 * states) as f64);
        let tokens = scores + inside + between;
        assert_eq!(scan.written_out(), [tokens + 2 * states, tokens].map(f64::from));
        let back = ChunkScan { is_backward: true, ..scan };
        assert_eq!(back.flops(), (3 * scores + 3 * inside / 2 + 5 * states) as f64);
        assert_eq!(back.written_out(), scan.written_out().map(|flops| 2.0 * flops));
        // States and scores, in f32.
        assert_eq!(scan.held_bytes(), 4 * 2 * 3 * (2 * 4 * 8 * 6 + 2 * 4 * 4));
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
