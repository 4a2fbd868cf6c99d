//! `stablehlo.einsum` and `stablehlo.unary_einsum` (not in the specification; older exporters write them): sums of
//! products, written in Einstein's notation.

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::text::{Ending, Field, Format};
use meshwright_tensor::types::{TensorType, Type};

use super::binary::Binary;
use super::compare::Direction;
use super::dot_general::DotGeneral;
use super::reducer::is_promotable;

/// A sum of products.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Einsum {
    /// Whether it has only one operand.
    pub is_unary: bool,
    /// The notation, such as `ab,bc->ac`.
    pub config: String,
}

impl OpDef for Einsum {
    const NAMES: &'static [&'static str] = &["stablehlo.einsum", "stablehlo.unary_einsum"];

    /// `%a, %b, config = "ab,bc->ac" : (...) -> ...`
    const FORMAT: Option<Format> =
        Some(Format::of_any(Ending::Signature).with(&[Field::text("config", "einsum_config")]));

    fn name(&self) -> &'static str {
        Self::NAMES[usize::from(self.is_unary)]
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let is_unary = name == "stablehlo.unary_einsum";
        Ok(Self { is_unary, config: attributes.string("einsum_config")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("einsum_config", Attr::string(&self.config))
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, if self.is_unary { 1 } else { 2 }, 1, 0) {
            return;
        }
        let (given, element) = (view.operand(0).element, view.result(0).element);
        violations.require(view.operand(view.num_operands() - 1).element == given, || {
            "the operands have different element types".into()
        });
        violations.require(is_promotable(given, element), || {
            format!("elements of {given} are not multiplied in {element}")
        });
        let operands = operands_of(view);
        match Notation::of(&self.config, &operands).and_then(|notation| notation.result_shape(&operands)) {
            Ok(_) => violations.inferred(view),
            Err(message) => violations.messages.push(message),
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operands = given.tensors()?;
        let shape = Notation::of(&self.config, &operands).and_then(|it| it.result_shape(&operands)).ok()?;
        let own = operands.first()?.element;
        Some(vec![TensorType::new(shape, given.element.unwrap_or(own)).into()])
    }

    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        let mut notation = Notation::of(&self.config, &operands_of(view)).ok()?;
        let element = view.result(0).element;
        let mut values: Vec<ValueId> = operands.iter().map(|value| e.convert(*value, element)).collect();
        for (at, value) in values.iter_mut().enumerate() {
            let others: Vec<Label> = notation.elsewhere(at);
            *value = reduced(*value, &mut notation.operands[at], &others, e);
        }
        let (value, labels) = match (&values[..], &notation.operands[..]) {
            ([left, right], [of_left, of_right]) => {
                product([*left, *right], [of_left, of_right], &notation.result, e)
            }
            _ => (values[0], notation.operands[0].clone()),
        };
        let place = |label: &Label| labels.iter().position(|other| other == label);
        let permutation = notation.result.iter().map(place).collect::<Option<Vec<usize>>>()?;
        Some(vec![e.transpose(value, permutation)])
    }
}

fn operands_of<'a>(view: &InstView<'a>) -> Vec<&'a TensorType> {
    (0..view.num_operands()).map(|index| view.operand(index)).collect()
}

/// What a dim is called: a letter, or the dim so far from the last one that `...` stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Letter(char),
    Unnamed(usize),
}

/// The names of all dims.
struct Notation {
    operands: Vec<Vec<Label>>,
    result: Vec<Label>,
}

impl Notation {
    /// Reads `ab,bc->ac`. Errors: another form, or names that do not fit the operands' ranks.
    fn of(config: &str, types: &[&TensorType]) -> Result<Self, String> {
        let wrong = || format!("the notation should be like `ab,bc->ac`, not `{config}`");
        let (takes, gives) = config.split_once("->").ok_or_else(wrong)?;
        let terms: Vec<&str> = takes.split(',').collect();
        if terms.len() != types.len() {
            return Err(wrong());
        }
        let labels = |term: &str, num_unnamed: usize| -> Result<Vec<Label>, String> {
            let letters = |part: &str| -> Result<Vec<Label>, String> {
                let is_letter = |letter: char| letter.is_ascii_alphabetic();
                let letters = part.chars().filter(|letter| !letter.is_whitespace());
                letters
                    .map(|letter| is_letter(letter).then_some(Label::Letter(letter)).ok_or_else(wrong))
                    .collect()
            };
            match term.split_once("...") {
                None => letters(term),
                Some((before, behind)) => {
                    let unnamed = (0..num_unnamed).rev().map(Label::Unnamed).collect();
                    Ok([letters(before)?, unnamed, letters(behind)?].concat())
                }
            }
        };
        let mut operands = Vec::with_capacity(terms.len());
        let mut num_unnamed = 0;
        for (index, term) in terms.iter().enumerate() {
            let rank = types[index].rank();
            let named = labels(term, 0)?.len();
            let unnamed = rank.checked_sub(named).filter(|unnamed| *unnamed == 0 || term.contains("..."));
            let Some(unnamed) = unnamed else {
                return Err(format!("`{term}` does not name the dims of {}", types[index]));
            };
            num_unnamed = num_unnamed.max(unnamed);
            operands.push(labels(term, unnamed)?);
        }
        Ok(Self { operands, result: labels(gives, num_unnamed)? })
    }

    /// The names outside of operand `at`.
    fn elsewhere(&self, at: usize) -> Vec<Label> {
        let others = self.operands.iter().enumerate().filter(|(index, _)| *index != at);
        others.flat_map(|(_, labels)| labels).chain(&self.result).copied().collect()
    }

    fn result_shape(&self, types: &[&TensorType]) -> Result<Vec<usize>, String> {
        let mut sizes: Vec<(Label, usize)> = Vec::new();
        for (labels, ty) in self.operands.iter().zip(types) {
            for (label, size) in labels.iter().zip(&ty.shape) {
                match sizes.iter().find(|(known, _)| known == label) {
                    None => sizes.push((*label, *size)),
                    Some((_, known)) if known == size => {}
                    Some((_, known)) => {
                        return Err(format!("dims of one name have sizes {known} and {size}"));
                    }
                }
            }
        }
        let mut shape = Vec::with_capacity(self.result.len());
        for (at, label) in self.result.iter().enumerate() {
            let size = sizes.iter().find(|(known, _)| known == label).map(|(_, size)| *size);
            match size.filter(|_| !self.result[..at].contains(label)) {
                Some(size) => shape.push(size),
                None => return Err("each dim of the result should be a dim of the operands, once".into()),
            }
        }
        Ok(shape)
    }
}

/// A value with one dim of each name (the diagonal where there were several), and without those that nothing else
/// names.
fn reduced(
    mut value: ValueId,
    labels: &mut Vec<Label>,
    others: &[Label],
    e: &mut Expansion<'_, '_>,
) -> ValueId {
    let mut at = 0;
    while at < labels.len() {
        match labels[..at].iter().position(|first| *first == labels[at]) {
            None => at += 1,
            Some(first) => {
                let shape = e.ty(value).shape;
                let element = meshwright_tensor::types::ElementType::I64;
                let (row, column) = (e.iota(&shape, element, first), e.iota(&shape, element, at));
                let is_diagonal = e.compare(Direction::Equal, row, column);
                value = e.only_where(is_diagonal, value);
                value = e.sum(value, vec![at]);
                labels.remove(at);
            }
        }
    }
    let summed: Vec<usize> = (0..labels.len()).filter(|dim| !others.contains(&labels[*dim])).collect();
    labels.retain(|label| others.contains(label));
    e.sum(value, summed)
}

/// The product of two values, summed over the names that the result has not; with the names of its dims.
fn product(
    values: [ValueId; 2],
    labels: [&Vec<Label>; 2],
    result: &[Label],
    e: &mut Expansion<'_, '_>,
) -> (ValueId, Vec<Label>) {
    let [left, right] = labels;
    let shared = |is_kept: bool| {
        let own = left.iter().filter(|label| right.contains(label) && result.contains(label) == is_kept);
        own.copied().collect::<Vec<Label>>()
    };
    let (batch, contracting) = (shared(true), shared(false));
    let places = |of: &[Label], wanted: &[Label]| -> Vec<usize> {
        wanted.iter().filter_map(|label| of.iter().position(|other| other == label)).collect()
    };
    let free = |of: &[Label]| {
        let own = of.iter().filter(|label| !batch.contains(label) && !contracting.contains(label));
        own.copied().collect::<Vec<Label>>()
    };
    let names = [batch.clone(), free(left), free(right)].concat();
    let (of_left, of_right) = (e.ty(values[0]), e.ty(values[1]));
    let size = |label: &Label| match left.iter().position(|other| other == label) {
        Some(dim) => of_left.shape[dim],
        None => right.iter().position(|other| other == label).map_or(1, |dim| of_right.shape[dim]),
    };
    let ty = TensorType::new(names.iter().map(size).collect::<Vec<usize>>(), of_left.element);
    if batch.is_empty() && contracting.is_empty() && (left.is_empty() || right.is_empty()) {
        // A number times a tensor.
        let whole = [0, 1].map(|side| {
            let dims = if labels[side].is_empty() { Vec::new() } else { (0..names.len()).collect() };
            e.broadcast(values[side], &ty.shape, dims)
        });
        return (e.binary(Binary::Multiply, whole[0], whole[1]), names);
    }
    let dot = DotGeneral {
        batch: [places(left, &batch), places(right, &batch)],
        contracting: [places(left, &contracting), places(right, &contracting)],
        precision: Vec::new(),
        algorithm: None,
    };
    (e.emit(dot, &values, ty), names)
}
