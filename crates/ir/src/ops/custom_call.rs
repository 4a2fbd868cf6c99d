//! `stablehlo.custom_call` (specification, "custom_call"): a call of something outside of the program.
//!
//! Of the targets, the evaluator knows the checks of JAX's test data (`@check.expect_eq`, `@check.expect_close`,
//! `@check.expect_almost_eq`), those that give their operand back unchanged (`@Sharding`), and the [kernels](crate::kernels) for which
//! there is a reference.

use crate::arguments::Placement;
use crate::attribute::{Attr, Attributes, write_symbol};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::kernel_shape::KernelShape;
use crate::kernels::kernel;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, OpDef, OpPriority, OpTraits, ParsedInst, Propagation, Violations};
use crate::program::InstView;
use crate::rule::{Factor, FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::RuleBuilder;
use crate::text::{DialectFields, Ending, OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementKind, Type};

use super::check_eval::{Rule, check};
use super::custom_call_rule;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CustomCall {
    /// What is called.
    pub target: String,
    /// The op's further attributes, those of [`ATTRIBUTES`] that are given.
    pub attributes: Attributes,
}

/// The op's own attributes besides `call_target_name`.
pub const ATTRIBUTES: [&str; 8] = [
    "api_version",
    "backend_config",
    "called_computations",
    "has_side_effect",
    "operand_layouts",
    "output_operand_aliases",
    "result_layouts",
    "result_tilings",
];

/// Targets whose only result is their only operand.
const IDENTITIES: [&str; 5] = ["Sharding", "LayoutConstraint", ANNOTATION, "MoveToDevice", "MoveToHost"];

/// Those of them that say in which memory it lies.
const PLACINGS: [&str; 3] = [ANNOTATION, "MoveToDevice", "MoveToHost"];

/// Time at which a value that a copy brings from the host is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Ahead of its readers, as far as there is room.
    Ahead,
    /// When its reader runs.
    Late,
}

/// The frontend attribute that says of a copy that what it brings is there for its reader alone.
const LATE: &str = "meshwright_late";

/// The call by which JAX moves a value; the memory is an attribute of the instruction ([`CustomCall::placing`]).
const ANNOTATION: &str = "annotate_device_placement";

impl OpDef for CustomCall {
    const NAMES: &'static [&'static str] = &["stablehlo.custom_call"];

    /// `@target(%a, %b) {attributes} : (...) -> ...`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let target = p.symbol()?;
        let operands = p.operand_list()?;
        let mut attributes = p.attr_dict_opt()?;
        attributes.set("call_target_name", Attr::string(&target));
        let op = p.from_dict(name, &mut attributes, Self::from_attributes)?;
        Ending::Signature.types_behind(p, op, operands, attributes)
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let target = attributes.required("call_target_name")?;
        let target = target.as_str().ok_or("`call_target_name` is not a string")?.to_owned();
        let own = ATTRIBUTES.iter().filter_map(|name| Some(((*name).to_owned(), attributes.take(name)?)));
        let op = Self { target, attributes: own.collect() };
        op.check_attributes()?;
        Ok(op)
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = self.attributes.clone();
        attributes.set("call_target_name", Attr::string(&self.target));
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        let mut target = String::from(" ");
        let _ = write_symbol(&mut target, &self.target);
        p.text(&target);
        p.text("(");
        p.values(&view.inst.operands);
        p.text(")");
        // What is given but says nothing is left out.
        let says_something = |(name, value): &(&str, &Attr)| match (*name, value) {
            ("has_side_effect", Attr::Bool(value)) => *value,
            ("api_version", value) => value.as_int() != Some(1),
            ("called_computations" | "output_operand_aliases", Attr::Array(items)) => !items.is_empty(),
            _ => true,
        };
        let shown = self.attributes.iter().filter(says_something);
        p.attributes_and(shown.map(|(name, value)| (name.to_owned(), value.clone())).collect());
        p.signature();
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.num_regions(view, 0);
        self.verify_layouts(view, violations);
        self.verify_config(violations);
        self.verify_aliases(view, violations);
        if self.rule_of_check().is_some()
            && violations.num_operands(view, 2) & violations.num_results(view, 0)
        {
            let (actual, expected) =
                (view.body.ty(view.inst.operands[0]), view.body.ty(view.inst.operands[1]));
            violations.require(actual == expected && actual.as_tensor().is_some(), || {
                format!("`{}` compares tensors of one type, not {actual} and {expected}", self.target)
            });
            let is_float = actual.as_tensor().is_some_and(|tensor| {
                matches!(tensor.element.kind(), ElementKind::Float | ElementKind::Complex)
            });
            violations.require(is_float || self.target == "check.expect_eq", || {
                format!("`{}` compares floats, not {actual}", self.target)
            });
        }
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let known = kernel(&self.target).and_then(|kernel| kernel.rule(self, view));
        let given =
            || OpShardingRule::from_attributes(&view.inst.attributes).map(ShardingRule::from_user_rule);
        known.or_else(given).unwrap_or_else(|| match self.is_identity(view) {
            true => ShardingRule::elementwise(view.operand_types(), view.result_types()),
            false => ShardingRule::replicated(view.operand_types(), view.result_types()),
        })
    }

    fn placement(&self, view: &InstView<'_>) -> Option<Placement> {
        match self.target.as_str() {
            _ if !self.is_identity(view) => None,
            "MoveToDevice" => Some(Placement::Device),
            "MoveToHost" => Some(Placement::Host),
            ANNOTATION => {
                let Attr::Dict(given) = view.inst.attributes.get("mhlo.frontend_attributes")? else {
                    return None;
                };
                Placement::from_name(given.get("_xla_buffer_placement")?.as_str()?)
            }
            _ => None,
        }
    }

    fn op_priority(&self, _: &InstView<'_>) -> OpPriority {
        match self.target.as_str() {
            "MoveToDevice" | "MoveToHost" => OpPriority::PassThrough,
            _ => OpPriority::Other,
        }
    }

    /// Shardy's for the calls that it knows, else that of the kernel.
    fn propagation_rule(&self, view: &InstView<'_>, mode: Propagation) -> Option<OpShardingRule> {
        custom_call_rule::propagation_rule(&self.target, view)
            .or_else(|| RuleBuilder::of_rule(view, &self.rule(view), mode))
    }

    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        kernel(&self.target).map_or(0.0, |kernel| kernel.flops(self, operands, results))
    }

    fn bytes(&self, operands: &[Type], results: &[Type]) -> f64 {
        let each_once = || operands.iter().chain(results).map(|ty| ty.num_bytes() as f64).sum();
        let known = kernel(&self.target).and_then(|kernel| kernel.bytes(self, operands, results));
        known.unwrap_or_else(each_once)
    }

    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let local = match kernel(&self.target) {
            Some(kernel) => kernel.localized(self, cx.operand_types, cx.result_types),
            None => self.clone(),
        };
        let mut results = b.emit(local.into(), cx.operands, &[], cx.result_types.to_vec());
        for (factor, axes) in cx.strategy.axes.iter().enumerate().filter(|(_, axes)| !axes.is_empty()) {
            if cx.rule.factors[factor].kind != FactorKind::SummedElsewhere {
                continue;
            }
            // What has no dims holds nothing of the factor: a workspace.
            for (result, dims) in results.iter_mut().zip(&cx.rule.results) {
                if dims.iter().any(|dim| !dim.is_empty()) && !dims.iter().flatten().any(|own| *own == factor)
                {
                    *result = b.sum_of_shards(*result, axes);
                }
            }
        }
        results
    }

    /// Sums that kernels leave along some factors are taken by the local form.
    fn exchanges(&self, view: &InstView<'_>) -> bool {
        let is_summed = |factor: &Factor| factor.kind == FactorKind::SummedElsewhere && factor.size > 1;
        self.rule(view).factors.iter().any(is_summed)
    }

    fn unknown_kernel(&self, view: &InstView<'_>) -> Option<&str> {
        let has_reference =
            || kernel(&self.target).is_some_and(|kernel| kernel.reference(self, view).is_some());
        let is_known = self.rule_of_check().is_some() || self.is_identity(view) || has_reference();
        (!is_known).then_some(&*self.target)
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        if self.is_identity(&v.view()) {
            v.give_with(0, |_, cotangent| cotangent);
            return Ok(());
        }
        match kernel(&self.target) {
            Some(kernel) => kernel.vjp(self, v),
            None => none_because(format!("calls `@{}`, of which no derivative is known", self.target)),
        }
    }

    fn traits(&self) -> OpTraits {
        OpTraits {
            // That a value is moved is an effect to XLA, so that it leaves the copy where it is.
            has_side_effects: (self.attributes.get("has_side_effect") == Some(&Attr::Bool(true))
                && !PLACINGS.contains(&&*self.target))
                || self.rule_of_check().is_some(),
            ..OpTraits::NONE
        }
    }

    fn hint_if_whole(&self, _: &InstView<'_>, _: usize, _: usize) -> &'static str {
        "say which dims of operands and results belong together: give the call an `sdy.sharding_rule`"
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        if let Some(rule) = self.rule_of_check() {
            check(&self.target, &inputs[0], &inputs[1], rule)?;
            return Ok(Vec::new());
        }
        if self.is_identity(view) {
            return Ok(inputs);
        }
        if let Some(reference) = kernel(&self.target).and_then(|kernel| kernel.reference(self, view)) {
            return reference(&inputs, cx.precision());
        }
        Err(EvalError::new(format!("the evaluator does not know the custom call `@{}`", self.target)))
    }

    fn kernel(&self, operands: &[Type], results: &[Type]) -> KernelShape {
        match kernel(&self.target) {
            Some(kernel) => kernel.shape(self, operands, results),
            None if PLACINGS.contains(&&*self.target) => KernelShape::HostCopy,
            None => KernelShape::Other,
        }
    }
}

impl CustomCall {
    /// The call that moves its operand to a memory, and the attributes of its instruction that say to which.
    ///
    /// A copy that is `late` is there for its reader alone: it does not begin ahead of it.
    pub fn placing(placement: Placement, when: Arrival) -> (Self, Attributes) {
        let mut own = Attributes::default();
        own.set("has_side_effect", Attr::Bool(true));
        let mut memory = Attributes::default();
        memory.set("_xla_buffer_placement", Attr::string(placement.name()));
        if when == Arrival::Late {
            memory.set(LATE, Attr::string("true"));
        }
        let mut attributes = Attributes::default();
        attributes.set("mhlo.frontend_attributes", Attr::Dict(memory));
        (Self { target: ANNOTATION.to_owned(), attributes: own }, attributes)
    }

    /// Time at which what a copy moves is there, by the attributes of its instruction.
    pub fn arrival(attributes: &Attributes) -> Arrival {
        match attributes.get("mhlo.frontend_attributes") {
            Some(Attr::Dict(entries)) if entries.get(LATE).is_some() => Arrival::Late,
            _ => Arrival::Ahead,
        }
    }

    /// Returns whether its kernel is handed a configuration.
    pub fn is_configured(&self) -> bool {
        self.attributes.get("backend_config").is_some_and(|config| match config {
            Attr::Dict(entries) => !entries.is_empty(),
            other => other.as_str().is_none_or(|text| !text.is_empty()),
        })
    }

    /// The functions that its kernel is handed (`called_computations`).
    pub fn called(&self) -> impl Iterator<Item = &str> {
        let list = match self.attributes.get("called_computations") {
            Some(Attr::Array(items)) => items.as_slice(),
            _ => &[],
        };
        list.iter().filter_map(|item| match item {
            Attr::Symbol(name) => Some(&**name),
            _ => None,
        })
    }

    fn is_identity(&self, view: &InstView<'_>) -> bool {
        IDENTITIES.contains(&&*self.target) && view.operand_types().eq(view.result_types())
    }

    /// How a call of a check compares, with the limits of StableHLO's own interpreter.
    fn rule_of_check(&self) -> Option<Rule> {
        match self.target.as_str() {
            "check.expect_eq" => Some(Rule::Equal),
            "check.expect_close" => Some(Rule::Ulps { least: 0, most: 3 }),
            "check.expect_almost_eq" => Some(Rule::Absolute(1e-3)),
            _ => None,
        }
    }

    fn check_attributes(&self) -> Result<(), String> {
        for (name, value) in self.attributes.iter() {
            let is_array_of = |fits: fn(&Attr) -> bool| match value {
                Attr::Array(items) => items.iter().all(fits),
                _ => false,
            };
            let (fits, expected) = match name {
                "has_side_effect" => (matches!(value, Attr::Bool(_)), "true or false"),
                "api_version" => {
                    (value.as_int().is_some_and(|version| (0..=4).contains(&version)), "an i32 from 0 to 4")
                }
                "backend_config" => {
                    (matches!(value, Attr::String(_) | Attr::Dict(_)), "a string or a dictionary")
                }
                "called_computations" => {
                    (is_array_of(|item| matches!(item, Attr::Symbol(_))), "a list of symbols")
                }
                "operand_layouts" | "result_layouts" => {
                    (is_array_of(|item| layout(item).is_some()), "a list of dense<...> : tensor<Nxindex>")
                }
                "output_operand_aliases" => (
                    is_array_of(
                        |item| matches!(item, Attr::Dialect(text) if text.starts_with("#stablehlo.output_operand_alias<")),
                    ),
                    "a list of #stablehlo.output_operand_alias<...>",
                ),
                _ => (matches!(value, Attr::Array(_)), "a list"),
            };
            if !fits {
                return Err(format!("`{name}` should be {expected}, found `{value}`"));
            }
        }
        Ok(())
    }

    /// A typed call is configured by a dictionary, every other by a string.
    fn verify_config(&self, violations: &mut Violations) {
        let is_typed = self.attributes.get("api_version").and_then(Attr::as_int) == Some(4);
        let (fits, expected) = match self.attributes.get("backend_config") {
            Some(Attr::Dict(_)) => (is_typed, "a string, or `api_version` 4"),
            Some(_) => (!is_typed, "a dictionary for `api_version` 4"),
            None => return,
        };
        violations.require(fits, || format!("`backend_config` should be {expected}"));
    }

    /// Every alias names an operand, or a member of it, and a result, or a member of it, of one type.
    fn verify_aliases(&self, view: &InstView<'_>, violations: &mut Violations) {
        let Some(Attr::Array(aliases)) = self.attributes.get("output_operand_aliases") else { return };
        let results: Vec<Type> = view.result_types().cloned().collect();
        // Several results are counted like the members of a tuple.
        let outputs = match results.as_slice() {
            [only] => only.clone(),
            _ => Type::Tuple(results),
        };
        for alias in aliases {
            if let Err(message) = alias_types(alias, view, &outputs) {
                violations.messages.push(message);
            }
        }
    }

    /// Layouts are given for operands and results or for neither, and are permutations of the dims.
    fn verify_layouts(&self, view: &InstView<'_>, violations: &mut Violations) {
        let layouts = ["operand_layouts", "result_layouts"].map(|name| self.attributes.get(name));
        let (operands, results) = match layouts {
            [None, None] => return,
            [Some(Attr::Array(operands)), Some(Attr::Array(results))] => (operands, results),
            _ => {
                let message = "layouts should be given for both operands and results, or for neither";
                violations.messages.push(message.into());
                return;
            }
        };
        let result_types: Vec<&Type> = match view.result_types().collect::<Vec<_>>().as_slice() {
            [Type::Tuple(members)] => members.iter().collect(),
            types => types.to_vec(),
        };
        verify_layouts("operand", view.operand_types().collect(), operands, violations);
        verify_layouts("result", result_types, results, violations);
    }
}

/// Whether an alias refers to what is there, and to one type on both sides.
fn alias_types(alias: &Attr, view: &InstView<'_>, outputs: &Type) -> Result<(), String> {
    let mut fields = DialectFields::of(alias, "stablehlo.output_operand_alias")?;
    let output_path = fields.dims("output_tuple_indices")?;
    let operand_path = fields.dims("operand_tuple_indices")?;
    let index = fields.int_or("operand_index", 0)?;
    fields.finish()?;
    let operand = usize::try_from(index).ok().and_then(|index| view.operand_types().nth(index));
    let operand = operand.ok_or_else(|| format!("`operand_index` {index} of an alias names no operand"))?;
    let outside = |what: &str| format!("`{what}` of an alias names no member");
    let operand = member(operand, &operand_path).ok_or_else(|| outside("operand_tuple_indices"))?;
    let output = member(outputs, &output_path).ok_or_else(|| outside("output_tuple_indices"))?;
    if operand == output { Ok(()) } else { Err(format!("an alias makes a {output} of a {operand}")) }
}

/// The member of a tuple that a path of positions leads to.
fn member<'t>(ty: &'t Type, path: &[usize]) -> Option<&'t Type> {
    path.iter().try_fold(ty, |ty, index| match ty {
        Type::Tuple(members) => members.get(*index),
        _ => None,
    })
}

fn verify_layouts(what: &str, types: Vec<&Type>, layouts: &[Attr], violations: &mut Violations) {
    let fits = violations.require(types.len() == layouts.len(), || {
        format!("{} {what}s have {} layouts", types.len(), layouts.len())
    });
    if !fits {
        return;
    }
    for (index, (ty, attribute)) in types.into_iter().zip(layouts).enumerate() {
        let rank = ty.as_tensor().map_or(0, |tensor| tensor.rank());
        let mut dims = layout(attribute).unwrap_or_default();
        dims.sort_unstable();
        violations.require(dims.iter().copied().eq(0..rank as i64), || {
            format!("the layout of {what} {index}, a {ty}, should be a permutation of its dims")
        });
    }
}

/// The dims of `dense<[1, 0]> : tensor<2xindex>`, from minor to major.
fn layout(attribute: &Attr) -> Option<Vec<i64>> {
    match attribute {
        Attr::DenseIndex(literal) => literal.to_ints(),
        _ => None,
    }
}
