//! What a function calls its arguments and results, as far as it says.
//!
//! JAX names results (`jax.result_info = "result[0]['wte']"`) but arguments only in their locations, which most texts
//! lack; without one, an argument that aliases a result is the same tensor one step earlier and takes its name.

use meshwright_ir::arguments::Donation;
use meshwright_ir::location::Location;
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
    let name = |argument: usize| match function.donation(argument) {
        Donation::ToResult(result) => results.get(result).cloned().flatten(),
        Donation::Kept | Donation::ToAny => None,
    };
    let located = of_locations(function).into_iter().enumerate();
    located.map(|(argument, located)| located.or_else(|| name(argument))).collect()
}

/// Names of the arguments by their locations, such as `params['wte']`.
pub fn of_locations(function: &Function) -> Vec<Option<String>> {
    let region = &function.body.regions[function.body.entry()];
    let name = |index: usize| match region.arg_locations.get(index)?.as_deref()? {
        Location::Name { name, .. } if !name.is_empty() => Some(name.to_string()),
        _ => None,
    };
    (0..region.args.len()).map(name).collect()
}
