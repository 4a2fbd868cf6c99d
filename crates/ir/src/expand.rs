//! Short forms: ops that stand for others, as `chlo.broadcast_add` stands for broadcasts and a sum.
//!
//! What a short form stands for is said once, in its own file (`OpDef::expand`). The evaluator computes just that
//! (`evaluate`), and before a program is sharded over devices [`expand`] writes it out, so that no later stage has to
//! know of short forms.
//!
//! It is written with a [`Builder`], whose place is that of the short form.
//!
//! Input of [`expand`]: a function. Output: the same function without short forms, and without tuples that are taken
//! apart again. Shardings that were given to a short form's results stay with them.

use crate::attribute::Attr;
use crate::build::{At, Builder};
use crate::diagnostic::Span;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::{InstId, RegionId, Table, ValueId};
use crate::op::{Op, Violations};
use crate::ops::return_::Return;
use crate::ops::sdy_constraint::{ConstraintKind, ShardingConstraint};
use crate::ops::tuple::Tuple;
use crate::program::{Body, Def, Function, Inst, InstView};
use crate::rewrite::{Edit, Rewriter, Rewritten, rewritten};
use crate::sdy::OpShardingRule;
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, Type};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A function without short forms.
pub fn expand(function: Function) -> Function {
    match expanded(&function.body) {
        Some(Rewritten { body, .. }) => Function { body, ..function },
        None => function,
    }
}

/// A function without short forms but for those whose derivative is their own, as reverse mode takes it.
pub fn expand_for_derivative(function: Function) -> Function {
    let tuples = Tuples { keeps_own_derivatives: true, ..Tuples::of(&function.body) };
    let Rewritten { body, .. } = rewritten(&function.body, &mut &tuples);
    Function { body, ..function }
}

/// A body without short forms, and what became of the old one; `None` if there is none in it.
pub fn expanded(body: &Body) -> Option<Rewritten> {
    let has_any = body.insts.values().any(|inst| inst.op.is_short_form());
    has_any.then(|| rewritten(body, &mut &Tuples::of(body)))
}

/// Short forms written out.
impl Edit for &Tuples {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let inst = view.inst;
        if self.unread.contains(&view.id) {
            return true;
        }
        if let [result] = inst.results[..]
            && let Some(member) = self.member_of.get(&result)
        {
            // A member that is a tuple may itself be unread.
            let member = rewriter.map[*member].map(|member| {
                Expansion { rewriter, region: to, tuples: self, view: *view }.annotated(vec![member])[0]
            });
            rewriter.map[result] = member;
            return true;
        }
        if !inst.op.is_short_form() || self.keeps_own_derivatives && inst.op.traits().has_own_derivative {
            return false;
        }
        let operands = rewriter.values(&inst.operands);
        let mark = rewriter.mark(to);
        let start = rewriter.to.regions[to].insts.len();
        let mut e = Expansion { rewriter, region: to, tuples: self, view: *view };
        let results = inst.op.expand(view, &operands, &mut e).filter(|_| e.is_sound(start));
        let Some(results) = results.map(|results| e.annotated(results)) else {
            rewriter.back_to(mark);
            self.shared.borrow_mut().clear();
            return false;
        };
        for (old, new) in inst.results.iter().zip(results) {
            if mark.is_before(new) {
                rewriter.stand_for_own(*old, new);
            } else {
                rewriter.stand_for(*old, new);
            }
        }
        true
    }
}

/// What is known of a function's tuples.
#[derive(Default)]
struct Tuples {
    /// The value that a member of a tuple is, where the tuple is made in the same function.
    member_of: BTreeMap<ValueId, ValueId>,
    /// Tuples that are read by nothing but what takes them apart, and by such tuples.
    unread: BTreeSet<InstId>,
    /// Whether short forms with a derivative of their own stay.
    keeps_own_derivatives: bool,
    /// What several short forms of a region share ([`Expansion::once`]).
    shared: RefCell<BTreeMap<(RegionId, Shared), Vec<ValueId>>>,
}

/// Part of what a short form stands for that others may have too: what is made of a value, in a type, along dims.
pub(crate) type Shared = (ValueId, ElementType, Vec<usize>);

impl Tuples {
    fn of(body: &Body) -> Self {
        let mut tuples = Self::default();
        let order = body.walk(body.entry());
        for id in &order {
            let inst = &body.insts[*id];
            if let (Op::Tuple(Tuple::Get(index)), [tuple], [result]) =
                (&inst.op, &inst.operands[..], &inst.results[..])
                && let Def::Result(made, _) = body.values[tuples.known(*tuple)].def
                && let Op::Tuple(Tuple::Make) = body.insts[made].op
            {
                let member = tuples.known(body.insts[made].operands[*index]);
                tuples.member_of.insert(*result, member);
            }
        }
        let uses = body.uses();
        for id in order.into_iter().rev() {
            let inst = &body.insts[id];
            let is_apart = |(reader, _): &(InstId, usize)| {
                let result = body.insts[*reader].results.first();
                tuples.unread.contains(reader)
                    || result.is_some_and(|result| tuples.member_of.contains_key(result))
            };
            let is_make = matches!(inst.op, Op::Tuple(Tuple::Make));
            if is_make && inst.results.iter().all(|result| uses[*result].iter().all(is_apart)) {
                tuples.unread.insert(id);
            }
        }
        tuples
    }

    /// The value that a value is.
    fn known(&self, value: ValueId) -> ValueId {
        self.member_of.get(&value).copied().unwrap_or(value)
    }
}

/// Writes a verified instruction out as the body of a function that takes its operands; `None` if it is no short
/// form, or one that has regions.
pub fn written_out(view: &InstView<'_>) -> Option<Body> {
    if !view.inst.op.is_short_form() || !view.inst.regions.is_empty() {
        return None;
    }
    write_out(view, |operands, e| view.inst.op.expand(view, operands, e))
}

fn write_out(
    view: &InstView<'_>,
    expand: impl FnOnce(&[ValueId], &mut Expansion<'_, '_>) -> Option<Vec<ValueId>>,
) -> Option<Body> {
    let mut rewriter = Rewriter::within(view.body, Body::new());
    let entry = rewriter.to.entry();
    let args: Vec<ValueId> =
        view.operand_types().map(|ty| rewriter.to.add_arg(entry, ty.clone(), Span::NONE)).collect();
    let tuples = Tuples::default();
    let mut e = Expansion { rewriter: &mut rewriter, region: entry, tuples: &tuples, view: *view };
    let results = expand(&args, &mut e).filter(|_| e.is_sound(0))?;
    e.emit_all(Return::Func, &results, Vec::new(), Vec::new());
    Some(rewriter.to)
}

/// The results of an instruction, computed as those of what its op stands for (`expand` writes that; see
/// `OpDef::expand`). Regions are applied by ops that know what is in them, so an expansion that is evaluated may
/// only make regions of one operation.
pub(crate) fn evaluate(
    Evaluation { view, inputs, cx }: Evaluation<'_>,
    expand: impl FnOnce(&[ValueId], &mut Expansion<'_, '_>) -> Option<Vec<ValueId>>,
) -> Evaluated {
    let Some(body) = write_out(view, expand) else {
        return Err(EvalError::new(format!("this `{}` is not evaluated", view.inst.op.name())));
    };
    let mut num_reads = Table::filled(0_usize, body.values.len());
    let operands = body.insts.values().flat_map(|inst| &inst.operands);
    operands.for_each(|value| num_reads[*value] += 1);
    let mut known: Table<ValueId, Option<Tensor>> = Table::filled(None, body.values.len());
    let entry = &body.regions[body.entry()];
    for (arg, input) in entry.args.iter().zip(inputs) {
        known[*arg] = Some(input);
    }
    // What is read for the last time is given away, so that it can be written over.
    let mut read = |known: &mut Table<ValueId, Option<Tensor>>, value: &ValueId| {
        num_reads[*value] -= 1;
        let tensor = if num_reads[*value] == 0 { known[*value].take() } else { known[*value].clone() };
        tensor.ok_or_else(|| EvalError::new("a short form reads what it does not define"))
    };
    for id in &entry.insts {
        let view = body.view(*id);
        let operands = view.inst.operands.iter().map(|value| read(&mut known, value));
        let inputs = operands.collect::<Result<Vec<Tensor>, _>>()?;
        if matches!(view.inst.op, Op::Return(_)) {
            return Ok(inputs);
        }
        let computed = view.inst.op.evaluate(Evaluation { view: &view, inputs, cx })?;
        for (value, tensor) in view.inst.results.iter().zip(computed) {
            known[*value] = Some(tensor);
        }
    }
    Err(EvalError::new("a short form has no end"))
}

/// Builder with which an op writes out what it stands for.
pub struct Expansion<'a, 'b> {
    rewriter: &'a mut Rewriter<'b>,
    region: RegionId,
    tuples: &'a Tuples,
    /// The short form.
    view: InstView<'a>,
}

impl Builder for Expansion<'_, '_> {
    fn at(&mut self) -> At<'_> {
        let Inst { span, location, .. } = self.view.inst;
        At { body: &mut self.rewriter.to, region: &mut self.region, span: *span, location: location.clone() }
    }
}

impl Expansion<'_, '_> {
    /// What `make` makes, or what it made for another short form of the region.
    pub(crate) fn once(
        &mut self,
        shared: Shared,
        make: impl FnOnce(&mut Self) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let key = (self.region, shared);
        let known = self.tuples.shared.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let made = make(self);
            self.tuples.shared.borrow_mut().insert(key, made.clone());
            made
        })
    }

    /// The contents of region `index` of the short form, applied to `args`. Returns what the region returns.
    pub fn inlined(&mut self, view: &InstView<'_>, index: usize, args: &[ValueId]) -> Vec<ValueId> {
        for (arg, value) in view.region(index).args.iter().zip(args) {
            self.rewriter.stand_for(*arg, *value);
        }
        let Some((last, insts)) = view.region(index).insts.split_last() else { return Vec::new() };
        let mut tuples = self.tuples;
        self.rewriter.walk_each(insts, self.region, &mut tuples);
        self.rewriter.values(&view.body.insts[*last].operands)
    }

    /// Whether all that was appended from position `start` on obeys the specification. A short form may take elements
    /// that what it stands for does not take.
    fn is_sound(&self, start: usize) -> bool {
        let outer = &self.rewriter.to.regions[self.region].insts[start..];
        let inner = outer.iter().flat_map(|id| &self.rewriter.to.insts[*id].regions);
        let inner: Vec<InstId> = inner.flat_map(|region| self.rewriter.to.walk(*region)).collect();
        outer.iter().chain(&inner).all(|id| {
            let view = self.rewriter.to.view(*id);
            let mut violations = Violations::default();
            view.inst.op.verify(&view, &mut violations);
            violations.messages.is_empty() && violations.shardings.is_empty()
        })
    }

    /// The results with what the short form's attributes say of them: shardings, and the sharding rule if it stands for
    /// one instruction of the same operands and results.
    fn annotated(&mut self, results: Vec<ValueId>) -> Vec<ValueId> {
        let attributes = &self.view.inst.attributes;
        if let Some(rule) = attributes.get(OpShardingRule::NAME)
            && let Some(Def::Result(inst, 0)) =
                results.first().map(|result| self.rewriter.to.values[*result].def)
            && self.rewriter.to.insts[inst].results == results
            && self.is_alike(inst)
        {
            self.rewriter.to.insts[inst].attributes.set(OpShardingRule::NAME, rule.clone());
        }
        let Some(Attr::ShardingPerValue(shardings)) = attributes.get("sdy.sharding") else { return results };
        let constrain =
            |(index, value): (usize, ValueId)| match (shardings.get(index), self.rewriter.to.ty(value)) {
                (Some(sharding), Type::Tensor(ty)) => {
                    let (ty, sharding) = (ty.clone(), sharding.clone());
                    let kind = ConstraintKind::Constraint;
                    self.emit(ShardingConstraint { kind, sharding }, &[value], ty)
                }
                _ => value,
            };
        results.into_iter().enumerate().map(constrain).collect()
    }

    /// Whether an instruction takes just what the short form takes.
    fn is_alike(&self, inst: InstId) -> bool {
        let own = self.view.inst.operands.iter().map(|value| self.rewriter.map[*value]);
        own.eq(self.rewriter.to.insts[inst].operands.iter().map(|value| Some(*value)))
    }
}
