//! The hosts that groups lie on, chosen by what a step takes.
//!
//! Input: a pipeline that is wanted. Output: the same with each group on as many hosts as is best. Groups on few hosts send
//! what is sent inside of them over fast links; those that are spread over many hand values to one another inside of hosts.

use meshwright_ir::control::Control;
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Seconds};
use meshwright_plan::{PlanFile, Timeline};
use std::collections::BTreeMap;

use super::figures::{PipelineFigures, Priced};
use super::groups::{Groups, OnStages};
use super::layout::{Layout, host, hosts_of_groups};
use super::wanted::PipelineOptions;
use super::{Pipelined, on_hosts, refused};
use crate::best::SEARCHING_ON;
use crate::error::CompileError;
use crate::held::Held;
use crate::options::{GroupHosts, Options};

/// Where groups wait less than this share of a step for what others send, it hardly matters where they lie.
const WAITS: f64 = 0.01;

/// The same where numbers were searched, among which pipelines that wait little come first: it is not worth the time.
const WAITS_OF_SEARCHED: f64 = 0.04;

/// A pipeline with groups where the options say, or on as many hosts as is best; none if it is not faster than that.
pub(super) fn on_all_hosts(
    program: &Program,
    machine: &Machine,
    options: &Options,
    wanted: &PipelineOptions,
    faster_than: Option<Seconds>,
    control: &dyn Control,
) -> Result<Option<Pipelined>, CompileError> {
    if options.group_hosts != Some(GroupHosts::Search) || options.plan.is_some() {
        return on_hosts(program, machine, options, wanted, faster_than, control);
    }
    let hosts = hosts_of_groups(machine, wanted.groups);
    if hosts.is_empty() {
        return Err(refused::hosts_to_choose(machine, wanted.groups));
    }
    let limit = options.memory_limit_on(machine);
    let (mut best, mut weighed): (Option<Pipelined>, _) = (None, Vec::new());
    for hosts in hosts {
        let own = Options { group_hosts: Some(GroupHosts::Number(hosts)), ..options.clone() };
        let Some(other) = on_hosts(program, machine, &own, wanted, faster_than, control)? else { continue };
        weighed.push((hosts, other.figures.step()));
        let key = |made: &Pipelined| (made.misfit(limit).is_some(), made.figures.step().0);
        if best.as_ref().is_none_or(|best| key(&other) < key(best)) {
            best = Some(other);
        }
    }
    Ok(best.map(|best| Pipelined { group_hosts: weighed, ..best }))
}

/// A pipeline that was searched for with groups on other hosts, if that takes less.
pub(super) fn searched_lies_elsewhere(
    program: &Program,
    machine: &Machine,
    options: &Options,
    made: Pipelined,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    match waits(&made.figures, WAITS_OF_SEARCHED) {
        true => lie_elsewhere(program, machine, options, made, control),
        false => Ok(made),
    }
}

/// The same pipeline, sharded as it is, with groups on other hosts, if nothing says where they lie, they wait for what others
/// send, and wait less there.
pub(super) fn lie_elsewhere(
    program: &Program,
    machine: &Machine,
    options: &Options,
    made: Pipelined,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    if is_said(options) || !waits(&made.figures, WAITS) {
        return Ok(made);
    }
    let limit = options.memory_limit_on(machine);
    let (mut best, mut weighed) = (made, Vec::new());
    let block = hosts_of_block(machine, best.programs.groups.len());
    weighed.push((block, best.figures.step()));
    let known = std::mem::take(&mut best.elsewhere);
    let (name, decided) = (best.schedule, best.plan.clone());
    let Some(wanted) = PipelineOptions::of_plan(&decided)? else { return Ok(best) };
    for hosts in hosts_of_groups(machine, wanted.groups).into_iter().filter(|hosts| *hosts != block) {
        let plan = PlanFile { group_hosts: Some(hosts), ..decided.clone() };
        let own = Options {
            plan: Some(plan),
            memory_limit: Some(limit),
            // It says what is made again.
            recompute: None,
            ..options.clone()
        };
        let faster_than = Some(best.figures.step());
        if known.get(&hosts).is_some_and(|step| *step >= best.figures.step()) {
            continue;
        }
        control.progress(SEARCHING_ON, 0, 0);
        // What it warns of was said of the pipeline that is moved.
        match on_hosts(program, machine, &own, &wanted, faster_than, &Held::back(control)) {
            Ok(Some(other)) => {
                weighed.push((hosts, other.figures.step()));
                if other.misfit(limit).is_none() {
                    let plan = PlanFile { unfinished: decided.unfinished, ..other.plan };
                    best = Pipelined { schedule: name, plan, ..other };
                }
            }
            Ok(None) => {}
            // What is there is not lost for that.
            Err(CompileError::Interrupted) => {
                best.plan.unfinished = true;
                break;
            }
            // The mesh of a group does not lie so.
            Err(_) => {}
        }
    }
    let group_hosts = if weighed.len() > 1 { weighed } else { Vec::new() };
    Ok(Pipelined { group_hosts, ..best })
}

/// What a searched pipeline takes with its groups on so many other hosts each, with layers one behind the other, where that may
/// be asked for: most of it is known before a pipeline is made for any of them. `figures` are its own, `on` gives those of groups
/// of these devices.
pub(super) fn elsewhere(
    priced: &Priced<'_>,
    groups: &Groups,
    options: &Options,
    figures: &PipelineFigures,
    on: &dyn Fn(&Priced<'_>, &[&[usize]]) -> PipelineFigures,
) -> BTreeMap<usize, Seconds> {
    let is_asked = !is_said(options) && waits(figures, WAITS_OF_SEARCHED);
    let Some((inner, _)) = groups.alike().filter(|_| is_asked) else { return BTreeMap::new() };
    let (machine, count) = (priced.machine, groups.all_devices().len());
    let others = hosts_of_groups(machine, count).into_iter();
    let others = others.filter(|hosts| *hosts != hosts_of_block(machine, count));
    let step = |hosts: usize| {
        let layout = Layout::on_hosts(machine, count, hosts)?;
        let there = OnStages::Alike(inner, &layout.parts[0]);
        let there = Priced { on: there, loops: None, ..*priced };
        Some((hosts, on(&there, &layout.devices()).step()))
    };
    others.filter_map(step).collect()
}

/// Whether something says where groups lie.
fn is_said(options: &Options) -> bool {
    options.group_hosts.is_some() || options.plan.is_some() || !options.group_meshes.is_empty()
}

/// Hosts of each of so many groups of neighboring devices.
fn hosts_of_block(machine: &Machine, groups: usize) -> usize {
    let size = machine.num_devices() / groups;
    machine.part(size).and_then(|part| host(&part)).map_or(1, |(_, hosts)| hosts)
}

/// Whether groups wait at least this share of a step for what others send.
fn waits(figures: &PipelineFigures, share: f64) -> bool {
    waiting(&figures.timeline) >= share * figures.step().0
}

/// The longest that any group waits for results on their way.
fn waiting(timeline: &Timeline) -> f64 {
    let exposed = |group: usize| timeline.groups[group].iter().map(|run| run.exposed).sum::<f64>();
    let of_group = |group: usize| exposed(group) + timeline.waits_for_state(group);
    (0..timeline.groups.len()).map(of_group).fold(0.0, f64::max)
}
