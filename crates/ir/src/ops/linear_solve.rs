//! `stablehlo.cholesky` and `stablehlo.triangular_solve` (specification, one section each), on the innermost two
//! dims.

use super::linear_solve_eval::{System, cholesky, triangular_solve};
use super::linear_solve_vjp;
use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::rule_builder::FactorType;
use crate::text::{Ending, OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::Type;

/// Forms in which `a` is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are the specification's
pub enum Transpose {
    NoTranspose,
    Transpose,
    Adjoint,
}

impl Transpose {
    const WORDS: [&'static str; 3] = ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"];
    const ALL: [Self; 3] = [Self::NoTranspose, Self::Transpose, Self::Adjoint];
}

/// Ops of linear algebra.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinearSolve {
    /// The triangular factor of a positive definite matrix.
    Cholesky {
        /// Whether the lower factor is meant, if it is written; else the upper one.
        lower: Option<bool>,
    },
    /// The solution of a system of equations with a triangular matrix.
    TriangularSolve {
        /// Whether the matrix stands left of the unknown.
        left_side: bool,
        /// Which triangle of the matrix is read.
        lower: bool,
        /// Whether the diagonal is taken to be one.
        unit_diagonal: bool,
        /// What becomes of the matrix first.
        transpose: Transpose,
    },
}

impl OpDef for LinearSolve {
    const NAMES: &'static [&'static str] = &["stablehlo.cholesky", "stablehlo.triangular_solve"];

    fn name(&self) -> &'static str {
        match self {
            Self::Cholesky { .. } => "stablehlo.cholesky",
            Self::TriangularSolve { .. } => "stablehlo.triangular_solve",
        }
    }

    /// `stablehlo.cholesky %a, lower = true : type`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        if name != "stablehlo.cholesky" {
            return p.only_generic(name);
        }
        let operand = p.operand()?;
        let lower = match p.eat(b',') {
            true => {
                p.field("lower")?;
                Some(p.boolean()?)
            }
            false => None,
        };
        let mut attributes = p.attr_dict_opt()?;
        if let Some(lower) = lower {
            attributes.set("lower", Attr::Bool(lower));
        }
        let op = p.from_dict(name, &mut attributes, Self::from_attributes)?;
        let (types, results) = p.same_or_function_type(1)?;
        Ok(ParsedInst::new(op, vec![operand], results).typed(types).with(attributes))
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        if name == "stablehlo.cholesky" {
            return Ok(Self::Cholesky { lower: attributes.bool_opt("lower")? });
        }
        let mut flag =
            |name: &str| attributes.bool_opt(name)?.ok_or_else(|| format!("attribute `{name}` is missing"));
        let (left_side, lower, unit_diagonal) = (flag("left_side")?, flag("lower")?, flag("unit_diagonal")?);
        let transpose = attributes.word("transpose_a", "stablehlo", "transpose", &Transpose::WORDS)?;
        let transpose = Transpose::ALL[transpose];
        Ok(Self::TriangularSolve { left_side, lower, unit_diagonal, transpose })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        match self {
            Self::Cholesky { lower } => {
                if let Some(lower) = lower {
                    attributes.set("lower", Attr::Bool(*lower));
                }
            }
            Self::TriangularSolve { left_side, lower, unit_diagonal, transpose } => {
                attributes.set("left_side", Attr::Bool(*left_side));
                attributes.set("lower", Attr::Bool(*lower));
                attributes.set("unit_diagonal", Attr::Bool(*unit_diagonal));
                let word = Transpose::WORDS[*transpose as usize];
                attributes.set("transpose_a", Attr::word("stablehlo", "transpose", word));
            }
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        let Self::Cholesky { lower } = self else {
            return false;
        };
        p.operands();
        if *lower == Some(true) {
            p.text(", lower = true");
        }
        Ending::Same.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = if matches!(self, Self::Cholesky { .. }) { 1 } else { 2 };
        if !violations.shape(view, count, 1, 0) {
            return;
        }
        let a = view.operand(0);
        violations.require(a.element.is_inexact(), || {
            format!("takes floats or complex numbers, not {}", a.element)
        });
        if !violations.require(a.rank() >= 2, || format!("C2: {a} is no matrix")) {
            return;
        }
        let (batch, matrix) = a.shape.split_at(a.rank() - 2);
        violations.require(matrix[0] == matrix[1], || format!("C3: the matrix {a} is not square"));
        if let Self::TriangularSolve { left_side, .. } = self {
            let b = view.operand(1);
            violations.require(a.element == b.element, || {
                format!("C1: elements of {} and {}", a.element, b.element)
            });
            if !violations.require(a.rank() == b.rank(), || format!("C2: {a} and {b} differ in rank")) {
                return;
            }
            let (other_batch, other) = b.shape.split_at(b.rank() - 2);
            let side = if *left_side { other[0] } else { other[1] };
            violations.require(batch == other_batch, || format!("C3: {a} and {b} differ in batch dims"));
            violations.require(matrix[0] == side, || format!("C3: {a} cannot be solved for {b}"));
        }
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(if matches!(self, Self::Cholesky { .. }) { 0 } else { 1 })
    }

    fn evaluate(&self, Evaluation { inputs, cx, .. }: Evaluation<'_>) -> Evaluated {
        let result = match *self {
            Self::Cholesky { lower } => cholesky(&inputs[0], lower == Some(true), cx.precision()),
            Self::TriangularSolve { left_side, lower, unit_diagonal, transpose } => {
                let system = System { left_side, lower, unit_diagonal, transpose };
                triangular_solve(&system, &inputs[0], &inputs[1], cx.precision())
            }
        };
        Ok(vec![result?])
    }

    /// A third of n^3 for a matrix of n rows that is factored, n^2 for each right side that is solved for.
    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        let side = operands[0].as_tensor().and_then(|ty| ty.shape.last()).map_or(0.0, |size| *size as f64);
        let elements: f64 =
            results.iter().filter_map(Type::as_tensor).map(|ty| ty.num_elements() as f64).sum();
        match self {
            Self::Cholesky { .. } => elements * side / 3.0,
            Self::TriangularSolve { .. } => elements * side,
        }
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        match *self {
            Self::Cholesky { lower } => linear_solve_vjp::of_cholesky(v, lower == Some(true)),
            Self::TriangularSolve { left_side, lower, unit_diagonal, transpose } => {
                let system = System { left_side, lower, unit_diagonal, transpose };
                linear_solve_vjp::of_triangular_solve(v, system)
            }
        }
    }

    /// Batches pass through, and so does each right side of a system: its columns, or its rows where the matrix stands
    /// right of the unknown.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let shape = &view.operand(0).shape;
        let batches = shape.len().saturating_sub(2);
        let operands = view.num_operands();
        for (dim, size) in shape.iter().enumerate().take(batches) {
            let everywhere: Vec<(usize, usize)> = (0..operands).map(|operand| (operand, dim)).collect();
            rule.add_dim(*size, FactorKind::PassThrough, &everywhere, &[(0, dim)]);
        }
        match self {
            Self::TriangularSolve { left_side, transpose, .. } => {
                add_system(&mut rule, view, *left_side, *transpose != Transpose::NoTranspose);
            }
            Self::Cholesky { .. } => {
                for (dim, size) in shape.iter().enumerate().skip(batches) {
                    rule.add_dim(*size, FactorKind::NeedReplication, &[(0, dim)], &[(0, dim)]);
                }
            }
        }
        rule
    }
}

/// Adds the factors of one system's dims: each right side by itself, the matrix and the unknowns whole.
fn add_system(rule: &mut ShardingRule, view: &InstView<'_>, left_side: bool, is_transposed: bool) {
    let shape = &view.operand(0).shape;
    let (rows, columns) = (shape.len() - 2, shape.len() - 1);
    // Of the matrix: the dim that the right side has too, and the one that is summed.
    let (free, summed) = if is_transposed == left_side { (columns, rows) } else { (rows, columns) };
    let (shared, other) = if left_side { (rows, columns) } else { (columns, rows) };
    let add_shared = |rule: &mut ShardingRule| {
        rule.add_dim(shape[free], FactorKind::NeedReplication, &[(0, free), (1, shared)], &[]);
    };
    if left_side {
        add_shared(rule);
    }
    let right_sides = view.operand(1).shape[other];
    let sides = rule.add_dim(right_sides, FactorKind::PassThrough, &[(1, other)], &[(0, other)]);
    // Shardy needs them whole too.
    rule.factors[sides].in_shardy.kind = Some(FactorType::NeedReplication);
    if !left_side {
        add_shared(rule);
    }
    rule.add_dim(shape[summed], FactorKind::NeedReplication, &[(0, summed)], &[(0, shared)]);
}
