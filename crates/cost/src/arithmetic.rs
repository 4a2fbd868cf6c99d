//! The arithmetic in which an op is computed, and its rate on a device.
//!
//! Input: an op and the types of its operands and results. Output: [`Asked`], what the program leaves no choice in;
//! on a device it is [`Arithmetic`]: a class of arithmetic, and how many passes of it make one operation.
//!
//! The types of the elements say the class, the wider one where two are multiplied: compilers convert to it. Only of
//! products of f32 the program leaves open what they are computed in (`precision_config`), and XLA takes
//!
//! | platform | `DEFAULT` | `HIGH` | `HIGHEST` |
//! | --- | --- | --- | --- |
//! | `tpu` | bf16 | bf16 in 3 passes | bf16 in 6 passes |
//! | `cuda`, if the device has TF32 | TF32 | TF32 | f32 |
//! | `neuron` | bf16 | f32 | f32 |
//! | others | f32 | f32 | f32 |
//!
//! An algorithm (`dot_algorithm`) names the type and the number of products itself.

use meshwright_ir::op::{Accuracy, Factor, Op};
use meshwright_machine::{Device, ElementClass, FlopsPerSecond, Platform};
use meshwright_tensor::types::{ElementKind, ElementType, Type};

/// The class of arithmetic that an element type is computed in.
pub fn element_class(element: ElementType) -> ElementClass {
    use ElementType as E;
    match element {
        E::F64 | E::ComplexF64 => ElementClass::F64,
        E::F32 | E::ComplexF32 => ElementClass::F32,
        E::I1 | E::I16 | E::I32 | E::I64 | E::Ui16 | E::Ui32 | E::Ui64 => ElementClass::F32,
        E::F16 | E::Bf16 => ElementClass::Bf16,
        // Narrower floats pass through the units of the 8-bit ones.
        E::F8E3M4 | E::F8E4M3 | E::F8E4M3B11Fnuz | E::F8E4M3Fn | E::F8E4M3Fnuz => ElementClass::Fp8,
        E::F8E5M2 | E::F8E5M2Fnuz | E::F8E8M0Fnu => ElementClass::Fp8,
        E::F4E2M1Fn | E::F6E2M3Fn | E::F6E3M2Fn => ElementClass::Fp8,
        // So do narrower integers.
        E::I8 | E::Ui8 | E::I4 | E::Ui4 | E::I2 | E::Ui2 => ElementClass::Int8,
    }
}

/// The arithmetic that an op asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// That of the elements.
    class: ElementClass,
    /// How accurately numbers are multiplied, where that is left open or said otherwise.
    accuracy: Option<Accuracy>,
}

/// The arithmetic in which an op runs on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arithmetic {
    /// The class at whose rate it runs.
    pub class: ElementClass,
    /// How many operations of the class make one of the op.
    pub passes: u32,
}

impl Asked {
    /// Demand of products of f32 that say nothing.
    pub const F32: Self = Self { class: ElementClass::F32, accuracy: Some(Accuracy::Default) };

    /// Class and accuracy that an op asks for; `decisive` is the operand or result whose elements decide where it is
    /// no product.
    pub fn of(op: &Op, operands: &[Type], decisive: Option<&Type>) -> Self {
        let element = |ty: &Type| ty.as_tensor().map(|tensor| tensor.element);
        let Some(accuracy) = op.accuracy() else {
            let class = decisive.and_then(element).map_or(ElementClass::F32, element_class);
            return Self { class, accuracy: None };
        };
        let factors = operands.iter().take(2).filter_map(element);
        let class = factors.clone().map(element_class).min().unwrap_or(ElementClass::F32);
        let are_floats = factors
            .clone()
            .any(|element| matches!(element.kind(), ElementKind::Float | ElementKind::Complex));
        Self { class, accuracy: are_floats.then_some(accuracy) }
    }

    /// Arithmetic that meets the demand on a device.
    pub fn on(self, device: &Device) -> Arithmetic {
        let in_passes = |class, passes| Arithmetic { class: device.computed_in(class), passes };
        match (self.class, self.accuracy) {
            (_, Some(Accuracy::Algorithm { operands, products })) => {
                let factor = |factor| match factor {
                    Factor::Tf32 if device.flops.tf32.is_some() => in_passes(ElementClass::Tf32, 1),
                    Factor::Tf32 => of_f32(Accuracy::High, device),
                    Factor::Element(ElementType::F32) => of_f32(Accuracy::Highest, device),
                    Factor::Element(element) => in_passes(element_class(element), 1),
                };
                let [left, right] = operands.map(factor);
                let Arithmetic { class, passes } = if left.class <= right.class { left } else { right };
                in_passes(class, passes.saturating_mul(products))
            }
            (ElementClass::F32, Some(accuracy)) => of_f32(accuracy, device),
            (class @ (ElementClass::F64 | ElementClass::F32 | ElementClass::Tf32), _) => in_passes(class, 1),
            (class @ (ElementClass::Bf16 | ElementClass::Fp8 | ElementClass::Int8), _) => in_passes(class, 1),
        }
    }
}

/// A product of f32: the table above.
fn of_f32(accuracy: Accuracy, device: &Device) -> Arithmetic {
    let (class, passes) = match (device.platform, accuracy) {
        (Some(Platform::Tpu), Accuracy::Default) => (ElementClass::Bf16, 1),
        (Some(Platform::Tpu), Accuracy::High) => (ElementClass::Bf16, 3),
        (Some(Platform::Tpu), _) => (ElementClass::Bf16, 6),
        (Some(Platform::Neuron), Accuracy::Default) => (ElementClass::Bf16, 1),
        (Some(Platform::Cuda) | None, Accuracy::Default | Accuracy::High) if device.flops.tf32.is_some() => {
            (ElementClass::Tf32, 1)
        }
        _ => (ElementClass::F32, 1),
    };
    Arithmetic { class, passes }
}

impl Arithmetic {
    /// The dense peak of the op on a device: that of its class, by the number of passes.
    pub fn peak(self, device: &Device) -> FlopsPerSecond {
        device.peak_flops(self.class) * (1.0 / f64::from(self.passes))
    }

    /// The rate that a large product reaches.
    pub fn achievable(self, device: &Device) -> FlopsPerSecond {
        self.peak(device) * device.flops_efficiency
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_machine::Machine;

    const TF32: &str = ", algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, \
                        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, \
                        allow_imprecise_accumulation = false>";
    const BF16: &str = ", algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, \
                        lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 6, \
                        allow_imprecise_accumulation = false>";

    /// Class and passes of a product of two matrices on a machine.
    fn product(elements: [&str; 3], words: &str, machine: &str) -> (ElementClass, u32) {
        let [left, right, result] = elements.map(|element| format!("tensor<64x64x{element}>"));
        let function = crate::tests::function(&format!(
            "func.func @main(%a: {left}, %b: {right}) -> {result} {{\n  \
             %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]{words} : ({left}, {right}) -> {result}\n  \
             return %0 : {result}\n}}"
        ));
        let view = function.body.view(crate::tests::find(&function, "stablehlo.dot_general", 0));
        let operands: Vec<Type> = view.operand_types().cloned().collect();
        let device = Machine::from_spec(machine).unwrap().device;
        let Arithmetic { class, passes } = Asked::of(&view.inst.op, &operands, None).on(&device);
        (class, passes)
    }

    #[test]
    fn every_element_has_a_class() {
        use ElementClass as C;
        let of = |names: &str, class: ElementClass| {
            for name in names.split(' ') {
                assert_eq!(element_class(ElementType::from_name(name).unwrap()), class, "{name}");
            }
        };
        of("f64 complex<f64>", C::F64);
        of("f32 complex<f32> i1 i16 i32 i64 ui16 ui32 ui64", C::F32);
        of("f16 bf16", C::Bf16);
        of("f8E4M3FN f8E5M2 f8E3M4 f8E4M3 f8E4M3FNUZ f8E5M2FNUZ f8E4M3B11FNUZ f8E8M0FNU", C::Fp8);
        of("f6E2M3FN f6E3M2FN f4E2M1FN", C::Fp8);
        of("i8 ui8 i4 ui4 i2 ui2", C::Int8);
    }

    #[test]
    fn products_of_eight_bits_run_at_their_own_rate_and_mixed_ones_at_that_of_the_wider() {
        let rate = |elements: [&str; 3], machine: &str| {
            let (class, passes) = product(elements, "", machine);
            let device = Machine::from_spec(machine).unwrap().device;
            Arithmetic { class, passes }.peak(&device).0 / 1e12
        };
        assert_eq!(rate(["f8E4M3FN", "f8E5M2", "f32"], "h100"), 1979.0);
        // Where there are no units for them, they run as bf16.
        assert_eq!(rate(["f8E4M3FN", "f8E5M2", "f32"], "a100"), 312.0);
        assert_eq!(product(["f8E4M3FN", "f8E5M2", "f32"], "", "a100").0, ElementClass::Bf16);
        assert_eq!(product(["f8E4M3FN", "f8E5M2", "f32"], "", "h100").0, ElementClass::Fp8);
        assert_eq!(rate(["i4", "i8", "i32"], "h100"), 1979.0);
        assert_eq!(rate(["f8E4M3FN", "bf16", "f32"], "h100"), 989.0);
        assert_eq!(rate(["bf16", "f8E4M3FN", "f32"], "h100"), 989.0);
        assert_eq!(rate(["bf16", "f32", "f32"], "h100"), 494.5);
        assert_eq!(rate(["i32", "i32", "i32"], "h100"), 67.0);
    }

    #[test]
    fn products_of_f32_are_computed_as_the_platform_does_it() {
        use ElementClass as C;
        let f32 = |words: &str, machine: &str| product(["f32"; 3], words, machine);
        let [high, highest] = [", precision = [DEFAULT, HIGH]", ", precision = [HIGHEST, DEFAULT]"];
        assert_eq!(
            ["", high, highest].map(|words| f32(words, "h100")),
            [(C::Tf32, 1), (C::Tf32, 1), (C::F32, 1)]
        );
        assert_eq!(
            ["", high, highest].map(|words| f32(words, "tpu_v5e:4x4")),
            [(C::Bf16, 1), (C::Bf16, 3), (C::Bf16, 6)]
        );
        assert_eq!(["", highest].map(|words| f32(words, "trainium2")), [(C::Bf16, 1), (C::F32, 1)]);
        for machine in ["cpu8", "v100", "mi300x"] {
            assert_eq!(["", highest].map(|words| f32(words, machine)), [(C::F32, 1); 2], "{machine}");
        }
        let complex = product(["complex<f32>"; 3], "", "a100");
        assert_eq!((complex, product(["f64"; 3], highest, "tpu_v5e:4x4")), ((C::Tf32, 1), (C::F64, 1)));
    }

    #[test]
    fn algorithms_say_themselves_what_is_multiplied() {
        use ElementClass as C;
        let f32 = |words: &str, machine: &str| product(["f32"; 3], words, machine);
        assert_eq!(f32(TF32, "h100"), (C::Tf32, 3));
        assert_eq!(f32(TF32, "cpu8"), (C::F32, 3));
        assert_eq!(f32(BF16, "h100"), (C::Bf16, 6));
        assert_eq!(f32(BF16, "tpu_v5e:4x4"), (C::Bf16, 6));
        let exact = TF32.replace("tf32", "f32").replace("= 3", "= 1");
        assert_eq!(f32(&exact, "h100"), (C::F32, 1));
        assert_eq!(f32(&exact, "tpu_v5e:4x4"), (C::Bf16, 6));
    }
}
