//! The order of a program's instructions.
//!
//! Input: a function of which each value is made before it is read. Output: the same function with the instructions of
//! its regions in another order, and the same ids.
//!
//! A training step as it is usually written computes all gradients before it updates the first parameter, so that all
//! of them are alive at once. *Early* updates a parameter as soon as its gradient is there, and the parameter is read no
//! more. Scalars that updates read, such as the corrections of an optimizer's bias, which a program makes behind all
//! gradients from the step's number alone, are made before, so that nothing waits for them: with an update would wait the
//! product that makes its gradient, and all that this reads would stay alive. It may also keep more alive, where little is
//! needed of much; so it is one of the variants (`VARIANTS`) among which the plan decides. Updates of pipeline stages, which take
//! their gradients as they are, always come so.

use meshwright_ir::arguments::Donation;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::program::{Body, Function};
use std::collections::{BTreeMap, BTreeSet};

/// What leads to at most so many results is taken for the end of a computation: a parameter, its moments, and what
/// their gradient shares with few others.
const FEW_RESULTS: usize = 8;

/// The function with what leads to few results as soon as all is there that it needs from the rest.
pub fn early_updates(function: &Function) -> Function {
    let mut ordered = function.clone();
    let made_at = places(&function.body);
    for region in function.body.regions.ids() {
        let deps = Deps::new(function, region, &made_at);
        ordered.body.regions[region].insts = early(&deps).into_iter().map(|at| deps.insts[at]).collect();
    }
    ordered
}

/// The region in which each value is made by an instruction, and at which position.
type Places = Table<ValueId, Option<(RegionId, usize)>>;

fn places(body: &Body) -> Places {
    let mut places = Table::filled(None, body.values.len());
    for (region, content) in body.regions.iter() {
        for (at, inst) in content.insts.iter().enumerate() {
            body.insts[*inst].results.iter().for_each(|result| places[*result] = Some((region, at)));
        }
    }
    places
}

/// Where a value is made, if that is in this region itself.
fn place_in(places: &Places, region: RegionId, value: ValueId) -> Option<usize> {
    places[value].filter(|(own, _)| *own == region).map(|(_, at)| at)
}

/// The instructions of a region by position, and what they need of each other.
struct Deps<'a> {
    body: &'a Body,
    region: RegionId,
    insts: &'a [InstId],
    places: &'a Places,
    /// The positions whose results each one reads, also inside its regions; in order.
    needs: Vec<Vec<usize>>,
    /// Whether it has side effects, or something in its regions has.
    has_effects: Vec<bool>,
    /// Where the arguments are read whose place a result of the region takes, by the result's position.
    replaced: Vec<(usize, Vec<usize>)>,
}

impl<'a> Deps<'a> {
    fn new(function: &'a Function, region: RegionId, places: &'a Places) -> Self {
        let body = &function.body;
        let insts = &body.regions[region].insts[..];
        let made_at = |value: ValueId| place_in(places, region, value);
        let all = |inst: InstId| {
            let inside = body.insts[inst].regions.iter().flat_map(|region| body.walk(*region));
            std::iter::once(inst).chain(inside)
        };
        let needs = |inst: &InstId| {
            let read =
                all(*inst).flat_map(|inst| &body.insts[inst].operands).filter_map(|value| made_at(*value));
            read.collect::<BTreeSet<usize>>().into_iter().collect()
        };
        let has_effects = |inst: &InstId| body.effect_in(*inst).is_some();
        let (needs, has_effects) =
            (insts.iter().map(needs).collect(), insts.iter().map(has_effects).collect());
        let mut replaced = BTreeMap::new();
        if region == body.entry() {
            for (index, arg) in function.args().iter().enumerate() {
                if let Donation::ToResult(result) = function.donation(index) {
                    replaced.insert(*arg, (result, Vec::new()));
                }
            }
        }
        for (at, inst) in insts.iter().enumerate() {
            for value in all(*inst).flat_map(|inst| &body.insts[inst].operands) {
                if let Some((_, readers)) = replaced.get_mut(value) {
                    readers.push(at);
                }
            }
        }
        let replaced = replaced.into_values().collect();
        Self { body, region, insts, places, needs, has_effects, replaced }
    }

    fn made_at(&self, value: ValueId) -> Option<usize> {
        place_in(self.places, self.region, value)
    }

    /// Whether it makes nothing but scalars, by no regions and to no other effect.
    fn makes_scalars(&self, at: usize) -> bool {
        let inst = &self.body.insts[self.insts[at]];
        let is_scalar =
            |value: &ValueId| self.body.ty(*value).as_tensor().is_some_and(|ty| ty.shape.is_empty());
        let makes_scalars = !inst.results.is_empty() && inst.results.iter().all(is_scalar);
        makes_scalars && inst.regions.is_empty() && !self.has_effects[at]
    }
}

/// Whose results an instruction leads to: a few, or more than that.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Leads {
    To(BTreeSet<usize>),
    ToMany,
}

impl Leads {
    fn add(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::To(own), Self::To(others)) => {
                own.extend(others);
                if own.len() > FEW_RESULTS {
                    *self = Self::ToMany;
                }
            }
            _ => *self = Self::ToMany,
        }
    }
}

/// What leads to few results is an end, with all other ends that it is connected with. Ends come behind the last thing
/// that they need, and so do scalars; the others stay in their order.
fn early(deps: &Deps<'_>) -> Vec<usize> {
    let Some(last) = deps.insts.len().checked_sub(1) else { return Vec::new() };
    let mut leads = vec![Leads::To(BTreeSet::new()); last + 1];
    let returned = deps.body.insts[deps.insts[last]].operands.iter().enumerate();
    for (position, at) in returned.filter_map(|(position, value)| Some((position, deps.made_at(*value)?))) {
        leads[at].add(&Leads::To([position].into()));
    }
    leads[last] = Leads::ToMany;
    for at in (0..last).rev() {
        if deps.has_effects[at] {
            leads[at] = Leads::ToMany;
        }
        let own = leads[at].clone();
        deps.needs[at].iter().for_each(|needed| leads[*needed].add(&own));
    }
    let is_end = |at: &usize| leads[*at] != Leads::ToMany;
    let mut places: Vec<usize> = (0..=last).collect();
    for at in (0..last).filter(|at| !is_end(at) && deps.makes_scalars(*at)) {
        places[at] = deps.needs[at].iter().map(|needed| places[*needed]).max().unwrap_or(0);
    }
    // The first instruction of the end that each one belongs to.
    let mut first: Vec<usize> = (0..=last).collect();
    fn find(first: &mut [usize], at: usize) -> usize {
        let mut root = at;
        while first[root] != root {
            first[root] = first[first[root]];
            root = first[root];
        }
        root
    }
    for at in (0..last).filter(is_end) {
        for needed in deps.needs[at].iter().filter(|needed| is_end(needed)) {
            let (a, b) = (find(&mut first, at), find(&mut first, *needed));
            first[a.max(b)] = a.min(b);
        }
    }
    let mut behind: Vec<Option<usize>> = vec![None; last + 1];
    for at in (0..last).filter(is_end) {
        let root = find(&mut first, at);
        let needed = deps.needs[at].iter().filter(|needed| !is_end(needed));
        let needed = needed.map(|needed| places[*needed]).max();
        behind[root] = behind[root].max(needed);
    }
    // A result takes the place of an argument only where that is read no more; one that is returned itself has none to give.
    let returned = &deps.body.insts[deps.insts[last]].operands;
    for (result, readers) in &deps.replaced {
        let Some(made) = returned.get(*result).and_then(|value| deps.made_at(*value)).filter(is_end) else {
            continue;
        };
        let root = find(&mut first, made);
        let inside = readers.iter().filter(|reader| **reader != last && !is_end(reader));
        let reader = inside.map(|reader| places[*reader]).max();
        behind[root] = behind[root].max(reader);
    }
    let mut order: Vec<usize> = (0..=last).collect();
    order.sort_by_cached_key(|at| {
        let root = find(&mut first, *at);
        let place = if is_end(at) { behind[root].unwrap_or(root) } else { places[*at] };
        (place, is_end(at), root, *at)
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::program::Program;
    use meshwright_ir::verify::verify;

    fn read(text: &str) -> Program {
        meshwright_ir::text::read(&Source::new("test", text)).unwrap()
    }

    /// The names of the ops in the order in which they run.
    fn ops(function: &Function) -> Vec<&'static str> {
        let body = &function.body;
        body.regions[body.entry()].insts.iter().map(|inst| body.insts[*inst].op.name()).collect()
    }

    /// Parameters, and as many gradients, each made from the one before; the fourth of them reads the first parameter.
    const NUM: usize = 20;

    fn training() -> String {
        let tensor = "tensor<8xf32>";
        let args = (0..NUM).map(|arg| format!("%p{arg}: {tensor} {{tf.aliasing_output = {arg} : i32}}"));
        let (args, types) = (args.collect::<Vec<_>>().join(", "), [tensor; NUM].join(", "));
        let mut text = format!("func.func @main({args}, %x: {tensor}) -> ({types}) {{\n");
        text += &format!("  %g0 = stablehlo.tanh %x : {tensor}\n");
        for gradient in 1..NUM {
            let (op, other) = if gradient == 4 { ("multiply", "%p0") } else { ("power", "%x") };
            text += &format!("  %g{gradient} = stablehlo.{op} %g{}, {other} : {tensor}\n", gradient - 1);
        }
        for parameter in 0..NUM {
            text +=
                &format!("  %n{parameter} = stablehlo.subtract %p{parameter}, %g{parameter} : {tensor}\n");
        }
        let results: Vec<String> = (0..NUM).map(|result| format!("%n{result}")).collect();
        text + &format!("  return {} : {types}\n}}", results.join(", "))
    }

    #[test]
    fn parameters_are_updated_as_soon_as_they_are_read_no_more() {
        let program = read(&training());
        let function = early_updates(&program.functions[0]);
        let found: Vec<&str> =
            ops(&function).into_iter().filter_map(|name| name.strip_prefix("stablehlo.")).collect();
        // The first one is read by the product.
        let begin = ["tanh", "power", "subtract", "power", "subtract", "power", "subtract"];
        assert_eq!(found[..10], [&begin[..], &["multiply", "subtract", "subtract"]].concat(), "{found:?}");
        let mut ordered = program.clone();
        ordered.functions[0] = function;
        assert_eq!(verify(&ordered), Ok(()));
    }

    #[test]
    fn nothing_comes_behind_the_end_where_an_old_parameter_is_returned_too() {
        let text = "func.func @main(%p: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %n = stablehlo.subtract %p, %g : tensor<8xf32>
  return %n, %p : tensor<8xf32>, tensor<8xf32>
}";
        let mut program = read(text);
        program.functions[0] = early_updates(&program.functions[0]);
        assert_eq!(ops(&program.functions[0]), ["stablehlo.subtract", "func.return"]);
        assert_eq!(verify(&program), Ok(()));
    }

    #[test]
    fn updates_do_not_wait_for_scalars_that_need_nothing_of_them() {
        let scalar = "tensor<f32>";
        let made = format!(
            "%c = stablehlo.tanh %count : {scalar}\n  %b = stablehlo.broadcast_in_dim %c, dims = [] : ({scalar}) -> tensor<8xf32>\n"
        );
        let text = training()
            .replace(", %x: tensor<8xf32>)", &format!(", %x: tensor<8xf32>, %count: {scalar})"))
            .replace("  %n0 = ", &format!("  {made}  %n0 = "));
        let mut text = text.replace("%p0, %g0", "%b, %g0");
        for parameter in 1..NUM {
            text = text.replace(&format!("subtract %p{parameter},"), &format!("subtract %s{parameter},"));
            let scaled = format!(
                "%s{parameter} = stablehlo.broadcast_in_dim %c, dims = [] : ({scalar}) -> tensor<8xf32>\n  %n{parameter} = "
            );
            text = text.replace(&format!("%n{parameter} = "), &scaled);
        }
        let function = early_updates(&read(&text).functions[0]);
        let found = ops(&function);
        // The scalar comes first, and updates are not all at the end.
        let first = found.iter().position(|name| *name == "stablehlo.subtract").unwrap();
        assert!(first < 8, "{found:?}");
    }

    #[test]
    fn what_has_effects_or_leads_to_everything_stays() {
        let text = "func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, !stablehlo.token) {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.tanh %a : tensor<4xf32>
  %2 = \"stablehlo.outfeed\"(%1, %0) <{outfeed_config = \"\"}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %3 = stablehlo.negate %a : tensor<4xf32>
  return %3, %2 : tensor<4xf32>, !stablehlo.token
}";
        let program = read(text);
        assert_eq!(ops(&early_updates(&program.functions[0])), ops(&program.functions[0]));
    }
}
