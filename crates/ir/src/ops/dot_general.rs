//! `stablehlo.dot_general` (specification, "dot_general"): batched matrix products over any dims.

use super::reduce_precision::ReducePrecision;
use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::kernel_shape::{KernelShape, Matmul, factors};
use crate::op::{Accuracy, AttrReader, Given, Linearity, Op, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sharding::Reduction;
use crate::text::{DialectFields, Ending, OpPrinter, Parsed, Parser, SYNTAX};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementKind, ElementType, TensorType, Type};
use meshwright_tensor::{Precision, Tensor, convert};

/// Product with contracting and batch dims; further attributes are kept as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DotGeneral {
    /// Batch dims of the left and the right operand, pairwise.
    pub batch: [Vec<usize>; 2],
    /// Contracting dims of the left and the right operand, pairwise.
    pub contracting: [Vec<usize>; 2],
    /// `DEFAULT`, `HIGH` or `HIGHEST` per operand; empty when not given.
    pub precision: Vec<String>,
    /// `#stablehlo.dot_algorithm<...>`, if given.
    pub algorithm: Option<Attr>,
}

impl OpDef for DotGeneral {
    const NAMES: &'static [&'static str] = &["stablehlo.dot_general"];

    /// `%a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT],
    /// algorithm = <...> : (...) -> ...`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let left = p.operand()?;
        p.expect(b',')?;
        let right = p.operand()?;
        let mut op = Self {
            batch: Default::default(),
            contracting: Default::default(),
            precision: Vec::new(),
            algorithm: None,
        };
        while p.eat(b',') {
            if p.eat_word("batching_dims") {
                op.batch = dim_pairs(p)?;
            } else if p.eat_word("contracting_dims") {
                op.contracting = dim_pairs(p)?;
            } else if p.eat_word("precision") {
                p.expect(b'=')?;
                op.precision = precisions(p)?;
            } else if p.eat_word("algorithm") {
                p.expect(b'=')?;
                op.algorithm = Some(p.dialect_attribute_body("stablehlo.dot_algorithm")?);
            } else {
                return p.expected("`batching_dims`, `contracting_dims`, `precision` or `algorithm`");
            }
        }
        Ending::Signature.parse(p, op, vec![left, right])
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let mut fields = DialectFields::of(&attributes.required("dot_dimension_numbers")?, "stablehlo.dot")?;
        let op = Self {
            batch: [fields.dims("lhs_batching_dimensions")?, fields.dims("rhs_batching_dimensions")?],
            contracting: [
                fields.dims("lhs_contracting_dimensions")?,
                fields.dims("rhs_contracting_dimensions")?,
            ],
            precision: attributes.precision()?,
            algorithm: attributes.take("algorithm"),
        };
        fields.finish()?;
        Ok(op)
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut fields = Vec::new();
        for (name, dims) in [
            ("lhs_batching_dimensions", &self.batch[0]),
            ("rhs_batching_dimensions", &self.batch[1]),
            ("lhs_contracting_dimensions", &self.contracting[0]),
            ("rhs_contracting_dimensions", &self.contracting[1]),
        ] {
            if !dims.is_empty() {
                fields.push(format!("{name} = {dims:?}"));
            }
        }
        let numbers = Attr::Dialect(format!("#stablehlo.dot<{}>", fields.join(", ")).into());
        let mut attributes: Attributes =
            [("dot_dimension_numbers".to_owned(), numbers)].into_iter().collect();
        if !self.precision.is_empty() {
            attributes.set("precision_config", Attr::precision(&self.precision));
        }
        if let Some(algorithm) = &self.algorithm {
            attributes.set("algorithm", algorithm.clone());
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        if !self.batch[0].is_empty() {
            p.text(&format!(", batching_dims = {:?} x {:?}", self.batch[0], self.batch[1]));
        }
        p.text(&format!(", contracting_dims = {:?} x {:?}", self.contracting[0], self.contracting[1]));
        if !self.precision.is_empty() {
            p.text(", precision = ");
            p.list(&self.precision);
        }
        if let Some(Attr::Dialect(algorithm)) = &self.algorithm {
            p.text(&format!(", algorithm = {}", algorithm.trim_start_matches("#stablehlo.dot_algorithm")));
        }
        Ending::Signature.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        let sides = [view.operand(0), view.operand(1)];
        violations.require(matches!(self.precision.len(), 0 | 2), || {
            format!("C11: `precision` should have an entry per operand, not {}", self.precision.len())
        });
        let widens = sides[0].element.is_integer() && view.result(0).element.kind() == ElementKind::Float;
        let (result, widest) = (view.result(0).element, sides[0].element.bits().max(sides[1].element.bits()));
        violations
            .require(is_product(sides[0].element, result) && (widens || result.bits() >= widest), || {
                format!("C13: {} times {} cannot be {result}", sides[0].element, sides[1].element)
            });
        self.verify_algorithm(violations);
        // Elements may be of different widths, and integers with a sign or without one.
        let are_alike = sides[0].element.is_integer() && sides[1].element.is_integer()
            || sides[0].element.kind() == sides[1].element.kind();
        violations.require(are_alike, || {
            format!(
                "C13: elements of {} are multiplied with elements of {}",
                sides[0].element, sides[1].element
            )
        });
        let mut fits = violations.require(self.batch[0].len() == self.batch[1].len(), || {
            "C1: different numbers of batching dims on the two sides".into()
        });
        fits &= violations.require(self.contracting[0].len() == self.contracting[1].len(), || {
            "C2: different numbers of contracting dims on the two sides".into()
        });
        for side in 0..2 {
            let mut seen = vec![false; sides[side].rank()];
            for dim in self.batch[side].iter().chain(&self.contracting[side]) {
                fits &= violations.require(*dim < seen.len(), || {
                    format!(
                        "C5-C8: dim {dim} is out of range for operand {side} of rank {}",
                        sides[side].rank()
                    )
                });
                if let Some(seen) = seen.get_mut(*dim) {
                    fits &= violations.require(!std::mem::replace(seen, true), || {
                        format!("C3-C4: dim {dim} of operand {side} is used twice")
                    });
                }
            }
        }
        if !fits {
            return;
        }
        for (name, dims) in [("C9: batching", &self.batch), ("C10: contracting", &self.contracting)] {
            for (left, right) in dims[0].iter().zip(&dims[1]) {
                let (left, right) = (sides[0].shape[*left], sides[1].shape[*right]);
                fits &= violations
                    .require(left == right, || format!("{name} dims have sizes {left} and {right}"));
            }
        }
        if let Some(shape) = self.result_shape(sides[0], sides[1]).filter(|_| fits) {
            violations.require(shape == view.result(0).shape, || {
                format!("C12: the result's shape should be {shape:?}, not {:?}", view.result(0).shape)
            });
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let shape = self.result_shape(given.tensor(0)?, given.tensor(1)?)?;
        Some(vec![TensorType::new(shape, given.element_of_product()?).into()])
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let (left, right) = (view.operand(0), view.operand(1));
        let mut result_dim = 0;
        for (l, r) in self.batch[0].iter().zip(&self.batch[1]) {
            rule.add_dim(left.shape[*l], FactorKind::PassThrough, &[(0, *l), (1, *r)], &[(0, result_dim)]);
            result_dim += 1;
        }
        for (side, ty) in [left, right].into_iter().enumerate() {
            for dim in self.free_dims(side, ty.rank()) {
                rule.add_dim(ty.shape[dim], FactorKind::PassThrough, &[(side, dim)], &[(0, result_dim)]);
                result_dim += 1;
            }
        }
        for (l, r) in self.contracting[0].iter().zip(&self.contracting[1]) {
            rule.add_dim(left.shape[*l], FactorKind::Reduced(Reduction::Sum), &[(0, *l), (1, *r)], &[]);
        }
        rule
    }

    /// A multiplication and an addition per result element and contracted position.
    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        let (Some(left), Some(result)) = (operands[0].as_tensor(), results[0].as_tensor()) else {
            return 0.0;
        };
        let contracted: usize = self.contracting[0].iter().map(|dim| left.shape[*dim]).product();
        2.0 * result.num_elements() as f64 * contracted as f64
    }

    fn accuracy(&self) -> Option<Accuracy> {
        let algorithm = self.algorithm.as_ref().and_then(Accuracy::of_algorithm);
        Some(algorithm.unwrap_or_else(|| Accuracy::of_words(&self.precision)))
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_each(&[0, 1])
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let mut inputs = inputs;
        if let (Some(algorithm), Precision::Declared) = (&self.algorithm, cx.precision()) {
            for (side, name) in ["lhs_precision_type", "rhs_precision_type"].into_iter().enumerate() {
                inputs[side] = rounded(&inputs[side], algorithm, name)?;
            }
        }
        let [left, right] = [&inputs[0], &inputs[1]];
        let free = [self.free_dims(0, left.rank()), self.free_dims(1, right.rank())];
        let arrange = |tensor: &Tensor, first: &[usize], second: &[usize], third: &[usize]| {
            let permutation: Vec<usize> = [first, second, third].concat();
            let size = |dims: &[usize]| dims.iter().map(|dim| tensor.shape()[*dim]).product();
            tensor.transpose(&permutation)?.reshape(&[size(first), size(second), size(third)])
        };
        let left = arrange(left, &self.batch[0], &free[0], &self.contracting[0])?;
        let right = arrange(right, &self.batch[1], &self.contracting[1], &free[1])?;
        let result = view.result(0);
        let product = meshwright_tensor::matmul(&left, &right, result.element, cx.precision())?;
        Ok(vec![product.reshape(&result.shape)?])
    }

    fn kernel(&self, operands: &[Type], _: &[Type]) -> KernelShape {
        let Some(sides) = factors(operands) else { return KernelShape::Other };
        let sizes = |dims: &[usize]| dims.iter().map(|dim| sides[0].shape[*dim]).product();
        let free = |side: usize| {
            let dims = sides[side].shape.iter().enumerate();
            let is_free =
                |dim: &usize| !self.batch[side].contains(dim) && !self.contracting[side].contains(dim);
            dims.filter(|(dim, _)| is_free(dim)).map(|(_, size)| size).product()
        };
        KernelShape::Matmul(Matmul {
            batch: sizes(&self.batch[0]),
            m: free(0),
            n: free(1),
            k: sizes(&self.contracting[0]),
            elements: sides.map(|side| side.element),
        })
    }

    /// The product of the cotangent and the other operand, over the dims that the result has of that.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        for side in 0..2 {
            v.give_with(side, |v, cotangent| self.pulled_back(v, side, cotangent, Op::from));
        }
        Ok(())
    }
}

/// Whether products of these elements may be kept as elements of another type (`preferred_element_type`): integers in
/// integers of either sign and in floats, others in their own kind.
pub(super) fn is_product(element: ElementType, result: ElementType) -> bool {
    let of_integers = element.is_integer() && (result.is_integer() || result.kind() == ElementKind::Float);
    of_integers || result.kind() == element.kind()
}

impl DotGeneral {
    /// The cotangent of the operand on one side, by the product of the cotangent and the other operand that `multiply` makes
    /// of that in full.
    pub(super) fn pulled_back(
        &self,
        v: &mut Vjp<'_>,
        side: usize,
        cotangent: ValueId,
        multiply: impl FnOnce(Self) -> Op,
    ) -> ValueId {
        let (own, other) = (v.operand_type(side), v.operand(1 - side));
        let num_batch = self.batch[0].len();
        let free = [0, 1].map(|side| self.free_dims(side, v.operand_type(side).rank()));
        let first_free = [num_batch, num_batch + free[0].len()];
        let of_other: Vec<usize> = (0..free[1 - side].len()).map(|at| first_free[1 - side] + at).collect();
        let product = Self {
            batch: [(0..num_batch).collect(), self.batch[1 - side].clone()],
            contracting: [of_other, free[1 - side].clone()],
            precision: self.precision.clone(),
            algorithm: self.algorithm.clone(),
        };
        // Where the operand's dims are in the product: batch, its free ones, and the other's contracted ones in order.
        let mut contracted: Vec<usize> = (0..self.contracting[0].len()).collect();
        contracted.sort_by_key(|at| self.contracting[1 - side][*at]);
        let contracted = contracted.into_iter().map(|at| self.contracting[side][at]);
        let dims = self.batch[side].iter().chain(&free[side]).copied().chain(contracted).collect::<Vec<_>>();
        let shape: Vec<usize> = dims.iter().map(|dim| own.shape[*dim]).collect();
        // What is passed back may have longer elements than what was multiplied.
        let element = v.ty(cotangent).element;
        let other = v.convert(other, element);
        let product = v.emit(multiply(product), &[cotangent, other], TensorType::new(shape, element));
        let mut order: Vec<usize> = (0..dims.len()).collect();
        order.sort_by_key(|at| dims[*at]);
        let turned = v.transpose(product, order);
        v.convert(turned, own.element)
    }

    /// C21 to C24: an algorithm goes without other precisions, and is one that some hardware has.
    fn verify_algorithm(&self, violations: &mut Violations) {
        let Some(algorithm) = &self.algorithm else { return };
        violations.require(self.precision.iter().all(|word| word == "DEFAULT"), || {
            "C21: with an `algorithm` the precisions should be DEFAULT".into()
        });
        if let Err(message) = known_algorithm(algorithm) {
            violations.messages.push(message);
        }
    }

    /// Dims of one side that are neither batched nor contracted, in order.
    pub(super) fn free_dims(&self, side: usize, rank: usize) -> Vec<usize> {
        (0..rank)
            .filter(|dim| !self.batch[side].contains(dim) && !self.contracting[side].contains(dim))
            .collect()
    }

    fn result_shape(&self, left: &TensorType, right: &TensorType) -> Option<Vec<usize>> {
        let batch =
            self.batch[0].iter().map(|dim| left.shape.get(*dim).copied()).collect::<Option<Vec<_>>>()?;
        let left_free = self.free_dims(0, left.rank()).into_iter().map(|dim| left.shape[dim]);
        let right_free = self.free_dims(1, right.rank()).into_iter().map(|dim| right.shape[dim]);
        Some(batch.into_iter().chain(left_free).chain(right_free).collect())
    }
}

/// `= [0] x [0]`.
fn dim_pairs(p: &mut Parser<'_>) -> Parsed<[Vec<usize>; 2]> {
    p.expect(b'=')?;
    let left = p.sizes()?;
    p.expect_word("x")?;
    let right = p.sizes()?;
    Ok([left, right])
}

/// Operand type, type of accumulation and number of products of the algorithms that exist, after StableHLO's list.
const ALGORITHMS: [(&str, &str, i64); 11] = [
    ("f16", "f16", 1),
    ("f16", "f32", 1),
    ("bf16", "bf16", 1),
    ("bf16", "f32", 1),
    ("bf16", "f32", 3),
    ("bf16", "f32", 6),
    ("bf16", "f32", 9),
    ("tf32", "f32", 1),
    ("tf32", "f32", 3),
    ("f32", "f32", 1),
    ("f64", "f64", 1),
];

/// An operand as an algorithm sees it: rounded to the type named by field `name`, unless several products make up for
/// what that loses.
fn rounded(x: &Tensor, algorithm: &Attr, name: &str) -> Result<Tensor, EvalError> {
    let mut fields = DialectFields::of(algorithm, "stablehlo.dot_algorithm").map_err(EvalError::new)?;
    if fields.int_or("num_primitive_operations", 1).map_err(EvalError::new)? > 1 {
        return Ok(x.clone());
    }
    let ty = fields.take(name).unwrap_or_default();
    if x.element().kind() != ElementKind::Float {
        return Ok(x.clone());
    }
    match ElementType::from_name(&ty) {
        _ if ty == "tf32" && x.element().bits() > 19 => {
            ReducePrecision { exponent_bits: 8, mantissa_bits: 10 }.apply(x)
        }
        Some(element) if element.bits() < x.element().bits() => {
            let narrow = convert(x, element, Precision::Declared)?;
            convert(&narrow, x.element(), Precision::Declared)
        }
        _ => Ok(x.clone()),
    }
}

/// Whether `#stablehlo.dot_algorithm<...>` is an algorithm that exists.
fn known_algorithm(algorithm: &Attr) -> Result<(), String> {
    let mut fields = DialectFields::of(algorithm, "stablehlo.dot_algorithm")?;
    let mut word = |name: &str| fields.take(name).unwrap_or_default();
    let types = ["lhs_precision_type", "rhs_precision_type", "accumulation_type"].map(&mut word);
    let is_imprecise = word("allow_imprecise_accumulation") == "true";
    let mut count = |name: &str| fields.int_or(name, 1);
    let (left, right) = (count("lhs_component_count")?, count("rhs_component_count")?);
    let products = count("num_primitive_operations")?;
    fields.finish()?;
    for (rule, name, value) in [
        ("C22", "lhs_component_count", left),
        ("C23", "rhs_component_count", right),
        ("C24", "num_primitive_operations", products),
    ] {
        if value <= 0 {
            return Err(format!("{rule}: `{name}` should be positive, not {value}"));
        }
    }
    let [lhs, rhs, accumulated] = types.each_ref().map(String::as_str);
    let of_f8 = lhs.starts_with("f8") && rhs.starts_with("f8") && accumulated == "f32" && products == 1;
    let listed = lhs == rhs && ALGORITHMS.contains(&(lhs, accumulated, products)) && !is_imprecise;
    if left == 1 && right == 1 && (of_f8 || listed) {
        return Ok(());
    }
    Err(format!("no hardware is known to have the algorithm `{algorithm}`"))
}
/// `[DEFAULT, HIGH]`
pub(super) fn precisions(p: &mut Parser<'_>) -> Parsed<Vec<String>> {
    p.list(b'[', b']', |p| {
        let span = p.here();
        match p.word("a precision")? {
            word @ ("DEFAULT" | "HIGH" | "HIGHEST") => Ok(word.to_owned()),
            word => {
                let message = format!("`{word}` is not a precision");
                p.fail(SYNTAX, span, message, "write DEFAULT, HIGH or HIGHEST")
            }
        }
    })
}
