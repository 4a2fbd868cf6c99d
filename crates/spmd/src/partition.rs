//! The walk over the global function.

use crate::builder::Builder;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::ids::{InstId, RegionId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::sharding::Sharding;
use meshwright_ir::types::Type;
use meshwright_plan::{DeviceProgram, Shardings};

/// Makes the local program of `function`, whose calls are inlined and whose `shardings` have been verified.
/// `program` gives the module's name and attributes. Replica `d` is device `d` of the mesh.
pub fn partition(program: &Program, function: &Function, shardings: &Shardings) -> DeviceProgram {
    let mesh = &shardings.mesh;
    let mut builder = Builder::new(&function.body, shardings);
    for arg in function.args() {
        builder.add_argument(*arg);
    }
    builder.instructions(function.body.entry(), &Returned::Results(&shardings.results));
    let body = builder.finish();

    let arguments: Vec<(Type, Sharding)> = function
        .args()
        .iter()
        .map(|arg| (function.body.ty(*arg).clone(), shardings.values[*arg].clone()))
        .collect();
    let results: Vec<(Type, Sharding)> =
        function.result_types.iter().cloned().zip(shardings.results.iter().cloned()).collect();
    let local_types = |list: &[(Type, Sharding)]| -> Vec<Type> {
        list.iter().map(|(ty, sharding)| local_type(ty, sharding, mesh)).collect()
    };
    let (argument_types, result_types) = (local_types(&arguments), local_types(&results));
    let mut arg_attributes: Vec<Attributes> = function.arg_attributes.iter().map(without_shardings).collect();
    for (attributes, ty) in arg_attributes.iter_mut().zip(&argument_types) {
        // A result that is spread differently cannot reuse the argument's memory.
        let aliased = attributes.get("tf.aliasing_output").and_then(Attr::as_int);
        if aliased.is_some_and(|result| result_types.get(result as usize) != Some(ty)) {
            attributes.remove("tf.aliasing_output");
        }
    }
    let local = Function {
        name: function.name.clone(),
        visibility: function.visibility.clone(),
        arg_attributes,
        result_types,
        result_attributes: function.result_attributes.iter().map(without_shardings).collect(),
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
        functions: vec![local],
        location: program.location.clone(),
    };
    DeviceProgram { program, mesh: mesh.clone(), arguments, results }
}

/// The type that each device holds of a value.
pub(crate) fn local_type(ty: &Type, sharding: &Sharding, mesh: &meshwright_ir::mesh::Mesh) -> Type {
    match ty {
        Type::Tensor(tensor) => Type::Tensor(sharding.local_type(tensor, mesh)),
        other => other.clone(),
    }
}

pub(crate) fn without_shardings(attributes: &Attributes) -> Attributes {
    attributes
        .iter()
        .filter(|(name, _)| !matches!(*name, "sdy.sharding" | "mhlo.sharding"))
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect()
}

/// How the values that a region returns must be sharded.
pub(crate) enum Returned<'a> {
    /// As the function's results.
    Results(&'a [Sharding]),
    /// As the carried values of a loop: like the arguments of this region.
    Carried(RegionId),
    /// Whole on every device: a loop's condition, the results of branches.
    Whole,
}

impl Builder<'_> {
    /// Partitions all instructions of a global region into the current local region.
    pub(crate) fn instructions(&mut self, region: RegionId, returned: &Returned<'_>) {
        for inst in &self.global.regions[region].insts {
            match &self.global.insts[*inst].op {
                Op::Return(_) => self.terminator(*inst, returned),
                op if op.carries_values() => self.carrying(*inst),
                _ => self.instruction(*inst),
            }
        }
    }

    fn terminator(&mut self, inst: InstId, returned: &Returned<'_>) {
        let source = &self.global.insts[inst];
        let mut operands = Vec::with_capacity(source.operands.len());
        for (index, operand) in source.operands.iter().enumerate() {
            let value = match returned {
                Returned::Results(shardings) => self.resharded(*operand, &shardings[index]),
                Returned::Carried(region) => {
                    let arg = self.global.regions[*region].args[index];
                    self.resharded(*operand, &self.shardings.values[arg])
                }
                Returned::Whole => {
                    let rank = self.shardings.values[*operand].dims.len();
                    self.resharded(*operand, &Sharding::replicated(rank))
                }
            };
            operands.push(value);
        }
        self.append(source.op.clone(), operands, Vec::new(), Vec::new(), source.span);
    }

    /// A loop: its operands are brought to the sharding of its region arguments.
    fn carrying(&mut self, inst: InstId) {
        let view = self.global.view(inst);
        let args = &view.region(0).args;
        let operands: Vec<_> = view
            .inst
            .operands
            .iter()
            .zip(args)
            .map(|(operand, arg)| self.resharded(*operand, &self.shardings.values[*arg]))
            .collect();
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
        let operands: Vec<_> = view
            .inst
            .operands
            .iter()
            .enumerate()
            .map(|(index, operand)| self.resharded(*operand, &strategy.operand_sharding(&rule, index, mesh)))
            .collect();
        let results = self.localize(view, &rule, strategy, &operands);
        self.keep_attributes(inst, &results);
        for (index, (result, local)) in view.inst.results.iter().zip(results).enumerate() {
            let made = strategy.result_sharding(&rule, index, mesh);
            self.define(*result, local, made);
        }
    }
}
