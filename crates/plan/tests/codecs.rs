//! Random decisions through both codecs, attributes and plan file: what is written is what is read.

use meshwright_ir::diagnostic::{Source, Span};
use meshwright_ir::ids::{Id, InstId, Table, ValueId};
use meshwright_ir::mesh::{Axis, Mesh, SubAxisId};
use meshwright_ir::program::{Def, Function, Program};
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_ir::text::{Form, print, read};
use meshwright_plan::plan_file::codec::{self, Named};
use meshwright_plan::plan_file::{PlanFile, PlanTensor};
use meshwright_plan::{Decisions, Names, Policy, Schedule, Tile, Use, attributes, axes};
use meshwright_tensor::types::Type;

const PROGRAM: &str = r#"
func.func @main(%w: tensor<8x8xf32>, %x: tensor<8x8xf32>, %n: tensor<i32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1:2 = "stablehlo.sort"(%0, %x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  %2:2 = stablehlo.while(%i = %n, %acc = %1#0) : tensor<i32>, tensor<8x8xf32>
    cond {
      %q = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %q : tensor<i1>
    } do {
      %s = stablehlo.dot_general %acc, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %t = stablehlo.add %s, %s : tensor<8x8xf32>
      stablehlo.return %i, %t : tensor<i32>, tensor<8x8xf32>
    }
  %3 = stablehlo.multiply %2#1, %1#1 : tensor<8x8xf32>
  return %3, %0 : tensor<8x8xf32>, tensor<8x8xf32>
}
"#;

/// A small generator, the same on every machine (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    /// A closed sharding of a tensor, each axis over one dim or none.
    fn sharding(&mut self, ty: &Type, mesh: &Mesh) -> Sharding {
        let rank = ty.as_tensor().map_or(0, |tensor| tensor.rank());
        let mut dims = vec![Vec::<SubAxisId>::new(); rank];
        for axis in mesh.sub_axis_ids() {
            let dim = self.below(rank + 1);
            if dim < rank {
                dims[dim].push(axis);
            }
        }
        Sharding::of(dims)
    }
}

fn mesh() -> Mesh {
    let axes = [("x", 2), ("y", 4)].map(|(name, size)| Axis { name: name.into(), size });
    Mesh::new("mesh", axes.into()).unwrap()
}

/// Decisions about all arguments and results, and about some of the rest.
fn decisions(random: &mut Random, function: &Function, mesh: &Mesh) -> Decisions {
    let body = &function.body;
    let mut decisions = Decisions::on(mesh, function);
    for value in body.values.ids() {
        let is_of_elements = matches!(body.values[value].def, Def::Argument(region, _)
            if body.regions[region].args.iter().all(|arg| body.ty(*arg).as_tensor().is_some_and(|ty| ty.rank() == 0)));
        if function.args().contains(&value) || (random.below(3) == 0 && !is_of_elements) {
            decisions.values.insert(value, random.sharding(body.ty(value), mesh));
        }
    }
    for (result, ty) in decisions.results.iter_mut().zip(&function.result_types) {
        *result = Some(random.sharding(ty, mesh));
    }
    for (inst, content) in body.insts.iter() {
        let view = body.view(inst);
        let rule = view.inst.op.rule(&view);
        if random.below(3) == 0 && !rule.factors.is_empty() && content.regions.is_empty() {
            let mut strategy = Strategy { axes: vec![Vec::new(); rule.factors.len()] };
            strategy.axes[random.below(rule.factors.len())] = mesh.pieces(random.below(2));
            if strategy.is_legal(&rule, mesh) {
                decisions.strategies.insert(inst, strategy);
            }
        }
        if random.below(5) == 0 {
            decisions.stages.insert(inst, 1 + random.below(3));
        }
        for value in &content.operands {
            if random.below(4) == 0 {
                let policy = if random.below(3) == 0 { Policy::Recompute } else { Policy::GatherAgain };
                decisions.policies.set(Use { reader: inst, value: *value }, policy);
            }
        }
    }
    let mut some =
        |least: usize| -> Vec<ValueId> { body.values.ids().filter(|_| random.below(6) < least).collect() };
    let tile = |dim: usize| Tile {
        value: function.returned()[0],
        dim,
        count: 2 + dim,
        reads: some(1),
        makes: some(2),
    };
    decisions.tiles = (0..2).map(tile).collect();
    let rows = ["0F0 h:0>1:0 0B0", "h:0>1:0 1F0 1B0"];
    decisions.schedule = (random.below(2) == 0).then(|| Schedule::from_text(&rows.join("\n")).unwrap());
    decisions
}

fn tensors<'a>(all: impl Iterator<Item = (&'a Type, &'a Sharding)>, mesh: &Mesh) -> Vec<PlanTensor> {
    let tensor = |(index, (ty, sharding)): (usize, (&Type, &Sharding))| PlanTensor {
        index,
        name: None,
        role: None,
        shape: ty.as_tensor().unwrap().shape.clone(),
        element: ty.as_tensor().unwrap().element.to_string(),
        sharding: axes::names(sharding, mesh),
        bytes_per_device: 0,
    };
    all.enumerate().map(tensor).collect()
}

fn names(function: &Function) -> Names {
    let value = |id: ValueId| format!("v{}", id.index());
    let inst = |id: InstId| format!("i{}", id.index());
    let values: Table<ValueId, String> = function.body.values.ids().map(value).collect();
    Names::new(values, function.body.insts.ids().map(inst).collect())
}

fn by_attributes(program: &Program, function: &Function, mesh: &Mesh, decisions: &Decisions) -> Decisions {
    let text = print(&attributes::write(program, function, mesh, decisions), Form::Pretty);
    let again = read(&Source::new("annotated", text)).unwrap();
    attributes::read(&again, again.main().unwrap(), mesh).unwrap()
}

fn by_plan(function: &Function, mesh: &Mesh, decisions: &Decisions) -> Decisions {
    let (body, names) = (&function.body, names(function));
    let mut plan = PlanFile::new("0".into(), "cpu8:8".into());
    let arguments = function.args().iter().map(|arg| (body.ty(*arg), &decisions.values[arg]));
    plan.arguments = tensors(arguments, mesh);
    let results = function.result_types.iter().zip(decisions.results.iter().flatten());
    plan.results = tensors(results, mesh);
    let named = Named { function, names: &names, place: &|_: Span| None };
    codec::write(&mut plan, decisions, mesh, named);
    let again = PlanFile::from_text(&plan.to_text()).unwrap();
    let mut found = Decisions::none(function);
    codec::read(&again, function, mesh, &names, &mut found).unwrap();
    found
}

#[test]
fn both_codecs_give_back_what_they_were_given() {
    let program = read(&Source::new("program", PROGRAM)).unwrap();
    let (function, mesh) = (program.main().unwrap(), mesh());
    let mut policies = 0;
    for seed in 0..300 {
        let decisions = decisions(&mut Random(seed), function, &mesh);
        policies += decisions.policies.iter().count();
        assert_eq!(
            by_attributes(&program, function, &mesh, &decisions),
            decisions,
            "attributes, seed {seed}"
        );
        assert_eq!(by_plan(function, &mesh, &decisions), decisions, "plan file, seed {seed}");
    }
    assert!(policies > 100, "{policies}");
}

/// What is wrong with a plan of the program after a change of its text.
fn refused(change: &dyn Fn(&mut PlanFile)) -> String {
    let program = read(&Source::new("program", PROGRAM)).unwrap();
    let (function, mesh) = (program.main().unwrap(), mesh());
    let mut plan = PlanFile::new("0".into(), "cpu8:8".into());
    change(&mut plan);
    let plan = PlanFile::from_text(&plan.to_text()).unwrap();
    let mut found = Decisions::none(function);
    let problems = codec::read(&plan, function, &mesh, &names(function), &mut found).unwrap_err();
    assert!(problems.iter().all(|problem| problem.span != Span::NONE), "{problems:?}");
    problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_does_not_fit_is_refused_at_its_path() {
    use meshwright_plan::plan_file::{PlanOpStrategy, PlanPolicy, PlanSharding};
    let sharding = |value: &str, axes: &[&str]| PlanSharding {
        value: value.into(),
        place: None,
        shape: vec![8, 8],
        sharding: vec![axes.iter().map(|axis| (*axis).to_owned()).collect(), vec![]],
    };
    let of_values = |entries: &[(&str, &[&str])]| {
        refused(&|plan| plan.shardings = entries.iter().map(|(value, axes)| sharding(value, axes)).collect())
    };
    assert_eq!(of_values(&[("v99", &[])]), "`shardings[0].value`: the program has no value `v99`");
    assert_eq!(
        of_values(&[("v3", &["x"]), ("v3", &[])]),
        "`shardings[1]`: the plan has the sharding of value `v3` twice"
    );
    let unknown = of_values(&[("v3", &["z"])]);
    assert!(unknown.starts_with("`shardings[0].sharding`: value `v3`: "), "{unknown}");
    let argument = of_values(&[("v0", &[])]);
    assert!(argument.ends_with("is an argument: its sharding stands in `arguments`"), "{argument}");
    let policy = |value: &str, reader: &str, policy: &str| PlanPolicy {
        value: value.into(),
        reader: reader.into(),
        place: None,
        policy: policy.into(),
    };
    let of_policy = |entry: PlanPolicy| refused(&|plan| plan.policies = vec![entry.clone(), entry.clone()]);
    assert!(
        of_policy(policy("v2", "i0", "gather_again"))
            .starts_with("`policies[0].reader`: `i0` does not read `v2`")
    );
    assert_eq!(
        of_policy(policy("v0", "i0", "gather_again")),
        "`policies[1]`: the plan has the policy of this use twice"
    );
    assert!(
        of_policy(policy("v0", "i0", "forget"))
            .starts_with("`policies[0].policy`: there is no policy `forget`")
    );
    let wrong = refused(&|plan| {
        plan.op_strategies =
            vec![PlanOpStrategy { instruction: "i0".into(), place: None, factors: vec![vec!["x".into()]] }];
    });
    assert!(wrong.starts_with("`op_strategies[0].factors`: instruction `i0`: "), "{wrong}");
}
