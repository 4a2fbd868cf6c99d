//! Plans of pipelines that are simulated again.

use crate::errors;
use crate::{read_plan, usage, work};
use meshwright_cli::SimulatedPlan;
use meshwright_compile::{ScheduleChoice, WhatIf};
use meshwright_ir::diagnostic::Source;
use meshwright_plan::{Schedule, Table};
use meshwright_present::timeline;
use meshwright_schedule::named;
use pyo3::prelude::*;

/// A plan that was simulated: as text, as JSON, its trace (JSON) and its picture. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (plan, plan_name, *, microbatches=None, schedule=None, table=None, link_bandwidth=1.0, slow=Vec::new()))]
#[allow(clippy::too_many_arguments)] // named in Python
pub(crate) fn simulate(
    py: Python<'_>,
    plan: String,
    plan_name: String,
    microbatches: Option<usize>,
    schedule: Option<String>,
    table: Option<String>,
    link_bandwidth: f64,
    slow: Vec<(usize, f64)>,
) -> PyResult<(String, String, String, String)> {
    work::run(py, move |_| {
        let source = Source::new(plan_name, plan);
        let plan = read_plan(&source)?;
        let is_factor = |factor: f64| factor > 0.0 && factor.is_finite();
        if !is_factor(link_bandwidth) || !slow.iter().all(|(_, factor)| is_factor(*factor)) {
            return Err(usage("factors are positive numbers, such as 0.5".to_owned()));
        }
        if microbatches == Some(0) {
            return Err(usage("a step has at least 1 microbatch".to_owned()));
        }
        let given = table.map(|text| {
            let table = Schedule::from_table(&text).map_err(|found| errors::Stop::input(found, &source))?;
            match Table::of(&table) {
                Ok(_) => Ok(ScheduleChoice::Table(table)),
                Err(faults) => {
                    Err(usage(faults.first().map_or_else(String::new, |fault| fault.message.clone())))
                }
            }
        });
        let schedule = match schedule {
            None => given.transpose()?,
            Some(name) => {
                let unknown = || usage(format!("there is no schedule `{name}`, nor such a file"));
                Some(ScheduleChoice::Named(named(&name).ok_or_else(unknown)?))
            }
        };
        let what_if = WhatIf { microbatches, schedule, link_bandwidth, slow };
        let found = SimulatedPlan::of(&plan, &source.name, &what_if)
            .map_err(|error| errors::of_compiler(error, &source))?;
        let (trace, picture) = (timeline::trace(&found.timeline), timeline::picture(&found.timeline));
        Ok((found.text, found.json.to_string(), trace.to_string(), picture))
    })
}
