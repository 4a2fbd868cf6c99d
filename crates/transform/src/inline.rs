//! Inlining: one function with the bodies of all functions that it calls.
//!
//! Input: a verified program (whose calls are not recursive). Output: a copy of one of its functions in which every
//! call is replaced by what the callee does. Calls of functions without a body stay. Instructions and values keep their
//! spans, so an error in inlined code still points into the callee.
//!
//! On request the regions of `sdy` that are parts of the whole program are inlined too: of a named computation the
//! shardings of operands and results stay as constraints; a manual computation becomes what stands between its
//! boundaries ([`ManualBoundary`]), and what it says of its operands and results as constraints outside of them. Parts
//! of values that are put together again become one rearrangement each (`rearranged`).

use crate::partial::in_whole_program;
use crate::passes::Passed;
use crate::rearranged::{Rearranged, Taken};
use meshwright_ir::attribute::Attributes;
use meshwright_ir::calls::Functions;
use meshwright_ir::composites::short_form;
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::Op;
use meshwright_ir::ops::manual_boundary::{ManualBoundary, Way};
use meshwright_ir::ops::rearrange::Rearrange;
use meshwright_ir::ops::sdy_constraint::{ConstraintKind, ShardingConstraint};
use meshwright_ir::program::{Body, Function, InstView, Program};
use meshwright_ir::rewrite::{Edit, Rewriter, Rewritten, Trace, rewritten};
use meshwright_ir::sharding::{AxisRefAttr, ShardingAttr};
use meshwright_ir::verify::STRUCTURE;
use meshwright_tensor::types::Type;

/// The function `name` of a verified program with all calls of functions with a body inlined.
/// Returns `None` if there is no such function.
pub fn inline_calls(program: &Program, name: &str) -> Option<Function> {
    let function = program.function(name)?;
    let Rewritten { body, .. } = inline(program, function, Regions::Kept);
    Some(function.with_body(body))
}

/// The entry function with all calls inlined.
///
/// # Errors
/// No entry function; a call of a function without a body.
pub fn inline_entry(program: &Program) -> Result<Function, Diagnostic> {
    let main = program.main().ok_or_else(no_entry)?;
    Ok(linked(main, inline(program, main, Regions::Kept))?.0)
}

/// The program of the entry function alone, named and manual computations inlined as well, collectives of `sdy` as what
/// they are in the program of the whole, and parts of values that are put together again as rearrangements.
pub(crate) fn inline_all(program: &Program) -> Result<Passed, Diagnostics> {
    let main = program.main().ok_or_else(|| vec![no_entry()])?;
    let (function, trace) =
        linked(main, inline(program, main, Regions::Inlined)).map_err(|problem| vec![problem])?;
    Ok(Passed { program: program.with_only(function), trace: Some(trace) })
}

fn no_entry() -> Diagnostic {
    let message = "the program has no function `@main`";
    let hint = "name the entry function `@main`, or leave only one function in the module";
    Diagnostic::error(STRUCTURE, Span::NONE, message).hint(hint)
}

/// The function with its new body. Errors: calls are left in it.
fn linked(function: &Function, rewritten: Rewritten) -> Result<(Function, Trace), Diagnostic> {
    let Rewritten { body, trace, .. } = rewritten;
    match body.insts.values().find(|inst| inst.op.is_call()) {
        Some(call) => {
            let message = format!("the function `@{}` has no body", call.op.callees().join(", @"));
            Err(Diagnostic::error(STRUCTURE, call.span, message).hint("link the module first"))
        }
        None => Ok((function.with_body(body), trace)),
    }
}

fn inline(program: &Program, function: &Function, regions: Regions) -> Rewritten {
    let mut inliner = Inliner {
        program,
        functions: Functions::of(program),
        regions,
        arguments: &function.arg_attributes,
        rearranged: vec![regions.rearranged(&function.body)],
        ends: Vec::new(),
    };
    rewritten(&function.body, &mut inliner)
}

/// What becomes of named and manual computations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Regions {
    Kept,
    Inlined,
}

impl Regions {
    fn rearranged(self, body: &Body) -> Rearranged {
        match self {
            Self::Kept => Rearranged::default(),
            Self::Inlined => Rearranged::of(body),
        }
    }
}

struct Inliner<'a> {
    program: &'a Program,
    functions: Functions<'a>,
    regions: Regions,
    /// Attributes of the arguments of the function that all goes into.
    arguments: &'a [Attributes],
    /// What is rearranged in each body around the current place, innermost last.
    rearranged: Vec<Rearranged>,
    /// The regions into which others are being inlined, innermost last: what those return is read through the map, so
    /// that their terminators are dropped.
    ends: Vec<RegionId>,
}

impl Edit for Inliner<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let rearranged = self.rearranged.last().expect("there is one of the function itself");
        if rearranged.unread.contains(&view.id) {
            return true;
        }
        if let Some((op, taken)) = rearranged.joins.get(&view.id) {
            rearrange(rewriter, view, op, taken, to);
            return true;
        }
        if matches!(view.inst.op, Op::Return(_)) && self.ends.last() == Some(&to) {
            return true;
        }
        self.call(rewriter, view, to) || (self.regions == Regions::Inlined && self.region(rewriter, view, to))
    }
}

impl Inliner<'_> {
    /// The body of the function that is called, if it has one.
    fn call(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if let Op::Composite(composite) = &view.inst.op
            && let Ok(Some(op)) = short_form(composite)
        {
            let operands = rewriter.values(&view.inst.operands);
            let types = view.result_types().cloned().collect();
            let made = rewriter.append_for(view.id, op, operands, types, to);
            view.inst.results.iter().zip(made).for_each(|(old, new)| rewriter.stand_for_own(*old, new));
            return true;
        }
        let callees = view.inst.op.callees();
        let ([name], true) = (&callees[..], view.inst.op.is_call()) else { return false };
        let Some(index) = self.functions.position(name) else { return false };
        let callee = &self.program.functions[index];
        if callee.is_declaration {
            return false;
        }
        let operands = rewriter.values(&view.inst.operands);
        let mut inner = rewriter.enter(&callee.body, index);
        for (arg, operand) in callee.args().iter().zip(operands) {
            inner.stand_for(*arg, operand);
        }
        self.rearranged.push(self.regions.rearranged(&callee.body));
        self.ends.push(to);
        inner.walk(callee.body.entry(), to, self);
        self.ends.pop();
        self.rearranged.pop();
        let returned = inner.values(callee.returned());
        rewriter.leave(inner);
        for (result, returned) in view.inst.results.iter().zip(returned) {
            rewriter.stand_for(*result, returned);
        }
        true
    }

    /// What is part of the whole program: named and manual computations, collectives of `sdy`.
    fn region(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if let Some(crossing) = Crossing::of(view, to) {
            self.computation(rewriter, &crossing);
            return true;
        }
        let ([operand], [result]) = (&view.inst.operands[..], &view.inst.results[..]) else { return false };
        let ty = view.body.ty(*result);
        match &view.inst.op {
            Op::SdyCollective(op) => {
                let start = rewriter.value(*operand);
                let ops = in_whole_program(op, &rewriter.to, self.arguments, start);
                let end = ops
                    .into_iter()
                    .fold(start, |value, op| append(rewriter, view.id, op, value, ty.clone(), to));
                rewriter.stand_for_own(*result, end);
                true
            }
            // A constraint on a scalar says nothing; it may stand in a function of single elements.
            Op::ShardingConstraint(_) if ty.as_tensor().is_some_and(|tensor| tensor.rank() == 0) => {
                rewriter.stand_for(*result, rewriter.value(*operand));
                true
            }
            _ => false,
        }
    }

    /// The contents of a named or manual computation.
    fn computation(&mut self, rewriter: &mut Rewriter<'_>, crossing: &Crossing<'_>) {
        let Crossing { view, to, takes, gives, .. } = *crossing;
        let (from, inst) = (view.body, view.inst);
        let Some(region) = inst.regions.first() else { return };
        for (index, (operand, arg)) in inst.operands.iter().zip(&from.regions[*region].args).enumerate() {
            let sharding = takes.get(index);
            let value = self.constrained(rewriter, rewriter.value(*operand), sharding, crossing);
            let value = crossed(rewriter, value, from.ty(*arg), Way::Enter, sharding, crossing);
            rewriter.stand_for(*arg, value);
        }
        self.ends.push(to);
        rewriter.walk(*region, to, self);
        self.ends.pop();
        let returned = from.terminator(*region).map_or(&[][..], |last| &last.operands);
        for (index, (result, returned)) in inst.results.iter().zip(returned).enumerate() {
            let sharding = gives.get(index);
            let value = rewriter.value(*returned);
            let value = crossed(rewriter, value, from.ty(*result), Way::Leave, sharding, crossing);
            let value = self.constrained(rewriter, value, sharding, crossing);
            rewriter.stand_for_own(*result, value);
        }
    }

    /// The value with a sharding that its computation asks for. No manual axis may be added to it later.
    fn constrained(
        &self,
        rewriter: &mut Rewriter<'_>,
        value: ValueId,
        sharding: Option<&ShardingAttr>,
        crossing: &Crossing<'_>,
    ) -> ValueId {
        let ty = rewriter.to.ty(value).clone();
        let Some(sharding) = sharding.filter(|_| ty.as_tensor().is_some()) else { return value };
        let mut kept = sharding.clone();
        kept.unreduced.clear();
        if let Some(mesh) = self.program.resolve_mesh(&sharding.mesh) {
            keep_off(&mut kept, crossing.manual_axes, mesh);
        }
        let op = ShardingConstraint { kind: ConstraintKind::Constraint, sharding: kept };
        append(rewriter, crossing.view.id, op.into(), value, ty, crossing.to)
    }
}

/// Appends an instruction of one operand that stands for (a part of) `inst`.
fn append(
    rewriter: &mut Rewriter<'_>,
    inst: InstId,
    op: Op,
    value: ValueId,
    ty: Type,
    to: RegionId,
) -> ValueId {
    rewriter.append_for(inst, op, vec![value], vec![ty], to)[0]
}

/// The rearrangement that stands where a concatenation stood.
fn rearrange(
    rewriter: &mut Rewriter<'_>,
    view: &InstView<'_>,
    op: &Rearrange,
    taken: &[Taken],
    to: RegionId,
) {
    let from = view.body;
    let mut operands = Vec::with_capacity(taken.len());
    for Taken { value, changes } in taken {
        let start = rewriter.value(*value);
        let changed = changes.iter().fold(start, |operand, id| {
            let change = &from.insts[*id];
            let element = from.ty(change.results[0]).as_tensor().map(|ty| ty.element);
            let mut ty = rewriter.to.ty(operand).clone();
            if let (Type::Tensor(ty), Some(element)) = (&mut ty, element) {
                ty.element = element;
            }
            append(rewriter, *id, change.op.clone(), operand, ty, to)
        });
        operands.push(changed);
    }
    let result = view.inst.results[0];
    // All of one value is the value.
    if let ([operand], [part]) = (operands.as_slice(), op.parts.as_slice())
        && !part.is_reversed
        && view.inst.attributes.is_empty()
        && rewriter.to.ty(*operand) == from.ty(result)
    {
        rewriter.stand_for(result, *operand);
        return;
    }
    let made =
        rewriter.append_for(view.id, op.clone().into(), operands, vec![from.ty(result).clone()], to)[0];
    rewriter.annotate_like(made, view.id);
    rewriter.stand_for_own(result, made);
}

/// The value on the other side of a boundary.
fn crossed(
    rewriter: &mut Rewriter<'_>,
    value: ValueId,
    ty: &Type,
    way: Way,
    sharding: Option<&ShardingAttr>,
    crossing: &Crossing<'_>,
) -> ValueId {
    let is_tensor = ty.as_tensor().is_some() && !crossing.manual_axes.is_empty();
    let Some(sharding) = sharding.filter(|_| is_tensor) else { return value };
    let (sharding, manual_axes) = (sharding.clone(), crossing.manual_axes.to_vec());
    let op = ManualBoundary { way, sharding, manual_axes };
    append(rewriter, crossing.view.id, op.into(), value, ty.clone(), crossing.to)
}

/// A computation with a region that is about to be inlined.
#[derive(Clone, Copy)]
struct Crossing<'a> {
    view: &'a InstView<'a>,
    /// Where its contents go.
    to: RegionId,
    /// What it says of the values that go into it.
    takes: &'a [ShardingAttr],
    /// What it says of those that come out.
    gives: &'a [ShardingAttr],
    manual_axes: &'a [String],
}

impl<'a> Crossing<'a> {
    fn of(view: &'a InstView<'a>, to: RegionId) -> Option<Self> {
        let (takes, gives, manual_axes): (_, _, &[String]) = match &view.inst.op {
            Op::ManualComputation(op) => {
                (op.in_shardings.as_slice(), op.out_shardings.as_slice(), &op.manual_axes)
            }
            Op::NamedComputation(op) => {
                let list =
                    |shardings: &'a Option<Vec<ShardingAttr>>| shardings.as_deref().unwrap_or_default();
                (list(&op.in_shardings), list(&op.out_shardings), &[])
            }
            _ => return None,
        };
        Some(Self { view, to, takes, gives, manual_axes })
    }
}

/// Says that those of `manual` that a sharding does not use stay unused.
fn keep_off(sharding: &mut ShardingAttr, manual: &[String], mesh: &Mesh) {
    let used = sharding.dims.iter().flat_map(|dim| &dim.axes).chain(&sharding.replicated);
    let used: Vec<&String> = used.map(|axis| &axis.name).collect();
    let free = manual.iter().filter(|name| !used.contains(name));
    let free: Vec<AxisRefAttr> =
        free.map(|name| AxisRefAttr { name: name.clone(), sub_axis: None }).collect();
    sharding.replicated.extend(free);
    sharding.replicated.sort_by_key(|axis| (mesh.axis_named(&axis.name), axis.sub_axis));
}
