//! What lies on the host, as people ask for it: `none`, `moments`, `parameters`, `activations`, `waiting`, or patterns of names.
//!
//! Input: what is asked for, or a plan, and the program with all calls inlined. Output: the uses that are brought from the
//! host, by stable names, and the program in which they are.
//!
//! A pattern stands for arguments, as pins have them, or for values of the forward pass, as `--recompute` has them.

use meshwright_analyze::{Phases, Roles, names};
use meshwright_cost::Analysis;
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::origin::Source;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_plan::plan_file::codec;
use meshwright_plan::{Names, PlanFile, Policy, Use};
use meshwright_search::offload::{Candidate, Kind, again, candidates, enough, waits};
use meshwright_transform::Flat;
use meshwright_transform::offload::OnHost;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::error::CompileError;
use crate::global::names_in;
use crate::in_time::Copies;
use crate::options::Options;
use crate::pin_pattern::Pinned;
use crate::recompute::{is_named, listed};

/// The option that says what lies on the host does not suit the program or the machine.
const OFFLOAD: Check = Check("offload");

/// Names of what asks for nothing, and of what leaves it to the search.
const NONE: &str = "none";
const SEARCH: &str = "search";

/// Request for what lies in the memory of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offload {
    /// Nothing beside what the program puts there itself.
    None,
    /// As little as makes the step fit.
    Search,
    /// All of these.
    These(Vec<Part>),
}

/// Part of what may lie there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// All values of a kind.
    Kind(Kind),
    /// Those of a name.
    Named(String),
    /// Values of a kind that have so many thousandths of its bytes together ([`enough`]).
    Enough(Kind, usize),
}

impl FromStr for Offload {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kind = |kind: &Kind| kind.name() == text.trim();
        match text.trim() {
            "" => Err("write `none`, `moments`, `parameters`, `activations`, `waiting`, `search`, or the name of an argument or \
                       of a value, with `*` for any letters"
                .to_owned()),
            NONE => Ok(Self::None),
            SEARCH => Ok(Self::Search),
            name => Ok(Self::These(vec![
                Kind::ALL.into_iter().find(kind).map_or_else(|| Part::Named(name.to_owned()), Part::Kind),
            ])),
        }
    }
}

impl Offload {
    /// All that is asked for as one: kinds and names add up, and what is said twice is said. `None` for nothing.
    ///
    /// # Errors
    /// In words: several that contradict one another.
    pub fn all(asked: &[Self]) -> Result<Option<Self>, String> {
        let mut all: Option<Self> = None;
        for one in asked {
            all = Some(match (all, one) {
                (None, one) => one.clone(),
                (Some(Self::These(mut parts)), Self::These(more)) => {
                    for part in more {
                        if !parts.contains(part) {
                            parts.push(part.clone());
                        }
                    }
                    Self::These(parts)
                }
                (Some(before), one) if before == *one => before,
                (Some(before), one) => {
                    return Err(format!(
                        "`{before}` and `{one}` of `--offload` contradict one another: give one of them"
                    ));
                }
            });
        }
        Ok(all)
    }

    /// All of these kinds.
    pub(crate) fn kinds(kinds: &[Kind]) -> Self {
        Self::These(kinds.iter().copied().map(Part::Kind).collect())
    }
}

impl fmt::Display for Offload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str(NONE),
            Self::Search => f.write_str(SEARCH),
            Self::These(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                f.write_str(&parts.join(", "))
            }
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => f.write_str(kind.name()),
            Self::Named(pattern) => f.write_str(pattern),
            Self::Enough(kind, _) => write!(f, "some {}", kind.name()),
        }
    }
}

/// Uses that are brought from the host.
pub(crate) enum Offloaded<'a> {
    /// Those of a plan, of the function in microbatches.
    Planned(&'a PlanFile),
    /// Of the function that is not cut into microbatches yet, with the part that they were asked for by.
    Chosen(Vec<(&'a Part, Vec<Use>)>),
}

impl<'a> Offloaded<'a> {
    /// What the options or their plan put on the host of a program that has its tiles, and is not cut into microbatches yet.
    ///
    /// # Errors
    /// [`CompileError::Options`]: the machine has no host, or there is nothing of what is asked for.
    pub(crate) fn of(
        original: &Program,
        flat: &Flat,
        machine: &Machine,
        options: &'a Options,
    ) -> Result<Self, CompileError> {
        match (&options.plan, &options.offload) {
            (Some(plan), _) => {
                let planned = Self::Planned(plan);
                if !planned.is_empty() && machine.device.host.is_none() {
                    return Err(no_host(machine, "or take a plan that keeps nothing there"));
                }
                Ok(planned)
            }
            (None, Some(Offload::None) | None) => Ok(Self::Chosen(Vec::new())),
            (None, Some(_)) if machine.device.host.is_none() => {
                Err(no_host(machine, "or leave `--offload` out"))
            }
            (None, Some(Offload::These(parts))) => {
                asked_for(parts, original, flat, machine).map(Self::Chosen)
            }
            // The search begins with the program as it is.
            (None, Some(Offload::Search)) => Ok(Self::Chosen(Vec::new())),
        }
    }

    /// The program, which time may have cut, in which these uses are brought from the host, and those of them that are, by
    /// name. `arguments` are those of the function before.
    ///
    /// # Errors
    /// [`CompileError::Options`]: none is, though some are asked for; [`CompileError::Plan`]: a plan has some that are none.
    pub(crate) fn applied(
        self,
        original: &Program,
        arguments: &[ValueId],
        (flat, copies, in_microbatches): (Flat, &Copies, bool),
        machine: &Machine,
    ) -> Result<(Flat, Vec<(String, String)>), CompileError> {
        if self.is_empty() {
            return Ok((flat, Vec::new()));
        }
        let names = names_in(original, &flat.function, &flat.origins);
        let analysis = Analysis::on(&flat.function, machine.device.platform);
        let body = &flat.function.body;
        let on_host = |uses: &[Use]| {
            let found = on_host(uses);
            let waiting = found.uses.keys().copied().filter(|value| waits(body, *value, in_microbatches));
            let again = again(&analysis, &waiting.collect());
            OnHost { again, ..found }
        };
        let mut on_host = match self {
            Self::Planned(plan) => planned(plan, &flat, &names, &on_host)?,
            Self::Chosen(parts) => chosen(&parts, &|uses| {
                let now = copies.of(uses, arguments, flat.function.args());
                on_host(&now).moving(&flat.function)
            })?,
        };
        let roles = Roles::new(&flat.function);
        for (value, argument) in flat.function.args().iter().zip(&roles.args) {
            if on_host.uses.contains_key(value) {
                on_host.results.extend(argument.result);
            }
        }
        let named = |value: ValueId, reader: InstId| {
            (names.of_value(value).to_owned(), names.of_inst(of_text(&flat, reader)).to_owned())
        };
        let each = on_host.uses.iter();
        let uses = each.flat_map(|(value, readers)| readers.iter().map(|reader| named(*value, *reader)));
        let uses = uses.collect();
        Ok((flat.offloaded(&on_host), uses))
    }

    /// Whether parameters of the program, which is not cut into microbatches yet, are among them: a loop over layers brings those
    /// layer by layer, and what is made of all layers ahead of it would bring them as a whole.
    pub(crate) fn has_parameters(&self, original: &Program, flat: &Flat) -> bool {
        if self.is_empty() {
            return false;
        }
        let (function, roles) = (&flat.function, Roles::new(&flat.function));
        let mut parameters = roles.parameters().map(|index| function.args()[index]);
        match self {
            Self::Planned(plan) => {
                let names = names_in(original, function, &flat.origins);
                let of_host = plan.policies.iter().filter(|entry| entry.policy == Policy::Offload.name());
                let of_host: BTreeSet<&str> = of_host.map(|entry| entry.value.as_str()).collect();
                parameters.any(|own| of_host.contains(names.of_value(own)))
            }
            Self::Chosen(parts) => {
                let uses = || parts.iter().flat_map(|(_, uses)| uses);
                parameters.any(|own| uses().any(|group| group.value == own))
            }
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Planned(plan) => plan.policies.iter().all(|entry| entry.policy != Policy::Offload.name()),
            Self::Chosen(parts) => parts.is_empty(),
        }
    }
}

fn on_host(uses: &[Use]) -> OnHost {
    let mut on_host = OnHost::default();
    for Use { reader, value } in uses {
        on_host.uses.entry(*value).or_default().insert(*reader);
    }
    on_host
}

/// What lies on the host under a plan.
fn planned(
    plan: &PlanFile,
    flat: &Flat,
    names: &Names,
    on_host: &dyn Fn(&[Use]) -> OnHost,
) -> Result<OnHost, CompileError> {
    let uses = codec::offloaded(plan, names).map_err(CompileError::Plan)?;
    let moving = on_host(&uses).moving(&flat.function);
    let moves = |group: &Use| moving.uses.get(&group.value).is_some_and(|own| own.contains(&group.reader));
    let none: Vec<Use> = uses.into_iter().filter(|group| !moves(group)).collect();
    match none.is_empty() {
        true => Ok(moving),
        false => Err(CompileError::Plan(codec::no_uses(plan, names, Policy::Offload, &none))),
    }
}

/// What lies on the host of all parts together; `moving` gives what moves for some uses.
fn chosen(parts: &[(&Part, Vec<Use>)], moving: &dyn Fn(&[Use]) -> OnHost) -> Result<OnHost, CompileError> {
    let mut all = OnHost::default();
    for (part, uses) in parts {
        let own = moving(uses);
        // What a name stands for is what the user wants moved; of a kind it is what can.
        if own.uses.is_empty() && matches!(part, Part::Named(_)) {
            return Err(moves_nothing(&part.to_string()));
        }
        for (value, readers) in own.uses {
            all.uses.entry(value).or_default().extend(readers);
        }
        all.again.extend(own.again);
    }
    if all.uses.is_empty() {
        let parts: Vec<String> = parts.iter().map(|(part, _)| part.to_string()).collect();
        return Err(moves_nothing(&parts.join(", ")));
    }
    Ok(all)
}

/// What is asked for of what may lie on the host.
fn asked_for<'a>(
    parts: &'a [Part],
    original: &Program,
    flat: &Flat,
    machine: &Machine,
) -> Result<Vec<(&'a Part, Vec<Use>)>, CompileError> {
    let function = &flat.function;
    let (roles, analysis) = (Roles::new(function), Analysis::on(function, machine.device.platform));
    let phases = Phases::new(function, &roles);
    let names = names_in(original, function, &flat.origins);
    let all = candidates(&analysis, &roles, phases.as_ref());
    let arguments = names::of_arguments(function);
    let is_meant = |part: &Part, candidate: &Candidate| match (part, function.argument_index(candidate.value))
    {
        (Part::Kind(kind), _) => candidate.kind == *kind,
        (Part::Named(pattern), Some(index)) => {
            let name = arguments[index].clone().unwrap_or_else(|| format!("arg{index}"));
            Pinned::Named(pattern.clone()).has(&name, index)
        }
        (Part::Named(pattern), None) => is_named(names.of_value(candidate.value), pattern),
        (Part::Enough(..), _) => false,
    };
    let mut chosen = Vec::new();
    for part in parts {
        let found: Vec<&Candidate> = match part {
            Part::Enough(kind, thousandths) => {
                enough(&function.body, &all, *kind, *thousandths).into_iter().map(|at| &all[at]).collect()
            }
            _ => all.iter().filter(|candidate| is_meant(part, candidate)).collect(),
        };
        // Beside others nothing need wait.
        if found.is_empty()
            && parts.len() > 1
            && matches!(part, Part::Kind(Kind::Waiting) | Part::Enough(Kind::Waiting, _))
        {
            continue;
        }
        if found.is_empty() {
            let known = listed(all.iter().map(|candidate| names.of_value(candidate.value)));
            return Err(nothing_of(part, &known));
        }
        let uses = found.into_iter().flat_map(|Candidate { value, readers, .. }| {
            readers.iter().map(|reader| Use { value: *value, reader: *reader })
        });
        chosen.push((part, uses.collect()));
    }
    Ok(chosen)
}

/// The reader itself, or of a loop over tiles, which the text of the program has not, the first instruction inside that it has:
/// it stands for the loop, and is called the same when time cuts the function.
fn of_text(Flat { function, origins }: &Flat, reader: InstId) -> InstId {
    let is_of_text = |inst: &InstId| matches!(origins.insts[*inst].place.source, Source::Inst(_));
    let body = &function.body;
    let mut inside = body.insts[reader].regions.iter().flat_map(|region| body.walk(*region));
    if is_of_text(&reader) { reader } else { inside.find(is_of_text).unwrap_or(reader) }
}

fn no_host(machine: &Machine, otherwise: &str) -> CompileError {
    let message =
        format!("`{}` has no memory of a host that is known: nothing can lie there", machine.spec());
    let hint = "describe it in a machine file: `[host]` with `memory`, `bandwidth` and `efficiency`";
    refused(message, format!("{hint}; {otherwise}"))
}

fn moves_nothing(asked: &str) -> CompileError {
    let message = format!("nothing of `{asked}` is read where it could come back from the host");
    refused(message, "leave it out of `--offload`, or ask for other values".to_owned())
}

fn nothing_of(part: &Part, known: &str) -> CompileError {
    match part {
        Part::Kind(Kind::Waiting) | Part::Enough(Kind::Waiting, _) => {
            let message = "the program has no loop in whose turns something waits that could lie on the host";
            refused(
                message.to_owned(),
                "leave `--offload` out, or give a training step with its layers in a loop".to_owned(),
            )
        }
        Part::Kind(_) | Part::Enough(..) => {
            let message = format!("the program has no {part} that could lie on the host");
            refused(message, "leave `--offload` out, or give a whole training step".to_owned())
        }
        Part::Named(pattern) => {
            let hint = if known.is_empty() { String::new() } else { format!("there are {known}") };
            refused(format!("nothing that could lie on the host is called `{pattern}`"), hint)
        }
    }
}

fn refused(message: String, hint: String) -> CompileError {
    let mut diagnostic = Diagnostic::error(OFFLOAD, Span::NONE, message);
    diagnostic.hints.extend((!hint.is_empty()).then_some(hint));
    CompileError::Options(Box::new(diagnostic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_names_add_up() {
        let read = |text: &str| text.parse::<Offload>().unwrap();
        let all = Offload::all(&[read("moments"), read("w*")]).unwrap().unwrap();
        assert_eq!(all.to_string(), "moments, w*");
        assert_eq!(all, Offload::These(vec![Part::Kind(Kind::Moments), Part::Named("w*".to_owned())]));
        assert!(Offload::all(&[read("none"), read("moments")]).is_err());
        assert_eq!(Offload::all(&[]), Ok(None));
        // What is said twice is said once.
        for word in ["none", "search", "moments", "w*"] {
            assert_eq!(Offload::all(&[read(word), read(word)]), Ok(Some(read(word))));
        }
        assert!(" ".parse::<Offload>().is_err());
    }
}
