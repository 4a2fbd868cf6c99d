//! Plans of pipelines that are simulated again, and tables that are made, checked and simulated.

use crate::errors;
use crate::{read_plan, usage, work};
use meshwright_cli::{CheckedTable, MadeTable, PhaseCosts, SimulatedPlan, WantedTable};
use meshwright_compile::{ScheduleChoice, WhatIf};
use meshwright_ir::diagnostic::Source;
use meshwright_plan::Timeline;
use meshwright_present::timeline;
use meshwright_schedule::{named, names};
use pyo3::prelude::*;
use serde_json::Value;

/// The name that asks for a search.
const SEARCH: &str = "search";

/// Whether a schedule is called so, or a search: a name stands for that, also where a file is called so.
#[pyfunction]
pub(crate) fn is_schedule(name: &str) -> bool {
    name == SEARCH || named(name).is_some()
}

/// A plan or a table that was simulated: as text, as JSON, its trace (JSON) and its picture. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (
    plan, plan_name, *, microbatches=None, schedule=None, table=None, table_name=None, link_bandwidth=1.0, slow=Vec::new(),
    costs=None
))]
#[allow(clippy::too_many_arguments)] // named in Python
pub(crate) fn simulate(
    py: Python<'_>,
    plan: String,
    plan_name: String,
    microbatches: Option<usize>,
    schedule: Option<String>,
    table: Option<String>,
    table_name: Option<String>,
    link_bandwidth: f64,
    slow: Vec<(usize, f64)>,
    costs: Option<String>,
) -> PyResult<Drawn> {
    work::run(py, move |_| {
        let source = Source::new(plan_name, plan);
        let is_factor = |factor: f64| factor > 0.0 && factor.is_finite();
        if !is_factor(link_bandwidth) || !slow.iter().all(|(_, factor)| is_factor(*factor)) {
            return Err(usage("factors are positive numbers, such as 0.5".to_owned()));
        }
        if !source.text.trim_start().starts_with('{') {
            if microbatches.is_some() || schedule.is_some() || table.is_some() {
                let message =
                    "`microbatches` and `schedule` change a plan; of a table `mw.schedule` makes another one";
                return Err(usage(message.to_owned()));
            }
            let found = SimulatedPlan::of_table(&source, &seconds(costs)?, link_bandwidth, &slow);
            let found = found.map_err(|error| errors::of_compiler(error, &source))?;
            return Ok(drawn(found.text, &found.json, &found.timeline));
        }
        if costs.is_some() {
            return Err(usage("a plan says what its phases take: `costs` are for tables".to_owned()));
        }
        let plan = read_plan(&source)?;
        if microbatches == Some(0) {
            return Err(usage("a step has at least 1 microbatch".to_owned()));
        }
        let given = table.map(|text| {
            let source = Source::new(table_name.as_deref().unwrap_or("table"), text);
            let table = meshwright_cli::checked_schedule(&source);
            table.map(ScheduleChoice::Table).map_err(|error| errors::of_compiler(error, &source))
        });
        let schedule = match schedule {
            None => given.transpose()?,
            Some(name) if name == SEARCH => Some(ScheduleChoice::Search),
            Some(name) => {
                let names = names();
                let unknown = || {
                    usage(format!("there is no schedule `{name}`, nor such a file; the names are {names}"))
                };
                Some(ScheduleChoice::Named(named(&name).ok_or_else(unknown)?))
            }
        };
        let what_if = WhatIf { microbatches, schedule, link_bandwidth, slow };
        let found = SimulatedPlan::of(&plan, &source.name, &what_if)
            .map_err(|error| errors::of_compiler(error, &source))?;
        Ok(drawn(found.text, &found.json, &found.timeline))
    })
}

/// What is shown of a timeline: text, JSON, the trace (JSON) and the picture.
type Drawn = (String, String, String, String);

fn drawn(text: String, json: &Value, found: &Timeline) -> Drawn {
    (text, json.to_string(), timeline::trace(found).to_string(), timeline::picture(found))
}

/// Seconds of phases and transfers; one each, and transfers that take no time, if nothing is said.
fn seconds(said: Option<String>) -> Result<PhaseCosts, errors::Stop> {
    said.map_or(Ok(PhaseCosts::default()), |text| text.parse().map_err(usage))
}

/// A table that is made: itself, what it takes as text and as JSON, its trace (JSON) and its picture, and a warning. See
/// `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (name, groups, microbatches, *, virtual_stages=None, layers=None, costs=None, keep=None))]
pub(crate) fn schedule(
    py: Python<'_>,
    name: String,
    groups: usize,
    microbatches: usize,
    virtual_stages: Option<usize>,
    layers: Option<usize>,
    costs: Option<String>,
    keep: Option<f64>,
) -> PyResult<(String, Drawn, Option<String>)> {
    work::run(py, move |asked_to_stop| {
        if [Some(groups), Some(microbatches), virtual_stages, layers].contains(&Some(0)) {
            return Err(usage("groups, stages, microbatches and layers are at least 1".to_owned()));
        }
        let costs = seconds(costs)?;
        let wanted = WantedTable { name, groups, virtual_stages, microbatches, layers, costs, keep };
        let made = MadeTable::of(&wanted, &work::Watch::new(asked_to_stop));
        let made = made.map_err(|error| errors::of_compiler(error, &Source::new("table", "")))?;
        Ok((made.table, drawn(made.text, &made.json, &made.timeline), made.never_full))
    })
}

/// A table that is checked: itself, and what it keeps as text and as JSON. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (table, table_name, *, keep=None))]
pub(crate) fn checked_schedule(
    py: Python<'_>,
    table: String,
    table_name: String,
    keep: Option<f64>,
) -> PyResult<(String, String, String)> {
    work::run(py, move |_| {
        let source = Source::new(table_name, table);
        let found = CheckedTable::of(&source, keep);
        let found = found.map_err(|error| errors::of_compiler(error, &source))?;
        Ok((found.table, found.text, found.json.to_string()))
    })
}
