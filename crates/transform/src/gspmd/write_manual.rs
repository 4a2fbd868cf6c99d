//! Manual computations as GSPMD has them, and as JAX lowers `shard_map`: a function that is called on shards.
//!
//! ```text
//! %4 = sdy.manual_computation(%1)                                %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}]>
//!     in_shardings=[<@mesh, [{"x"}]>] ... (%a: ...) {            %3 = enter_manual %2
//!   %5 = stablehlo.sine %a                                 ->    %5 = call @manual_computation(%3)
//!   sdy.return %5                                                %6 = sdy.sharding_constraint %5 <@mesh, [{}]>
//! }                                                              %4 = leave_manual %6
//! ```
//!
//! Input: a program. Output: the same with a function for each computation, and the axes along which each function and
//! instruction is the program of one device: whoever writes its sharding must say so.

use super::GSPMD;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::call::Call;
use meshwright_ir::ops::manual_boundary::{ManualBoundary, Way};
use meshwright_ir::ops::return_::Return;
use meshwright_ir::ops::sdy_constraint::{ConstraintKind, ShardingConstraint};
use meshwright_ir::ops::sdy_manual_computation::ManualComputation;
use meshwright_ir::program::{Body, Function, Inst, Program};
use meshwright_ir::rewrite::{Rewriter, Unchanged};
use meshwright_ir::sharding::ShardingAttr;
use meshwright_tensor::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// The manual axes around one function, and those around the instructions in it that stand between boundaries.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    pub(super) function: Vec<String>,
    insts: BTreeMap<InstId, Vec<String>>,
}

impl Around {
    pub(super) fn inst(&self, inst: InstId) -> &[String] {
        self.insts.get(&inst).map_or(&self.function, Vec::as_slice)
    }
}

/// Makes functions of the manual computations of a program; the axes around each function, in their order.
///
/// # Errors
/// A function that is called along some manual axes here and along others there.
pub(super) fn flatten(program: &mut Program) -> Result<Vec<Around>, Diagnostics> {
    let called: BTreeSet<String> = program.functions.iter().flat_map(callees).collect();
    let roots =
        (0..program.functions.len()).filter(|index| !called.contains(&program.functions[*index].name));
    let mut pending: Vec<usize> = roots.collect();
    // The manual axes around each function that was reached.
    let mut reached: Vec<Option<Vec<String>>> = vec![None; program.functions.len()];
    pending.iter().for_each(|root| reached[*root] = Some(Vec::new()));
    let mut positions: BTreeMap<String, usize> = BTreeMap::new();
    for (index, function) in program.functions.iter().enumerate() {
        positions.entry(function.name.clone()).or_insert(index);
    }
    let mut around = vec![Around::default(); program.functions.len()];
    let mut problems = Diagnostics::new();
    let mut parts = Parts::default();
    while let Some(index) = pending.pop() {
        let axes = reached[index].clone().unwrap_or_default();
        parts.axes.clone_from(&axes);
        parts.function(&mut program.functions[index].body, &positions);
        around[index] = Around { function: axes.clone(), insts: std::mem::take(&mut parts.insts) };
        for (function, axes) in parts.made.drain(..) {
            positions.insert(function.name.clone(), program.functions.len());
            pending.push(program.functions.len());
            program.functions.push(function);
            around.push(Around::default());
            reached.push(Some(axes));
        }
        for (callee, span) in calls(&program.functions[index].body) {
            let Some(callee) = positions.get(&callee).copied() else { continue };
            match &reached[callee] {
                // A function of a computation has the axes of its boundaries.
                Some(other) if *other != axes && called.contains(&program.functions[callee].name) => {
                    problems.push(differing(&program.functions[callee], span));
                }
                Some(_) => {}
                None => {
                    reached[callee] = Some(axes.clone());
                    pending.push(callee);
                }
            }
        }
    }
    if problems.is_empty() { Ok(around) } else { Err(problems) }
}

fn differing(callee: &Function, span: Span) -> Diagnostic {
    let message = format!(
        "`@{}` is called along some manual axes here and along others elsewhere, which has no form in GSPMD",
        callee.name
    );
    Diagnostic::error(GSPMD, span, message).hint("give each its own copy of the function")
}

fn callees(function: &Function) -> Vec<String> {
    calls(&function.body).into_iter().map(|(callee, _)| callee).collect()
}

fn calls(body: &Body) -> Vec<(String, Span)> {
    let insts = body.walk(body.entry()).into_iter().map(|inst| &body.insts[inst]);
    let calls = |inst: &Inst| -> Vec<(String, Span)> {
        inst.op.callees().into_iter().map(|callee| (callee.to_owned(), inst.span)).collect()
    };
    insts.flat_map(calls).collect()
}

/// What becomes of the computations of one function.
#[derive(Default)]
struct Parts {
    /// The manual axes around the function.
    axes: Vec<String>,
    /// Those around instructions that stand inside of a computation.
    insts: BTreeMap<InstId, Vec<String>>,
    /// The functions made, with the axes around each.
    made: Vec<(Function, Vec<String>)>,
    /// What is read instead of the results of computations.
    values: BTreeMap<ValueId, ValueId>,
    /// The number of the next name, in any function.
    next: usize,
}

impl Parts {
    fn function(&mut self, body: &mut Body, taken: &BTreeMap<String, usize>) {
        self.values.clear();
        let mut pending = vec![body.entry()];
        while let Some(region) = pending.pop() {
            let old = std::mem::take(&mut body.regions[region].insts);
            let mut new = Vec::with_capacity(old.len());
            for id in old {
                if let Op::ManualComputation(op) = &body.insts[id].op {
                    let op = op.clone();
                    self.computation(body, id, &op, taken, &mut new);
                    continue;
                }
                pending.extend(&body.insts[id].regions);
                new.push(id);
            }
            body.regions[region].insts = new;
        }
        for inst in body.insts.values_mut() {
            let operands = inst.operands.iter_mut();
            operands.for_each(|value| *value = *self.values.get(value).unwrap_or(value));
        }
    }

    fn computation(
        &mut self,
        body: &mut Body,
        id: InstId,
        op: &ManualComputation,
        taken: &BTreeMap<String, usize>,
        to: &mut Vec<InstId>,
    ) {
        let source = body.insts[id].clone();
        let Some(region) = source.regions.first().copied() else { return };
        let mut inner = self.axes.clone();
        inner.extend(op.manual_axes.iter().filter(|axis| !self.axes.contains(axis)).cloned());
        let (name, types) = (self.name(taken), results_of(body, region));
        self.made.push((function_of(body, region, name.clone(), op, source.span), inner.clone()));
        let args: Vec<Type> = body.regions[region].args.iter().map(|arg| body.ty(*arg).clone()).collect();
        let mut entered = Vec::new();
        for ((operand, ty), sharding) in source.operands.iter().zip(args).zip(&op.in_shardings) {
            let whole = self.constraint(body, id, *operand, sharding, to);
            let enter = boundary(Way::Enter, sharding, op);
            entered.extend(append(body, id, enter, vec![whole], vec![ty], to));
            self.stands_inside(to, &inner);
        }
        let call = append(body, id, Call { callee: name }.into(), entered, types, to);
        self.stands_inside(to, &inner);
        if let Some(call) = to.last() {
            let shardings = inside(&op.out_shardings, op);
            body.insts[*call].attributes.set("sdy.sharding", Attr::ShardingPerValue(shardings));
        }
        for ((value, result), sharding) in call.iter().zip(&source.results).zip(&op.out_shardings) {
            let ty = body.ty(*result).clone();
            let kept = self.constraint(body, id, *value, &without(sharding, &op.manual_axes), to);
            self.stands_inside(to, &inner);
            let leave = boundary(Way::Leave, sharding, op);
            let left = append(body, id, leave, vec![kept], vec![ty], to)[0];
            self.insts.remove(to.last().unwrap_or(&id));
            body.values[left].span = body.values[*result].span;
            self.values.insert(*result, left);
        }
    }

    /// A name that no function has.
    fn name(&mut self, taken: &BTreeMap<String, usize>) -> String {
        loop {
            let name = format!("manual_computation_{}", self.next);
            self.next += 1;
            if !taken.contains_key(&name) {
                return name;
            }
        }
    }

    fn stands_inside(&mut self, to: &[InstId], axes: &[String]) {
        if let Some(last) = to.last() {
            self.insts.insert(*last, axes.to_vec());
        }
    }

    fn constraint(
        &mut self,
        body: &mut Body,
        id: InstId,
        value: ValueId,
        sharding: &ShardingAttr,
        to: &mut Vec<InstId>,
    ) -> ValueId {
        let ty = body.ty(value).clone();
        let op = ShardingConstraint { kind: ConstraintKind::Constraint, sharding: sharding.clone() };
        append(body, id, op.into(), vec![value], vec![ty], to)[0]
    }
}

/// How a value crosses the border of a computation.
fn boundary(way: Way, sharding: &ShardingAttr, op: &ManualComputation) -> Op {
    ManualBoundary { way, sharding: sharding.clone(), manual_axes: op.manual_axes.clone() }.into()
}

/// Makes an instruction that stands for a part of `source`, behind `to`.
fn append(
    body: &mut Body,
    source: InstId,
    op: Op,
    values: Vec<ValueId>,
    types: Vec<Type>,
    to: &mut Vec<InstId>,
) -> Vec<ValueId> {
    let entry = body.entry();
    let made = BodyBuilder::standing_for(body, source, entry).emit_all(op, &values, Vec::new(), types);
    to.extend(body.regions[entry].insts.pop());
    made
}

fn results_of(body: &Body, region: RegionId) -> Vec<Type> {
    let returned = body.terminator(region).map_or(&[][..], |last| &last.operands);
    returned.iter().map(|value| body.ty(*value).clone()).collect()
}

/// A region, which reads nothing from outside, as a function.
fn function_of(from: &Body, region: RegionId, name: String, op: &ManualComputation, span: Span) -> Function {
    let mut rewriter = Rewriter::of_region(from, region);
    let entry = rewriter.to.entry();
    rewriter.walk(region, entry, &mut Unchanged);
    let mut body = rewriter.to;
    if let Some(last) = body.regions[entry].insts.last().copied() {
        body.insts[last].op = Return::Func.into();
    }
    let result_types = results_of(from, region);
    Function {
        name,
        visibility: Some("private".into()),
        arg_attributes: inside(&op.in_shardings, op).into_iter().map(annotated).collect(),
        result_attributes: inside(&op.out_shardings, op).into_iter().map(annotated).collect(),
        result_types,
        result_spans: Vec::new(),
        attributes: Attributes::new(),
        body,
        is_declaration: false,
        span,
        location: None,
    }
}

/// Shardings at the border as the inside sees them.
fn inside(shardings: &[ShardingAttr], op: &ManualComputation) -> Vec<ShardingAttr> {
    shardings.iter().map(|sharding| without(sharding, &op.manual_axes)).collect()
}

fn annotated(sharding: ShardingAttr) -> Attributes {
    [("sdy.sharding".to_owned(), Attr::Sharding(sharding))].into_iter().collect()
}

/// A sharding as the inside sees it.
pub(super) fn without(sharding: &ShardingAttr, manual_axes: &[String]) -> ShardingAttr {
    let mut free = sharding.clone();
    for dim in &mut free.dims {
        dim.axes.retain(|axis| !manual_axes.contains(&axis.name));
    }
    free.replicated.retain(|axis| !manual_axes.contains(&axis.name));
    free
}
