//! Ops: everything the compiler knows of one op is behind [`OpDef`], in the op's own file under `ops/`.
//!
//! [`Op`] is an enum over those files' structs, filled by the list in `ops/mod.rs`, so that ops can be compared,
//! hashed and matched. Nothing outside an op's file should need to match on it: the sharding rule, the cost and the
//! local form say what the rest of the compiler asks.

use crate::attribute::{Attr, Attributes};
use crate::eval::Context;
use crate::eval_error::EvalError;
use crate::ids::{RegionId, ValueId};
use crate::local::{LocalBuilder, Localize};
use crate::ops::collective::Participants;
use crate::ops::local_code::masked_operands;
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::RuleBuilder;
use crate::sharding::{ShardingAttr, ShardingError};
use crate::tensor::Tensor;
use crate::text::{OpPrinter, Parsed, Parser};
use crate::types::Type;

pub use crate::ops::{Op, READERS};

/// How values pass through an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataFlow {
    /// Only as its sharding rule says.
    None,
    /// Result i is operand i.
    Identity,
    /// Operand i, argument i of each region, what the last region returns as value i, and result i are one value.
    Loop,
    /// Result i is what one of the regions returns as value i.
    Branches,
    /// Argument i of the region is operand i, result i what it returns as value i.
    Region,
}

/// When shardings spread through an op, next to others: first through what keeps all dims, last out of a broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spreading {
    /// At first, both ways; the op is elementwise.
    Elementwise,
    /// At first, both ways; the op only arranges elements anew.
    PassThrough,
    /// At first, from operands to results only.
    Forward,
    /// Later; from operands to results at the very last.
    Expanding,
    /// Later.
    Other,
}

/// How far shardings are to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Propagation {
    /// As far as they can, even where data then has to move.
    #[default]
    Full,
    /// Not to where dims would not divide or data would have to move.
    Conservative,
}

/// What one op is. Implemented once per op (or family of like ops).
pub trait OpDef: Sized + Clone {
    /// The full names this file reads, such as `stablehlo.add`.
    const NAMES: &'static [&'static str];

    /// The full name.
    fn name(&self) -> &'static str;

    /// Reads the pretty form; the parser stands behind the op's name. Default: there is none.
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        p.only_generic(name)
    }

    /// Takes what belongs to the op out of the attributes of its generic form.
    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String>;

    /// The op's own attributes as the generic form spells them. `from_attributes` reads them back. Default: none.
    fn attributes(&self, view: &InstView<'_>) -> Attributes {
        let _ = view;
        Attributes::new()
    }

    /// Writes the pretty form behind the op's name, with `p.attributes()` where other attributes stand.
    /// Returns false, having written nothing, if this op has only the generic form, as is the default.
    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        let _ = (view, p);
        false
    }

    /// Checks operand and result types, attributes and regions against the specification.
    fn verify(&self, view: &InstView<'_>, violations: &mut Violations);

    /// Checks what depends on where the instruction stands: symbols, meshes, shardings of operands.
    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        let _ = (view, scope, violations);
    }

    /// The sharding that the op itself gives to a result.
    fn result_sharding(&self, index: usize) -> Option<&ShardingAttr> {
        let _ = index;
        None
    }

    /// The sharding that the op itself gives to an argument of its region.
    fn argument_sharding(&self, index: usize) -> Option<ShardingAttr> {
        let _ = index;
        None
    }

    /// Mesh axes along which its region is the program of one device.
    fn manual_axes(&self) -> &[String] {
        &[]
    }

    /// Why the compiler cannot spread the op over devices yet; `None` if it can.
    fn refusal(&self) -> Option<&'static str> {
        None
    }

    /// The sharding rule of a verified instruction. Default: every device needs all of it.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::replicated(view.operand_types(), view.result_types())
    }

    /// The kernel that it runs, if the evaluator has no reference for it.
    fn unknown_kernel(&self, view: &InstView<'_>) -> Option<&str> {
        let _ = view;
        None
    }

    /// Whether a rule that the user gives (`sdy.sharding_rule`) says how it is partitioned: the op on local operands is
    /// its local form then.
    fn is_partitioned_as_told(&self) -> bool {
        false
    }

    /// Floating-point (or integer) operations of one execution, by the types of its operands and results.
    /// Default: one per result element.
    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        let _ = operands;
        results.iter().filter_map(Type::as_tensor).map(|tensor| tensor.num_elements() as f64).sum()
    }

    /// Bytes read and written by one execution. Default: all operands and results once. Zero for what only relabels.
    fn bytes(&self, operands: &[Type], results: &[Type]) -> f64 {
        operands.iter().chain(results).map(|ty| ty.num_bytes() as f64).sum()
    }

    /// Computes the results. `inputs` fit the operand types. Default: it cannot.
    fn evaluate(
        &self,
        view: &InstView<'_>,
        inputs: Vec<Tensor>,
        cx: &mut dyn Context,
    ) -> Result<Vec<Tensor>, EvalError> {
        let _ = (view, inputs, cx);
        Err(EvalError::new(format!("`{}` is not evaluated yet", self.name())))
    }

    /// Emits the local form and returns its results. Partial results stay partial: the caller reduces them over
    /// [`crate::rule::Strategy::partial`]. Default: the same op on local operands, what is reduced along a padded factor
    /// masked before; right whenever no attribute holds a size and every sharded factor is passed through or reduced.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId>
    where
        Op: From<Self>,
    {
        let regions: Vec<RegionId> =
            (0..cx.view.inst.regions.len()).map(|index| b.copy_region(&cx.view, index)).collect();
        let operands = masked_operands(cx, b);
        b.emit(self.clone().into(), &operands, &regions, cx.result_types.to_vec())
    }

    /// Whether the op's regions take and return whole values that it carries (loops), operand `i`, region arguments
    /// `i` and result `i` being one value; otherwise they are functions of single elements (reducers).
    fn carries_values(&self) -> bool {
        false
    }

    /// How values pass through its regions, or through it as they are.
    fn data_flow(&self) -> DataFlow {
        DataFlow::None
    }

    /// When and which way shardings spread through it, next to other ops.
    fn spreading(&self, view: &InstView<'_>) -> Spreading {
        let _ = view;
        if self.is_elementwise() { Spreading::Elementwise } else { Spreading::Other }
    }

    /// The rule by which Shardy propagates through a verified instruction; `None` if shardings do not pass it. Where
    /// `mode` is conservative, factors along which data would move are left out or blocked. Default: that of
    /// [`OpDef::rule`], if some dim can be sharded.
    fn propagation_rule(&self, view: &InstView<'_>, mode: Propagation) -> Option<OpShardingRule> {
        let _ = mode;
        if self.is_elementwise() {
            return RuleBuilder::elementwise(view);
        }
        RuleBuilder::of_rule(view, &self.rule(view))
    }

    /// Who takes part in the collective that it is.
    fn participants_mut(&mut self) -> Option<&mut Participants> {
        None
    }

    /// The functions that it may run.
    fn callees(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Whether it runs its only callee on its operands and gives what that returns.
    fn is_call(&self) -> bool {
        false
    }

    /// Whether each element of its results depends on the elements at the same place of its operands alone, in the
    /// same way for every shape: `evaluate` then takes operands of any one shape, whatever the types say.
    fn is_elementwise(&self) -> bool {
        false
    }

    /// Whether it does more than compute its results, so that it must stay where it is even if nobody reads them.
    fn has_side_effects(&self) -> bool {
        false
    }

    /// Whether its local form may send data itself, so that its cost is more than that of bringing operands and
    /// results to the shardings of its strategy.
    fn exchanges(&self) -> bool {
        false
    }

    /// Whether it moves data between devices.
    fn is_collective(&self) -> bool {
        false
    }

    /// The operands in each of which the (only) result is linear when the others are held fixed, and in which a sum
    /// over devices may therefore be taken after the op as well as before it.
    fn linear_operands(&self, view: &InstView<'_>) -> &'static [usize] {
        let _ = view;
        &[]
    }

    /// Preferred name of an argument of a region, as MLIR's printer chooses it (`iterArg`); `None`: numbered.
    fn arg_name(&self, view: &InstView<'_>, region: usize, arg: usize) -> Option<&'static str> {
        let _ = (view, region, arg);
        None
    }

    /// The operands in which the (only) result is linear taken together: contributions of devices to all of them make
    /// a contribution to the result.
    fn additive_operands(&self, view: &InstView<'_>) -> Vec<usize> {
        let _ = view;
        Vec::new()
    }

    /// Preferred result names, as MLIR's printer chooses them (`cst`, `c`); empty: numbered.
    fn result_names(&self, view: &InstView<'_>) -> &'static [&'static str] {
        let _ = view;
        &[]
    }
}

/// Reads one op's text; one entry per name in [`READERS`].
#[derive(Clone, Copy)]
pub struct OpReader {
    /// The full name.
    pub name: &'static str,
    /// Reads the pretty form.
    pub parse: fn(&mut Parser<'_>, &'static str) -> Parsed<ParsedInst>,
    /// Reads the generic form's attributes.
    pub from_attributes: fn(&'static str, &mut AttrReader<'_>) -> Result<Op, String>,
}

/// What an op's text says.
pub struct ParsedInst {
    /// The op.
    pub op: Op,
    /// Its operands.
    pub operands: Vec<ValueId>,
    /// The operand types as written, if they are; checked against the operands' own.
    pub operand_types: Option<Vec<Type>>,
    /// The result types, written or inferred.
    pub result_types: Vec<Type>,
    /// Its regions, already in the body.
    pub regions: Vec<RegionId>,
    /// Attributes that are not the op's own.
    pub attributes: Attributes,
}

impl ParsedInst {
    /// An instruction without regions and further attributes.
    pub fn new(op: impl Into<Op>, operands: Vec<ValueId>, result_types: Vec<Type>) -> Self {
        Self {
            op: op.into(),
            operands,
            operand_types: None,
            result_types,
            regions: Vec::new(),
            attributes: Attributes::new(),
        }
    }

    /// With operand types as written.
    pub fn typed(mut self, operand_types: Vec<Type>) -> Self {
        self.operand_types = Some(operand_types);
        self
    }

    /// With further attributes.
    pub fn with(mut self, attributes: Attributes) -> Self {
        self.attributes = attributes;
        self
    }
}

/// Takes attributes out by name; what is left belongs to the instruction, not to the op.
pub struct AttrReader<'a> {
    /// What has not been taken yet.
    pub rest: &'a mut Attributes,
}

impl AttrReader<'_> {
    /// The attribute under `name`, if there is one.
    pub fn take(&mut self, name: &str) -> Option<Attr> {
        self.rest.remove(name)
    }

    /// The attribute under `name`.
    pub fn required(&mut self, name: &str) -> Result<Attr, String> {
        self.take(name).ok_or_else(|| format!("attribute `{name}` is missing"))
    }

    /// A required integer.
    pub fn int(&mut self, name: &str) -> Result<i64, String> {
        self.required(name)?.as_int().ok_or_else(|| format!("attribute `{name}` is not an integer"))
    }

    /// An integer with a default.
    pub fn int_or(&mut self, name: &str, default: i64) -> Result<i64, String> {
        match self.take(name) {
            None => Ok(default),
            Some(value) => value.as_int().ok_or_else(|| format!("attribute `{name}` is not an integer")),
        }
    }

    /// A boolean that is false when missing; a unit attribute is true.
    pub fn bool(&mut self, name: &str) -> Result<bool, String> {
        Ok(self.bool_opt(name)?.unwrap_or(false))
    }

    /// A boolean, where one that is missing prints differently from one that is false.
    pub fn bool_opt(&mut self, name: &str) -> Result<Option<bool>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Attr::Unit) => Ok(Some(true)),
            Some(Attr::Bool(value)) => Ok(Some(value)),
            Some(_) => Err(format!("attribute `{name}` is not a boolean")),
        }
    }

    /// Integers in any of MLIR's spellings (`array<i64: ...>`, `dense<...>`, `[1, 2]`); `None` when missing.
    pub fn ints_opt(&mut self, name: &str) -> Result<Option<Vec<i64>>, String> {
        let wrong = || format!("attribute `{name}` is not a list of integers");
        match self.take(name) {
            None => Ok(None),
            Some(Attr::DenseArray(_, values)) => Ok(Some(values)),
            Some(Attr::Dense(literal)) => literal.to_ints().map(Some).ok_or_else(wrong),
            Some(Attr::Array(items)) => {
                items.iter().map(Attr::as_int).collect::<Option<Vec<i64>>>().map(Some).ok_or_else(wrong)
            }
            Some(_) => Err(wrong()),
        }
    }

    /// `dense<[[low, high], ...]>`, a pair per dim, as low, high, low, ...; `None` when missing.
    pub fn padding_opt(&mut self, name: &str) -> Result<Option<Vec<i64>>, String> {
        let Some(attribute) = self.take(name) else { return Ok(None) };
        let pairs = match &attribute {
            Attr::Dense(literal) if matches!(literal.ty.shape[..], [_, 2] | [0] | [0, 0]) => {
                literal.to_ints()
            }
            _ => None,
        };
        let wrong = || {
            format!("`{name}` should be dense<[[low, high], ...]> with a pair per dim, found `{attribute}`")
        };
        pairs.map(Some).ok_or_else(wrong)
    }

    /// `precision_config`: one word per operand; empty when missing.
    pub fn precision(&mut self) -> Result<Vec<String>, String> {
        Ok(self.precision_opt("stablehlo")?.unwrap_or_default())
    }

    /// `precision_config` of a dialect; `None` when missing.
    pub fn precision_opt(&mut self, dialect: &str) -> Result<Option<Vec<String>>, String> {
        let Some(value) = self.take("precision_config") else {
            return Ok(None);
        };
        let wrong = || format!("`precision_config` should list #{dialect}<precision ...>, found `{value}`");
        let Attr::Array(items) = &value else {
            return Err(wrong());
        };
        let word = |item: &Attr| {
            let word = dialect_word(item, dialect, "precision").ok_or_else(wrong)?;
            let is_known = matches!(word, "DEFAULT" | "HIGH" | "HIGHEST");
            if is_known { Ok(word.to_owned()) } else { Err(wrong()) }
        };
        items.iter().map(word).collect::<Result<Vec<String>, String>>().map(Some)
    }

    /// A word in `#dialect<kind WORD>`; `None` when missing.
    pub fn word_opt(&mut self, name: &str, dialect: &str, kind: &str) -> Result<Option<String>, String> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match dialect_word(&value, dialect, kind) {
            Some(word) => Ok(Some(word.to_owned())),
            None => Err(format!("`{name}` should be #{dialect}<{kind} ...>, found `{value}`")),
        }
    }

    /// A required word in `#dialect<kind WORD>`, one of `words`. Returns its position.
    pub fn word(&mut self, name: &str, dialect: &str, kind: &str, words: &[&str]) -> Result<usize, String> {
        let found = self.word_opt(name, dialect, kind)?;
        let found = found.ok_or_else(|| format!("attribute `{name}` is missing"))?;
        let position = words.iter().position(|word| *word == found);
        position.ok_or_else(|| format!("`{name}` should be one of {}, found `{found}`", words.join(", ")))
    }

    /// A string; `None` when missing.
    pub fn string_opt(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Attr::String(text)) => Ok(Some(text.to_string())),
            Some(other) => Err(format!("`{name}` should be a string, found `{other}`")),
        }
    }

    /// A required string.
    pub fn string(&mut self, name: &str) -> Result<String, String> {
        self.string_opt(name)?.ok_or_else(|| format!("attribute `{name}` is missing"))
    }

    /// A required position: an integer that is not negative.
    pub fn position(&mut self, name: &str) -> Result<usize, String> {
        let value = self.int(name)?;
        usize::try_from(value).map_err(|_| format!("`{name}` is the negative number {value}"))
    }

    /// Required integers.
    pub fn ints(&mut self, name: &str) -> Result<Vec<i64>, String> {
        self.ints_opt(name)?.ok_or_else(|| format!("attribute `{name}` is missing"))
    }

    /// Required positions or sizes: integers that are not negative.
    pub fn dims(&mut self, name: &str) -> Result<Vec<usize>, String> {
        to_dims(name, self.ints(name)?)
    }

    /// Positions or sizes; `None` when missing.
    pub fn dims_opt(&mut self, name: &str) -> Result<Option<Vec<usize>>, String> {
        self.ints_opt(name)?.map(|values| to_dims(name, values)).transpose()
    }
}

/// The word in `#dialect<kind WORD>` or `#dialect.kind<WORD>`.
fn dialect_word<'a>(attribute: &'a Attr, dialect: &str, kind: &str) -> Option<&'a str> {
    let Attr::Dialect(text) = attribute else {
        return None;
    };
    let rest = text.strip_prefix('#')?.strip_prefix(dialect)?;
    let word = match rest.strip_prefix('.') {
        Some(rest) => rest.strip_prefix(kind)?.trim_start().strip_prefix('<')?,
        None => rest.trim_start().strip_prefix('<')?.trim_start().strip_prefix(kind)?,
    };
    Some(word.strip_suffix('>')?.trim())
}

fn to_dims(name: &str, values: Vec<i64>) -> Result<Vec<usize>, String> {
    values
        .into_iter()
        .map(|value| {
            usize::try_from(value).map_err(|_| format!("`{name}` holds the negative number {value}"))
        })
        .collect()
}

/// What is wrong with one instruction; each entry is a sentence, with the constraint it breaks where the
/// specification numbers it.
#[derive(Debug, Default)]
pub struct Violations {
    /// The sentences.
    pub messages: Vec<String>,
    /// Shardings that do not fit.
    pub shardings: Vec<ShardingError>,
}

impl Violations {
    /// Reports `message` unless `holds`. Returns `holds`.
    pub fn require(&mut self, holds: bool, message: impl FnOnce() -> String) -> bool {
        if !holds {
            self.messages.push(message());
        }
        holds
    }

    /// Reports a number of operands other than `expected`. Returns whether it is right.
    pub fn num_operands(&mut self, view: &InstView<'_>, expected: usize) -> bool {
        let found = view.inst.operands.len();
        self.require(found == expected, || format!("takes {expected} operands, not {found}"))
    }

    /// Reports a number of results other than `expected`. Returns whether it is right.
    pub fn num_results(&mut self, view: &InstView<'_>, expected: usize) -> bool {
        let found = view.inst.results.len();
        self.require(found == expected, || format!("has {expected} results, not {found}"))
    }

    /// Reports a number of regions other than `expected`. Returns whether it is right.
    pub fn num_regions(&mut self, view: &InstView<'_>, expected: usize) -> bool {
        let found = view.inst.regions.len();
        self.require(found == expected, || format!("has {expected} regions, not {found}"))
    }

    /// Reports every operand and result that is not a tensor. Returns whether all are.
    pub fn all_tensors(&mut self, view: &InstView<'_>) -> bool {
        let tensors = view.operand_types().chain(view.result_types()).all(|ty| ty.as_tensor().is_some());
        self.require(tensors, || "all operands and results must be tensors".into())
    }

    /// Reports a sharding that does not fit, `what` being whose it is. Returns whether it fits.
    pub fn sharding(&mut self, checked: Result<(), ShardingError>, what: &str) -> bool {
        let fits = checked.is_ok();
        if let Err(ShardingError { message, hint }) = checked {
            let message = if what.is_empty() { message } else { format!("{what}: {message}") };
            self.shardings.push(ShardingError { message, hint });
        }
        fits
    }

    /// Operand, result and region counts, and tensors everywhere: what most rules start from.
    pub fn shape(&mut self, view: &InstView<'_>, operands: usize, results: usize, regions: usize) -> bool {
        self.num_operands(view, operands)
            & self.num_results(view, results)
            & self.num_regions(view, regions)
            & self.all_tensors(view)
    }

    /// Reports what is not one operand with one result of its type, and no regions.
    pub fn identity(&mut self, view: &InstView<'_>) {
        if self.num_operands(view, 1) & self.num_results(view, 1) & self.num_regions(view, 0) {
            self.result_type(view, 0, view.body.ty(view.inst.operands[0]));
        }
    }

    /// Reports a result type other than the inferred one.
    pub fn result_type(&mut self, view: &InstView<'_>, index: usize, inferred: &Type) -> bool {
        let found = view.body.ty(view.inst.results[index]);
        self.require(found == inferred, || format!("result {index} should be {inferred}, not {found}"))
    }
}

impl Op {
    /// The op called `name`, made from the attributes of its generic form. Errors: an unknown name, attributes that
    /// do not fit.
    pub fn from_attributes(name: &str, mut attributes: Attributes) -> Result<Self, String> {
        let reader = READERS
            .iter()
            .flat_map(|readers| readers.iter())
            .find(|reader| reader.name == name)
            .ok_or_else(|| format!("the operation `{name}` is not known"))?;
        (reader.from_attributes)(reader.name, &mut AttrReader { rest: &mut attributes })
    }
}
