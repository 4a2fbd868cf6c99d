//! Stand-ins for kernels without a reference, so that the rest of a program can be checked.
//!
//! Input: a program and the names of the kernels to stand in for. Output: the program with a constant for every result
//! of their calls: the same in the undistributed program and on every device, however the results are sharded.

use std::collections::BTreeMap;

use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::InstId;
use meshwright_ir::program::{Body, Def, Program};
use meshwright_ir::rule::FactorKind;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementKind, TensorType};

/// A kernel that the evaluator has no reference for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKernel {
    /// What its calls name.
    pub name: String,
    /// How many calls there are.
    pub calls: usize,
    /// Whether devices hold parts of a sum of its results.
    is_partial: bool,
}

/// The kernels of a program for which there is no reference, by name.
pub fn unknown_kernels(program: &Program) -> Vec<UnknownKernel> {
    let mut found: BTreeMap<String, UnknownKernel> = BTreeMap::new();
    for function in &program.functions {
        // Instructions that passes took out are still in the table.
        for id in function.body.walk(function.body.entry()) {
            let view = function.body.view(id);
            let Some(name) = view.inst.op.unknown_kernel(&view) else { continue };
            let factors = view.inst.op.rule(&view).factors;
            let is_partial = factors
                .iter()
                .any(|factor| matches!(factor.kind, FactorKind::Reduced(_) | FactorKind::SummedElsewhere));
            let kernel = found.entry(name.to_owned()).or_insert_with(|| UnknownKernel {
                name: name.to_owned(),
                calls: 0,
                is_partial: false,
            });
            kernel.calls += 1;
            kernel.is_partial |= is_partial;
        }
    }
    found.into_values().collect()
}

/// The program with constants for what these kernels would give. Calls with results that are no tensors stay.
pub fn with_stubs(program: &Program, kernels: &[UnknownKernel]) -> Program {
    let mut program = program.clone();
    for function in &mut program.functions {
        let body = &mut function.body;
        let calls: Vec<(InstId, bool)> = body
            .walk(body.entry())
            .into_iter()
            .filter_map(|id| {
                let view = body.view(id);
                let name = view.inst.op.unknown_kernel(&view)?;
                let kernel = kernels.iter().find(|kernel| kernel.name == name)?;
                Some((id, kernel.is_partial))
            })
            .collect();
        for (call, is_partial) in calls {
            replace(body, call, is_partial);
        }
    }
    program
}

fn replace(body: &mut Body, call: InstId, is_partial: bool) {
    let results = body.insts[call].results.clone();
    let types: Option<Vec<TensorType>> =
        results.iter().map(|value| body.ty(*value).as_tensor().cloned()).collect();
    let regions = body.regions.ids().find(|region| body.regions[*region].insts.contains(&call));
    let (Some(types), Some(region)) = (types, regions) else { return };
    let mut constants = Vec::new();
    for (result, ty) in results.iter().zip(types) {
        let is_float = matches!(ty.element.kind(), ElementKind::Float | ElementKind::Complex);
        let value = if is_float && !is_partial { 0.5 } else { 0.0 };
        BodyBuilder::standing_for(body, call, region).constant(Literal::splat(ty, value));
        let Some(made) = body.regions[region].insts.pop() else { continue };
        // It defines what the call defined.
        body.insts[made].results = vec![*result];
        body.values[*result].def = Def::Result(made, 0);
        constants.push(made);
    }
    let insts = &mut body.regions[region].insts;
    if let Some(position) = insts.iter().position(|inst| *inst == call) {
        insts.splice(position..=position, constants);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;

    #[test]
    fn what_passes_took_out_is_not_counted() {
        let text = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  \
                    %0 = stablehlo.custom_call @odd(%a) : (tensor<4xf32>) -> tensor<4xf32>\n  \
                    return %a : tensor<4xf32>\n}\n";
        let mut program = meshwright_ir::text::read(&Source::new("odd", text)).unwrap();
        assert_eq!(unknown_kernels(&program).len(), 1);
        let body = &mut program.functions[0].body;
        let entry = body.entry();
        body.regions[entry].insts.remove(0);
        assert_eq!(unknown_kernels(&program), []);
    }
}
