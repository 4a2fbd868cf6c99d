//! What a function calls its arguments and results, as far as it says.
//!
//! JAX names results (`jax.result_info = "result[0]['wte']"`) but not arguments; an argument that aliases a result
//! is the same tensor one step earlier and takes its name.

use meshwright_ir::program::Function;

/// The name of each result.
pub fn of_results(function: &Function) -> Vec<Option<String>> {
    let name = |attributes: &meshwright_ir::attribute::Attributes| {
        Some(attributes.get("jax.result_info")?.as_str()?.to_owned()).filter(|name| !name.is_empty())
    };
    function.result_attributes.iter().map(name).collect()
}

/// The name of each argument.
pub fn of_arguments(function: &Function) -> Vec<Option<String>> {
    let results = of_results(function);
    let name = |attributes: &meshwright_ir::attribute::Attributes| {
        let result = attributes.get("tf.aliasing_output")?.as_int()?;
        results.get(usize::try_from(result).ok()?)?.clone()
    };
    function.arg_attributes.iter().map(name).collect()
}
