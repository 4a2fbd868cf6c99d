//! The local program from the events of a lowering.
//!
//! Input: a [`Lowering`]. Output: a [`DeviceProgram`]. Each event becomes code where the walk over them meets it: a reshard
//! its planned steps (`emit`), an instruction what its file's `localize` makes of local operands. [`Builder`] knows which
//! local value each buffer is.

use crate::builder::Builder;
use meshwright_cost::lowering::{BufferId, Event, Lowering, Reshard};
use meshwright_ir::arguments::Donation;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::ids::{Id, InstId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::ops::sdy_collective::Change;
use meshwright_ir::program::{Body, Function, Program};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::attributes::says_decisions;
use meshwright_plan::{DeviceProgram, Orders};
use meshwright_tensor::types::Type;

/// Makes the local program of a lowered function, whose calls are inlined and whose shardings have been verified.
/// `program` gives the module's name and attributes. Replica `d` is device `d` of the mesh.
pub fn partition(program: &Program, lowering: &Lowering<'_>) -> DeviceProgram {
    if cfg!(debug_assertions) {
        let problems = lowering.verify();
        assert!(problems.is_empty(), "wrong lowering: {}", problems.join("; "));
    }
    let Lowering { analysis, shardings, .. } = *lowering;
    let (function, mesh) = (analysis.function, &shardings.mesh);
    let mut builder = Builder::new(lowering);
    let mut arguments: Vec<(Type, Sharding)> = Vec::with_capacity(function.args().len());
    for arg in function.args() {
        builder.add_argument(arg.index());
        arguments.push((function.body.ty(*arg).clone(), shardings.values[*arg].clone()));
    }
    let returned = &shardings.results;
    builder.events();
    let body = builder.finish();
    let results: Vec<(Type, Sharding)> =
        function.result_types.iter().cloned().zip(returned.iter().cloned()).collect();
    let local = local_function(function, body, mesh, [&arguments, &results]);
    let mut attributes = program.attributes.clone();
    attributes.set("mhlo.num_replicas", Attr::i32(mesh.num_devices() as i32));
    attributes.set("mhlo.num_partitions", Attr::i32(1));
    let program = Program {
        name: program.name.clone(),
        attributes,
        meshes: Vec::new(),
        functions: with_called(local, program),
        location: program.location.clone(),
    };
    DeviceProgram {
        program,
        mesh: mesh.clone(),
        arguments,
        results,
        manual: manual_axes(&function.body, mesh),
        orders: Orders::default(),
    }
}

/// The function of one device with this body, of arguments and results of these global types and shardings.
fn local_function(
    function: &Function,
    body: Body,
    mesh: &Mesh,
    [arguments, results]: [&[(Type, Sharding)]; 2],
) -> Function {
    let local_types = |list: &[(Type, Sharding)]| -> Vec<Type> {
        list.iter().map(|(ty, sharding)| local_type(ty, sharding, mesh)).collect()
    };
    let (argument_types, result_types) = (local_types(arguments), local_types(results));
    let mut arg_attributes: Vec<Attributes> = function.arg_attributes.iter().map(without_shardings).collect();
    for (index, (attributes, ty)) in arg_attributes.iter_mut().zip(&argument_types).enumerate() {
        // A result that is sharded differently cannot reuse the argument's memory.
        if !matches!(function.donation(index), Donation::ToResult(result) if result_types[result] == *ty) {
            attributes.remove("tf.aliasing_output");
        }
    }
    Function {
        name: function.name.clone(),
        visibility: function.visibility.clone(),
        arg_attributes,
        result_types,
        result_attributes: function.result_attributes.iter().map(without_shardings).collect(),
        result_spans: function.result_spans.clone(),
        attributes: function.attributes.clone(),
        body,
        is_declaration: false,
        span: function.span,
        location: function.location.clone(),
    }
}

/// The local function and, as they are, the functions that are handed to its kernels, and theirs.
fn with_called(local: Function, program: &Program) -> Vec<Function> {
    let mut functions = vec![local];
    let mut next = 0;
    while let Some(function) = functions.get(next) {
        next += 1;
        let insts = function.body.walk(function.body.entry());
        let handed = insts.iter().flat_map(|inst| match &function.body.insts[*inst].op {
            Op::CustomCall(call) => call.called().map(str::to_owned).collect::<Vec<_>>(),
            op => op.callees().into_iter().map(str::to_owned).collect(),
        });
        let names: Vec<String> = handed.collect();
        for name in names {
            let found = program.functions.iter().find(|other| other.name == name);
            let is_new = functions.iter().all(|known| known.name != name);
            functions.extend(found.filter(|_| is_new).cloned());
        }
    }
    functions
}

/// The axes along which some instruction enters or joins programs of single devices.
fn manual_axes(body: &Body, mesh: &Mesh) -> AxisSet {
    let mut axes = AxisSet::EMPTY;
    for inst in body.insts.values() {
        let names = inst.op.manual_axes().iter();
        let named = names.filter_map(|name| mesh.axis_named(name)).flat_map(|axis| mesh.pieces(axis));
        axes = axes.union(named.collect());
        if let Op::SdyCollective(collective) = &inst.op
            && let Change::AllReduce(_, over) = &collective.change
        {
            axes = axes.union(mesh.resolve(over));
        }
    }
    axes
}

/// The type that each device holds of a value.
pub(crate) fn local_type(ty: &Type, sharding: &Sharding, mesh: &Mesh) -> Type {
    match ty {
        Type::Tensor(tensor) => Type::Tensor(sharding.local_type(tensor, mesh)),
        other => other.clone(),
    }
}

pub(crate) fn without_shardings(attributes: &Attributes) -> Attributes {
    attributes
        .iter()
        .filter(|(name, _)| !says_decisions(name) && !matches!(*name, "sdy.sharding_rule" | "mhlo.sharding"))
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect()
}

impl Builder<'_> {
    /// Emits what happens up to the end of the region at hand.
    pub(crate) fn events(&mut self) {
        let lowering = self.lowering;
        while let Some(event) = lowering.events.get(self.next) {
            // What brings the operands there is done for this instruction.
            self.span = self.global.insts[event.inst()].span;
            match event {
                Event::Leave { .. } => return,
                Event::Enter { inst, reads, .. } => self.with_regions(*inst, lowering.buffers_in(reads)),
                Event::Reshard(reshard) => {
                    self.next += 1;
                    self.reshard(reshard);
                }
                Event::Compute { inst, reads, makes } => {
                    self.next += 1;
                    self.compute(*inst, lowering.buffers_in(reads), lowering.buffers_in(makes));
                }
            }
        }
    }

    fn reshard(&mut self, reshard: &Reshard) {
        let local = self.local(reshard.source);
        let source = if reshard.is_apart { self.apart(local) } else { local };
        let value = self.lowering.buffers[reshard.source].value;
        let target = self.resharded(value, source, &reshard.from, &reshard.to);
        self.define(reshard.target, target);
    }

    fn compute(&mut self, inst: InstId, reads: &[BufferId], makes: &[BufferId]) {
        let view = self.global.view(inst);
        let (reads, captured) = reads.split_at(view.num_operands());
        let operands = self.locals(reads);
        if let Op::Return(_) = view.inst.op {
            self.append(view.inst.op.clone(), operands, Vec::new(), Vec::new(), view.inst.span);
            return;
        }
        self.captured = captured.to_vec();
        let results = self.localize(view, &operands);
        self.keep_attributes(inst, &results);
        makes.iter().zip(results).for_each(|(buffer, local)| self.define(*buffer, local));
    }

    /// A loop or a conditional: its `localize` asks for its regions, which are those that are entered next; then it is
    /// computed.
    fn with_regions(&mut self, inst: InstId, reads: &[BufferId]) {
        let operands = self.locals(reads);
        let results = self.localize(self.global.view(inst), &operands);
        let lowering = self.lowering;
        let Some(Event::Compute { inst: computed, makes, .. }) = lowering.events.get(self.next) else {
            panic!("{inst:?} is not computed behind its regions");
        };
        assert_eq!(*computed, inst, "behind its regions another instruction is computed");
        self.next += 1;
        lowering
            .buffers_in(makes)
            .iter()
            .zip(results)
            .for_each(|(buffer, local)| self.define(*buffer, local));
    }
}
