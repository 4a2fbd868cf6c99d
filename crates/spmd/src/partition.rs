//! The walk over the global function.

use crate::builder::Builder;
use meshwright_ir::arguments::Donation;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::ops::sdy_collective::Change;
use meshwright_ir::program::{Body, Function, Program, Regions};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::attributes::says_decisions;
use meshwright_plan::{DeviceProgram, Orders, PartialReads, Shardings};
use meshwright_tensor::types::Type;

/// Makes the local program of `function`, whose calls are inlined and whose `shardings` have been verified.
/// `program` gives the module's name and attributes. Replica `d` is device `d` of the mesh.
pub fn partition(program: &Program, function: &Function, shardings: &Shardings) -> DeviceProgram {
    let mesh = &shardings.mesh;
    let mut builder = Builder::new(&function.body, shardings);
    let mut arguments: Vec<(Type, Sharding)> = Vec::with_capacity(function.args().len());
    for arg in function.args() {
        builder.add_argument(*arg);
        arguments.push((function.body.ty(*arg).clone(), shardings.values[*arg].clone()));
    }
    let returned = &shardings.results;
    builder.instructions(function.body.entry(), &Returned::Results(returned));
    let body = builder.finish();
    let results: Vec<(Type, Sharding)> =
        function.result_types.iter().cloned().zip(returned.iter().cloned()).collect();
    let local_types = |list: &[(Type, Sharding)]| -> Vec<Type> {
        list.iter().map(|(ty, sharding)| local_type(ty, sharding, mesh)).collect()
    };
    let (argument_types, result_types) = (local_types(&arguments), local_types(&results));
    let mut arg_attributes: Vec<Attributes> = function.arg_attributes.iter().map(without_shardings).collect();
    for (index, (attributes, ty)) in arg_attributes.iter_mut().zip(&argument_types).enumerate() {
        // A result that is sharded differently cannot reuse the argument's memory.
        if !matches!(function.donation(index), Donation::ToResult(result) if result_types[result] == *ty) {
            attributes.remove("tf.aliasing_output");
        }
    }
    let local = Function {
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
    };
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

/// How the values that a region returns must be sharded.
pub(crate) enum Returned<'a> {
    /// As the function's results.
    Results(&'a [Sharding]),
    /// Like these values: the arguments of a loop's body, the results of a conditional.
    As(&'a [ValueId]),
    /// Whole on every device: a loop's condition.
    Whole,
}

impl Builder<'_> {
    /// Partitions all instructions of a global region into the current local region.
    pub(crate) fn instructions(&mut self, region: RegionId, returned: &Returned<'_>) {
        for inst in &self.global.regions[region].insts {
            let view = self.global.view(*inst);
            // What brings the operands there is done for this instruction.
            self.span = view.inst.span;
            match view.regions() {
                _ if matches!(view.inst.op, Op::Return(_)) => self.terminator(*inst, returned),
                Regions::Loop => self.with_regions(*inst, &view.region(0).args),
                Regions::Branches => self.with_regions(*inst, &[]),
                Regions::OfElements => self.instruction(*inst),
            }
        }
    }

    fn terminator(&mut self, inst: InstId, returned: &Returned<'_>) {
        let source = &self.global.insts[inst];
        let mut operands = Vec::with_capacity(source.operands.len());
        for (index, operand) in source.operands.iter().enumerate() {
            let value = match returned {
                Returned::Results(shardings) => self.read_as(inst, *operand, &shardings[index]),
                Returned::As(values) => self.read_as(inst, *operand, &self.shardings.values[values[index]]),
                Returned::Whole => {
                    let rank = self.shardings.values[*operand].dims.len();
                    self.read_as(inst, *operand, &Sharding::replicated(rank))
                }
            };
            operands.push(value);
        }
        self.append(source.op.clone(), operands, Vec::new(), Vec::new(), source.span);
    }

    /// A loop or a conditional. A loop's operands are brought to the sharding of its region arguments; what a
    /// conditional chooses by is whole.
    fn with_regions(&mut self, inst: InstId, args: &[ValueId]) {
        let view = self.global.view(inst);
        let mut operands = Vec::with_capacity(view.inst.operands.len());
        for (index, operand) in view.inst.operands.iter().enumerate() {
            let rank = self.shardings.values[*operand].dims.len();
            let whole = Sharding::replicated(rank);
            let wanted = args.get(index).map_or(&whole, |arg| &self.shardings.values[*arg]);
            operands.push(self.read_as(inst, *operand, wanted));
        }
        let strategy = &self.shardings.strategies[inst];
        let results = self.localize(view, &view.inst.op.rule(&view), strategy, &operands);
        for (result, local) in view.inst.results.iter().zip(results) {
            self.set(*result, local);
        }
    }

    fn instruction(&mut self, inst: InstId) {
        let view = self.global.view(inst);
        let (rule, mesh) = (view.inst.op.rule(&view), &self.shardings.mesh);
        let strategy = &self.shardings.strategies[inst];
        let passed = self.shardings.partial_reads(&view, &rule);
        let passed = passed.as_ref();
        let operands: Vec<_> = view
            .inst
            .operands
            .iter()
            .enumerate()
            .map(|(index, operand)| {
                let to = PartialReads::operand_sharding(passed, strategy, &rule, index, mesh);
                self.read_as(inst, *operand, &to)
            })
            .collect();
        let results = self.localize(view, &rule, strategy, &operands);
        self.keep_attributes(inst, &results);
        for (index, (result, local)) in view.inst.results.iter().zip(results).enumerate() {
            let partial = PartialReads::of_results(passed, strategy, &rule);
            let made = Sharding { partial, ..strategy.result_sharding(&rule, index, mesh) };
            self.define(*result, local, made);
        }
    }
}
