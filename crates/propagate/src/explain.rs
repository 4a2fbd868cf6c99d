//! Where shardings came from, and where they are at odds.
//!
//! Input: a program as for [`super::propagate_module`]. The pipeline runs and records every sharding that it sets. From
//! the record, each axis of a value is followed back: through the instruction that brought it, to the value that had it
//! before, up to one that the program annotates. An instruction is in conflict along a factor if its tensors ended up
//! sharded differently along it; what has to be sent for it is counted per device.
//!
//! ```text
//! %2 dim 1 has "model" because of the dot at gpt.mlir:210, which got it from %arg4, which is annotated
//! ```

use super::annotation::sharding_in;
use super::axis::{AxisPart, product};
use super::calls::Names;
use super::engine::{Engine, Update};
use super::projection::Projection;
use super::sharding::TensorSharding;
use super::state::{Node, State, Value};
use super::{Prepared, PropagateOptions, PropagationPass, order, prepare, priorities};
use meshwright_ir::diagnostic::{Diagnostics, Span};
use meshwright_ir::ids::ValueId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::sdy_sharding_group::members;
use meshwright_ir::program::{Def, Program};
use meshwright_ir::sdy::OpShardingRule;
use meshwright_ir::sdy::rule_builder::RuleBuilder;
use meshwright_ir::sharding::ShardingAttr;
use std::collections::BTreeMap;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The function that it stands in, if that is not an entry: names are those of one function.
    pub function: Option<String>,
    /// What names it in the source; none for what the compiler made.
    pub value: Span,
    /// Number of the result, if what defines it has several.
    pub result: Option<usize>,
    /// What defines it: an operation's name, or `argument 3 of @main`.
    pub what: String,
    /// Where that stands.
    pub place: Span,
}

/// One step back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The operation that brought the axis, and where it stands.
    pub through: (String, Span),
    /// The value that it brought it from.
    pub from: Site,
}

/// An axis of a dim, and how it came there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisOrigin {
    /// The dim.
    pub dim: usize,
    /// The axis, as the text writes it.
    pub axis: String,
    /// Steps back, the last step first; none if it is the value itself that has the axis from the start.
    pub links: Vec<Link>,
    /// Who gave it to the value at the end.
    pub root: Root,
}

/// Origins of an axis in the value that had it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The user, by an annotation.
    Annotation,
    /// The search, whose choice was written as an annotation.
    Search,
}

/// A value's sharding and how it came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The value.
    pub site: Site,
    /// Its sharding, as the text writes it; `None` if it has none.
    pub sharding: Option<String>,
    /// Each axis that shards a dim.
    pub origins: Vec<AxisOrigin>,
}

/// One side of a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The operand or result.
    pub site: Site,
    /// Its dim.
    pub dim: usize,
    /// The axes that shard it there.
    pub axes: Vec<String>,
    /// Where the first of them that others do not have came from; `None` if there are none.
    pub origin: Option<AxisOrigin>,
}

/// Tensors of one instruction that are sharded differently along one factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The operation.
    pub what: String,
    /// Where it stands.
    pub place: Span,
    /// Those who differ, the largest tensor first.
    pub sides: Vec<Side>,
    /// Bytes that each device has to receive if all follow the first side.
    pub bytes: f64,
}

/// Questions about shardings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The value that a span names, and which of the results if there are several.
    Value(Span, usize),
    /// An argument of the entry function.
    Argument(usize),
}

/// Explains the sharding of one value. `None` if propagation does not see it: constants are copied for each reader.
/// `own` is the program before a search wrote what it chose into it; where there was none, the program itself.
///
/// # Errors
/// As [`super::propagate_module`].
pub fn explain(
    program: &Program,
    own: &Program,
    options: &PropagateOptions,
    question: Question,
) -> Result<Option<Explanation>, Diagnostics> {
    let prepared = prepare(program.clone(), options)?;
    let record = Record::of(&prepared, options, annotated(program), annotated(own));
    Ok(record.find(question).map(|value| record.explain(value)))
}

/// All conflicts, the most expensive first. `own` is as for [`explain`].
///
/// # Errors
/// As [`super::propagate_module`].
pub fn conflicts(
    program: &Program,
    own: &Program,
    options: &PropagateOptions,
) -> Result<Vec<Conflict>, Diagnostics> {
    let prepared = prepare(program.clone(), options)?;
    let mut record = Record::of(&prepared, options, annotated(program), annotated(own));
    let nodes: Vec<Node> = record.order.clone();
    let mut found: Vec<Conflict> = nodes.into_iter().flat_map(|node| record.conflicts_at(node)).collect();
    found.sort_by(|a, b| b.bytes.total_cmp(&a.bytes).then(a.place.start.cmp(&b.place.start)));
    Ok(found)
}

/// What a program's values are annotated with, by their places; the results of an instruction share one.
type Annotated = BTreeMap<(u32, u32), Vec<ShardingAttr>>;

/// The values that a program annotates.
fn annotated(program: &Program) -> Annotated {
    let mut found = Annotated::new();
    for function in &program.functions {
        let body = &function.body;
        for (id, value) in body.values.iter() {
            if let Some(sharding) = sharding_in(body, &function.arg_attributes, id) {
                found.entry(place_of(value.span)).or_default().push(sharding);
            }
        }
    }
    found
}

fn place_of(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

/// The engine behind its work, with what it set.
struct Record<'a> {
    names: &'a Names,
    /// Values that are annotated.
    annotated: Annotated,
    /// Those that the user annotated.
    own: Annotated,
    /// The members of each sharding group.
    groups: BTreeMap<i64, Vec<Value>>,
    engine: Engine<'a>,
    updates: Vec<Update>,
    /// The shardings before.
    initial: Vec<Option<TensorSharding>>,
    /// Positions in `updates` for each slot.
    history: Vec<Vec<usize>>,
    order: Vec<Node>,
    entries: Vec<usize>,
}

impl<'a> Record<'a> {
    fn of(prepared: &'a Prepared, options: &PropagateOptions, annotated: Annotated, own: Annotated) -> Self {
        let program = &prepared.program;
        let entries = super::entries(program);
        let state = State::of(program);
        let initial = state.shardings.clone();
        let order = order(&state, &entries, options.calls);
        let mut engine = Engine::new(state, options.mode, order.clone());
        engine.updates = Some(Vec::new());
        assert!(options.strategy == PropagationPass::Pipeline, "only the pipeline is explained");
        priorities::by_user_priority(&mut engine, &entries);
        let updates = engine.updates.take().unwrap_or_default();
        let mut history = vec![Vec::new(); initial.len()];
        for (position, update) in updates.iter().enumerate() {
            history[update.slot].push(position);
        }
        let mut groups: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
        for (index, function) in program.functions.iter().enumerate() {
            for (id, _, value) in members(&function.body) {
                let value = engine.state.value(index, value);
                groups.entry(id).or_default().push(value);
            }
        }
        Self {
            names: &prepared.names,
            annotated,
            own,
            groups,
            engine,
            updates,
            initial,
            history,
            order,
            entries,
        }
    }

    fn state(&self) -> &State<'a> {
        &self.engine.state
    }

    fn find(&self, question: Question) -> Option<Value> {
        let program = self.state().program;
        let entries = &self.entries;
        let others = (0..program.functions.len()).filter(|index| !entries.contains(index));
        for function in entries.iter().copied().chain(others) {
            let content = &program.functions[function];
            let found = match question {
                Question::Argument(index) => content.args().get(index).copied(),
                Question::Value(span, result) => {
                    let named = |def: Def| match def {
                        Def::Result(_, index) => index == result,
                        Def::Argument(..) => result == 0,
                    };
                    let mut values = content.body.values.iter();
                    values.find(|(_, value)| value.span == span && named(value.def)).map(|(id, _)| id)
                }
            };
            if let Some(value) = found {
                return Some(self.state().value(function, value));
            }
        }
        None
    }

    fn site(&self, value: Value) -> Site {
        let state = self.state();
        let (function, def) = state.def(value);
        let content = &state.program.functions[function];
        let body = &content.body;
        let name = self.names.get(&content.name).unwrap_or(&content.name);
        let is_entry = self.entries.contains(&function);
        let inner = (!is_entry).then(|| name.clone());
        match def {
            Def::Argument(region, index) => {
                let of = match state.owner(function, region) {
                    None => format!("@{name}"),
                    Some(owner) => {
                        format!("the region of {}", body.insts[state.places[owner].inst].op.name())
                    }
                };
                let (_, id) = state.id(value);
                let place = body.values[id].span;
                Site {
                    function: inner,
                    value: place,
                    result: None,
                    what: format!("argument {index} of {of}"),
                    place,
                }
            }
            Def::Result(inst, index) => {
                let content = &body.insts[inst];
                if let (Op::DataFlowEdge(_), [operand]) = (&content.op, &content.operands[..]) {
                    return self.site(state.value(function, *operand));
                }
                let (_, id) = state.id(value);
                Site {
                    function: inner,
                    value: body.values[id].span,
                    result: (content.results.len() > 1).then_some(index),
                    what: content.op.name().to_owned(),
                    place: content.span,
                }
            }
        }
    }

    fn axis_name(&self, sharding: &TensorSharding, part: AxisPart) -> String {
        part.to_attr(self.state().meshes.mesh(sharding.mesh)).to_string()
    }

    fn explain(&self, value: Value) -> Explanation {
        let sharding = self.state().sharding(value);
        let text = sharding.map(|sharding| {
            let text = sharding.to_attr(&self.state().meshes).to_string();
            text.split_once(", ").map_or(text.clone(), |(_, rest)| rest.to_owned())
        });
        let mut origins = Vec::new();
        if let (Some(sharding), Some(slot)) = (sharding, self.state().slot(value)) {
            for (dim, content) in sharding.dims.iter().enumerate() {
                for part in &content.axes {
                    origins.push(self.origin(slot, dim, *part, self.updates.len(), sharding));
                }
            }
        }
        Explanation { site: self.site(value), sharding: text, origins }
    }

    /// How an axis came to a dim of a slot before a time.
    fn origin(
        &self,
        slot: Value,
        dim: usize,
        part: AxisPart,
        before: usize,
        named: &TensorSharding,
    ) -> AxisOrigin {
        let mut links = Vec::new();
        let (mut at, mut at_dim, mut before) = (slot, dim, before);
        // Every link is earlier than the one before, so that there is a last one.
        while let Some(time) = self.arrival(at, at_dim, part, before) {
            let update = &self.updates[time];
            let through = match (update.like, update.by) {
                (Some(_), _) => ("sdy.sharding_group".to_owned(), Span::NONE),
                (None, Some(node)) => self.name_of(node),
                (None, None) => ("the function's result".to_owned(), Span::NONE),
            };
            let source = match update.like {
                Some(like) => Some((like, at_dim)),
                None => self.source(update, at, at_dim, part, time),
            };
            let Some((from, from_dim)) = source else { break };
            links.push(Link { through, from: self.site(from) });
            // A member of a group that was set first has the axis by an update right before.
            (at, at_dim, before) = (from, from_dim, time);
        }
        if let Some(member) = self.annotated_member(at, at_dim, part) {
            let through = ("sdy.sharding_group".to_owned(), Span::NONE);
            links.push(Link { through, from: self.site(member) });
            at = member;
        }
        let axis = self.axis_name(named, part);
        AxisOrigin { dim, root: self.root(at, at_dim, &axis), axis, links }
    }

    /// Who gave an axis to a value that has it from the start.
    fn root(&self, value: Value, dim: usize, axis: &str) -> Root {
        let whole = |text: &str| text.split(':').next().unwrap_or(text).to_owned();
        let has = |sharding: &ShardingAttr| {
            let dim = sharding.dims.get(dim);
            dim.is_some_and(|dim| dim.axes.iter().any(|own| whole(&own.to_string()) == whole(axis)))
        };
        let place = place_of(self.site(value).value);
        let says = |annotated: &Annotated| annotated.get(&place).is_some_and(|own| own.iter().any(has));
        if says(&self.annotated) && !says(&self.own) { Root::Search } else { Root::Annotation }
    }

    /// The member of its sharding group that the user annotated, for a slot that is like it from the start.
    fn annotated_member(&self, slot: Value, dim: usize, part: AxisPart) -> Option<Value> {
        let is_annotated = |value: Value| self.annotated.contains_key(&place_of(self.site(value).value));
        if self.groups.is_empty() || is_annotated(slot) {
            return None;
        }
        let slot_of = |value: &Value| self.state().slot(*value).unwrap_or(*value);
        let has = |value: &Value| self.initially_has(slot_of(value), dim, part);
        let mut groups = self.groups.values();
        let members = groups.find(|members| members.iter().any(|member| slot_of(member) == slot))?;
        members.iter().copied().filter(has).find(|member| is_annotated(*member))
    }

    fn initially_has(&self, slot: Value, dim: usize, part: AxisPart) -> bool {
        let dim = self.initial[slot].as_ref().and_then(|sharding| sharding.dims.get(dim));
        dim.is_some_and(|dim| dim.axes.iter().any(|own| own.overlaps(part)))
    }

    /// What an instruction is called, and where it stands; of an edge, what it belongs to.
    fn name_of(&self, node: Node) -> (String, Span) {
        let state = self.state();
        let place = state.places[node];
        let body = state.body(node);
        let inst = &body.insts[place.inst];
        let (Op::DataFlowEdge(_), [operand]) = (&inst.op, &inst.operands[..]) else {
            return (inst.op.name().to_owned(), inst.span);
        };
        let owner = match body.values[*operand].def {
            Def::Result(owner, _) => Some(owner),
            Def::Argument(region, _) => {
                state.owner(place.function, region).map(|owner| state.places[owner].inst)
            }
        };
        match owner {
            Some(owner) => (body.insts[owner].op.name().to_owned(), body.insts[owner].span),
            None => (format!("the call of @{}", state.program.functions[place.function].name), Span::NONE),
        }
    }

    /// The first update before a time that brought an axis to a dim; `None` if it was there from the start.
    fn arrival(&self, slot: Value, dim: usize, part: AxisPart, before: usize) -> Option<usize> {
        if self.initially_has(slot, dim, part) {
            return None;
        }
        let has = |sharding: &TensorSharding| {
            sharding.dims.get(dim).is_some_and(|dim| dim.axes.iter().any(|own| own.overlaps(part)))
        };
        self.history[slot].iter().copied().find(|time| *time < before && has(&self.updates[*time].sharding))
    }

    /// The value from which an instruction brought an axis, with its dim.
    fn source(
        &self,
        update: &Update,
        slot: Value,
        dim: usize,
        part: AxisPart,
        time: usize,
    ) -> Option<(Value, usize)> {
        let node = update.by?;
        let (tensors, rule) = self.tensors(node)?;
        let dims = |index: usize| {
            let count = rule.operands.len();
            if index < count { rule.operands.get(index) } else { rule.results.get(index - count) }
        };
        let own = (0..tensors.len()).find(|index| tensors[*index] == slot)?;
        let factors = dims(own)?.get(dim)?.clone();
        let mut best: Option<(Option<usize>, Value, usize)> = None;
        for (index, tensor) in tensors.iter().enumerate().filter(|(_, tensor)| **tensor != slot) {
            for (other_dim, others) in dims(index)?.iter().enumerate() {
                if !others.iter().any(|factor| factors.contains(factor)) {
                    continue;
                }
                let was_there = self.initially_has(*tensor, other_dim, part);
                let arrival = self.arrival(*tensor, other_dim, part, time);
                if (was_there || arrival.is_some()) && best.is_none_or(|(first, ..)| arrival < first) {
                    best = Some((arrival, *tensor, other_dim));
                }
            }
        }
        best.map(|(_, value, dim)| (value, dim))
    }

    /// The slots that an instruction ties, operands first, and its rule.
    fn tensors(&self, node: Node) -> Option<(Vec<Value>, OpShardingRule)> {
        let state = self.state();
        let place = state.places[node];
        let view = state.body(node).view(place.inst);
        let slot = |value: Value| state.slot(value).unwrap_or(value);
        let of = |ids: &[ValueId]| -> Vec<Value> {
            ids.iter().map(|id| slot(state.value(place.function, *id))).collect()
        };
        if let Some(edge) = &state.edges[node] {
            let result = *view.inst.results.first()?;
            let shape = &state.body(node).ty(result).as_tensor()?.shape;
            let mut tensors: Vec<Value> = edge.sources.iter().map(|value| slot(*value)).collect();
            let rule = RuleBuilder::identity(shape, tensors.len());
            tensors.extend(of(&[result]));
            return Some((tensors, rule));
        }
        let rule = match self.engine.known_rule(node) {
            Some(rule) => rule,
            None => {
                let shape = &state.body(node).ty(*view.inst.results.first()?).as_tensor()?.shape;
                RuleBuilder::identity(shape, view.inst.operands.len())
            }
        };
        let mut tensors = of(&view.inst.operands);
        tensors.extend(of(&view.inst.results));
        Some((tensors, rule))
    }

    /// Factors along which the tensors of an instruction are sharded differently.
    fn conflicts_at(&mut self, node: Node) -> Vec<Conflict> {
        let Some(rule) = self.engine.rule(node) else { return Vec::new() };
        let Some((tensors, _)) = self.tensors(node) else { return Vec::new() };
        let state = self.state();
        let place = state.places[node];
        let inst = &state.body(node).insts[place.inst];
        let shardings: Vec<Option<&TensorSharding>> =
            tensors.iter().map(|slot| state.shardings[*slot].as_ref()).collect();
        let Some(mesh) = state.meshes.common(shardings.iter().flatten().copied()) else { return Vec::new() };
        let (operands, results) = shardings.split_at(rule.operands.len().min(shardings.len()));
        let projection = Projection::of(operands, results, &rule);
        let mut found = Vec::new();
        for factor in 0..rule.sizes.len() {
            let mut own: Vec<(usize, &[AxisPart], f64)> = Vec::new();
            for (index, tensor) in projection.tensors.iter().enumerate() {
                if let Some(sharding) = tensor.factor(factor) {
                    own.push((index, &sharding.axes, self.bytes(tensors[index])));
                }
            }
            own.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
            let Some((_, wanted, _)) = own.first().copied() else { continue };
            if own.iter().all(|(_, axes, _)| *axes == wanted) {
                continue;
            }
            // What others have along this factor, but a tensor has along another one.
            let clash = |index: usize, others: &[AxisPart]| {
                let overlaps = |own: &AxisPart| others.iter().any(|other| own.overlaps(*other));
                let mut factors =
                    projection.tensors[index].factors.iter().filter(|(other, _)| *other != factor);
                factors.find(|(_, sharding)| sharding.axes.iter().any(overlaps))
            };
            let bytes = own.iter().map(|(index, axes, bytes)| {
                let others: u64 = projection.tensors[*index]
                    .factors
                    .iter()
                    .filter(|(other, _)| *other != factor)
                    .map(|(_, sharding)| product(&sharding.axes))
                    .product();
                let shared =
                    axes.iter().zip(wanted).take_while(|(a, b)| a == b).map(|(a, _)| a.size).product::<u64>();
                let missing = 1.0 - shared as f64 / product(axes).max(1) as f64;
                let gathered = bytes / (others.max(1) * product(wanted).max(1)) as f64 * missing;
                // It is brought to the other factor.
                let moved = clash(*index, wanted).map_or(0.0, |(_, sharding)| {
                    let held = bytes / (others.max(1) * product(axes).max(1)) as f64;
                    held * (1.0 - 1.0 / product(&sharding.axes) as f64)
                });
                gathered + moved
            });
            let bytes: f64 = bytes.sum();
            if bytes == 0.0 {
                // Everybody has what the others want.
                continue;
            }
            let all: Vec<AxisPart> = own.iter().flat_map(|(_, axes, _)| axes.iter().copied()).collect();
            let sides = own.iter().filter_map(|(index, axes, _)| {
                let dims = rule.operands.iter().chain(&rule.results).nth(*index)?;
                let slot = tensors[*index];
                let (factor, axes) = match clash(*index, &all) {
                    Some((other, sharding)) => (*other, &sharding.axes[..]),
                    None => (factor, *axes),
                };
                let dim = dims.iter().position(|factors| factors.contains(&factor))?;
                // What the others have too is not at odds.
                let alike = |(_, other, _): &(usize, &[AxisPart], f64)| {
                    axes.iter().zip(*other).take_while(|(own, other)| own == other).count()
                };
                let shared = own.iter().filter(|(_, other, _)| *other != axes).map(alike).min();
                let origin = axes
                    .get(shared.unwrap_or(0))
                    .or(axes.first())
                    .zip(self.state().shardings[slot].as_ref())
                    .map(|(part, sharding)| self.origin(slot, dim, *part, self.updates.len(), sharding));
                let mesh = self.state().meshes.mesh(mesh);
                let axes = axes.iter().map(|part| part.to_attr(mesh).to_string()).collect();
                Some(Side { site: self.site(slot), dim, axes, origin })
            });
            let sides = sides.collect();
            found.push(Conflict { what: inst.op.name().to_owned(), place: inst.span, sides, bytes });
        }
        found
    }

    fn bytes(&self, value: Value) -> f64 {
        let (function, id) = self.state().id(value);
        let body = &self.state().program.functions[function].body;
        body.ty(id).num_bytes() as f64
    }
}
