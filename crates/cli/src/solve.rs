//! `meshwright solve`: solves a problem file, or checks a solution of one.

use crate::args::{Output, SolveArguments};
use crate::failure::{Failure, Outcome};
use crate::{input, interrupt, output};
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_solve::check::Value;
use meshwright_solve::problem::Problem;
use meshwright_solve::{Infeasible, Options, Progress, Reason, Solution, Watch, check, format};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// What keeps an assignment from being an answer, or a problem from having one.
const ANSWER: Check = Check("answer");

/// Between two lines of progress.
const PERIOD: Duration = Duration::from_secs(1);

/// Kept for writing the answer: seconds, and at most a part of the time there is.
const RESERVE: (f64, f64) = (0.5, 0.1);

#[allow(clippy::disallowed_methods)] // the doors read clocks
pub(crate) fn run(arguments: &SolveArguments, out: Output) -> Outcome {
    let start = Instant::now();
    interrupt::listen();
    let path = arguments.problem.as_path();
    let problem = format::read_problem(&input::bytes(path, "problem")?)
        .map_err(|why| Failure::file(path, why, "docs/solver.md says how problems are written"))?;
    if let Some(solution) = &arguments.check {
        return run_check(&problem, solution, out);
    }
    if let Some(path) = &arguments.output {
        output::has_place(path)?;
    }
    let threads = arguments
        .threads
        .map_or_else(|| available_parallelism().map_or(1, |count| count.get()), |n| n as usize);
    let limit = arguments.timeout - RESERVE.0.min(RESERVE.1 * arguments.timeout);
    let watch = Watcher { start, limit: Duration::from_secs_f64(limit), told: Mutex::new(start) };
    let solution = meshwright_solve::solve(
        &problem,
        Options { threads, seed: arguments.seed, ..Options::default() },
        &watch,
    );
    report(&problem, &solution, arguments.output.as_deref(), start.elapsed(), out)
}

fn report(
    problem: &Problem,
    solution: &Solution,
    path: Option<&Path>,
    taken: Duration,
    out: Output,
) -> Outcome {
    let Some(assignment) = &solution.assignment else {
        let diagnostic = match solution.reason {
            Reason::Infeasible(why) => Diagnostic::error(ANSWER, Span::NONE, no_answer(why)),
            _ if interrupt::asked() => {
                Diagnostic::error(ANSWER, Span::NONE, "no answer was found before the search was stopped")
            }
            Reason::TooLarge => Diagnostic::error(ANSWER, Span::NONE, "no answer was found that surely fits")
                .hint("count usages and `usage_limit` in larger units: so many bytes cannot be added up exactly"),
            _ => Diagnostic::error(ANSWER, Span::NONE, "no answer was found in time")
                .hint("give more time with `--timeout SECONDS`"),
        };
        return Err(Failure::check(diagnostic));
    };
    let value = check(problem, assignment)
        .map_err(|why| Failure::defect(&format!("the answer that was found is none: {why}")))?;
    if let Some(path) = path {
        let mut text = json!(assignment).to_string();
        text.push('\n');
        output::write(path, text.as_bytes())?;
    }
    let bound = solution.bound;
    if bound > value.cost {
        return Err(Failure::defect(&format!("the bound {bound} is above the answer's cost {}", value.cost)));
    }
    let gap = if value.cost == 0 { 0.0 } else { (value.cost - bound) as f64 / value.cost as f64 };
    let reason = match solution.reason {
        Reason::Optimal => "optimal",
        Reason::TooLarge => "too large",
        _ if interrupt::asked() => "interrupted",
        _ => "time",
    };
    if out.json {
        let mut result = described(problem, value);
        result["bound"] = number(bound);
        result["gap"] = json!(gap);
        result["reason"] = json!(reason);
        result["seconds"] = json!(taken.as_secs_f64());
        if path.is_none() {
            result["solution"] = json!(assignment);
        }
        return to_user(path, &output::json(&result));
    }
    let why = match reason {
        "optimal" => "optimal: nothing costs less",
        "time" => "stopped: the time was over",
        "too large" => "not proven: costs or usages are too large to be added up exactly",
        _ => "stopped: it was asked to",
    };
    let text = format!(
        "{}bound    {bound}\ngap      {:.4} %\n{why}, after {:.1} s\n",
        table(problem, value),
        100.0 * gap,
        taken.as_secs_f64()
    );
    to_user(path, &text)
}

/// Prints what was found, to stderr if the solution went to stdout.
fn to_user(path: Option<&Path>, text: &str) -> Outcome {
    if path == Some(Path::new("-")) {
        let _ = std::io::stderr().write_all(text.as_bytes());
        return Ok(());
    }
    output::print(text)
}

fn no_answer(why: Infeasible) -> String {
    match why {
        Infeasible::Moment(moment) => {
            format!("there is no answer: at moment {moment} more is used than the limit, whatever is chosen")
        }
        Infeasible::Node(node) => {
            format!(
                "there is no answer: every strategy of node {node} is impossible beside those of its neighbours"
            )
        }
        Infeasible::Exhausted(moment) => {
            let scarce = moment.map(|moment| format!("; memory is scarcest at moment {moment}"));
            let scarce = scarce.unwrap_or_default();
            format!("there is no answer: every assignment is impossible or uses too much{scarce}")
        }
    }
}

fn run_check(problem: &Problem, path: &Path, out: Output) -> Outcome {
    let assignment = format::read_solution(&input::bytes(path, "solution")?)
        .map_err(|why| Failure::file(path, why, "`meshwright solve -o FILE` writes one"))?;
    match check(problem, &assignment) {
        Ok(value) if out.json => output::print(&output::json(&described(problem, value))),
        Ok(value) => output::print(&table(problem, value)),
        Err(why) => {
            Err(Failure::check(Diagnostic::error(ANSWER, Span::NONE, format!("this is no answer: {why}"))))
        }
    }
}

fn described(problem: &Problem, value: Value) -> serde_json::Value {
    json!({
        "cost": number(value.cost),
        "peak": number(value.peak),
        "moment": value.moment,
        "usage_limit": problem.usage_limit,
    })
}

/// A number as JSON holds it; beyond 64 bits, as text.
fn number(value: u128) -> serde_json::Value {
    u64::try_from(value).map_or_else(|_| json!(value.to_string()), |value| json!(value))
}

fn table(problem: &Problem, value: Value) -> String {
    let Value { cost, peak, moment } = value;
    let of = problem.usage_limit.map_or(String::new(), |limit| format!(" of {limit}"));
    format!("cost     {cost}\nusage    {peak}{of}, at moment {moment}\n")
}

struct Watcher {
    start: Instant,
    limit: Duration,
    /// When progress was told last, or could have been.
    told: Mutex<Instant>,
}

impl Watch for Watcher {
    fn should_stop(&self) -> bool {
        interrupt::asked() || self.start.elapsed() > self.limit
    }

    #[allow(clippy::disallowed_methods)] // the doors read clocks
    fn progress(&self, Progress { cost, bound }: Progress) {
        let Ok(mut told) = self.told.lock() else { return };
        if told.elapsed() < PERIOD {
            return;
        }
        *told = Instant::now();
        let cost = cost.map_or_else(|| "none".to_owned(), |cost| cost.to_string());
        let line = format!("{:6.1} s  cost {cost}  bound {bound}\n", self.start.elapsed().as_secs_f64());
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}
