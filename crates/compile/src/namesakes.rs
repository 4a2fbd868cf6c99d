//! Common styles that are called what the plan amounts to, and yet are other plans: what tells them apart.
//!
//! A name says what axes are used for in most of the work. Input: what a search found and what its plan amounts to. Output:
//! what styles of that name are called then, such as `data parallel over 8 (with other shards of embedding and head)`.

use meshwright_analyze::names;
use meshwright_ir::program::Function;
use meshwright_plan::Shardings;
use meshwright_search::{Alternative, Outcome, ShardingPlanner};
use std::collections::BTreeMap;

/// Plans whose times differ by no larger share take the same time.
const SAME_TIME: f64 = 5e-3;

/// So many arguments are named.
const NAMED: usize = 2;

/// What those common styles are called that are called like the plan, but take longer: by their names.
pub(crate) fn of_styles(
    planner: &ShardingPlanner<'_>,
    outcome: &Outcome,
    name: &str,
) -> BTreeMap<String, String> {
    let function = planner.request().function;
    let is_slower =
        |style: &Alternative| style.evaluation.seconds.0 > outcome.evaluation.seconds.0 * (1.0 + SAME_TIME);
    let of_style = |style: &Alternative| {
        told_apart(name, function, &outcome.shardings, &planner.shardings(&style.decisions))
    };
    let namesakes = outcome.alternatives.iter().filter(|style| style.name == name && is_slower(style));
    namesakes.map(|style| (name.to_owned(), of_style(style))).collect()
}

/// Sentences about styles, by the names that tell these apart.
pub(crate) fn renamed(mut sentences: Vec<String>, names: &BTreeMap<String, String>) -> Vec<String> {
    for (name, told_apart) in names {
        let is_about = |sentence: &&mut String| sentence.starts_with(&format!("{name}: "));
        let about = sentences.iter_mut().filter(is_about);
        about.for_each(|sentence| *sentence = sentence.replacen(name, told_apart, 1));
    }
    sentences
}

/// The name of the style with what it does otherwise than the plan.
fn told_apart(name: &str, function: &Function, plan: &Shardings, style: &Shardings) -> String {
    let shards = |shardings: &Shardings, argument: usize| -> Vec<usize> {
        let sharding = &shardings.values[function.args()[argument]];
        (0..sharding.dims.len()).map(|dim| sharding.num_shards(dim, &shardings.mesh)).collect()
    };
    let differs = |argument: &usize| shards(plan, *argument) != shards(style, *argument);
    let differing: Vec<usize> = (0..function.args().len()).filter(differs).collect();
    if differing.is_empty() {
        return format!(
            "{name} (with the same shards of arguments, but sharded otherwise inside of the step)"
        );
    }
    let all = names::of_arguments(function);
    let name_of = |argument: &usize| all[*argument].clone().unwrap_or_else(|| format!("argument {argument}"));
    let mut said: Vec<String> = differing.iter().take(NAMED).map(name_of).collect();
    match differing.len() - said.len() {
        0 => {}
        1 => said.push("1 other".to_owned()),
        others => said.push(format!("{others} others")),
    }
    let last = said.pop().expect("some differ");
    let said = if said.is_empty() { last } else { format!("{} and {last}", said.join(", ")) };
    format!("{name} (with other shards of {said})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::control::Quiet;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::mesh::{Axis, Mesh};
    use meshwright_ir::sharding::Sharding;
    use meshwright_plan::Decisions;
    use meshwright_shard::{Options, Sharder, prepare};

    #[test]
    fn arguments_in_other_shards_are_named() {
        let text = r#"
            func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
              %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
                : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
              return %0 : tensor<8x4xf32>
            }"#;
        let program = meshwright_ir::text::read(&Source::new("program.mlir", text)).unwrap();
        let function = program.main().unwrap();
        let mesh = Mesh::new("mesh", vec![Axis { name: "x".to_owned(), size: 2 }]).unwrap();
        let (prepared, options) = (prepare(function), Options::default());
        let sharded = |dim: usize, argument: usize| {
            let mut dims = vec![Vec::new(); 2];
            dims[dim] = mesh.pieces(0);
            let mut seeds = Decisions::none(function);
            seeds.values =
                function.args().iter().map(|value| (*value, Sharding::of([vec![], vec![]]))).collect();
            seeds.values.insert(function.args()[argument], Sharding::of(dims));
            let sharder =
                Sharder { function, prepared: &prepared, mesh: &mesh, options: &options, control: &Quiet };
            sharder.cheapest(&seeds).1
        };
        let name = told_apart("data parallel over 2", function, &sharded(0, 0), &sharded(1, 1));
        assert_eq!(name, "data parallel over 2 (with other shards of argument 0 and argument 1)");
        let name = told_apart("data parallel over 2", function, &sharded(0, 0), &sharded(0, 0));
        assert!(name.ends_with("sharded otherwise inside of the step)"), "{name}");
    }
}
