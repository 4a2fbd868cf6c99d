//! A small twin of a sharded function: the same graph, axes, strategies and policies, with small sizes, so that a host can
//! run what was planned for many devices and large tensors.
//!
//! Input: a function with complete shardings, and the undistributed function that it has to agree with. Output: both with
//! small dims over a mesh of fewer devices ([`Twin`]), instruction by instruction the same, so that every decision about a
//! value or an instruction holds for the twin as it stands; only readers of a tensor of one number each get one
//! (`constants`), and loops through layers that are alike have three turns, with numbers of their own (`turns`). Axes that
//! are used in parts stay parts of two or more devices (`axes`). Dims that are one dim of the model shrink together, and where one is a product of others, so is what becomes
//! of it (`dims`), or of which elements move along it (`moves`); a dim that divides among its devices still does, and one that is padded is padded (`choice`).
//! Attributes that hold sizes follow their dims, and so do constants that means divide by (`resize`); where an op cannot have other sizes, its dims stay.
//!
//! `dot_general` of 4096x14336 over `model=8` becomes, say, one of 16x16 over `model=2`.

mod axes;
mod choice;
mod constants;
mod dims;
mod moves;
mod resize;
mod turns;

pub use axes::ShrunkAxis;

use axes::SmallMesh;
use choice::Choice;
use dims::Dims;
use meshwright_ir::ids::{Id, InstId};
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::op::Violations;
use meshwright_ir::program::{Function, Regions};
use meshwright_ir::rule::{ShardingRule, Strategy};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::Shardings;
use meshwright_plan::shardings::sharded_insts;
use std::collections::BTreeSet;

/// A small twin.
#[derive(Clone, Debug)]
pub struct Twin {
    /// The function that is sharded.
    pub function: Function,
    /// The undistributed function.
    pub whole: Function,
    /// How every value of `function` is sharded over the small mesh.
    pub shardings: Shardings,
    /// The numbers of its devices among those of the whole mesh, in order.
    pub devices: Vec<usize>,
    /// All axes, with what became of them.
    pub axes: Vec<ShrunkAxis>,
    /// Shapes of arguments before and in the twin.
    pub arguments: Vec<[Vec<usize>; 2]>,
    /// Shardings of dims that divide, are padded, or leave one element to a device, and do not in the twin.
    pub lost: Vec<String>,
}

/// Makes the twin of a function and of the undistributed one, on about as many devices as are given: each part of an axis
/// that a sharding uses by itself keeps at least two.
///
/// # Errors
/// What of the function has no twin.
pub fn twin(
    function: &Function,
    shardings: &Shardings,
    whole: &Function,
    most_devices: usize,
) -> Result<Twin, String> {
    let mut shardings = shardings.clone();
    let function = &constants::apart(function, Some(&mut shardings));
    let (whole, shardings) = (&constants::apart(whole, None), &shardings);
    let mesh = SmallMesh::of(shardings, most_devices)?;
    let small = mesh.shardings(shardings);
    // Instructions whose dims keep their sizes, by function.
    let mut fixed: [BTreeSet<InstId>; 2] = Default::default();
    loop {
        let mut dims = Dims::new([function, whole]);
        dims.read(&fixed);
        let choice = Choice::of(&dims, &dims.uses(function, shardings, &mesh));
        let made =
            [(0, function), (1, whole)].map(|(index, own)| resize::function(own, &dims, index, &choice));
        let [(function_made, broken), (whole_made, broken_whole)] =
            [(0, function), (1, whole)].map(|(index, before)| {
                let strategies = (index == 0).then_some(&small);
                (made[index].clone(), broken(before, &made[index], strategies))
            });
        let found = [broken, broken_whole];
        if found.iter().all(BTreeSet::is_empty) {
            let shape = |own: &Function, index: usize| {
                let ty = own.body.ty(own.args()[index]).as_tensor();
                ty.map_or_else(Vec::new, |tensor| tensor.shape.clone())
            };
            let arguments = (0..function.args().len())
                .map(|index| [shape(function, index), shape(&function_made, index)])
                .collect();
            return Ok(Twin {
                shardings: with_numbers(small, &function_made, function),
                function: function_made,
                whole: whole_made,
                devices: mesh.devices,
                axes: mesh.axes,
                arguments,
                lost: choice.lost,
            });
        }
        let mut is_new = false;
        for (fixed, found) in fixed.iter_mut().zip(&found) {
            found.iter().for_each(|inst| is_new |= fixed.insert(*inst));
        }
        if !is_new {
            let [of_function, of_whole] = found;
            let (own, inst) = match of_function.first() {
                Some(inst) => (function, *inst),
                None => (whole, *of_whole.first().expect("one of both is broken")),
            };
            let name = own.body.insts[inst].op.name();
            return Err(format!("`{name}` has no twin with other sizes of dims or fewer devices"));
        }
    }
}

/// The shardings of a function with those of the numbers that it has more than another one: every device has them.
fn with_numbers(mut shardings: Shardings, function: &Function, before: &Function) -> Shardings {
    let (body, known) = (&function.body, &before.body);
    for value in body.values.values().skip(known.values.len()) {
        let rank = value.ty.as_tensor().map_or(0, |tensor| tensor.rank());
        shardings.values.push(Sharding::replicated(rank));
    }
    for inst in body.insts.ids().skip(known.insts.len()) {
        let view = body.view(inst);
        shardings.strategies.push(Strategy::replicated(&view.inst.op.rule(&view)));
        shardings.deferred.push(AxisSet::EMPTY);
    }
    shardings
}

/// Instructions that are not what they were: they break a rule of their op, fall into other factors, or cannot be computed
/// by their strategy.
fn broken(before: &Function, after: &Function, shardings: Option<&Shardings>) -> BTreeSet<InstId> {
    let (before, after) = (&before.body, &after.body);
    let is_broken = |id: &InstId| {
        let (old, new) = (before.view(*id), after.view(*id));
        let mut violations = Violations::default();
        new.inst.op.verify(&new, &mut violations);
        if !violations.messages.is_empty() || !violations.shardings.is_empty() {
            return true;
        }
        if new.inst.op.carries_values() || new.regions() == Regions::Branches {
            return false;
        }
        let rule = new.inst.op.rule(&new);
        let is_legal = |all: &Shardings| all.strategies[*id].is_legal(&rule, &all.mesh);
        !is_like(&old.inst.op.rule(&old), &rule) || !shardings.is_none_or(is_legal)
    };
    let is_known = |id: &InstId| id.index() < before.insts.len();
    sharded_insts(after, after.entry()).into_iter().filter(is_known).filter(is_broken).collect()
}

/// Whether both rules have the same factors at the same places.
fn is_like(one: &ShardingRule, other: &ShardingRule) -> bool {
    let kinds = |rule: &ShardingRule| rule.factors.iter().map(|factor| factor.kind).collect::<Vec<_>>();
    one.operands == other.operands && one.results == other.results && kinds(one) == kinds(other)
}
