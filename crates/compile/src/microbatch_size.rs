//! Microbatches of a given size: how many examples one of them has on a replica.
//!
//! Input: a program, options with a size, and maybe a number of microbatches. Output: the plan in which size x number x
//! replicas is the batch. Where the number is open, the fewest microbatches come first. Of pipelines: options that ask for as
//! many replicas in each group as a number of microbatches takes.

use meshwright_analyze::{Roles, batch};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_plan::{Degrees, PlanFile};
use meshwright_transform::time::divisors;

use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::options::{Constraints, Microbatches, Options, Search};
use crate::transform::flattened;

/// No plan has microbatches of the size that was asked for.
const MICROBATCH_SIZE: Check = Check("microbatch-size");

/// Compiles a program with microbatches of `size` examples on each replica.
///
/// # Errors
/// Those of [`compile`]; [`CompileError::Options`]: size, number and replicas do not make the batch.
pub(crate) fn with_size(
    size: usize,
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Compiled, CompileError> {
    let batch = batch_of(program)?;
    let planned =
        options.plan.as_ref().map(|plan| plan.microbatches.as_ref().map_or(1, |planned| planned.count));
    let number = match options.microbatches {
        Some(Microbatches::Number(number)) => Some(number),
        Some(Microbatches::Search) | None => planned,
    };
    let asked = options.asked.as_ref().and_then(|asked| asked.degrees(machine.num_devices()).ok());
    let counts = counts((batch, asked.as_ref().map(replicas)), size, number, machine.num_devices())?;
    if let (Some(number), Some(degrees)) = (number, &asked) {
        must_make(batch, size, number, degrees)?;
    }
    // Numbers of microbatches, of replicas, and whether devices share the work.
    let mut found: Vec<(usize, usize, bool)> = Vec::new();
    let (mut does_not_fit, mut not_allowed) = (None, None);
    let is_shared =
        |count: &usize| asked.as_ref().is_none_or(|degrees| must_share(batch, *count, degrees, 1).is_ok());
    let asks = counts.len();
    let counts: Vec<usize> = counts.into_iter().filter(|count| asks == 1 || is_shared(count)).collect();
    if let (true, Some(degrees)) = (counts.is_empty(), &asked) {
        return Err(not_on_replicas(batch, size, replicas(degrees)));
    }
    for count in counts {
        let microbatches = Some(Microbatches::Number(count));
        let options = Options { microbatches, microbatch_size: None, ..options.clone() };
        for options in
            [Some(options.clone()), on_replicas(batch / size / count, &options)].into_iter().flatten()
        {
            let compiled = match compile(program, source, machine, &options, control) {
                Ok(compiled) => compiled,
                // More replicas shard less else.
                Err(error @ CompileError::DoesNotFit(_)) => {
                    does_not_fit = Some(error);
                    continue;
                }
                // Nothing of the program can be shared so, or the way that is best does not share such microbatches.
                Err(error @ (CompileError::NotAllowed(_) | CompileError::Options(_))) => {
                    not_allowed = not_allowed.or(Some(error));
                    continue;
                }
                Err(error) => return Err(error),
            };
            let replicas = match &compiled.plan.microbatches {
                Some(planned) => planned.replicas,
                None => replicas(&compiled.plan.degrees).clamp(1, batch),
            };
            // A search may find that devices that do the same take least; on a given mesh nobody has weighed that.
            let is_shared = options.mesh.is_none() || machine.num_devices() == 1 || shares(&compiled.plan);
            if count * size * replicas == batch && is_shared {
                return Ok(compiled);
            }
            found.push((count, replicas, is_shared));
        }
    }
    // The first of these is what was asked for: replicas of our own come behind it.
    let refusal = does_not_fit.or(not_allowed.filter(|_| found.is_empty()));
    Err(refusal.unwrap_or_else(|| other_sizes((batch, size), options, machine.num_devices(), &found)))
}

/// The options of pipelines with microbatches of `size` examples on each replica, for each number of microbatches that
/// `choose` takes out of those that are possible: each group has the replicas that make up the batch.
///
/// # Errors
/// [`CompileError::Options`]: nothing trains on a batch; size and number do not make it on any replicas.
pub(crate) fn in_groups(
    size: usize,
    program: &Program,
    machine: &Machine,
    options: &Options,
    choose: impl FnOnce(&[usize]) -> Vec<usize>,
) -> Result<Vec<(usize, Options)>, CompileError> {
    let batch = batch_of(program)?;
    let possible = counts((batch, None), size, None, machine.num_devices())?;
    let of = |count: usize| {
        let counts = counts((batch, None), size, Some(count), machine.num_devices())?;
        let with = |count: usize| {
            let microbatches = Some(Microbatches::Number(count));
            let allowed = with_replicas(batch / size / count, &options.allowed);
            (count, Options { allowed, microbatches, microbatch_size: None, ..options.clone() })
        };
        Ok(counts.into_iter().map(with))
    };
    let chosen: Result<Vec<_>, CompileError> = choose(&possible).into_iter().map(of).collect();
    chosen.map(|all| all.into_iter().flatten().collect())
}

/// Constraints with another one: so many replicas share the batch.
fn with_replicas(replicas: usize, allowed: &Constraints) -> Constraints {
    let replicas: Constraints = format!("dp={replicas}").parse().expect("a constraint on a degree");
    Constraints { clauses: allowed.clauses.iter().cloned().chain(replicas.clauses).collect() }
}

/// The options of a search among plans with so many replicas alone, which one among all plans need not come to; none where
/// something says how the program is sharded.
fn on_replicas(replicas: usize, options: &Options) -> Option<Options> {
    let is_open = options.mesh.is_none() && options.plan.is_none() && options.search != Some(Search::None);
    is_open.then(|| Options { allowed: with_replicas(replicas, &options.allowed), ..options.clone() })
}

/// Refuses a size and a number that do not make the batch on the replicas of degrees.
fn must_make(batch: usize, size: usize, number: usize, degrees: &Degrees) -> Result<(), CompileError> {
    let (replicas, Degrees { dp, ep, .. }) = (replicas(degrees), degrees);
    let made = size.saturating_mul(number).saturating_mul(replicas);
    if made == batch {
        return Ok(());
    }
    let problem = format!(
        "size {size} x number {number} x {replicas} replicas (dp={dp}, ep={ep}) are {made} examples, not the batch of {batch}"
    );
    Err(refused(problem, "batch = size x number x replicas: leave one of them out".to_owned()))
}

/// Devices that share the batch: those of experts have their own examples elsewhere.
pub(crate) fn replicas(degrees: &Degrees) -> usize {
    (degrees.dp * degrees.ep).max(1)
}

/// Refuses microbatches of which replicas would have no whole number of examples each, in a pipeline of so many groups; one
/// that is the whole batch is refused where its dims are sharded.
///
/// # Errors
/// In words: batch, microbatches and replicas; then the numbers of microbatches that would do.
pub(crate) fn must_share(
    batch: usize,
    number: usize,
    degrees: &Degrees,
    groups: usize,
) -> Result<(), [String; 2]> {
    let replicas = replicas(degrees);
    let share = |number: usize| batch.is_multiple_of(number) && (batch / number).is_multiple_of(replicas);
    if number == 1 || share(number) {
        return Ok(());
    }
    // With one microbatch only one group of a pipeline works at any time.
    let fewest = groups.min(2);
    let fitting: Vec<String> = divisors(batch)
        .into_iter()
        .filter(|number| *number >= fewest && share(*number))
        .map(|number| number.to_string())
        .collect();
    let would_do = match fitting.is_empty() {
        true if share(1) => {
            "in one they could, in which all groups but one wait: take fewer replicas".to_owned()
        }
        true => format!("no number of them would do: {replicas} does not divide the batch"),
        false => format!("numbers that would do: {}", fitting.join(", ")),
    };
    if !batch.is_multiple_of(number) {
        return Err([format!("a batch of {batch} does not divide into {number} microbatches"), would_do]);
    }
    let Degrees { dp, ep, .. } = degrees;
    let (each, replicas) = (batch / number, format!("{replicas} replicas (dp={dp}, ep={ep})"));
    let examples = if each == 1 { "example" } else { "examples" };
    let problem = format!(
        "{replicas} cannot share {each} {examples}, which is each of {number} microbatches of a batch of {batch}"
    );
    Err([problem, would_do])
}

/// The same for a program on a machine, as options ask for degrees and a number of microbatches; nothing where they do not, or
/// nothing trains on a batch.
///
/// # Errors
/// [`CompileError::Options`]: as of [`must_share`].
pub(crate) fn must_share_as_asked(
    program: &Program,
    machine: &Machine,
    options: &Options,
) -> Result<(), CompileError> {
    let (Some(asked), Some(Microbatches::Number(number @ 2..))) = (options.asked, options.microbatches)
    else {
        return Ok(());
    };
    let (Ok(degrees), Ok(batch)) = (asked.degrees(machine.num_devices()), batch_of(program)) else {
        return Ok(());
    };
    must_share(batch, number, &degrees, asked.groups()).map_err(|[problem, hint]| refused(problem, hint))
}

/// The batch of a training step. Errors: there is none.
fn batch_of(program: &Program) -> Result<usize, CompileError> {
    let function = flattened(program)?.function;
    batch::size(&function, &Roles::new(&function)).ok_or_else(no_batch)
}

/// Whether anything of a plan is sharded.
fn shares(plan: &PlanFile) -> bool {
    let mut sharded = plan.arguments.iter().chain(&plan.results).flat_map(|tensor| &tensor.sharding);
    plan.degrees != Degrees::default() || sharded.any(|dim| !dim.is_empty())
}

/// The numbers of microbatches that a size leaves open, the fewest first; of a batch on so many replicas, if that is said.
fn counts(
    (batch, replicas): (usize, Option<usize>),
    size: usize,
    number: Option<usize>,
    num_devices: usize,
) -> Result<Vec<usize>, CompileError> {
    if !batch.is_multiple_of(size) {
        let each = replicas.filter(|replicas| *replicas > 1 && batch.is_multiple_of(*replicas));
        let divisors: Vec<String> =
            divisors(batch / each.unwrap_or(1)).iter().map(ToString::to_string).collect();
        let problem = format!("microbatches of {size} examples do not make a batch of {batch}");
        let on = each.map_or_else(String::new, |replicas| format!("on {replicas} replicas "));
        return Err(refused(problem, format!("{on}it divides into {}", divisors.join(", "))));
    }
    let in_all = batch / size;
    match number {
        Some(number) if in_all.is_multiple_of(number) => Ok(vec![number]),
        Some(number) => {
            let problem = format!(
                "{number} microbatches of {size} on any number of replicas do not make a batch of {batch}"
            );
            let hint = format!("batch {batch} = size {size} x number x replicas: the last two make {in_all}");
            Err(refused(problem, hint))
        }
        None => {
            let fits = |count: &usize| in_all / count <= num_devices;
            Ok(divisors(in_all).into_iter().filter(fits).collect())
        }
    }
}

fn no_batch() -> CompileError {
    let problem = "`--microbatch-size` is of the batch of a training step, and nothing here trains on one";
    refused(problem.to_owned(), "leave it out, or give a whole training step".to_owned())
}

/// Degrees ask for so many replicas, which no number of microbatches of the size goes with.
fn not_on_replicas(batch: usize, size: usize, replicas: usize) -> CompileError {
    let problem = format!(
        "microbatches of {size} on {replicas} replicas do not make a batch of {batch}, in whatever number: the batch is \
         size x number x replicas"
    );
    let hint = match batch.is_multiple_of(replicas) {
        true => {
            let sizes: Vec<String> = divisors(batch / replicas).iter().map(ToString::to_string).collect();
            format!("on {replicas} replicas sizes that do are {}", sizes.join(", "))
        }
        false => format!("{replicas} replicas do not divide the batch, whatever the size: ask for others"),
    };
    refused(problem, hint)
}

/// No plan that was found shards the batch over as many replicas as it would take, with something for every device to do.
fn other_sizes(
    (batch, size): (usize, usize),
    options: &Options,
    devices: usize,
    found: &[(usize, usize, bool)],
) -> CompileError {
    let words = |(count, replicas, is_shared): &(usize, usize, bool)| {
        let size = (batch / count).div_ceil(*replicas);
        let (of, on) = (if *count == 1 { "" } else { "es" }, if *replicas == 1 { "" } else { "s" });
        let alike =
            if *is_shared { String::new() } else { format!(", with all {devices} devices doing the same") };
        format!("{count} microbatch{of} on {replicas} replica{on}, of {size}{alike}")
    };
    let found: Vec<String> = found.iter().map(words).collect();
    let problem = format!(
        "no plan has microbatches of {size} on a replica: a batch of {batch} = size x number x replicas, and \
         plans have {}",
        found.join("; ")
    );
    let other = match (options.microbatches, &options.plan) {
        (Some(Microbatches::Number(_)), _) => "leave `--microbatches` out",
        (_, Some(_)) => "leave `--plan` out",
        (_, None) => "give the number with `--microbatches`",
    };
    refused(problem, format!("{other}, or give the replicas with `--mesh`"))
}

fn refused(problem: String, hint: String) -> CompileError {
    CompileError::Options(Box::new(Diagnostic::error(MICROBATCH_SIZE, Span::NONE, problem).hint(hint)))
}
