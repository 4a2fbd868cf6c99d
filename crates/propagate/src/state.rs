//! What is known while shardings propagate: the sharding of every value of every function, who reads what, which edges
//! tie values to one another.
//!
//! Input: a program in which every value that passes a loop, a branch, a region or a call has an edge
//! (`sdy.data_flow_edge`, `sdy.func_data_flow_edge`; see [`super::edges`]). All values and instructions are numbered
//! through the functions. A *slot* is the value that holds the sharding of one or several values: the edge's result
//! for all that the edge ties, otherwise the value itself.

use super::axis::AxisPart;
use super::calls::positions;
use super::sharding::{Meshes, TensorSharding};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::ids::{Id, InstId, RegionId, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::sdy_edge::DataFlowEdge;
use meshwright_ir::program::{Body, Def, Program};
use meshwright_ir::sharding::ShardingAttr;
use std::collections::{BTreeMap, HashMap};

/// Number of a value among those of all functions.
pub(crate) type Value = usize;

/// Number of an instruction among those of all functions.
pub(crate) type Node = usize;

/// Where an instruction stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The function.
    pub(crate) function: usize,
    /// The instruction.
    pub(crate) inst: InstId,
    /// The region that holds it; `None` if it is in none.
    pub(crate) region: Option<RegionId>,
}

/// What an edge ties.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// What flows in.
    pub(crate) sources: Vec<Value>,
    /// What it flows to besides the edge's operand.
    pub(crate) targets: Vec<Value>,
    /// The manual computation that it enters or leaves.
    pub(crate) manual: Option<Manual>,
}

/// The border of a manual computation.
#[derive(Clone, Debug)]
pub(crate) struct Manual {
    /// The sharding outside, as the operation says.
    pub(crate) outer: TensorSharding,
    /// Which axes are manual.
    pub(crate) axes: Vec<usize>,
    /// Whether it is an argument of the region (otherwise a result).
    pub(crate) is_argument: bool,
}

/// See the module's comment.
pub(crate) struct State<'a> {
    /// The program.
    pub(crate) program: &'a Program,
    /// Its meshes.
    pub(crate) meshes: Meshes,
    /// The sharding in each slot.
    pub(crate) shardings: Vec<Option<TensorSharding>>,
    /// The sharding of each result of each function.
    pub(crate) results: Vec<Vec<Option<TensorSharding>>>,
    /// Where each instruction stands.
    pub(crate) places: Vec<Place>,
    /// Who reads each value: instruction and operand.
    pub(crate) uses: Vec<Vec<(Node, usize)>>,
    /// What each edge ties.
    pub(crate) edges: Vec<Option<Edge>>,
    /// Other values of the same sharding group, by slot.
    pub(crate) groups: HashMap<Value, Vec<Value>>,
    /// The slot of each value; `None` if it cannot have a sharding.
    slots: Vec<Option<Value>>,
    /// The edge that each operand of a region op or terminator flows into.
    into_edge: HashMap<(Node, usize), Node>,
    /// The instructions that call each function.
    callers: Vec<Vec<Node>>,
    /// The instruction that owns each region of each function.
    owners: Vec<Vec<Option<InstId>>>,
    value_base: Vec<usize>,
    node_base: Vec<usize>,
    functions: BTreeMap<String, usize>,
}

impl<'a> State<'a> {
    /// Of a verified program with edges.
    pub(crate) fn of(program: &'a Program) -> Self {
        let mut state = Self {
            program,
            meshes: Meshes::default(),
            shardings: Vec::new(),
            results: Vec::new(),
            places: Vec::new(),
            uses: Vec::new(),
            edges: Vec::new(),
            groups: HashMap::new(),
            slots: Vec::new(),
            into_edge: HashMap::new(),
            callers: vec![Vec::new(); program.functions.len()],
            owners: Vec::new(),
            value_base: Vec::new(),
            node_base: Vec::new(),
            functions: positions(program),
        };
        let (mut num_values, mut num_nodes) = (0, 0);
        for function in &program.functions {
            state.value_base.push(num_values);
            state.node_base.push(num_nodes);
            num_values += function.body.values.len();
            num_nodes += function.body.insts.len();
        }
        state.shardings = vec![None; num_values];
        state.uses = vec![Vec::new(); num_values];
        state.slots = (0..num_values).map(Some).collect();
        state.edges = vec![None; num_nodes];
        for (index, function) in program.functions.iter().enumerate() {
            state.read_structure(index, &function.body);
        }
        for index in 0..program.functions.len() {
            state.read_shardings(index);
        }
        state.tie_edges();
        state.read_groups();
        state
    }

    /// The position of the function of a name.
    pub(crate) fn function(&self, name: &str) -> Option<usize> {
        self.functions.get(name).copied()
    }

    /// The number of a value.
    pub(crate) fn value(&self, function: usize, value: ValueId) -> Value {
        self.value_base[function] + value.index()
    }

    /// The number of an instruction.
    pub(crate) fn node(&self, function: usize, inst: InstId) -> Node {
        self.node_base[function] + inst.index()
    }

    /// The code that an instruction stands in.
    pub(crate) fn body(&self, node: Node) -> &'a Body {
        &self.program.functions[self.places[node].function].body
    }

    /// The function and the id of a value.
    pub(crate) fn id(&self, value: Value) -> (usize, ValueId) {
        let function = self.value_base.partition_point(|base| *base <= value).saturating_sub(1);
        (function, ValueId::from_index(value - self.value_base[function]))
    }

    /// What defines a value.
    pub(crate) fn def(&self, value: Value) -> (usize, Def) {
        let (function, id) = self.id(value);
        (function, self.program.functions[function].body.values[id].def)
    }

    /// The rank of a value; zero of what is no tensor.
    pub(crate) fn rank(&self, value: Value) -> usize {
        let (function, id) = self.id(value);
        self.program.functions[function].body.ty(id).as_tensor().map_or(0, |tensor| tensor.rank())
    }

    /// The slot of a value.
    pub(crate) fn slot(&self, value: Value) -> Option<Value> {
        self.slots[value]
    }

    /// The sharding of a value.
    pub(crate) fn sharding(&self, value: Value) -> Option<&TensorSharding> {
        self.shardings[self.slots[value]?].as_ref()
    }

    /// Sets the sharding of a value. Other results of the same instruction that have none become open.
    pub(crate) fn set(&mut self, value: Value, sharding: TensorSharding) {
        let Some(slot) = self.slots[value] else { return };
        let mesh = sharding.mesh;
        let had = self.shardings[slot].replace(sharding).is_some();
        if had {
            return;
        }
        let (function, def) = self.def(slot);
        let Def::Result(inst, _) = def else { return };
        let results = &self.program.functions[function].body.insts[inst].results;
        for other in results.iter().filter(|_| results.len() > 1) {
            let other = self.value(function, *other);
            if self.slots[other] == Some(other) && self.shardings[other].is_none() {
                self.shardings[other] = Some(TensorSharding::open(mesh, self.rank(other)));
            }
        }
    }

    /// The edge that an operand flows into.
    pub(crate) fn edge_from(&self, node: Node, operand: usize) -> Option<Node> {
        self.into_edge.get(&(node, operand)).copied()
    }

    /// The instructions that call a function.
    pub(crate) fn callers(&self, function: usize) -> &[Node] {
        &self.callers[function]
    }

    /// The instruction that owns a region.
    pub(crate) fn owner(&self, function: usize, region: RegionId) -> Option<Node> {
        self.owners[function][region.index()].map(|inst| self.node(function, inst))
    }

    fn read_structure(&mut self, function: usize, body: &Body) {
        let regions = super::edit::regions(body);
        let mut owners = vec![None; body.regions.len()];
        for (id, inst) in body.insts.iter() {
            self.places.push(Place { function, inst: id, region: regions[id.index()] });
            inst.regions.iter().for_each(|region| owners[region.index()] = Some(id));
        }
        self.owners.push(owners);
        for id in body.walk(body.entry()) {
            let node = self.node(function, id);
            for (position, operand) in body.insts[id].operands.iter().enumerate() {
                let operand = self.value(function, *operand);
                self.uses[operand].push((node, position));
            }
            if let [callee] = body.insts[id].op.callees()[..]
                && body.insts[id].op.is_call()
                && let Some(callee) = self.function(callee)
            {
                self.callers[callee].push(node);
            }
        }
    }

    fn read(&mut self, attr: &ShardingAttr) -> Option<TensorSharding> {
        TensorSharding::of(attr, self.program, &mut self.meshes)
    }

    fn read_shardings(&mut self, index: usize) {
        let function = &self.program.functions[index];
        let single = |attributes: &'a Attributes| match attributes.get("sdy.sharding") {
            Some(Attr::Sharding(sharding)) => Some(sharding),
            _ => None,
        };
        for (arg, attributes) in function.args().iter().zip(&function.arg_attributes) {
            let value = self.value(index, *arg);
            self.shardings[value] = single(attributes).and_then(|attr| self.read(attr));
        }
        let results = function.result_attributes.iter().map(single).collect::<Vec<_>>();
        let results = results.into_iter().map(|attr| attr.and_then(|attr| self.read(attr))).collect();
        self.results.push(results);
        for (_, inst) in function.body.insts.iter() {
            for (position, result) in inst.results.iter().enumerate() {
                let own = inst.op.result_sharding(position);
                let attr = own.or_else(|| match inst.attributes.get("sdy.sharding")? {
                    Attr::ShardingPerValue(shardings) => shardings.get(position),
                    _ => None,
                });
                let value = self.value(index, *result);
                self.shardings[value] = attr.and_then(|attr| self.read(attr));
            }
            for region in &inst.regions {
                for (position, arg) in function.body.regions[*region].args.iter().enumerate() {
                    let value = self.value(index, *arg);
                    let attr = inst.op.argument_sharding(position);
                    self.shardings[value] = attr.and_then(|attr| self.read(&attr));
                    self.slots[value] = match inst.op.data_flow() {
                        DataFlow::Region => Some(value),
                        DataFlow::Loop => inst.results.get(position).map(|result| self.value(index, *result)),
                        _ => None,
                    };
                }
            }
        }
    }

    /// The edge that is the only reader of a value.
    fn edge_of(&self, value: Value) -> Option<Node> {
        let [(node, _)] = self.uses[value][..] else { return None };
        let inst = self.places[node].inst;
        matches!(self.body(node).insts[inst].op, Op::DataFlowEdge(_)).then_some(node)
    }

    fn tie_edges(&mut self) {
        for node in 0..self.places.len() {
            let place = self.places[node];
            let inst = &self.body(node).insts[place.inst];
            let (Op::DataFlowEdge(kind), Some(_)) = (&inst.op, place.region) else { continue };
            let ([operand], [result]) = (&inst.operands[..], &inst.results[..]) else { continue };
            let operand = self.value(place.function, *operand);
            if self.edge_of(operand) != Some(node) {
                continue;
            }
            let result = self.value(place.function, *result);
            let edge = match &**kind {
                DataFlowEdge::Func => self.func_edge(operand),
                DataFlowEdge::Inst(_) => self.inst_edge(node, operand),
            };
            let Some(edge) = edge else { continue };
            if **kind != DataFlowEdge::Func {
                self.slots[operand] = Some(result);
                edge.targets.iter().for_each(|target| self.slots[*target] = Some(result));
            }
            self.edges[node] = Some(edge);
        }
    }

    fn func_edge(&self, operand: Value) -> Option<Edge> {
        let (function, def) = self.def(operand);
        let sources = match def {
            Def::Argument(_, index) => self.callers[function]
                .iter()
                .filter_map(|caller| {
                    let place = self.places[*caller];
                    let source = self.body(*caller).insts[place.inst].operands.get(index)?;
                    Some(self.value(place.function, *source))
                })
                .collect(),
            Def::Result(inst, index) => {
                let name = *self.program.functions[function].body.insts[inst].op.callees().first()?;
                let callee = self.function(name)?;
                let returned = self.program.functions[callee].returned().get(index)?;
                vec![self.value(callee, *returned)]
            }
        };
        Some(Edge { sources, targets: Vec::new(), manual: None })
    }

    fn inst_edge(&mut self, node: Node, operand: Value) -> Option<Edge> {
        let (function, def) = self.def(operand);
        let body = &self.program.functions[function].body;
        let (owner, index, is_argument) = match def {
            Def::Argument(region, index) => (self.owners[function][region.index()]?, index, true),
            Def::Result(inst, index) => (inst, index, false),
        };
        let inst = &body.insts[owner];
        let value = |id: &ValueId| self.value(function, *id);
        let mut flowing: Vec<(Node, usize)> = Vec::new();
        let mut targets = Vec::new();
        let ends =
            |region: &RegionId| body.regions[*region].insts.last().map(|end| self.node(function, *end));
        let own = self.node(function, owner);
        match (inst.op.data_flow(), is_argument) {
            (DataFlow::Identity, false) | (DataFlow::Region, true) => flowing.push((own, index)),
            (DataFlow::Region, false) => {
                flowing.extend(inst.regions.first().and_then(ends).map(|end| (end, index)))
            }
            (DataFlow::Branches, false) => {
                flowing.extend(inst.regions.iter().filter_map(ends).map(|end| (end, index)));
            }
            (DataFlow::Loop, false) => {
                flowing.push((own, index));
                flowing.extend(inst.regions.last().and_then(ends).map(|end| (end, index)));
                let args = inst.regions.iter().filter_map(|region| body.regions[*region].args.get(index));
                targets = args.map(value).collect();
            }
            _ => return None,
        }
        let sources = flowing.iter().filter_map(|(end, index)| {
            let operand = body.insts[self.places[*end].inst].operands.get(*index)?;
            Some(value(operand))
        });
        let sources = sources.collect();
        self.into_edge.extend(flowing.into_iter().map(|from| (from, node)));
        let manual = match &inst.op {
            Op::ManualComputation(manual) => {
                let list = if is_argument { &manual.in_shardings } else { &manual.out_shardings };
                let outer = list.get(index).and_then(|attr| self.read(attr));
                outer.map(|outer| {
                    let mesh = self.meshes.mesh(outer.mesh);
                    let axes = manual.manual_axes.iter().filter_map(|name| mesh.axis_named(name)).collect();
                    Manual { outer, axes, is_argument }
                })
            }
            _ => None,
        };
        Some(Edge { sources, targets, manual })
    }

    fn read_groups(&mut self) {
        let mut members: std::collections::BTreeMap<i64, Vec<Value>> = std::collections::BTreeMap::new();
        for node in 0..self.places.len() {
            let place = self.places[node];
            let inst = &self.body(node).insts[place.inst];
            if let (Op::ShardingGroup(group), [operand], Some(_)) =
                (&inst.op, &inst.operands[..], place.region)
            {
                let value = self.value(place.function, *operand);
                members.entry(group.id).or_default().extend(self.slot(value));
            }
        }
        for group in members.into_values() {
            for slot in &group {
                self.groups.insert(*slot, group.clone());
            }
        }
    }
}

impl Manual {
    /// The sharding as the other side of the border sees it, before propagation (`is_before`) or after: with the manual
    /// axes before the free ones, or without them.
    pub(crate) fn cross(&self, sharding: &TensorSharding, is_before: bool) -> TensorSharding {
        if self.is_argument == is_before { self.with_manual(sharding) } else { self.without_manual(sharding) }
    }

    /// Without the manual axes.
    pub(crate) fn without_manual(&self, sharding: &TensorSharding) -> TensorSharding {
        if self.axes.is_empty() {
            return sharding.clone();
        }
        let is_free = |part: &AxisPart| !self.axes.contains(&part.axis);
        let mut inner = sharding.clone();
        for dim in &mut inner.dims {
            let manual = dim.axes.iter().take_while(|part| !is_free(part)).count();
            dim.axes.drain(..manual);
        }
        inner.replicated.retain(is_free);
        inner.unreduced.retain(is_free);
        inner
    }

    /// The manual axes of the border, then the axes of `inner`.
    pub(crate) fn with_manual(&self, inner: &TensorSharding) -> TensorSharding {
        let is_manual = |part: &&AxisPart| self.axes.contains(&part.axis);
        let mut sharding = inner.clone();
        for (dim, outer) in sharding.dims.iter_mut().zip(&self.outer.dims) {
            let manual: Vec<AxisPart> = outer.axes.iter().take_while(is_manual).copied().collect();
            dim.axes.splice(..0, manual);
        }
        sharding.replicated.clone_from(&self.outer.replicated);
        sharding.unreduced.clone_from(&self.outer.unreduced);
        sharding
    }
}
