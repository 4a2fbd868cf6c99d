//! Elementwise ops of two operands: `add`, `multiply`, `maximum`, ... (StableHLO specification, one section each).

use crate::attribute::Attributes;
use crate::eval::Context;
use crate::op::{AttrReader, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::sharding::Reduction;
use crate::eval_error::EvalError;
use crate::tensor::Tensor;
use crate::text::{OpPrinter, Parsed, Parser};
use crate::types::{ElementKind, ElementType};

macro_rules! binary {
    ($($kind:ident = $name:literal),* $(,)?) => {
        /// Which elementwise op.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Binary { $($kind),* }

        impl Binary {
            /// All of them, in the order of [`OpDef::NAMES`].
            pub const ALL: &'static [Binary] = &[$(Self::$kind),*];
            const ALL_NAMES: &'static [&'static str] = &[$(concat!("stablehlo.", $name)),*];
        }
    };
}

binary! {
    Add = "add",
    And = "and",
    Atan2 = "atan2",
    Divide = "divide",
    Maximum = "maximum",
    Minimum = "minimum",
    Multiply = "multiply",
    Or = "or",
    Power = "power",
    Remainder = "remainder",
    ShiftLeft = "shift_left",
    ShiftRightArithmetic = "shift_right_arithmetic",
    ShiftRightLogical = "shift_right_logical",
    Subtract = "subtract",
    Xor = "xor",
}

impl OpDef for Binary {
    const NAMES: &'static [&'static str] = Self::ALL_NAMES;

    fn name(&self) -> &'static str {
        Self::NAMES[*self as usize]
    }

    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let left = p.operand()?;
        p.expect(b',')?;
        let right = p.operand()?;
        let attributes = p.attr_dict_opt()?;
        let (operands, results) = p.same_or_function_type(2)?;
        Ok(ParsedInst::new(Self::from_name(name), vec![left, right], results).typed(operands).with(attributes))
    }

    fn from_attributes(name: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self::from_name(name))
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new()
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text(" ");
        p.values(&view.inst.operands);
        p.attributes();
        p.same_type_or_signature();
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        violations.require(view.operand(0) == view.operand(1), || {
            format!("C1: operands have different types, {} and {}", view.operand(0), view.operand(1))
        });
        violations.result_type(view, 0, &view.operand(0).clone().into());
        let kind = view.operand(0).element.kind();
        let allowed = match self {
            Self::And | Self::Or | Self::Xor => {
                matches!(kind, ElementKind::Boolean | ElementKind::Signed | ElementKind::Unsigned)
            }
            Self::ShiftLeft | Self::ShiftRightArithmetic | Self::ShiftRightLogical => {
                matches!(kind, ElementKind::Signed | ElementKind::Unsigned)
            }
            Self::Atan2 => matches!(kind, ElementKind::Float | ElementKind::Complex),
            Self::Add | Self::Multiply | Self::Maximum | Self::Minimum => true,
            Self::Divide | Self::Power | Self::Remainder | Self::Subtract => kind != ElementKind::Boolean,
        };
        violations.require(allowed, || format!("does not take elements of {}", view.operand(0).element));
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn linear_operands(&self, view: &InstView<'_>) -> &'static [usize] {
        match self {
            Self::Multiply if view.result(0).element != ElementType::I1 => &[0, 1],
            Self::Divide if view.result(0).element.is_float() => &[0],
            _ => &[],
        }
    }

    fn evaluate(
        &self,
        _: &InstView<'_>,
        inputs: Vec<Tensor>,
        _: &mut dyn Context,
    ) -> Result<Vec<Tensor>, EvalError> {
        Err(EvalError::new(format!("{} of {} is not evaluated", self.name(), inputs[0].ty())))
    }
}

impl Binary {
    fn from_name(name: &str) -> Self {
        let at = Self::NAMES.iter().position(|known| *known == name).expect("the parser passes known names");
        Self::ALL[at]
    }

    /// The reduction that applies this op over and over, if it is commutative and associative.
    pub fn reduction(self) -> Option<Reduction> {
        match self {
            Self::Add => Some(Reduction::Sum),
            Self::Multiply => Some(Reduction::Product),
            Self::Maximum => Some(Reduction::Max),
            Self::Minimum => Some(Reduction::Min),
            Self::And => Some(Reduction::And),
            Self::Or => Some(Reduction::Or),
            _ => None,
        }
    }

    /// The op that a reduction applies.
    pub fn of_reduction(reduction: Reduction) -> Self {
        match reduction {
            Reduction::Sum => Self::Add,
            Reduction::Product => Self::Multiply,
            Reduction::Max => Self::Maximum,
            Reduction::Min => Self::Minimum,
            Reduction::And => Self::And,
            Reduction::Or => Self::Or,
        }
    }
}
