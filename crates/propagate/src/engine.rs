//! Propagates shardings to a fixed point.
//!
//! Input: [`State`]. Output: the same, with every sharding as far as the strategy carries it. Instructions wait on a
//! stack, the first on top; one whose tensors changed is put on top again. In order:
//!
//! 1. op priorities, where asked for: first what keeps all dims (with operands that have no other reader, then all),
//!    then factors that pass through, then everything but broadcasts from operand to result, then everything;
//! 2. in each of them the strategies: basic, then aggressive;
//! 3. before and after each, the results of entry functions are tied to what they return.
//!
//! After Shardy's `basic_propagation.cc` and `op_priority_propagation.cc`.

use super::basic::Step;
use super::projection::Projection;
use super::sharding::TensorSharding;
use super::state::{Edge, Node, State, Value};
use super::{aggressive, basic};
use meshwright_ir::ids::ValueId;
use meshwright_ir::op::{DataFlow, Op, OpPriority, Propagation};
use meshwright_ir::ops::sdy_barrier::Direction;
use meshwright_ir::ops::sdy_constraint::ConstraintKind;
use meshwright_ir::ops::sdy_edge::DataFlowEdge;
use meshwright_ir::program::Def;
use meshwright_ir::sdy::OpShardingRule;
use meshwright_ir::sdy::rule_builder::RuleBuilder;
use std::rc::Rc;

/// How conflicts between factors are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflicts {
    /// No tensor is sharded along a factor further than all can be.
    Basic,
    /// Each tensor by itself.
    Aggressive,
}

/// Number of op priorities.
const NUM_STAGES: usize = 5;

/// A sharding that was set.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    /// Whose.
    pub(crate) slot: Value,
    /// By which instruction; `None`: between a function and its results.
    pub(crate) by: Option<Node>,
    /// The slot that the instruction set, if this one is in a sharding group with it.
    pub(crate) like: Option<Value>,
    /// To what.
    pub(crate) sharding: TensorSharding,
}

/// See the module's comment.
pub(crate) struct Engine<'a> {
    /// What is known.
    pub(crate) state: State<'a>,
    /// What was set, in order, if that is recorded.
    pub(crate) updates: Option<Vec<Update>>,
    mode: Propagation,
    rules: Vec<Option<Option<Rc<OpShardingRule>>>>,
    order: Vec<Node>,
    stack: Vec<Node>,
    is_waiting: Vec<bool>,
    is_dead: Vec<bool>,
    /// How many shardings were set.
    clock: u64,
    /// The clock when each slot was set.
    set_at: Vec<u64>,
    /// For each strategy, the clock when each instruction was visited last, and what could propagate then.
    visited: [Vec<Option<(Openness, u64)>>; 2],
}

impl<'a> Engine<'a> {
    /// An engine that visits `order` first.
    pub(crate) fn new(state: State<'a>, mode: Propagation, order: Vec<Node>) -> Self {
        let (count, num_values) = (state.places.len(), state.shardings.len());
        Self {
            state,
            updates: None,
            mode,
            rules: vec![None; count],
            order,
            stack: Vec::new(),
            is_waiting: vec![false; count],
            is_dead: vec![false; count],
            clock: 0,
            set_at: vec![0; num_values],
            visited: [vec![None; count], vec![None; count]],
        }
    }

    /// Shardings were changed from outside: everything is visited anew.
    pub(crate) fn forget_visits(&mut self) {
        self.visited.iter_mut().for_each(|visited| visited.fill(None));
    }

    /// Whether a visit could change something: nothing did since the last one where neither a tensor nor what may
    /// propagate has changed.
    fn is_news(
        &mut self,
        node: Node,
        tensors: &[&[Value]],
        conflicts: Conflicts,
        openness: Openness,
    ) -> bool {
        if openness == Openness::Shut {
            return false;
        }
        let slots = tensors.iter().copied().flatten().filter_map(|value| self.state.slot(*value));
        let latest = slots.map(|slot| self.set_at[slot]).max().unwrap_or(0);
        let last = &mut self.visited[conflicts as usize][node];
        let is_known = last.is_some_and(|(before, at)| before == openness && latest <= at);
        *last = Some((openness, self.clock));
        !is_known
    }

    /// Propagates by op priorities.
    pub(crate) fn by_op_priority(&mut self, entries: &[usize]) {
        for stage in 0..NUM_STAGES {
            for conflicts in [Conflicts::Basic, Conflicts::Aggressive] {
                self.to_fixed_point(conflicts, Some(stage), entries);
            }
        }
    }

    /// Propagates with one strategy through all ops alike, or through those of the op priorities up to `stage`.
    pub(crate) fn to_fixed_point(&mut self, conflicts: Conflicts, stage: Option<usize>, entries: &[usize]) {
        self.tie_results(conflicts, entries);
        self.stack = self.order.iter().rev().copied().filter(|node| !self.is_dead[*node]).collect();
        self.is_waiting.fill(false);
        self.stack.iter().for_each(|node| self.is_waiting[*node] = true);
        while let Some(node) = self.stack.pop() {
            self.is_waiting[node] = false;
            if self.is_dead[node] || self.remove_if_dead(node) {
                continue;
            }
            self.visit(node, conflicts, stage);
        }
        self.tie_results(conflicts, entries);
    }

    fn push(&mut self, node: Node) {
        if !std::mem::replace(&mut self.is_waiting[node], true) {
            self.stack.push(node);
        }
    }

    /// Takes an instruction out if nobody reads what it computes.
    fn remove_if_dead(&mut self, node: Node) -> bool {
        let place = self.state.places[node];
        let inst = &self.state.body(node).insts[place.inst];
        // What the user constrains and what edges tie counts even if nobody reads it.
        let is_tie = matches!(inst.op, Op::DataFlowEdge(_) | Op::SdyCollective(_))
            || matches!(&inst.op, Op::ShardingConstraint(own) if own.kind == ConstraintKind::Constraint);
        let has_regions = !matches!(inst.op.data_flow(), DataFlow::None | DataFlow::Identity);
        let keeps = is_tie
            || has_regions
            || inst.results.is_empty()
            || inst.op.has_side_effects()
            || !inst.op.callees().is_empty();
        let is_read = |value: &ValueId| !self.state.uses[self.state.value(place.function, *value)].is_empty();
        if keeps || inst.results.iter().any(is_read) {
            return false;
        }
        self.is_dead[node] = true;
        for operand in &inst.operands {
            let value = self.state.value(place.function, *operand);
            self.state.uses[value].retain(|(user, _)| *user != node);
            if let (function, Def::Result(inst, _)) = self.state.def(value) {
                let def = self.state.node(function, inst);
                self.push(def);
            }
        }
        true
    }

    /// The rule of an instruction: the user's, else its own.
    pub(crate) fn rule(&mut self, node: Node) -> Option<Rc<OpShardingRule>> {
        if let Some(known) = &self.rules[node] {
            return known.clone();
        }
        let place = self.state.places[node];
        let view = self.state.body(node).view(place.inst);
        let given = OpShardingRule::from_attributes(&view.inst.attributes).cloned();
        let rule = given.or_else(|| view.inst.op.propagation_rule(&view, self.mode)).map(Rc::new);
        self.rules[node] = Some(rule.clone());
        rule
    }

    /// The rule of an instruction that was visited.
    pub(crate) fn known_rule(&self, node: Node) -> Option<OpShardingRule> {
        self.rules[node].as_ref()?.as_deref().cloned()
    }

    fn visit(&mut self, node: Node, conflicts: Conflicts, stage: Option<usize>) {
        let place = self.state.places[node];
        let inst = &self.state.body(node).insts[place.inst];
        let value = |id: &ValueId| self.state.value(place.function, *id);
        if let Some(edge) = self.state.edges[node].clone() {
            if let Some(result) = inst.results.first().map(value) {
                self.visit_edge(node, &edge, result, conflicts, stage);
            }
            return;
        }
        let operands: Vec<Value> = inst.operands.iter().map(value).collect();
        let results: Vec<Value> = inst.results.iter().map(value).collect();
        if operands.iter().chain(&results).all(|value| self.state.sharding(*value).is_none()) {
            return;
        }
        if let Op::PropagationBarrier(barrier) = inst.op {
            let (function, id) = self.state.id(results[0]);
            let shape =
                self.state.program.functions[function].body.ty(id).as_tensor().map(|tensor| &tensor.shape);
            let Some(shape) = shape else { return };
            let rule = RuleBuilder::identity(shape, 1);
            let directions = vec![barrier.allowed; rule.sizes.len()];
            let visit = Visit { by: Some(node), operands: &operands, results: &results, edge: None };
            self.propagate(&visit, &rule, &directions, conflicts, true);
            return;
        }
        let Some(rule) = self.rule(node) else { return };
        let op_priority = inst.op.op_priority(&self.state.body(node).view(place.inst));
        let has_shared_operand =
            operands.iter().any(|value| self.state.uses[*value].len() != 1 && self.state.rank(*value) > 0);
        let openness = openness(op_priority, has_shared_operand, stage);
        if !self.is_news(node, &[&operands, &results], conflicts, openness) {
            return;
        }
        let directions = directions(&rule, op_priority, has_shared_operand, stage, true);
        let visit = Visit { by: Some(node), operands: &operands, results: &results, edge: None };
        self.propagate(&visit, &rule, &directions, conflicts, op_priority == OpPriority::Elementwise);
    }

    fn visit_edge(
        &mut self,
        node: Node,
        edge: &Edge,
        result: Value,
        conflicts: Conflicts,
        stage: Option<usize>,
    ) {
        let (function, id) = self.state.id(result);
        let body = &self.state.program.functions[function].body;
        let Some(tensor) = body.ty(id).as_tensor() else { return };
        if edge.sources.is_empty() {
            return;
        }
        let place = self.state.places[node];
        let operand = self.state.body(node).insts[place.inst].operands.first();
        let is_shared = operand.is_some_and(|operand| {
            let value = self.state.value(place.function, *operand);
            self.state.uses[value].len() != 1 && tensor.rank() > 0
        });
        let openness = openness(OpPriority::PassThrough, is_shared, stage);
        if !self.is_news(node, &[&edge.sources, &[result]], conflicts, openness) {
            return;
        }
        let rule = RuleBuilder::identity(&tensor.shape, edge.sources.len());
        let directions = directions(&rule, OpPriority::PassThrough, is_shared, stage, false);
        let visit = Visit { by: Some(node), operands: &edge.sources, results: &[result], edge: Some(edge) };
        self.propagate(&visit, &rule, &directions, conflicts, false);
    }

    /// Ties the results of entry functions to the values that they return.
    fn tie_results(&mut self, conflicts: Conflicts, entries: &[usize]) {
        for function in entries {
            let program = self.state.program;
            let body = &program.functions[*function].body;
            for (index, returned) in program.functions[*function].returned().iter().enumerate() {
                let Some(tensor) = body.ty(*returned).as_tensor() else { continue };
                let rule = RuleBuilder::identity(&tensor.shape, 1);
                let value = self.state.value(*function, *returned);
                let directions = vec![Direction::Both; rule.sizes.len()];
                let own = self.state.sharding(value).cloned();
                let result = self.state.results[*function].get(index).cloned().flatten();
                let Some((mesh, tensors)) =
                    self.project(&[own.as_ref()], &[result.as_ref()], &rule, &directions, conflicts, false)
                else {
                    continue;
                };
                let [first, second] = &tensors[..] else { continue };
                for (changed, old, is_result) in [(first, &own, false), (second, &result, true)] {
                    let Some(new) = changed.as_ref().filter(|new| is_new(new, old.as_ref())) else {
                        continue;
                    };
                    let new = TensorSharding { mesh, ..(*new).clone() };
                    if is_result {
                        self.state.results[*function][index] = Some(new);
                    } else {
                        self.set(None, value, new);
                    }
                }
            }
        }
    }

    /// The shardings that the tensors of a rule get: `None` for those that stay. Nothing at all without one mesh.
    #[allow(clippy::type_complexity)]
    fn project(
        &self,
        operands: &[Option<&TensorSharding>],
        results: &[Option<&TensorSharding>],
        rule: &OpShardingRule,
        directions: &[Direction],
        conflicts: Conflicts,
        is_elementwise: bool,
    ) -> Option<(usize, Vec<Option<TensorSharding>>)> {
        let all = operands.iter().chain(results).flatten().copied();
        let id = self.state.meshes.common(all)?;
        let mesh = self.state.meshes.mesh(id);
        if mesh.is_maximal() || rule.operands.len() != operands.len() || rule.results.len() != results.len() {
            return None;
        }
        let axis_sizes: Vec<u64> = mesh.axes().iter().map(|axis| axis.size as u64).collect();
        let step = Step {
            rule,
            directions,
            is_conservative: self.mode == Propagation::Conservative,
            is_elementwise,
            axis_sizes: &axis_sizes,
        };
        let mut projection = Projection::of(operands, results, rule);
        let updated = match conflicts {
            Conflicts::Basic => basic::propagate(&mut projection, &step),
            Conflicts::Aggressive => aggressive::propagate(&mut projection, &step),
        };
        let dims = rule.operands.iter().chain(&rule.results);
        let tensors = projection.tensors.iter().zip(dims).zip(updated);
        let tensors =
            tensors.map(|((tensor, dims), is_updated)| is_updated.then(|| tensor.sharding(dims, rule, id)));
        Some((id, tensors.collect()))
    }

    fn propagate(
        &mut self,
        visit: &Visit<'_>,
        rule: &OpShardingRule,
        directions: &[Direction],
        conflicts: Conflicts,
        is_elementwise: bool,
    ) {
        let border = visit.edge.and_then(|edge| edge.manual.as_ref());
        let seen = |value: &Value| self.state.sharding(*value);
        let operands: Vec<Option<&TensorSharding>> = visit.operands.iter().map(seen).collect();
        let crossed: Vec<Option<TensorSharding>>;
        let results: Vec<Option<&TensorSharding>> = match border {
            None => visit.results.iter().map(seen).collect(),
            Some(border) => {
                let cross = |value: &Value| seen(value).map(|sharding| border.cross(sharding, true));
                crossed = visit.results.iter().map(cross).collect();
                crossed.iter().map(Option::as_ref).collect()
            }
        };
        let projected = self.project(&operands, &results, rule, directions, conflicts, is_elementwise);
        let Some((_, tensors)) = projected else { return };
        let olds = operands.iter().chain(&results);
        let is_news: Vec<bool> = tensors
            .iter()
            .zip(olds)
            .map(|(new, old)| new.as_ref().is_some_and(|new| is_new(new, *old)))
            .collect();
        let values = visit.operands.iter().chain(visit.results);
        let changes: Vec<(Value, TensorSharding)> = values
            .zip(tensors)
            .zip(is_news)
            .enumerate()
            .filter(|(_, (_, is_new))| *is_new)
            .filter_map(|(index, ((value, new), _))| {
                let new = new?;
                let is_result = index >= visit.operands.len();
                let new = match border {
                    Some(border) if is_result => border.cross(&new, false),
                    _ => new,
                };
                Some((*value, new))
            })
            .collect();
        for (value, sharding) in changes {
            self.set(visit.by, value, sharding);
        }
    }

    /// Sets a sharding, and that of the value's group; what they touch is visited again.
    fn set(&mut self, by: Option<Node>, value: Value, sharding: TensorSharding) {
        let Some(slot) = self.state.slot(value) else { return };
        let (first, mut slots) = (slot, vec![slot]);
        if let Some(group) = self.state.groups.get(&slot) {
            slots.extend(group.iter().filter(|other| **other != slot));
        }
        for (index, slot) in slots.into_iter().enumerate() {
            if let Some(updates) = &mut self.updates {
                let like = (index > 0).then_some(first);
                updates.push(Update { slot, by, like, sharding: sharding.clone() });
            }
            self.clock += 1;
            self.set_at[slot] = self.clock;
            if let (function, Def::Result(inst, _)) = self.state.def(slot) {
                // Other results may become open with it.
                for other in &self.state.program.functions[function].body.insts[inst].results {
                    let other = self.state.value(function, *other);
                    self.set_at[other] = self.clock;
                }
            }
            self.state.set(slot, sharding.clone());
            self.touched(slot, by);
        }
    }

    /// Everything that sees a slot waits again, but for the instruction that set it.
    fn touched(&mut self, slot: Value, by: Option<Node>) {
        let mut nodes = Vec::new();
        let (function, def) = self.state.def(slot);
        if let Def::Result(inst, _) = def {
            let node = self.state.node(function, inst);
            let is_edge = matches!(&self.state.body(node).insts[inst].op, Op::DataFlowEdge(edge) if **edge != DataFlowEdge::Func);
            if let Some(edge) = self.state.edges[node].as_ref().filter(|_| is_edge) {
                edge.targets.iter().for_each(|target| self.readers(*target, &mut nodes));
            }
            nodes.push(node);
        }
        self.readers(slot, &mut nodes);
        for node in nodes {
            if Some(node) != by && !self.is_dead[node] {
                self.push(node);
            }
        }
    }

    /// The instructions and edges that read a value, through returns and calls.
    fn readers(&self, value: Value, nodes: &mut Vec<Node>) {
        for (node, operand) in self.state.uses[value].iter().rev() {
            if let Some(edge) = self.state.edge_from(*node, *operand) {
                nodes.push(edge);
                continue;
            }
            let place = self.state.places[*node];
            let inst = &self.state.body(*node).insts[place.inst];
            match &inst.op {
                Op::Return(_) if place.region == Some(self.state.body(*node).entry()) => {
                    for caller in self.state.callers(place.function) {
                        let call = self.state.places[*caller];
                        let results = &self.state.body(*caller).insts[call.inst].results;
                        if let Some(result) = results.get(*operand) {
                            self.edges_behind(self.state.value(call.function, *result), nodes);
                        }
                    }
                }
                Op::Call(call) => {
                    let Some(callee) = self.state.function(&call.callee) else { continue };
                    let functions = &self.state.program.functions;
                    if let Some(arg) = functions[callee].args().get(*operand) {
                        self.edges_behind(self.state.value(callee, *arg), nodes);
                    }
                }
                _ => nodes.push(*node),
            }
        }
    }

    /// The edges that read an argument of a function or the result of a call.
    fn edges_behind(&self, value: Value, nodes: &mut Vec<Node>) {
        nodes.extend(
            self.state.uses[value]
                .iter()
                .map(|(node, _)| *node)
                .filter(|node| self.state.edges[*node].is_some()),
        );
    }
}

/// The tensors of one step.
struct Visit<'v> {
    by: Option<Node>,
    operands: &'v [Value],
    results: &'v [Value],
    edge: Option<&'v Edge>,
}

/// Whether a sharding is news: another than before, and not one without axes where there was none.
fn is_new(new: &TensorSharding, old: Option<&TensorSharding>) -> bool {
    match old {
        None => !new.has_no_axes(),
        Some(old) => new != old,
    }
}

/// Which way shardings may go along each factor. `has_rule`: factors that do not pass through wait longer.
fn directions(
    rule: &OpShardingRule,
    op_priority: OpPriority,
    has_shared_operand: bool,
    stage: Option<usize>,
    has_rule: bool,
) -> Vec<Direction> {
    let early = match op_priority {
        OpPriority::Elementwise | OpPriority::PassThrough => Direction::Both,
        OpPriority::Forward => Direction::Forward,
        _ => Direction::None,
    };
    let late = if op_priority == OpPriority::Expanding { Direction::Backward } else { Direction::Both };
    (0..rule.sizes.len())
        .map(|factor| {
            let special = [&rule.reduction, &rule.need_replication, &rule.permutation];
            let passes = !has_rule || special.iter().all(|list| !list.contains(&factor));
            match stage {
                _ if rule.blocked_propagation.contains(&factor) => Direction::None,
                None | Some(4..) => Direction::Both,
                Some(0) if has_shared_operand => Direction::None,
                Some(0 | 1) => early,
                Some(2) if !passes => early,
                Some(_) => union(early, late),
            }
        })
        .collect()
}

/// What may propagate through an op at a stage. Ops of one openness in two stages propagate alike in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Openness {
    /// Nothing.
    Shut,
    /// From operands to results.
    Forward,
    /// That, and along factors that pass through.
    PassThrough,
    /// All but from operands to results.
    Backward,
    /// All.
    All,
}

fn openness(op_priority: OpPriority, has_shared_operand: bool, stage: Option<usize>) -> Openness {
    match (stage, op_priority) {
        (None | Some(4..), _) => Openness::All,
        (Some(0), _) if has_shared_operand => Openness::Shut,
        (_, OpPriority::Elementwise | OpPriority::PassThrough) => Openness::All,
        (Some(0 | 1), OpPriority::Forward) => Openness::Forward,
        (Some(0 | 1), _) => Openness::Shut,
        (Some(2), _) => Openness::PassThrough,
        (_, OpPriority::Expanding) => Openness::Backward,
        _ => Openness::All,
    }
}

fn union(first: Direction, second: Direction) -> Direction {
    match (first, second) {
        (Direction::None, other) | (other, Direction::None) => other,
        (first, second) if first == second => first,
        _ => Direction::Both,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broadcasts_spread_forward_last() {
        let rule = OpShardingRule { sizes: vec![8, 4], reduction: vec![1], ..OpShardingRule::default() };
        let at = |stage, op_priority| directions(&rule, op_priority, false, stage, true);
        assert_eq!(at(Some(0), OpPriority::Other), [Direction::None; 2]);
        assert_eq!(at(Some(2), OpPriority::Other), [Direction::Both, Direction::None]);
        assert_eq!(at(Some(3), OpPriority::Expanding), [Direction::Backward; 2]);
        assert_eq!(at(Some(4), OpPriority::Expanding), [Direction::Both; 2]);
        assert_eq!(at(None, OpPriority::Other), [Direction::Both; 2]);
        assert_eq!(directions(&rule, OpPriority::PassThrough, true, Some(0), true), [Direction::None; 2]);
        assert_eq!(at(Some(1), OpPriority::Forward), [Direction::Forward; 2]);
    }
}
