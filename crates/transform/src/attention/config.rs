//! Attributes of a call of cuDNN's attention, as XLA reads them.
//!
//! Input: sizes, layout, scale and mask. Output: the target and its attributes; the configuration is JSON in a string, with
//! sizes as strings (it is a protocol buffer's).

use super::roles::Layout;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::kernels::attention_call::{Direction, layouts, products};
use meshwright_ir::ops::custom_call::CustomCall;
use meshwright_tensor::types::{ElementType, TensorType};

/// What the configuration of a call says.
#[derive(Clone, Debug)]
pub(super) struct Config {
    /// Batches, heads, queries and keys.
    pub(super) sizes: [usize; 4],
    pub(super) element: ElementType,
    pub(super) layout: Layout,
    pub(super) scale: f64,
    pub(super) is_causal: bool,
    pub(super) window: usize,
    pub(super) has_bias: bool,
    /// What the target begins with.
    pub(super) prefix: &'static str,
}

impl Config {
    /// The call on operands of these types, with results of those.
    pub(super) fn call(
        &self,
        direction: Direction,
        operands: &[TensorType],
        results: &[TensorType],
    ) -> CustomCall {
        let bias = if self.has_bias { "ScaleBias" } else { "" };
        let backward = if direction == Direction::Backward { "Backward" } else { "" };
        let [of_operands, of_results] = layouts(direction, self.sequence(), operands, results);
        let mut attributes = Attributes::new();
        attributes.set("api_version", Attr::i32(2));
        attributes.set("backend_config", Attr::string(&self.text(direction)));
        attributes.set("operand_layouts", of_operands);
        attributes.set("result_layouts", of_results);
        let target = format!("{}{bias}Softmax{backward}", self.prefix);
        CustomCall { target, attributes }
    }

    fn text(&self, direction: Direction) -> String {
        let [batches, heads, queries, keys] = self.sizes;
        let element = if self.element == ElementType::F16 { "F16" } else { "BF16" };
        let mask = if self.is_causal { "CAUSAL" } else { "NO_MASK" };
        let products = products(direction, self.sequence());
        format!(
            "{{\"operation_queue_id\": \"0\", \"cudnn_fmha_backend_config\": {{\
             \"algorithm\": {{\"algo_id\": \"0\", \"math_type\": \"TENSOR_OP_MATH\", \
             \"tuning_knobs\": {{\"17\": \"1\", \"24\": \"0\"}}, \"is_cudnn_frontend\": true, \
             \"workspace_size\": \"0\"}}, \"fmha_scale\": {scale}, \
             \"intermediate_tensor_shape\": {{\"element_type\": \"{element}\", \
             \"dimensions\": [\"{batches}\", \"{heads}\", \"{queries}\", \"{keys}\"], \"tuple_shapes\": [], \
             \"layout\": {{\"dim_level_types\": [], \"dim_unique\": [], \"dim_ordered\": [], \
             \"minor_to_major\": [\"3\", \"2\", \"1\", \"0\"], \"tiles\": [], \"element_size_in_bits\": \"0\", \
             \"memory_space\": \"0\", \"index_primitive_type\": \"PRIMITIVE_TYPE_INVALID\", \
             \"pointer_primitive_type\": \"PRIMITIVE_TYPE_INVALID\", \
             \"dynamic_shape_metadata_prefix_bytes\": \"0\"}}, \
             \"is_dynamic_dimension\": [false, false, false, false]}}, \"is_flash_attention\": true, \
             \"mask_type\": \"{mask}\", {products}, \"dropout_rate\": 0.0, \"seed\": 42, \
             \"sliding_window_length\": {window}, \"max_seg_per_batch\": 1, \"is_paged_attention\": false}}}}",
            scale = self.scale,
            window = self.window,
        )
    }

    /// The position of the sequence in queries, keys and values.
    fn sequence(&self) -> usize {
        match self.layout {
            Layout::Btnh => 1,
            Layout::Bnth => 2,
        }
    }
}
