//! The user's own ways as decisions: their meshes, and shardings of arguments and results.
//!
//! Input: a function, its roles, a machine, and degrees. Output: [`Decisions`]. What there is to decide of the function is
//! found once ([`RequestedWays`]), for as many ways as there are.

use super::degrees::{Laid, ParallelDegrees};
use super::products::{self, Sharded};
use crate::decisions::decisions_of;
use crate::problem::{Answer, DimKind, Problem};
use crate::refusal::Refusal;
use meshwright_analyze::copies::copies;
use meshwright_analyze::kept_copies::KeptCopies;
use meshwright_analyze::roles::PARAMETERS;
use meshwright_analyze::units::Units;
use meshwright_analyze::zero::left_by_a_loop;
use meshwright_analyze::{Role, Roles};
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::sharding::Sharding;
use meshwright_machine::Machine;
use meshwright_plan::{Decisions, Shardings};
use meshwright_shard::Propagated;
use std::collections::BTreeMap;

/// Makes a whole plan of decisions. What propagation made of decisions that differ in strategies alone may be known, and is
/// then.
pub type Complete<'a> = dyn Fn(&Decisions, &mut Option<Propagated>) -> Shardings + 'a;

/// Open decisions of a function, for any way of the user's own.
pub struct RequestedWays<'a> {
    function: &'a Function,
    roles: &'a Roles,
    machine: &'a Machine,
    problem: Problem,
    units: Units,
    /// Parameters whose gradient is what a loop leaves, each with the values from its gradient to that.
    added_up: Vec<(ValueId, Vec<ValueId>)>,
    /// Copies of parameters that loops over microbatches read, by the number of the parameter.
    copies: BTreeMap<usize, Vec<ValueId>>,
}

impl<'a> RequestedWays<'a> {
    /// That of a function on a machine.
    ///
    /// # Errors
    /// The machine has no mesh.
    pub fn new(function: &'a Function, roles: &'a Roles, machine: &'a Machine) -> Result<Self, Refusal> {
        let (fixed, memory) = (Decisions::none(function), machine.device.usable_memory());
        let problem = Problem::new(function, roles, machine, &fixed, memory)?;
        let (units, added_up) = (Units::new(function, roles), added_up(function, roles));
        let copies = copies(function, roles);
        Ok(Self { function, roles, machine, problem, units, added_up, copies })
    }

    /// The same in stages of a pipeline, which make copies that are worth keeping ([`KeptCopies`]) once in a step, and what is
    /// only a part of a parameter, or a copy that was widened, anew for each microbatch.
    #[must_use]
    pub fn in_stages(mut self) -> Self {
        let (function, roles) = (self.function, self.roles);
        let is_of_parameters = |value: ValueId| roles.depends[value] == PARAMETERS;
        let as_it_is = |value: ValueId| value;
        let mut known = KeptCopies::new(&function.body, &is_of_parameters, &as_it_is);
        self.copies.retain(|_, copies| known.is_copy(copies[0]));
        self
    }

    /// The same where each stage of a pipeline makes all that it reads of parameters anew for each microbatch.
    #[must_use]
    pub fn with_whole_masters(self) -> Self {
        Self { copies: BTreeMap::new(), ..self }
    }

    /// Returns whether experts could be sharded.
    pub fn has_experts(&self) -> bool {
        self.problem.groups.iter().any(|group| group.dims.contains(&DimKind::Expert))
    }

    /// The shardings that degrees stand for, as `complete` makes them of decisions, of which later ones differ from the first in
    /// strategies alone.
    ///
    /// # Errors
    /// They do not fit the machine or the function.
    pub fn shardings(&self, degrees: ParallelDegrees, complete: &Complete<'_>) -> Result<Shardings, Refusal> {
        let laid = degrees.lay(self.machine)?;
        let (problem, answer) = self.answer(&laid)?;
        let mut decisions = self.decisions(degrees, &problem, &answer);
        let mut known = None;
        let mut found = complete(&decisions, &mut known);
        let weights = |axis: usize| Sharded::weights(&problem, &answer, axis, self.roles, &self.units);
        let mut sharded: Vec<Sharded> = laid.axes_with_sequence().map(weights).collect();
        sharded.extend(laid.axes_of_state().map(|axis| Sharded::batch(&problem, &answer, axis)));
        if !sharded.is_empty() {
            let own = products::strategies(self.function, self.roles, &self.units, &sharded, &found);
            if !own.is_empty() {
                decisions.strategies.extend(own);
                found = complete(&decisions, &mut known);
            }
        }
        if degrees.shards_masters() && self.shard_masters(&found, &mut decisions) {
            found = complete(&decisions, &mut None);
        }
        Ok(found)
    }

    fn answer(&self, laid: &Laid) -> Result<(Problem, Answer), Refusal> {
        let fixed = Decisions::on(&laid.mesh, self.function);
        let problem =
            Problem { meshes: vec![laid.mesh.clone()], has_equal_axes: false, fixed, ..self.problem.clone() };
        let answer = laid.start(&problem, 0)?.answer;
        Ok((problem, answer))
    }

    fn decisions(&self, degrees: ParallelDegrees, problem: &Problem, answer: &Answer) -> Decisions {
        let mut decisions = decisions_of(problem, self.function, answer);
        if degrees.keeps_gradients() {
            let mesh = &problem.meshes[answer.mesh];
            for (parameter, path) in &self.added_up {
                let Some(sharding) = decisions.values.get(parameter) else { continue };
                let body = &self.function.body;
                if let Some((sum, own)) = path.last().zip(before(body, mesh, sharding, *parameter, path)) {
                    decisions.values.entry(*sum).or_insert(own);
                }
            }
        }
        decisions
    }

    /// Has parameters of which microbatches read copies lie as their moments do, and copies as they are `found`: what is gathered
    /// is what is computed with, once in a step (masters are optimizer state, as Megatron and DeepSpeed have it). Returns
    /// whether there are any.
    fn shard_masters(&self, found: &Shardings, decisions: &mut Decisions) -> bool {
        let (body, args) = (&self.function.body, self.function.args());
        let mut are_any = false;
        for (parameter, copies) in &self.copies {
            let own = args[*parameter];
            let is_moment = |index: &usize| {
                let of = self.roles.args[*index].role == Role::Moment { of: *parameter };
                of && body.ty(args[*index]).as_tensor().map(|ty| &ty.shape)
                    == body.ty(own).as_tensor().map(|ty| &ty.shape)
            };
            let moment = self.roles.moments().find(is_moment);
            let Some(sharding) = moment.and_then(|index| decisions.values.get(&args[index])).cloned() else {
                continue;
            };
            are_any = true;
            if let Some(result) = self.roles.args[*parameter].result {
                decisions.results[result] = Some(sharding.clone());
            }
            decisions.values.insert(own, sharding);
            let names = copies.iter().flat_map(|copy| names(body, *copy));
            decisions.values.extend(names.map(|name| (name, found.values[name].clone())));
        }
        are_any
    }
}

/// A value, and all that it is called in the loop that makes it, if one does.
fn names(body: &Body, value: ValueId) -> Vec<ValueId> {
    let mut names = vec![value];
    if let Def::Result(inst, index) = body.values[value].def
        && body.insts[inst].op.carries_values()
    {
        let view = body.view(inst);
        names.push(view.inst.operands[index]);
        for region in 0..view.inst.regions.len() {
            names.extend(view.region(region).args.get(index));
        }
        names.push(view.returned(view.inst.regions.len() - 1)[index]);
    }
    names
}

/// Parameters whose gradients are what a loop leaves, with the values from the gradient to that; a layer of a stack may have a
/// dim of 1 more than its gradient.
fn added_up(function: &Function, roles: &Roles) -> Vec<(ValueId, Vec<ValueId>)> {
    let path = |(index, gradient): (&usize, &ValueId)| {
        Some((function.args()[*index], left_by_a_loop(&function.body, *gradient)?))
    };
    roles.gradients.iter().filter_map(path).collect()
}

/// The sharding of the last value of a path that makes the first one of it, which is sharded as `parameter` is.
fn before(
    body: &Body,
    mesh: &Mesh,
    sharding: &Sharding,
    parameter: ValueId,
    path: &[ValueId],
) -> Option<Sharding> {
    let mut own = reshaped(body, mesh, sharding, parameter, *path.first()?)?;
    for (made, from) in path.iter().zip(path.iter().skip(1)) {
        let Def::Result(inst, _) = body.values[*made].def else { return None };
        own = match &body.insts[inst].op {
            Op::Transpose(transpose) => {
                let mut before = own.clone();
                for (dim, from) in own.dims.iter().zip(&transpose.permutation) {
                    before.dims[*from] = dim.clone();
                }
                before
            }
            _ => reshaped(body, mesh, &own, *made, *from)?,
        };
    }
    Some(own)
}

/// The sharding of a value for one that has its elements in the same order, in other dims: what shards the first dim of some
/// that become others shards the first of those, as far as it divides them. None if that is no sharding.
fn reshaped(body: &Body, mesh: &Mesh, sharding: &Sharding, from: ValueId, to: ValueId) -> Option<Sharding> {
    let (from, to) = (body.ty(from).as_tensor()?, body.ty(to).as_tensor()?);
    let large = |shape: &[usize]| (0..shape.len()).filter(|dim| shape[*dim] > 1).collect::<Vec<usize>>();
    let (mut before, mut behind) = (large(&from.shape).into_iter(), large(&to.shape).into_iter());
    let mut carried = Sharding::replicated(to.rank());
    while let Some(first) = before.next() {
        let mut dims = vec![behind.next()?];
        let (mut size, mut other) = (from.shape[first], to.shape[dims[0]]);
        while size != other {
            if size < other {
                let next = before.next()?;
                if !sharding.dims[next].axes.is_empty() {
                    return None;
                }
                size *= from.shape[next];
            } else {
                dims.push(behind.next()?);
                other *= to.shape[*dims.last()?];
            }
        }
        // The same dim may be padded.
        if let &[dim] = dims.as_slice()
            && from.shape[first] == to.shape[dim]
        {
            carried.dims[dim] = sharding.dims[first].clone();
            continue;
        }
        let axes = &sharding.dims[first].axes;
        if !from.shape[first].is_multiple_of(mesh.product(axes)) {
            return None;
        }
        let mut axes = axes.iter().peekable();
        for dim in dims {
            let mut left = to.shape[dim];
            while let Some(axis) = axes.next_if(|axis| left.is_multiple_of(mesh.size(**axis))) {
                left /= mesh.size(*axis);
                carried.dims[dim].axes.push(*axis);
            }
            if left > 1 {
                break;
            }
        }
        if axes.next().is_some() {
            return None;
        }
    }
    behind.next().is_none().then_some(carried)
}

/// The shardings that degrees stand for, of a function for which no others are asked; see [`RequestedWays::shardings`].
///
/// # Errors
/// They do not fit the machine or the function.
pub fn as_requested(
    function: &Function,
    roles: &Roles,
    machine: &Machine,
    degrees: ParallelDegrees,
    complete: &Complete<'_>,
) -> Result<Shardings, Refusal> {
    RequestedWays::new(function, roles, machine)?.shardings(degrees, complete)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::ids::Id;
    use meshwright_ir::mesh::{Axis, SubAxisId};
    use meshwright_ir::text::read;

    /// The axes of the dims of `to` for a value of `from` whose dims have these axes, of sizes 2, 2 and 3.
    fn carried(from: &str, dims: &[&[usize]], to: &str) -> Option<Vec<Vec<usize>>> {
        let text = format!("func.func @main(%a: tensor<{from}xf32>, %b: tensor<{to}xf32>) {{ return }}");
        let program = read(&Source::new("test", text)).unwrap();
        let function = program.main().unwrap();
        let axis = |(index, size): (usize, &usize)| Axis { name: format!("x{index}"), size: *size };
        let mesh = Mesh::new("mesh", [2, 2, 3].iter().enumerate().map(axis).collect()).unwrap();
        let of = |axes: &&[usize]| axes.iter().map(|axis| SubAxisId::from_index(*axis)).collect();
        let sharding = Sharding::of(dims.iter().map(of));
        let [a, b] = function.args() else { panic!("two arguments") };
        let found = reshaped(&function.body, &mesh, &sharding, *a, *b)?;
        Some(found.dim_axes().map(|axes| axes.iter().map(|axis| axis.index()).collect()).collect())
    }

    #[test]
    fn what_shards_a_dim_shards_the_first_of_those_it_becomes() {
        assert_eq!(carried("24x8", &[&[0], &[]], "4x6x8"), Some(vec![vec![0], vec![], vec![]]));
        // Three shards of 8 are padded before and behind.
        let behind = Some(vec![vec![0, 1], vec![], vec![], vec![2]]);
        assert_eq!(carried("1x24x8", &[&[], &[0, 1], &[2]], "4x6x1x8"), behind);
        assert_eq!(carried("24x8", &[&[0, 1], &[]], "2x12x8"), Some(vec![vec![0], vec![1], vec![]]));
        assert_eq!(carried("24", &[&[0, 2]], "2x12"), Some(vec![vec![0], vec![2]]));
        assert_eq!(carried("24", &[&[2, 0]], "4x6"), None, "3 does not divide 4");
        assert_eq!(carried("4x6x8", &[&[0], &[], &[1]], "24x8"), Some(vec![vec![0], vec![1]]));
        assert_eq!(carried("4x6x8", &[&[], &[0], &[]], "24x8"), None, "parts of parts are none of the whole");
        assert_eq!(carried("3x4", &[&[0], &[]], "12"), None, "two shards of 3 are padded");
        assert_eq!(carried("8x4", &[&[0], &[]], "8x4x8x4"), None, "dims that are summed are others");
    }
}
