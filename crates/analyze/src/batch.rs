//! The batch of a step: the dims of its data along which it can be cut into microbatches.
//!
//! Input: a function and its roles. Output: the [`TimeAxis`] along the dims that need fewest passes over the batch. Those
//! that [`Roles`] takes for the batch come first; any other class of dims that data has may turn out to be better. A step that
//! takes its batch apart, to accumulate by itself, may be cut along it with examples that stay together. Passes over data
//! alone, which compute next to nothing, do not count ([`counted_passes`]).

use std::collections::BTreeSet;

use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::program::Function;
use meshwright_transform::Made;
use meshwright_transform::statistics::{Local, local};
use meshwright_transform::time::{Seed, TimeAxis, TimeRefusal, divisors};

use crate::dim_classes::Class;
use crate::flow::Marks;
use crate::roles::{PARAMETERS, Role, Roles};

/// The time axis along the batch of a function.
///
/// # Errors
/// It has none; the batch does not divide; a loop needs all of it at once.
pub fn time_axis(function: &Function, roles: &Roles, count: usize) -> Result<TimeAxis, TimeRefusal> {
    let cut = |seeds: &[Seed]| TimeAxis::new(function, seeds, count);
    let passes = |axis: &TimeAxis| counted_passes(axis, &roles.depends);
    fewest_passes(function, roles, &cut, |axis| axis, passes)
}

/// The number of passes over the batch without those that put together what depends on data alone. `depends` are those of the
/// function that is cut.
pub fn counted_passes(axis: &TimeAxis, depends: &Table<ValueId, Marks>) -> usize {
    counted_before(axis, depends, axis.passes - 1) + 1
}

/// The number of passes that count before a pass.
pub fn counted_before(axis: &TimeAxis, depends: &Table<ValueId, Marks>, pass: usize) -> usize {
    let of_parameters = axis.points.iter().filter(|point| depends[point.value] & PARAMETERS != 0);
    let passes: BTreeSet<usize> = of_parameters.map(|point| point.pass).collect();
    passes.range(..pass).count()
}

/// The same of the function in which statistics that depend on parameters are those of one microbatch. Those of data alone,
/// such as the number of tokens that a mask leaves, stay those of the whole batch.
///
/// # Errors
/// As [`time_axis`].
pub fn local_time_axis(
    function: &Function,
    roles: &Roles,
    count: usize,
) -> Result<LocalTimeAxis, TimeRefusal> {
    let may_change = |value: ValueId| roles.depends[value] & PARAMETERS != 0;
    let cut = |seeds: &[Seed]| {
        let exact = TimeAxis::new(function, seeds, count)?;
        let found = (exact.passes > 1).then(|| local(function, &exact, &may_change)).flatten();
        let Some(Local { made, estimates, estimated }) = found else {
            return Ok(LocalTimeAxis { axis: exact, local: None });
        };
        let axis = TimeAxis::with_estimates(&made.function, seeds, count, estimates)?;
        Ok(LocalTimeAxis { axis, local: Some((made, estimated)) })
    };
    let passes = |found: &LocalTimeAxis| found.counted_passes(roles);
    fewest_passes(function, roles, &cut, |found| &found.axis, passes)
}

/// A time axis with statistics of one microbatch.
pub struct LocalTimeAxis {
    /// The axis, of the function that was made if one was.
    pub axis: TimeAxis,
    /// The function with estimates, and the values of the given one that are estimated; none if nothing is.
    pub local: Option<(Made, Vec<ValueId>)>,
}

impl LocalTimeAxis {
    /// The passes that count ([`counted_passes`]), by the roles of the function that was given.
    pub fn counted_passes(&self, roles: &Roles) -> usize {
        match &self.local {
            Some((made, _)) => counted_passes(&self.axis, &roles.depends_in(&made.function)),
            None => counted_passes(&self.axis, &roles.depends),
        }
    }
}

/// What `cut` makes of the dims that are likeliest the batch, or of those that need fewer passes.
fn fewest_passes<T>(
    function: &Function,
    roles: &Roles,
    cut: &dyn Fn(&[Seed]) -> Result<T, TimeRefusal>,
    axis: impl Fn(&T) -> &TimeAxis,
    passes: impl Fn(&T) -> usize,
) -> Result<T, TimeRefusal> {
    let candidates = candidates(function, roles);
    let mut found = candidates.iter().map(|seeds| cut(seeds));
    let likeliest = found.next().unwrap_or(Err(TimeRefusal::NoBatch));
    if likeliest.as_ref().is_ok_and(|found| passes(found) == 1) {
        return likeliest;
    }
    let mut others = found.filter_map(Result::ok).filter(|found| axis(found).whole.is_empty());
    match likeliest {
        Ok(first) => {
            Ok(others.fold(first, |best, other| if passes(&other) < passes(&best) { other } else { best }))
        }
        // Another dim does only if it is as good as a batch can be; so does another way to cut this one.
        Err(refusal) => {
            let apart = candidates.iter().take(1).flat_map(|seeds| in_blocks(function, seeds));
            let mut apart = apart.filter_map(|seeds| cut(&seeds).ok());
            let is_good = |found: &T| axis(found).whole.is_empty() && passes(found) == 1;
            apart.find(is_good).or_else(|| others.find(is_good)).ok_or(refusal)
        }
    }
}

/// The same dims with examples that stay together, as steps have them that take their batch apart.
fn in_blocks(function: &Function, seeds: &[Seed]) -> Vec<Vec<Seed>> {
    let size = |seed: &Seed| function.body.tensor(function.args()[seed.argument]).shape[seed.dim];
    let together = |together: usize| seeds.iter().map(|seed| Seed { together, ..*seed }).collect();
    let sizes = divisors(seeds.iter().map(size).min().unwrap_or(1));
    sizes.into_iter().skip(1).map(together).collect()
}

/// The number of examples in the batch that a function is fed, if it trains on one.
pub fn size(function: &Function, roles: &Roles) -> Option<usize> {
    fed(function, roles).filter(|_| !roles.gradients.is_empty())
}

/// The number of examples in the batch that a function is fed, whether it trains or not.
pub fn fed(function: &Function, roles: &Roles) -> Option<usize> {
    let dim = |seed: &Seed| function.body.tensor(function.args()[seed.argument]).shape[seed.dim];
    let candidates = candidates(function, roles);
    let likeliest = candidates.first()?;
    // Beside a batch of one, the tokens of its only example are no batch.
    let is_of_one = !roles.batch.is_empty()
        && likeliest.iter().all(|seed| roles.sequence.contains(&class_of(function, roles, *seed)));
    if is_of_one { Some(1) } else { likeliest.iter().map(dim).min() }
}

/// The classes of the dims that are likeliest the batch, whether a function trains or not; those of tokens are not.
pub fn likeliest(function: &Function, roles: &Roles) -> BTreeSet<Class> {
    let seeds = candidates(function, roles).into_iter().next();
    let classes = seeds.into_iter().flatten().map(|seed| class_of(function, roles, seed));
    classes.filter(|class| !roles.sequence.contains(class)).collect()
}

/// The dims that may be the batch, class by class; what the roles say comes first.
fn candidates(function: &Function, roles: &Roles) -> Vec<Vec<Seed>> {
    let mut classes: Vec<BTreeSet<Class>> = vec![roles.batch.clone()];
    // No weight has the batch.
    let held: BTreeSet<Class> = dims(function, roles, |role| role != Role::Data)
        .map(|seed| class_of(function, roles, seed))
        .collect();
    for seed in data_dims(function, roles) {
        let class = class_of(function, roles, seed);
        if !held.contains(&class) && classes.iter().all(|known| !known.contains(&class)) {
            classes.push([class].into());
        }
    }
    let seeds = |classes: &BTreeSet<Class>| {
        let mut seeds: Vec<Seed> = data_dims(function, roles)
            .filter(|seed| classes.contains(&class_of(function, roles, *seed)))
            .collect();
        seeds.dedup_by_key(|seed| seed.argument);
        seeds
    };
    classes.iter().map(seeds).filter(|seeds| !seeds.is_empty()).collect()
}

/// The dims of more than one element of all data.
fn data_dims<'a>(function: &'a Function, roles: &'a Roles) -> impl Iterator<Item = Seed> + 'a {
    dims(function, roles, |role| role == Role::Data)
}

/// The dims of more than one element of the arguments of some roles.
fn dims<'a>(
    function: &'a Function,
    roles: &'a Roles,
    is_taken: impl Fn(Role) -> bool + 'a,
) -> impl Iterator<Item = Seed> + 'a {
    let taken = (0..roles.args.len()).filter(move |index| is_taken(roles.args[*index].role));
    taken.flat_map(|argument| {
        let shape = function.body.ty(function.args()[argument]).as_tensor().map_or(&[][..], |ty| &ty.shape);
        let sized = (0..shape.len()).filter(|dim| shape[*dim] > 1).collect::<Vec<_>>();
        sized.into_iter().map(move |dim| Seed { argument, dim, together: 1 })
    })
}

fn class_of(function: &Function, roles: &Roles, seed: Seed) -> Class {
    roles.classes.of(function.args()[seed.argument], seed.dim)
}
