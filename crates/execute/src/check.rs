//! Whether the programs of all devices compute what the undistributed program computes.
//!
//! Input: both programs and global inputs. Both run in the same precision on the same inputs; every output is
//! compared. Errors are relative to the output's largest magnitude: an element near zero is the difference of larger
//! ones, and rounding leaves an error of their size. A result that replaces an argument (a new parameter, a new moment) is
//! also judged by what the step changes of it, or by what it adds to it where that can be told (`added_parts`): an error as
//! large as the change would be small beside a parameter, and one as large as a gradient beside a moment ([`Change`]). An output that is nothing but rounding, such as a gradient that is zero in exact numbers, is judged by the
//! size of what was summed, which shows in how far the undistributed program in another precision is from itself. What
//! still differs then is computed in f64 by both: rounding in another order, made large by what follows, goes away there.
//! NaN or infinity where the undistributed program has a number is never rounding.

use meshwright_analyze::Roles;
use meshwright_ir::control::Control;
use meshwright_ir::program::{Function, Program};
use meshwright_plan::DevicePrograms;
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{Difference, NonFinite, Precision, Tensor, compare};

use crate::added_parts::AddedParts;
use crate::interpreter::run_single_device;
use crate::kernel_stubs::{unknown_kernels, with_stubs};
use crate::programs::run_programs;
use crate::run_error::RunError;
use crate::shards::{Assembled, Copies};

/// Options of a check: how to run and what to accept.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckOptions {
    /// How floats are kept, in both runs.
    pub precision: Precision,
    /// Largest accepted error, relative to the output's largest magnitude; of a result that replaces an argument, relative
    /// to the largest change, or what is added, too.
    pub tolerance: f64,
    /// Largest accepted difference between copies of one shard, relative to the shard's largest magnitude.
    pub copies_tolerance: f64,
    /// Whether an output that differs by rounding alone ([`Verdict::Rounding`], [`Verdict::AgreesWide`]) is told from one
    /// that is wrong, for which both programs may run in f64 too. Whoever gives a tolerance of their own wants that one.
    pub tells_rounding: bool,
    /// What to do with an output that is NaN or infinite somewhere in the undistributed run.
    pub nonfinite: NonFinite,
    /// For each result the argument that it replaces ([`replaced`]); if empty, none does.
    pub replaced: Vec<Option<usize>>,
}

/// For each result of a function (with calls inlined, verified) the argument that it replaces, by roles.
pub fn replaced(function: &Function) -> Vec<Option<usize>> {
    let mut replaced = vec![None; function.result_types.len()];
    for (index, argument) in Roles::new(function).args.iter().enumerate() {
        if let Some(of_result) = argument.result.and_then(|result| replaced.get_mut(result)) {
            *of_result = Some(index);
        }
    }
    replaced
}

/// What is usual in f64.
const WIDE_TOLERANCE: f64 = 1e-9;

impl CheckOptions {
    /// Usual options for a precision: in f64, 1e-9; in f32, 1e-4; as declared, 1e-4, or eight roundings of the program's coarsest
    /// floats if those are coarser (0.03 for `bf16`, 0.004 for `f16`). Copies must be equal.
    pub fn new(precision: Precision, program: &Program) -> Self {
        let tolerance = match precision {
            Precision::Declared => {
                coarsest_rounding(program).map_or(1e-4, |rounding| (8.0 * rounding).max(1e-4))
            }
            Precision::Single => 1e-4,
            Precision::Wide => WIDE_TOLERANCE,
        };
        Self {
            precision,
            tolerance,
            copies_tolerance: 0.0,
            tells_rounding: true,
            nonfinite: NonFinite::NotCompared,
            replaced: Vec::new(),
        }
    }
}

/// The largest relative rounding error of a float type that the program uses.
fn coarsest_rounding(program: &Program) -> Option<f64> {
    let values = program.functions.iter().flat_map(|function| function.body.values.values());
    let digits = values.filter_map(|value| value.ty.as_tensor()?.element.mantissa_bits());
    digits.min().map(|digits| 0.5f64.powi(digits as i32 + 1))
}

/// Comparison of one output.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputCheck {
    /// Its global type.
    pub ty: TensorType,
    /// How far it is from the undistributed program's.
    pub difference: Difference,
    /// What the step changes, if the output replaces an argument.
    pub change: Option<Change>,
    /// How far copies of it on different devices are apart.
    pub copies: Copies,
    /// The answer.
    pub verdict: Verdict,
}

/// Change of an argument in a step, and how far a result is off beside that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Number of the argument that the result replaces.
    pub argument: usize,
    /// Largest magnitude of what the step adds to the argument, or times a factor of it: of `(1 - b) * g` in
    /// `b * m + (1 - b) * g`. Where that cannot be told, of the difference between the undistributed program's result and
    /// the argument.
    pub largest: f64,
    /// The result's largest error relative to that; what rounding leaves where numbers of the argument's size are summed is
    /// not counted. Infinite if nothing was to change.
    pub max_rel: f64,
    /// Rounding hides an error of one percent of it.
    pub is_hidden: bool,
}

impl Change {
    /// Of a result that replaces an argument, to which as much is `added`, if that is known; none where they have different
    /// shapes, or the change is not finite.
    ///
    /// Errors: elements that cannot be compared.
    fn of(
        (argument, old): (usize, &Tensor),
        (expected, added): (&Tensor, Option<f64>),
        difference: &Difference,
        precision: Precision,
    ) -> Result<Option<Self>, RunError> {
        if old.shape() != expected.shape() {
            return Ok(None);
        }
        let change = compare(expected, old, NonFinite::ByPosition)?;
        if !change.max_abs.is_finite() || change.num_nonfinite_mismatches > 0 {
            return Ok(None);
        }
        let magnitude = difference.scale.max(change.scale);
        let left = ROUNDINGS * rounding(precision, expected.ty().element) * magnitude;
        let error = (difference.max_abs - left).max(0.0);
        let largest = added.unwrap_or(change.max_abs);
        let max_rel = if error == 0.0 { 0.0 } else { error / largest };
        let is_hidden = largest > 0.0 && left > ONE_PERCENT * largest;
        Ok(Some(Self { argument, largest, max_rel, is_hidden }))
    }
}

/// The share of a change that a check has to see.
const ONE_PERCENT: f64 = 0.01;

/// Roundings of the largest magnitude that are no error of a change: a new parameter is rounded when the change is added.
const ROUNDINGS: f64 = 64.0;

/// Distance of one from the next larger number of a type, as a precision keeps it; nothing of numbers that are not rounded.
fn rounding(precision: Precision, element: ElementType) -> f64 {
    let kept = match precision {
        Precision::Declared => element.part(),
        Precision::Single => ElementType::F32,
        Precision::Wide => ElementType::F64,
    };
    let digits = kept.mantissa_bits().filter(|_| element.part().mantissa_bits().is_some());
    digits.map_or(0.0, |digits| 0.5f64.powi(digits as i32))
}

/// The answer for one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Within the tolerance.
    Agrees,
    /// Not within the tolerance, but rounding alone puts the undistributed program as far from itself.
    Rounding,
    /// Not within the tolerance, but within that of f64 where both programs compute in f64.
    AgreesWide,
    /// Not within the tolerance.
    Differs,
    /// The undistributed program computes NaN or infinity, so nothing is known of the output.
    NotCompared,
    /// Devices hold different copies of one shard.
    CopiesDiffer,
}

impl Verdict {
    /// Returns whether the output passes.
    pub fn passes(self) -> bool {
        matches!(self, Self::Agrees | Self::Rounding | Self::AgreesWide)
    }

    /// As people read it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Rounding => "agrees but for rounding",
            Self::AgreesWide => "agrees in f64: the difference is rounding",
            Self::Differs => "differs",
            Self::NotCompared => "not compared: NaN or infinity in the undistributed run",
            Self::CopiesDiffer => "copies on different devices differ",
        }
    }
}

/// Runs both programs and compares every output. Calls of kernels without a reference give constants in both
/// ([`unknown_kernels`] lists them).
///
/// Errors: either program cannot be run on these inputs.
pub fn check(
    whole: &Program,
    sharded: &DevicePrograms,
    inputs: &[Tensor],
    options: &CheckOptions,
    control: &dyn Control,
) -> Result<Vec<OutputCheck>, RunError> {
    let unknown = unknown_kernels(whole);
    if !unknown.is_empty() {
        let mut sharded = sharded.clone();
        for program in sharded.programs.values_mut() {
            program.device.program = with_stubs(&program.device.program, &unknown);
        }
        return compare_runs(&with_stubs(whole, &unknown), &sharded, inputs, options, control);
    }
    compare_runs(whole, sharded, inputs, options, control)
}

/// Differences of the outputs of a program from those of another one, both undistributed and on the same inputs.
///
/// Errors: either cannot be run on these inputs.
pub fn compare_whole(
    actual: &Program,
    expected: &Program,
    inputs: &[Tensor],
    precision: Precision,
    control: &dyn Control,
) -> Result<Vec<Difference>, RunError> {
    let run = |program: &Program| {
        let program = with_stubs(program, &unknown_kernels(program));
        let main = program.main().ok_or_else(|| RunError::inputs("the program has no function `@main`"))?;
        let outputs = run_single_device(&program, &main.name, inputs.to_vec(), precision, control)?;
        Ok::<_, RunError>(outputs)
    };
    let (actual, expected) = (run(actual)?, run(expected)?);
    let pairs = actual.iter().zip(&expected);
    pairs.map(|(actual, expected)| Ok(compare(actual, expected, NonFinite::NotCompared)?)).collect()
}

fn compare_runs(
    whole: &Program,
    sharded: &DevicePrograms,
    inputs: &[Tensor],
    options: &CheckOptions,
    control: &dyn Control,
) -> Result<Vec<OutputCheck>, RunError> {
    let main = whole.main().ok_or_else(|| RunError::inputs("the program has no function `@main`"))?;
    let parts = AddedParts::of(whole, &options.replaced);
    let measured = parts.as_ref().map_or(whole, |parts| &parts.program);
    let mut expected = run_single_device(measured, &main.name, inputs.to_vec(), options.precision, control)?;
    let added = parts.map(|parts| parts.taken_from(&mut expected)).unwrap_or_default();
    let actual = run_programs(sharded, inputs, options.precision, control)?;
    let mut outputs = compare_measured(&actual, &expected, &added, inputs, options)?;
    let run = |precision| run_single_device(whole, &main.name, inputs.to_vec(), precision, control);
    if options.tells_rounding && outputs.iter().any(|output| output.verdict == Verdict::Differs) {
        let other = run(match options.precision {
            Precision::Declared => Precision::Wide,
            Precision::Single | Precision::Wide => Precision::Single,
        })?;
        for (index, output) in outputs.iter_mut().enumerate() {
            let is_rounding =
                is_rounding(&actual[index], (&expected[index], &other[index]), output, options)?;
            if output.verdict == Verdict::Differs && is_rounding {
                output.verdict = Verdict::Rounding;
            }
        }
        let differs = outputs.iter().any(|output| output.verdict == Verdict::Differs);
        if differs && options.precision == Precision::Declared {
            let wide = run_programs(sharded, inputs, Precision::Wide, control)?;
            let single = run(Precision::Single)?;
            tell_wide(&mut outputs, &wide, (&other, &single, &added), inputs, options)?;
        }
    }
    Ok(outputs)
}

/// Has outputs that differ pass if they agree in f64: `wide` of the device program, `whole` of the undistributed one in
/// f64 and in f32, with what it adds to what is replaced.
fn tell_wide(
    outputs: &mut [OutputCheck],
    wide: &[Assembled],
    (whole, single, added): (&[Tensor], &[Tensor], &[Option<f64>]),
    inputs: &[Tensor],
    options: &CheckOptions,
) -> Result<(), RunError> {
    let options = CheckOptions { precision: Precision::Wide, tolerance: WIDE_TOLERANCE, ..options.clone() };
    let found = compare_measured(wide, whole, added, inputs, &options)?;
    for (index, (output, found)) in outputs.iter_mut().zip(&found).enumerate() {
        let agrees = found.verdict == Verdict::Agrees
            || is_rounding(&wide[index], (&whole[index], &single[index]), found, &options)?;
        let is_number = output.difference.num_nonfinite_mismatches == 0;
        if output.verdict == Verdict::Differs && agrees && is_number {
            output.verdict = Verdict::AgreesWide;
        }
    }
    Ok(())
}

/// How much further from exact numbers than the undistributed program an output may be that is nothing but rounding.
const AS_EXACT: f64 = 4.0;

/// What may be left in f64 of an error that f32 has: rounding is 5e8 times finer.
const LEFT_IN_WIDE: f64 = 1e-6;

/// Whether an output that differs does so by rounding alone: as declared, it is about as far from f64 as the
/// undistributed program is; in f64, the error is next to nothing beside what f32 loses.
fn is_rounding(
    actual: &Assembled,
    (expected, other): (&Tensor, &Tensor),
    output: &OutputCheck,
    options: &CheckOptions,
) -> Result<bool, RunError> {
    let own = compare(expected, other, options.nonfinite)?;
    let (own_error, is_finite) = (own.max_abs, own.num_nonfinite + output.difference.num_nonfinite == 0);
    let is_small = match options.precision {
        Precision::Declared => {
            compare(&actual.tensor, other, options.nonfinite)?.max_abs <= AS_EXACT * own_error
        }
        Precision::Single | Precision::Wide => output.difference.max_abs <= LEFT_IN_WIDE * own_error,
    };
    Ok(is_small && own_error.is_finite() && is_finite && output.copies.agree(options.copies_tolerance))
}

/// Compares outputs that were computed before.
pub fn compare_outputs(
    actual: &[Assembled],
    expected: &[Tensor],
    inputs: &[Tensor],
    options: &CheckOptions,
) -> Result<Vec<OutputCheck>, RunError> {
    compare_measured(actual, expected, &[], inputs, options)
}

/// The same where it is known how large the parts are that are added to what is replaced.
fn compare_measured(
    actual: &[Assembled],
    expected: &[Tensor],
    added: &[Option<f64>],
    inputs: &[Tensor],
    options: &CheckOptions,
) -> Result<Vec<OutputCheck>, RunError> {
    if actual.len() != expected.len() {
        let message = format!("{} outputs were computed instead of {}", actual.len(), expected.len());
        return Err(RunError::inputs(message));
    }
    // Members of tuples are results of their own, of which the function knows nothing.
    let replaced = Some(&options.replaced).filter(|replaced| replaced.len() == expected.len());
    let compare_one = |(index, (actual, expected)): (usize, (&Assembled, &Tensor))| {
        let difference = compare(&actual.tensor, expected, options.nonfinite)?;
        let argument = replaced.and_then(|replaced| replaced[index]);
        let change = match argument.and_then(|argument| Some((argument, inputs.get(argument)?))) {
            Some(old) => {
                let added = added.get(index).copied().flatten();
                Change::of(old, (expected, added), &difference, options.precision)?
            }
            None => None,
        };
        let verdict = verdict(&difference, change, &actual.copies, options);
        Ok(OutputCheck { ty: expected.ty(), difference, change, copies: actual.copies, verdict })
    };
    actual.iter().zip(expected).enumerate().map(compare_one).collect()
}

fn verdict(
    difference: &Difference,
    change: Option<Change>,
    copies: &Copies,
    options: &CheckOptions,
) -> Verdict {
    if difference.num_nonfinite > 0 && options.nonfinite == NonFinite::NotCompared {
        Verdict::NotCompared
    } else if !difference.within(options.tolerance)
        || change.is_some_and(|change| change.max_rel > options.tolerance)
    {
        Verdict::Differs
    } else if !copies.agree(options.copies_tolerance) {
        Verdict::CopiesDiffer
    } else {
        Verdict::Agrees
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict_of(actual: &[f32], expected: &[f32], copies: Copies, nonfinite: NonFinite) -> Verdict {
        let tensor = |values: &[f32]| Tensor::from_vec(ElementType::F32, [values.len()], values.to_vec());
        let options =
            CheckOptions { nonfinite, ..CheckOptions::new(Precision::Declared, &Program::default()) };
        let assembled = Assembled { tensor: tensor(actual), copies };
        compare_outputs(&[assembled], &[tensor(expected)], &[], &options).unwrap()[0].verdict
    }

    #[test]
    fn verdicts() {
        use NonFinite::{ByPosition, NotCompared};
        let same = Copies::default();
        let apart = Copies { max_abs: 1.0, max_rel: 1e-12, devices: Some((0, 1)) };
        assert_eq!(verdict_of(&[1.0, 100.0], &[1.001, 100.0], same, NotCompared), Verdict::Agrees);
        assert_eq!(verdict_of(&[1.0, 100.0], &[1.1, 100.0], same, NotCompared), Verdict::Differs);
        assert_eq!(verdict_of(&[1.0], &[1.0], apart, NotCompared), Verdict::CopiesDiffer);
        let infinite = [f32::INFINITY, 1.0];
        assert_eq!(verdict_of(&infinite, &infinite, same, NotCompared), Verdict::NotCompared);
        assert_eq!(verdict_of(&infinite, &infinite, same, ByPosition), Verdict::Agrees);
        assert_eq!(verdict_of(&[1.0, 1.0], &infinite, same, ByPosition), Verdict::Differs);
        assert_eq!(verdict_of(&infinite, &[1.0, 1.0], same, NotCompared), Verdict::Differs);
    }

    #[test]
    fn what_replaces_an_argument_is_judged_by_its_change() {
        let tensor = |values: &[f64]| Tensor::from_vec(ElementType::F64, [values.len()], values.to_vec());
        let checked = |actual: &[f64], expected: &[f64], old: &[f64], replaced: Vec<Option<usize>>| {
            let options =
                CheckOptions { replaced, ..CheckOptions::new(Precision::Wide, &Program::default()) };
            let assembled = Assembled { tensor: tensor(actual), copies: Copies::default() };
            let outputs = compare_outputs(&[assembled], &[tensor(expected)], &[tensor(old)], &options);
            let output = outputs.unwrap().remove(0);
            (output.verdict, output.change)
        };
        // Ten times the change is added: next to nothing beside the parameter.
        let (old, new, wrong) = ([1.0, 2.0], [1.0 - 1e-11, 2.0], [1.0 - 1e-10, 2.0]);
        assert_eq!(checked(&wrong, &new, &old, Vec::new()), (Verdict::Agrees, None));
        let (verdict, change) = checked(&wrong, &new, &old, vec![Some(0)]);
        let change = change.unwrap();
        assert_eq!((verdict, change.argument), (Verdict::Differs, 0));
        assert!((change.largest - 1e-11).abs() < 1e-15 && (change.max_rel - 9.0).abs() < 0.1);
        // What rounding leaves of numbers of the parameter's size is none.
        let rounded = [1.0 - 1e-11 + 2e-15, 2.0];
        assert_eq!(checked(&rounded, &new, &old, vec![Some(0)]).0, Verdict::Agrees);
        // What does not change has to stay.
        assert_eq!(checked(&old, &old, &old, vec![Some(0)]).0, Verdict::Agrees);
        assert_eq!(checked(&wrong, &old, &old, vec![Some(0)]).0, Verdict::Differs);
        // From infinity no change is known.
        let (verdict, change) = checked(&new, &new, &[f64::INFINITY, 2.0], vec![Some(0)]);
        assert_eq!((verdict, change), (Verdict::Agrees, None));
    }

    #[test]
    fn what_is_nothing_but_rounding_is_told_from_what_is_wrong() {
        let is_rounding = |precision, actual: f64, expected: f64, other: f64| {
            let tensor = |value: f64| Tensor::from_vec(ElementType::F64, [1], vec![value]);
            let options = CheckOptions::new(precision, &Program::default());
            let assembled = Assembled { tensor: tensor(actual), copies: Copies::default() };
            let outputs =
                compare_outputs(std::slice::from_ref(&assembled), &[tensor(expected)], &[], &options);
            let output = &outputs.unwrap()[0];
            assert_eq!(output.verdict, Verdict::Differs);
            super::is_rounding(&assembled, (&tensor(expected), &tensor(other)), output, &options).unwrap()
        };
        // Zero in exact numbers: as declared both are some rounding, in f64 less of it.
        assert!(is_rounding(Precision::Declared, -2e-9, 1e-9, 1e-18));
        assert!(is_rounding(Precision::Wide, -2e-18, 1e-18, 1e-9));
        // Something else is wrong.
        assert!(!is_rounding(Precision::Declared, 1e-6, 1e-9, 1e-18));
        assert!(!is_rounding(Precision::Wide, 1e-12, 1e-18, 1e-9));
        assert!(!is_rounding(Precision::Declared, 2.0, 1.0, 1.0 + 1e-8));
        assert!(!is_rounding(Precision::Wide, 2.0, 1.0, 1.0 + 1e-8));
        assert!(!is_rounding(Precision::Declared, 2.0, 1.0, 1.0));
        assert!(!is_rounding(Precision::Declared, 2.0, 1.0, f64::NAN));
    }
}
