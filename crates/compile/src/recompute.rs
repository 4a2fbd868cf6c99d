//! What is made again for the backward pass, as people ask for it: `none`, `selective`, `full`, or patterns of names.
//!
//! Input: what is asked for, or a plan, and the program with all calls inlined. Output: the program in which it is made
//! again, and the decisions that say so.
//!
//! A pattern stands for values of the forward pass, as pins have them: for a stable name, or for the last parts of the name
//! that its location gives it. `attn/softmax*` names `stablehlo.exponential "jit(step)/layer0/attn/softmax/exp"#2`.

use meshwright_analyze::name_patterns::fits;
use meshwright_analyze::{Phases, Roles};
use meshwright_cost::Analysis;
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::DataFlow;
use meshwright_ir::program::{Body, Function, Program, Regions};
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::plan_file::codec;
use meshwright_plan::{Names, PlanFile, Policies, Policy, Use};
use meshwright_search::recompute::{Named, Recomputation, uses};
use meshwright_transform::Flat;
use meshwright_transform::recompute::MadeAgain;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::error::CompileError;
use crate::global::names_in;
use crate::options::Options;
use crate::tiled::again_in_layers;

/// The option that says what is made again does not suit the program.
const RECOMPUTE: Check = Check("recompute");

/// So many of the program's names are listed where none fits, and as many kinds of them.
const LISTED: usize = 8;

/// Request for what is made again for the backward pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recompute {
    /// A way that has a name.
    Named(Named),
    /// The values of these names, and no others.
    Values(Vec<String>),
    /// As little as it takes to keep no more than so many bytes of the whole batch, before anything is sharded.
    Keeping(Bytes),
    /// As little as makes the step fit.
    Search,
}

impl FromStr for Recompute {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err(
                "write `none`, `selective`, `full`, or the name of a value, with `*` for any letters"
                    .to_owned(),
            );
        }
        if text == SEARCH {
            return Ok(Self::Search);
        }
        let named = Named::ALL.into_iter().find(|named| named.name() == text);
        Ok(named.map_or_else(|| Self::Values(vec![text.to_owned()]), Self::Named))
    }
}

impl Recompute {
    /// All that is asked for as one: names of values add up, and what is said twice is said. `None` for nothing.
    ///
    /// # Errors
    /// In words: several ways that contradict one another.
    pub fn all(asked: &[Self]) -> Result<Option<Self>, String> {
        let mut all: Option<Self> = None;
        for one in asked {
            all = Some(match (all, one) {
                (None, one) => one.clone(),
                (Some(Self::Values(mut values)), Self::Values(more)) => {
                    for value in more {
                        if !values.contains(value) {
                            values.push(value.clone());
                        }
                    }
                    Self::Values(values)
                }
                (Some(before), one) if before == *one => before,
                (Some(before), one) => {
                    return Err(format!(
                        "`{before}` and `{one}` cannot both be made again: give one of them"
                    ));
                }
            });
        }
        Ok(all)
    }
}

impl fmt::Display for Recompute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(named) => f.write_str(named.name()),
            Self::Search => f.write_str(SEARCH),
            Self::Keeping(bytes) => write!(f, "all but {bytes}"),
            Self::Values(patterns) => f.write_str(&patterns.join(", ")),
        }
    }
}

/// Name of what leaves it to the search.
const SEARCH: &str = "search";

/// A flat program, and what is made again in it.
pub(crate) struct Recomputed {
    /// The program that is worked on.
    pub(crate) flat: Flat,
    /// Stable names of the values that are made again, each with that of its first reader.
    pub(crate) uses: Vec<(String, String)>,
    /// The same in words, if anything is made again or decided anew.
    pub(crate) words: Option<String>,
    /// Whether what the program itself made again is not, so that `uses` is all.
    pub(crate) is_anew: bool,
}

/// What is made again, and its name in the field, or numbers of instructions by kind.
#[derive(Default)]
struct Again {
    made: MadeAgain,
    words: Option<String>,
}

impl Again {
    fn new(of: &Recomputation<'_>, insts: &BTreeSet<InstId>) -> Self {
        Self { made: uses(of, insts), words: (!insts.is_empty()).then(|| of.in_words(insts)) }
    }
}

impl Recomputed {
    /// Makes values again as the options or their plan say.
    ///
    /// # Errors
    /// [`CompileError::Options`]: nothing trains, or a pattern names nothing that could be made again.
    pub(crate) fn of(
        original: &Program,
        flat: Flat,
        machine: &Machine,
        options: &Options,
    ) -> Result<Self, CompileError> {
        if let Some(plan) = &options.plan {
            return Self::of_plan(original, flat, plan);
        }
        if options.recompute.is_none() && options.asked_tiles().is_none() {
            return Ok(Self { flat, uses: Vec::new(), words: None, is_anew: false });
        }
        let is_anew = is_anew(&flat.function, options);
        let flat = if is_anew { flat.kept() } else { flat };
        let names = names_in(original, &flat.function, &flat.origins);
        let again = asked_for(options, &flat, machine, &names)?;
        Ok(Self::with(again, flat, &names, is_anew))
    }

    /// Makes values again as a plan says.
    ///
    /// # Errors
    /// [`CompileError::Plan`]: names that are lost, and readers that do not read so.
    pub(crate) fn of_plan(original: &Program, flat: Flat, plan: &PlanFile) -> Result<Self, CompileError> {
        let flat = if plan.recomputes_anew { flat.kept() } else { flat };
        let names = names_in(original, &flat.function, &flat.origins);
        let made = codec::made_again(plan, &names).map_err(CompileError::Plan)?;
        let not = flat.not_made_again(&made);
        if !not.is_empty() {
            let not: Vec<Use> = not.into_iter().map(|(value, reader)| Use { reader, value }).collect();
            return Err(CompileError::Plan(codec::no_uses(plan, &names, Policy::Recompute, &not)));
        }
        let again = Again { made, words: plan.recompute.clone() };
        Ok(Self::with(again, flat, &names, plan.recomputes_anew))
    }

    fn with(Again { made, words }: Again, flat: Flat, names: &Names, is_anew: bool) -> Self {
        let named = |(value, reader): (&ValueId, &InstId)| {
            (names.of_value(*value).to_owned(), names.of_inst(*reader).to_owned())
        };
        let uses = made.iter().map(named).collect();
        let flat = if made.is_empty() { flat } else { flat.recomputed(&made) };
        let words = words.or_else(|| is_anew.then(|| Named::None.name().to_owned()));
        Self { flat, uses, words, is_anew }
    }
}

/// Whether what is made again is decided without regard to what the program says of it by its barriers: where the search
/// is asked for, or a plan that it has led to is given back.
pub(crate) fn is_anew(function: &Function, options: &Options) -> bool {
    match (&options.plan, &options.recompute) {
        (Some(plan), _) => plan.recomputes_anew,
        (None, Some(Recompute::Search | Recompute::Keeping(_))) => says_so(function),
        (None, _) => false,
    }
}

/// Whether a program says itself what is made again.
pub(crate) fn says_so(function: &Function) -> bool {
    function.body.insts.values().any(|inst| inst.op.traits().data_flow == DataFlow::Identity)
}

/// Adds to policies what became of some uses, by the names in the function that has come of it.
pub(crate) fn record(uses: &[(String, String)], policy: Policy, names: &Names, policies: &mut Policies) {
    for (value, reader) in uses {
        if let (Ok(value), Ok(reader)) = (names.value(value), names.inst(reader)) {
            policies.set(Use { reader, value }, policy);
        }
    }
}

/// What is made again as asked for, and for tiles.
fn asked_for(
    options: &Options,
    flat: &Flat,
    machine: &Machine,
    names: &Names,
) -> Result<Again, CompileError> {
    let function = &flat.function;
    // The search begins with the program as it is.
    let is_nothing = |asked: &&Recompute| matches!(asked, Recompute::Named(Named::None) | Recompute::Search);
    let asked = options.recompute.as_ref().filter(|asked| !is_nothing(asked));
    let (roles, analysis) = (Roles::new(function), Analysis::on(function, machine.device.platform));
    let for_tiles = again_in_layers(function, &roles, &analysis, options);
    if asked.is_none() && for_tiles.is_empty() {
        return Ok(Again::default());
    }
    let Some(phases) = Phases::new(function, &roles) else { return Err(nothing_trains()) };
    let of = Recomputation::new(&analysis, &roles, &phases, &machine.device);
    let asked_for = asked.map_or(Ok(BTreeSet::new()), |asked| insts(asked, &of, function, names))?;
    let candidates: BTreeSet<InstId> = of.candidates().collect();
    let all = asked_for.iter().chain(for_tiles.intersection(&candidates)).copied().collect();
    let mut again = Again::new(&of, &all);
    // Two ways that have names may come to the same.
    if let (Some(Recompute::Named(named)), Some(words)) = (asked, &mut again.words)
        && all == asked_for
    {
        named.name().clone_into(words);
    }
    Ok(again)
}

/// The instructions of the forward pass that are made again as asked for; a search begins with none.
///
/// # Errors
/// A pattern names nothing that could be made again.
pub(crate) fn insts(
    asked: &Recompute,
    of: &Recomputation<'_>,
    function: &Function,
    names: &Names,
) -> Result<BTreeSet<InstId>, CompileError> {
    match asked {
        Recompute::Search => Ok(BTreeSet::new()),
        Recompute::Named(named) => Ok(of.named(*named)),
        Recompute::Keeping(bytes) => {
            let hull = of.hull();
            let point = hull.points.iter().find(|point| point.kept <= *bytes).or(hull.points.last());
            Ok(point.map_or_else(BTreeSet::new, |point| of.again(&hull, point)))
        }
        Recompute::Values(patterns) => matching(of, function, names, patterns),
    }
}

/// The instructions of the forward pass whose values patterns name.
fn matching(
    of: &Recomputation<'_>,
    function: &Function,
    names: &Names,
    patterns: &[String],
) -> Result<BTreeSet<InstId>, CompileError> {
    let results = |inst: &InstId| made_in(&function.body, *inst);
    let candidates: BTreeSet<InstId> = of.candidates().collect();
    let mut again = BTreeSet::new();
    for pattern in patterns {
        let named =
            |inst: &&InstId| results(inst).iter().any(|value| is_named(names.of_value(*value), pattern));
        let found: BTreeSet<InstId> = candidates.iter().filter(named).copied().collect();
        if uses(of, &found).is_empty() {
            let values = candidates.iter().flat_map(results).map(|value| names.of_value(value));
            return Err(no_value(pattern, values));
        }
        again.extend(found);
    }
    Ok(again)
}

/// What an instruction makes; of a loop or a branch also what is made inside of it, which runs again with it.
fn made_in(body: &Body, inst: InstId) -> Vec<ValueId> {
    let inside = match body.view(inst).regions() {
        Regions::OfElements => Vec::new(),
        _ => body.insts[inst].regions.iter().flat_map(|region| body.walk(*region)).collect(),
    };
    let all = std::iter::once(inst).chain(inside);
    all.flat_map(|inst| body.insts[inst].results.iter().copied()).collect()
}

/// Whether a pattern stands for a value: for its whole name, or for the last parts of it, its number left out.
pub(crate) fn is_named(name: &str, pattern: &str) -> bool {
    let parts = parts(without_number(name));
    let pattern_parts = self::parts(pattern).join("/");
    fits(name, pattern) || (0..parts.len()).any(|first| fits(&parts[first..].join("/"), &pattern_parts))
}

/// `"jit(step)/attn/qk"` as `jit(step)`, `attn`, `qk`.
fn parts(name: &str) -> Vec<&str> {
    name.split(['/', '.', ' ', '"', '>']).filter(|part| !part.is_empty()).collect()
}

/// A name without the numbers behind it that tell those apart that are called so.
fn without_number(name: &str) -> &str {
    match name.rsplit_once(['#', ':', '+']) {
        Some((head, number)) if number.chars().all(|digit| digit.is_ascii_digit()) => without_number(head),
        _ => name,
    }
}

fn nothing_trains() -> CompileError {
    let message = "nothing can be made again: no parameter of the program is trained by a gradient";
    refused(message.to_owned(), "leave `--recompute` out, or give a whole training step".to_owned())
}

fn no_value<'a>(pattern: &str, names: impl Iterator<Item = &'a str>) -> CompileError {
    let message = format!("no value that the backward pass needs of the forward pass is called `{pattern}`");
    let known = listed(names);
    let nothing = known
        .is_empty()
        .then(|| "it needs none that could be made again: leave `--recompute` out".to_owned());
    refused(message, nothing.unwrap_or_else(|| format!("there are {known}")))
}

/// The first few names without the numbers behind them, and where that leaves several together, single ones.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let mut distinct: Vec<&str> = Vec::new();
    for name in names.iter().copied().map(without_number) {
        if !distinct.contains(&name) && distinct.len() <= LISTED {
            distinct.push(name);
        }
    }
    let few = |names: &[&str]| {
        let more = if names.len() > LISTED { ", ..." } else { "" };
        format!("{}{more}", names[..names.len().min(LISTED)].join(", "))
    };
    let numbered: Vec<&str> = names.iter().copied().filter(|name| without_number(name) != *name).collect();
    match numbered.is_empty() {
        true => few(&distinct),
        false => format!("{}; single ones have numbers: {}", few(&distinct), few(&numbered)),
    }
}

fn refused(message: String, hint: String) -> CompileError {
    CompileError::Options(Box::new(Diagnostic::error(RECOMPUTE, Span::NONE, message).hint(hint)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_and_patterns_are_read() {
        let read = |text: &str| text.parse::<Recompute>();
        assert_eq!(read("full"), Ok(Recompute::Named(Named::Full)));
        assert_eq!(read("attn/*"), Ok(Recompute::Values(vec!["attn/*".to_owned()])));
        assert!(read(" ").is_err());
        for named in Named::ALL {
            let asked = Recompute::Named(named);
            assert_eq!(read(&asked.to_string()), Ok(asked));
        }
    }

    #[test]
    fn what_is_said_twice_is_said_once() {
        let all = |words: &[&str]| {
            let asked: Vec<Recompute> = words.iter().map(|word| word.parse().unwrap()).collect();
            Recompute::all(&asked).map(|all| all.map(|all| all.to_string()))
        };
        for word in ["none", "full", "search", "attn/*"] {
            assert_eq!(all(&[word, word]), Ok(Some(word.to_owned())));
        }
        assert_eq!(all(&["q", "k", "q"]), Ok(Some("q, k".to_owned())));
        assert!(all(&["none", "full"]).unwrap_err().contains("give one of them"));
    }

    #[test]
    fn last_parts_name_a_value() {
        let name = "@layer#1 > stablehlo.exponential \"jit(step)/attn/softmax/exp\"#2:1";
        for pattern in ["exp", "softmax/exp", "attn/*", "softmax*", name] {
            assert!(is_named(name, pattern), "{pattern}");
        }
        for pattern in ["softmax", "exp#1", "ttn/softmax/exp"] {
            assert!(!is_named(name, pattern), "{pattern}");
        }
        assert!(is_named("stablehlo.dot_general#12", "dot_general"));
        assert!(is_named("stablehlo.tanh", "stablehlo.tanh"));
    }
}
