//! `chlo.scan` (CHLO, "ScanOp"): a function applied to slices along one dim, one after the other, with values carried
//! along.

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::text::{OpPrinter, Parsed, Parser, RegionHeader, SYNTAX};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType, Type};

use super::binary::Binary;
use super::compare::Direction;
use super::dynamic_slice::DynamicSlice;
use super::dynamic_update_slice::DynamicUpdateSlice;
use super::reducer::returned_types;
use super::reshape::Reshape;
use super::while_::While;

/// A scan. Its operands are the inputs, then the initial carries; its results are the outputs, then the last carries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChloScan {
    /// Number of inputs.
    pub num_inputs: usize,
    /// Number of carries.
    pub num_carries: usize,
    /// The dim that is scanned; slices do not have it.
    pub dim: usize,
    /// Its size, if given; needed without inputs.
    pub dim_size: Option<usize>,
    /// Whether the last slice comes first, if given.
    pub is_reverse: Option<bool>,
    /// Whether slices may be combined in any grouping, if given.
    pub is_associative: Option<bool>,
}

impl OpDef for ChloScan {
    const NAMES: &'static [&'static str] = &["chlo.scan"];

    /// `(%a) inits(%b) dimension=0 attributes {...} { ... } : (...) -> ...`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let mut operands = p.operand_list()?;
        p.expect_word("inits")?;
        let inits = p.operand_list()?;
        let segments = [operands.len() as i64, inits.len() as i64];
        operands.extend(inits);
        p.field("dimension")?;
        let dim = p.size()?;
        let mut attributes = if p.eat_word("attributes") { p.attr_dict()? } else { Attributes::new() };
        let region = p.region()?;
        let span = p.here();
        let (types, results) = p.colon_function_type()?;
        let Some(num_outputs) = results.len().checked_sub(segments[1] as usize) else {
            return p.fail(SYNTAX, span, "there are fewer results than carries", "");
        };
        attributes.set("dimension", Attr::i64(dim as i64));
        attributes.set("operandSegmentSizes", Attr::DenseArray(ElementType::I32, segments.to_vec()));
        let segments = vec![num_outputs as i64, segments[1]];
        attributes.set("resultSegmentSizes", Attr::DenseArray(ElementType::I32, segments));
        let op = p.from_dict(name, &mut attributes, Self::from_attributes)?;
        let mut parsed = ParsedInst::new(op, operands, results).typed(types).with(attributes);
        parsed.regions = vec![region];
        Ok(parsed)
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let mut segments = |name: &str| -> Result<[usize; 2], String> {
            attributes.dims(name)?.try_into().map_err(|_| format!("`{name}` should hold two numbers"))
        };
        let [num_inputs, num_carries] = segments("operandSegmentSizes")?;
        let [_, carries] = segments("resultSegmentSizes")?;
        if carries != num_carries {
            return Err(format!("{num_carries} carries come in, but {carries} go out"));
        }
        let dim_size = attributes.take("scan_dim_size");
        let dim_size = match dim_size {
            None => None,
            Some(value) => {
                let size = value.as_int().and_then(|size| usize::try_from(size).ok());
                Some(size.ok_or_else(|| format!("`scan_dim_size` should be a size, found `{value}`"))?)
            }
        };
        Ok(Self {
            num_inputs,
            num_carries,
            dim: attributes.position("dimension")?,
            dim_size,
            is_reverse: attributes.bool_opt("is_reverse")?,
            is_associative: attributes.bool_opt("is_associative")?,
        })
    }

    fn attributes(&self, view: &InstView<'_>) -> Attributes {
        let mut attributes = self.further_attributes();
        let segments =
            |first: usize| Attr::DenseArray(ElementType::I32, vec![first as i64, self.num_carries as i64]);
        attributes.set("dimension", Attr::position(self.dim));
        attributes.set("operandSegmentSizes", segments(self.num_inputs));
        let num_outputs = view.inst.results.len().saturating_sub(self.num_carries);
        attributes.set("resultSegmentSizes", segments(num_outputs));
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        let (inputs, inits) = view.inst.operands.split_at(self.num_inputs.min(view.num_operands()));
        p.text("(");
        p.values(inputs);
        p.text(") inits (");
        p.values(inits);
        p.text(&format!(") dimension={} ", self.dim));
        let own = self.further_attributes();
        if !own.is_empty() || !view.inst.attributes.is_empty() {
            p.text(" attributes");
            p.attributes_and(own);
        }
        p.text(" ");
        p.region(view.inst.regions[0], RegionHeader::Block);
        p.signature();
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let counts = violations.num_operands(view, self.num_inputs.saturating_add(self.num_carries))
            & violations.num_regions(view, 1)
            & violations.all_tensors(view);
        if !counts
            || !violations
                .require(!view.inst.results.is_empty(), || "there should be inputs or outputs".into())
        {
            return;
        }
        let mut size = self.dim_size;
        let mut expected: Vec<Type> = Vec::new();
        for index in 0..view.num_operands() {
            let mut slice = view.operand(index).clone();
            if index < self.num_inputs {
                if !violations
                    .require(self.dim < slice.rank(), || format!("input {index} has no dim {}", self.dim))
                {
                    return;
                }
                let found = slice.shape.remove(self.dim);
                violations.require(*size.get_or_insert(found) == found, || {
                    format!("the scanned dim of input {index} is {found}, that of others is not")
                });
            }
            expected.push(slice.into());
        }
        let takes = view.region(0).args.iter().map(|arg| view.body.ty(*arg));
        violations.require(takes.eq(&expected), || {
            "the region should take a slice of each input, and the carries".into()
        });
        let returned = returned_types(view, 0);
        let Some(num_outputs) = view.inst.results.len().checked_sub(self.num_carries) else {
            violations.messages.push("there are fewer results than carries".into());
            return;
        };
        if !violations.require(returned.len() == view.inst.results.len(), || {
            format!("the region returns {} values for {} results", returned.len(), view.inst.results.len())
        }) {
            return;
        }
        let is_known = num_outputs == 0 || size.is_some();
        violations.require(is_known, || "the size of the scanned dim is not known".into());
        let has_place = |ty: &&Type| ty.as_tensor().is_some_and(|slice| self.dim <= slice.rank());
        violations.require(returned[..num_outputs].iter().all(has_place), || {
            format!("the region should return tensors to which dim {} can be added", self.dim)
        });
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let returned = given.returned.first()?;
        let num_outputs = returned.len().checked_sub(self.num_carries)?;
        let scanned = || given.tensor(0).filter(|_| self.num_inputs > 0)?.shape.get(self.dim).copied();
        let size = self.dim_size.or_else(scanned);
        let result = |(index, ty): (usize, &&Type)| {
            let mut result = ty.as_tensor()?.clone();
            if index < num_outputs {
                result.shape.splice(self.dim..self.dim, [size.filter(|_| self.dim <= result.rank())?]);
            }
            Some(Type::from(result))
        };
        returned.iter().enumerate().map(result).collect()
    }

    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    /// A loop over the scanned dim, which carries its counter, the carries and the outputs so far.
    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        let size = self.size(view)? as f64;
        let (inputs, carries) = operands.split_at(self.num_inputs);
        let num_outputs = view.inst.results.len() - self.num_carries;
        if size == 0.0 {
            // There is no slice that a loop could take.
            let empty = (0..num_outputs).map(|index| e.splat(view.result(index).clone(), 0.0));
            return Some(empty.chain(carries.iter().copied()).collect());
        }
        let counter = TensorType::scalar(ElementType::I64);
        let mut start = vec![e.splat(counter.clone(), 0.0)];
        start.extend(carries);
        start.extend((0..num_outputs).map(|index| e.splat(view.result(index).clone(), 0.0)));
        let types: Vec<Type> = start.iter().map(|value| e.ty(*value).into()).collect();
        let condition = e.region(&types, |e, args| {
            let limit = e.splat(counter.clone(), size);
            vec![e.compare(Direction::Less, args[0], limit)]
        });
        let step = e.region(&types, |e, args| {
            let mut place = args[0];
            if self.is_reverse == Some(true) {
                let last = e.splat(counter.clone(), size - 1.0);
                place = e.binary(Binary::Subtract, last, place);
            }
            let zero = e.splat(counter.clone(), 0.0);
            let starts = |rank: usize| (0..rank).map(|dim| if dim == self.dim { place } else { zero });
            let mut taken = Vec::with_capacity(operands.len());
            for input in inputs {
                let ty = e.ty(*input);
                let mut sizes = ty.shape.clone();
                sizes[self.dim] = 1;
                let slice = TensorType::new(sizes.clone(), ty.element);
                let read: Vec<ValueId> = std::iter::once(*input).chain(starts(ty.rank())).collect();
                let slice = e.emit(DynamicSlice { sizes: sizes.clone() }, &read, slice);
                sizes.remove(self.dim);
                taken.push(e.emit(Reshape, &[slice], TensorType::new(sizes, ty.element)));
            }
            taken.extend(&args[1..=self.num_carries]);
            let returned = e.inlined(view, 0, &taken);
            let one = e.splat(counter.clone(), 1.0);
            let mut next = vec![e.binary(Binary::Add, args[0], one)];
            next.extend(&returned[num_outputs..]);
            for (output, slice) in args[1 + self.num_carries..].iter().zip(&returned) {
                let ty = e.ty(*output);
                let mut sizes = ty.shape.clone();
                sizes[self.dim] = 1;
                let slice = e.emit(Reshape, &[*slice], TensorType::new(sizes, ty.element));
                let write: Vec<ValueId> = [*output, slice].into_iter().chain(starts(ty.rank())).collect();
                next.push(e.emit(DynamicUpdateSlice, &write, ty));
            }
            next
        });
        let results = e.emit_all(While, &start, vec![condition, step], types);
        let (carried, outputs) = results[1..].split_at(self.num_carries);
        Some([outputs, carried].concat())
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let unknown = || EvalError::new("the size of the scanned dim is not known");
        let size = self.size(view).ok_or_else(unknown)?;
        let (inputs, carries) = inputs.split_at(self.num_inputs);
        let num_outputs = view.inst.results.len() - self.num_carries;
        let mut carries = carries.to_vec();
        let mut slices: Vec<Vec<Tensor>> = vec![Vec::new(); num_outputs];
        for step in 0..size {
            let place = if self.is_reverse == Some(true) { size - 1 - step } else { step };
            let mut args = Vec::with_capacity(inputs.len() + carries.len());
            for input in inputs {
                let (mut from, mut to) = (vec![0; input.rank()], input.shape().to_vec());
                (from[self.dim], to[self.dim]) = (place, place + 1);
                let slice = input.slice(&from, &to, &vec![1; input.rank()])?;
                to.remove(self.dim);
                args.push(slice.reshape(&to)?);
            }
            args.append(&mut carries);
            let mut returned = cx.call_region(view.inst.regions[0], args)?.into_iter();
            for slices in &mut slices {
                slices.extend(returned.next());
            }
            carries.extend(returned);
        }
        let mut results = Vec::with_capacity(view.inst.results.len());
        for (index, mut slices) in slices.into_iter().enumerate() {
            if self.is_reverse == Some(true) {
                slices.reverse();
            }
            let ty = view.result(index);
            let mut shape = ty.shape.clone();
            if shape.get(self.dim).is_none_or(|size| *size == 0) {
                results.push(Tensor::zeros(ty, cx.precision())?);
                continue;
            }
            shape[self.dim] = 1;
            let rows = slices.iter().map(|slice| slice.reshape(&shape));
            results.push(Tensor::concatenate(&rows.collect::<Result<Vec<_>, _>>()?, self.dim)?);
        }
        results.extend(carries);
        Ok(results)
    }

    fn arg_name(&self, arg: usize) -> Option<&'static str> {
        Some(if arg < self.num_inputs { "input" } else { "carry" })
    }
}

impl ChloScan {
    /// The number of slices of a verified scan.
    fn size(&self, view: &InstView<'_>) -> Option<usize> {
        match self.num_inputs {
            0 => self.dim_size,
            _ => view.operand(0).shape.get(self.dim).copied(),
        }
    }

    /// The attributes that the short form lists.
    fn further_attributes(&self) -> Attributes {
        let mut attributes = Attributes::new();
        if let Some(size) = self.dim_size {
            attributes.set("scan_dim_size", Attr::i64(size as i64));
        }
        for (name, value) in [("is_reverse", self.is_reverse), ("is_associative", self.is_associative)] {
            if let Some(value) = value {
                attributes.set(name, Attr::Bool(value));
            }
        }
        attributes
    }
}
