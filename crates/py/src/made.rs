//! What the compiler made of a step: one program for all devices, or a pipeline.

use crate::errors::Stop;
use meshwright_compile::{
    Compiled, GroupHosts, Numbers, PipelineOptions, PipelineSpace, Pipelined, SaidOfPipelines,
    ScheduleChoice, Validation, Weights,
};
use meshwright_ir::program::{Function, Program};
use meshwright_plan::{Bundle, DevicePrograms, PlanFile, Schedule};
use meshwright_schedule::{named, usual};

/// What the compiler made.
#[derive(Clone)]
pub(crate) enum Made {
    Step(Box<Compiled>),
    Pipeline(Box<Pipelined>),
}

impl Made {
    /// The program as it was given.
    pub(crate) fn program(&self) -> &Program {
        match self {
            Self::Step(compiled) => &compiled.program,
            Self::Pipeline(pipelined) => &pipelined.program,
        }
    }

    /// What devices are compared with.
    pub(crate) fn whole(&self) -> &Program {
        match self {
            Self::Step(compiled) => compiled.whole(),
            Self::Pipeline(pipelined) => &pipelined.program,
        }
    }

    /// The program with statistics of each microbatch, if the plan has such.
    pub(crate) fn local(&self) -> Option<&Program> {
        match self {
            Self::Step(compiled) => compiled.local.as_deref(),
            Self::Pipeline(_) => None,
        }
    }

    /// Its entry function with all calls inlined.
    pub(crate) fn function(&self) -> &Function {
        match self {
            Self::Step(compiled) => &compiled.function,
            Self::Pipeline(pipelined) => &pipelined.function,
        }
    }

    /// The programs of all devices.
    pub(crate) fn programs(&self) -> &DevicePrograms {
        match self {
            Self::Step(compiled) => &compiled.programs,
            Self::Pipeline(pipelined) => &pipelined.programs,
        }
    }

    /// The plan.
    pub(crate) fn plan(&self) -> &PlanFile {
        match self {
            Self::Step(compiled) => &compiled.plan,
            Self::Pipeline(pipelined) => &pipelined.plan,
        }
    }

    /// Marks its plan as found before the search was at its end.
    pub(crate) fn mark_unfinished(&mut self) {
        match self {
            Self::Step(compiled) => compiled.plan.unfinished = true,
            Self::Pipeline(pipelined) => pipelined.plan.unfinished = true,
        }
    }

    /// The manifest.
    pub(crate) fn bundle(&self) -> Bundle {
        match self {
            Self::Step(compiled) => compiled.bundle(),
            Self::Pipeline(pipelined) => pipelined.bundle(),
        }
    }

    /// The files of a compiled folder; `whole` is the text of the program as it was given.
    pub(crate) fn files(&self, whole: &str) -> Vec<(String, String)> {
        match self {
            Self::Step(compiled) => compiled.files(whole),
            Self::Pipeline(pipelined) => pipelined.files(whole),
        }
    }
}

/// A pipeline as Python asks for it: groups, stages of each, microbatches, the name or the text of a schedule, and the meshes of
/// groups that have their own.
pub(crate) type Asked = (String, Option<String>, String, Option<String>, Vec<Axes>);

/// What Python says of groups beside their numbers: the hosts of each, whether updates are validated behind them, which weights
/// microbatches read, whether stages have loops, and the layers of each.
pub(crate) type OfGroups = (Option<String>, bool, Option<String>, Option<String>, Option<Vec<usize>>);

/// What is said of pipelines beside their numbers. Errors: what no such thing is called.
pub(crate) fn said<'a>(
    schedule: Option<&'a str>,
    (hosts, is_validated_behind, delayed, loops, layers): &'a OfGroups,
) -> Result<SaidOfPipelines<'a>, Stop> {
    Ok(SaidOfPipelines {
        schedule,
        group_hosts: hosts.as_deref().map(group_hosts).transpose()?,
        validation: if *is_validated_behind { Validation::After } else { Validation::Before },
        weights: delayed.as_deref().map(weights).transpose()?,
        stage_loops: loops.as_deref().map(str::parse).transpose().map_err(crate::usage)?,
        stage_layers: layers.as_deref(),
    })
}

/// Axes of a mesh, with their names if they have some.
pub(crate) type Axes = Vec<(Option<String>, usize)>;

/// Hosts of each group, as Python says it. Errors: neither a number nor `search`.
fn group_hosts(text: &str) -> Result<GroupHosts, Stop> {
    match text {
        SEARCH => Ok(GroupHosts::Search),
        number => match number.parse() {
            Ok(hosts) if hosts > 0 => Ok(GroupHosts::Number(hosts)),
            _ => Err(crate::usage(format!("`group_hosts` is {text}: give a number, or \"search\""))),
        },
    }
}

/// Weights that microbatches read, as Python says them. Errors: there are none of this name.
fn weights(text: &str) -> Result<Weights, Stop> {
    let known = Weights::ALL.into_iter().find(|weights| weights.name() == text);
    let names = Weights::ALL.map(Weights::name).join(", ");
    known.ok_or_else(|| crate::usage(format!("there are no `delayed_weights` {text}; the names are {names}")))
}

/// What leaves it to a search.
const SEARCH: &str = "search";

/// A pipeline of given numbers, or the best of several.
pub(crate) enum Wanted {
    These(PipelineOptions),
    ToChoose(PipelineSpace),
}

/// What is said of a pipeline. Errors: numbers or a schedule that are none.
pub(crate) fn wanted(
    (groups, virtual_stages, microbatches, schedule): (String, Option<String>, String, Option<String>),
) -> Result<Wanted, Stop> {
    let numbers = |name: &str, text: &str| {
        text.parse::<Numbers>().map_err(|problem| crate::usage(format!("`{name}`: {problem}")))
    };
    let groups = numbers("stages", &groups)?;
    let microbatches = numbers("microbatches", &microbatches)?;
    let virtual_stages = virtual_stages.map(|text| numbers("virtual_stages", &text)).transpose()?;
    let given = virtual_stages.as_ref().map(Numbers::only);
    match (groups.only(), microbatches.only(), given) {
        (Some(groups), Some(microbatches), None | Some(Some(_))) => {
            options(groups, given.flatten(), microbatches, schedule).map(Wanted::These)
        }
        _ => {
            let unknown = |name: &str| {
                let problem = "of several numbers the best is taken with a schedule that has a name";
                crate::usage(format!("{problem}, not `{name}`"))
            };
            let schedules = match schedule.as_deref() {
                None | Some(SEARCH) => Vec::new(),
                Some(name) => vec![named(name).ok_or_else(|| unknown(name))?],
            };
            let virtual_stages = virtual_stages.unwrap_or(Numbers::Search);
            let makes_tables = schedule.as_deref() == Some(SEARCH);
            let space = PipelineSpace {
                groups,
                virtual_stages,
                microbatches,
                schedules,
                makes_tables,
                is_short: false,
            };
            Ok(Wanted::ToChoose(space))
        }
    }
}

fn options(
    groups: usize,
    virtual_stages: Option<usize>,
    microbatches: usize,
    schedule: Option<String>,
) -> Result<PipelineOptions, Stop> {
    let said = schedule.unwrap_or_else(|| usual(virtual_stages.unwrap_or(1)).to_owned());
    let schedule = match named(&said) {
        Some(named) => ScheduleChoice::Named(named),
        None if said == SEARCH => ScheduleChoice::Search,
        None => ScheduleChoice::Table(Schedule::from_table(&said).map_err(|found| {
            let message = found.first().map_or_else(String::new, |first| first.message.clone());
            crate::usage(format!("the schedule is neither a name nor a table: {message}"))
        })?),
    };
    Ok(PipelineOptions { groups, virtual_stages, microbatches, schedule })
}
