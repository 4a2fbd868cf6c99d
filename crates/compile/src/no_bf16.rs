//! Numbers in which a device does not multiply.
//!
//! Input: a program and a machine. Output: a warning where the program multiplies in bf16 and the device does not, which is
//! priced all the same.

use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::op::Op;
use meshwright_ir::program::Program;
use meshwright_machine::{ComputeCapability, Machine};
use meshwright_tensor::types::ElementType;

/// A device does not have the numbers of a program.
const NUMBERS: Check = Check("numbers");

/// The first of CUDA's devices that multiply in bf16.
const FIRST: ComputeCapability = ComputeCapability { major: 8, minor: 0 };

/// A warning that a machine's devices have no bf16, in which a program multiplies.
pub fn no_bf16(program: &Program, machine: &Machine) -> Option<Diagnostic> {
    let own = machine.device.compute_capability.filter(|own| *own < FIRST)?;
    if !multiplies_in_bf16(program) {
        return None;
    }
    let message = format!(
        "{} has no bf16 (compute capability {own}): products in bf16 are priced at the rate of those in f16, and take longer \
         there",
        machine.name
    );
    let hint = "the recipe `f32` multiplies in numbers that it has (`--precision-recipe f32` of a config.json); a program says \
                its own, such as f16";
    Some(Diagnostic::warning(NUMBERS, Span::NONE, message).hint(hint))
}

fn multiplies_in_bf16(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        let body = &function.body;
        body.insts.values().any(|inst| {
            let is_product = matches!(inst.op, Op::DotGeneral(_) | Op::Convolution(_));
            let is_bf16 = |operand| {
                body.ty(operand).as_tensor().is_some_and(|tensor| tensor.element == ElementType::Bf16)
            };
            is_product && inst.operands.iter().any(|operand| is_bf16(*operand))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::no_bf16;
    use meshwright_ir::diagnostic::Source;
    use meshwright_machine::Machine;

    #[test]
    fn products_in_bf16_are_warned_of_where_there_are_none() {
        let warned = |element: &str, machine: &str| {
            let text = format!(
                "func.func @main(%a: tensor<8x8x{element}>, %b: tensor<8x8x{element}>) -> tensor<8x8x{element}> {{\n  \
                 %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8x{element}>, \
                 tensor<8x8x{element}>) -> tensor<8x8x{element}>\n  return %0 : tensor<8x8x{element}>\n}}\n"
            );
            let program = crate::read(&Source::new("product.mlir", text)).unwrap();
            no_bf16(&program, &Machine::from_spec(machine).unwrap()).map(|warning| warning.message)
        };
        let said = warned("bf16", "v100:1x8").unwrap();
        assert!(said.starts_with("v100 has no bf16 (compute capability 7.0)"), "{said}");
        for (element, machine) in
            [("f32", "v100:1x8"), ("f16", "v100:1x8"), ("bf16", "h100:1x8"), ("bf16", "cpu8")]
        {
            assert_eq!(warned(element, machine), None, "{element} on {machine}");
        }
    }
}
