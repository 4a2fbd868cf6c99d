//! The tables `[device.curves.KIND]` and `[levels.curves.KIND]` of a machine file.
//!
//! Input: the tables, and the curves of the `base` if there is one. Output: [`Curves`], or errors at their places. A kind
//! that a file gives takes the place of the base's.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::catalog::nearest;
use crate::curve::{Curve, Curves, KindCurves};
use crate::error::MachineError;
use crate::figures::Check;
use crate::machine::ElementClass;

/// Tables by their kinds.
pub(crate) type Tables<T> = BTreeMap<Spanned<String>, Spanned<T>>;

type Points = Spanned<Vec<Spanned<[f64; 2]>>>;

/// The curves of one kind of kernel.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KernelCurves {
    points: Option<Points>,
    f64: Option<Points>,
    f32: Option<Points>,
    tf32: Option<Points>,
    bf16: Option<Points>,
    fp8: Option<Points>,
    int8: Option<Points>,
}

/// The curve of one kind of collective.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkCurve {
    points: Option<Points>,
}

/// A table of the curves of one kind.
pub(crate) trait CurveTable {
    fn points(&self) -> Option<&Points>;

    fn by_class(&self) -> Vec<(ElementClass, &Points)>;
}

impl CurveTable for KernelCurves {
    fn points(&self) -> Option<&Points> {
        self.points.as_ref()
    }

    fn by_class(&self) -> Vec<(ElementClass, &Points)> {
        let of = |class| match class {
            ElementClass::F64 => &self.f64,
            ElementClass::F32 => &self.f32,
            ElementClass::Tf32 => &self.tf32,
            ElementClass::Bf16 => &self.bf16,
            ElementClass::Fp8 => &self.fp8,
            ElementClass::Int8 => &self.int8,
        };
        ElementClass::ALL.into_iter().filter_map(|class| Some((class, of(class).as_ref()?))).collect()
    }
}

impl CurveTable for LinkCurve {
    fn points(&self) -> Option<&Points> {
        self.points.as_ref()
    }

    fn by_class(&self) -> Vec<(ElementClass, &Points)> {
        Vec::new()
    }
}

/// The curves of a base with those of the tables in their places. `known` are the kinds that there are, if anyone says;
/// `key` is where the tables stand, such as `device.curves`.
pub(crate) fn build<T: CurveTable>(
    tables: Option<&Tables<T>>,
    base: Option<&Curves>,
    known: Option<&[&str]>,
    key: &str,
    check: &mut Check<'_>,
) -> Curves {
    let mut curves = base.cloned().unwrap_or_default();
    for (kind, table) in tables.into_iter().flatten() {
        check_kind(kind, known, key, check);
        let key = format!("{key}.{}", kind.get_ref());
        let points =
            table.get_ref().points().and_then(|points| curve(&format!("{key}.points"), points, check));
        let mut by_class = BTreeMap::new();
        for (class, points) in table.get_ref().by_class() {
            if let Some(curve) = curve(&format!("{key}.{}", class.name()), points, check) {
                by_class.insert(class, curve);
            }
        }
        if table.get_ref().points().is_none() && table.get_ref().by_class().is_empty() {
            let error = MachineError::new(format!("`{key}` has no points"));
            check.error(kind.span(), error.hint(EXAMPLE));
        }
        curves.set(kind.get_ref(), KindCurves { points, by_class });
    }
    curves
}

const EXAMPLE: &str = "give it `points = [[1e6, 0.1], [1e9, 1.0]]`: amounts of work and the share of the rate that each reaches";

/// A kind is a word, and one of those that there are.
fn check_kind(kind: &Spanned<String>, known: Option<&[&str]>, key: &str, check: &mut Check<'_>) {
    let name = kind.get_ref().as_str();
    let is_word = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    let known = match known {
        Some(known) => known,
        None if is_word => return,
        None => &[],
    };
    if known.contains(&name) {
        return;
    }
    let mut error = MachineError::new(format!("`{key}.{name}` is a curve of an unknown kind"));
    if let Some(near) = nearest(name, known.iter().copied()) {
        error = error.hint(format!("did you mean `{near}`?"));
    }
    error = match known {
        [] => error.hint("kinds are written in small letters, digits and `_`"),
        known => error.hint(format!("known are {}", known.join(", "))),
    };
    check.error(kind.span(), error);
}

/// A curve; none where something is wrong with a point.
fn curve(key: &str, points: &Points, check: &mut Check<'_>) -> Option<Curve> {
    if points.get_ref().is_empty() {
        check.error(points.span(), MachineError::new(format!("`{key}` has no points")).hint(EXAMPLE));
        return None;
    }
    let mut before: Option<[f64; 2]> = None;
    let mut is_right = true;
    for point in points.get_ref() {
        let [work, share] = *point.get_ref();
        match wrong_point(key, [work, share], before) {
            None => before = Some([work, share]),
            Some(error) => {
                check.error(point.span(), error);
                is_right = false;
            }
        }
    }
    is_right.then(|| Curve::new(points.get_ref().iter().map(|point| *point.get_ref()).collect()))
}

/// A smaller share is a mistake.
const LEAST_SHARE: f64 = 1e-6;

/// What is wrong with a point behind the last one that is right.
fn wrong_point(key: &str, [work, share]: [f64; 2], before: Option<[f64; 2]>) -> Option<MachineError> {
    if !(work.is_finite() && work > 0.0) {
        let error = MachineError::new(format!("`{key}` has a point at a work of {work}"));
        return Some(error.hint("work is a finite number above 0: operations or bytes"));
    }
    if !(LEAST_SHARE..=1.0).contains(&share) {
        let error = MachineError::new(format!("`{key}` has a share of {share} at a work of {work:e}"));
        return Some(error.hint(format!("a share is at least {LEAST_SHARE:e} and at most 1")));
    }
    let [work_before, share_before] = before?;
    if work <= work_before {
        let error =
            MachineError::new(format!("`{key}` has a point at {work:e} behind one at {work_before:e}"));
        return Some(error.hint("sort the points by their work, each once"));
    }
    // Shares may rise as fast as the work, but for what is rounded.
    if share * work_before > share_before * work * (1.0 + 1e-9) {
        let error = MachineError::new(format!(
            "`{key}` says that a work of {work:e} takes less time than one of {work_before:e}"
        ));
        return Some(error.hint("a share rises by no larger factor than the work between two points"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::CurveKinds;
    use crate::machine::Machine;

    const KINDS: CurveKinds<'_> = CurveKinds { device: &["matmul", "sort"], links: &["all_reduce"] };

    fn machine(rest: &str) -> Result<Machine, Vec<String>> {
        let text = format!("base = \"h100:2x8\"\nname = \"ours\"\n{rest}");
        let texts = |errors: Vec<MachineError>| errors.iter().map(MachineError::to_string).collect();
        Machine::from_toml_knowing(&text, "ours.toml", KINDS).map_err(texts)
    }

    /// The only error of a file with one line of curves.
    fn error(table: &str, line: &str) -> String {
        let mut errors = machine(&format!("[{table}]\n{line}\n")).expect_err("the curve is wrong");
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors.remove(0)
    }

    const CURVES: &str = r#"
[device.curves.matmul]
points = [[1e6, 0.1], [1e9, 1]]
fp8 = [[1e12, 0.75]]
[device.curves.sort]
points = [[4096, 0.25]]
[[levels]]
name = "nvlink"
[levels.curves.all_reduce]
points = [[1e4, 0.01], [1e6, 0.6], [1e8, 1.0]]
"#;

    #[test]
    fn curves_are_read_and_written_and_a_base_is_overridden_kind_by_kind() {
        let ours = machine(CURVES).unwrap();
        let share = |class| ours.device.curves.of("matmul", class).unwrap().share(1e6);
        assert_eq!([share(ElementClass::Bf16), share(ElementClass::Fp8)], [0.1, 0.75]);
        let levels = ours.levels();
        assert_eq!(levels[0].curves.of_kind("all_reduce").unwrap().points().len(), 3);
        assert!(levels[1].curves.is_empty());
        let text = ours.to_toml();
        let again = Machine::from_toml_knowing(&text, "again.toml", KINDS).unwrap();
        assert_eq!((&again, again.to_toml()), (&ours, text));
        let plain = machine("").unwrap();
        assert!(plain.device.curves.is_empty() && !plain.to_toml().contains("curves"));
        let more = CURVES.replace("[device.curves.sort]\npoints = [[4096, 0.25]]\n", "");
        let assumed =
            format!("assumed = [\"device.curves.matmul\", \"levels.nvlink.curves.all_reduce\"]{more}");
        assert_eq!(machine(&assumed).unwrap().assumed.len(), 2);
        let mut base = Curves::default();
        base.set("matmul", KindCurves::default());
        let mut check = Check { file: "", text: "", kinds: None, errors: Vec::new() };
        let none: Option<&Tables<KernelCurves>> = None;
        assert_eq!(build(none, Some(&base), None, "device.curves", &mut check), base);
    }

    #[test]
    fn points_that_make_no_curve_are_pointed_at() {
        let of = |points: &str| error("device.curves.matmul", &format!("points = {points}"));
        assert_eq!(
            of("[[1e9, 0.5], [1e6, 0.6]]"),
            "ours.toml:4:23: `device.curves.matmul.points` has a point at 1e6 behind one at 1e9\n  \
             hint: sort the points by their work, each once"
        );
        assert!(of("[[1e6, 0.5], [1e6, 0.6]]").contains("at 1e6 behind one at 1e6"));
        assert_eq!(
            of("[[1e6, 0.0]]"),
            "ours.toml:4:11: `device.curves.matmul.points` has a share of 0 at a work of 1e6\n  \
             hint: a share is at least 1e-6 and at most 1"
        );
        for share in ["-0.5", "1.5", "nan", "inf", "1e-9"] {
            assert!(of(&format!("[[1e6, {share}]]")).contains("has a share of"), "{share}");
        }
        for work in ["0", "-1e6", "nan", "inf"] {
            let text = of(&format!("[[{work}, 0.5]]"));
            assert!(text.contains("has a point at a work of") && text.contains("above 0"), "{text}");
        }
        assert!(of("[[1e6, 0.01], [1e7, 0.5]]").contains("work of 1e7 takes less time than one of 1e6"));
        assert!(
            of("[]").starts_with("ours.toml:4:10: `device.curves.matmul.points` has no points\n  hint: give")
        );
        assert!(of("[[1e6]]").starts_with("ours.toml:4:11: invalid length"), "{}", of("[[1e6]]"));
        assert!(of("0.5").contains("expected a list"), "{}", of("0.5"));
    }

    #[test]
    fn kinds_and_classes_that_there_are_not_are_named_with_the_nearest() {
        assert_eq!(
            error("device.curves.matmuls", "points = [[1.0, 1.0]]"),
            "ours.toml:3:16: `device.curves.matmuls` is a curve of an unknown kind\n  \
             hint: did you mean `matmul`?\n  hint: known are matmul, sort"
        );
        let text = error("device.curves.matmul", "fp16 = [[1.0, 1.0]]");
        assert!(text.starts_with("ours.toml:4:1: unknown key `fp16`"), "{text}");
        assert!(error("device.curves", "sort = {}").contains("`device.curves.sort` has no points"));
        let level = "[[levels]]\nname = \"nvlink\"\n[levels.curves.matmul]\npoints = [[1.0, 1.0]]\n";
        let text = machine(level).unwrap_err().remove(0);
        assert!(
            text.starts_with("ours.toml:5:16: `levels.nvlink.curves.matmul` is a curve of an unknown"),
            "{text}"
        );
        // Who says nothing of kinds takes any, if they are words.
        let any = |kind: &str| {
            let text = format!("base = \"h100\"\n[device.curves.{kind}]\npoints = [[1.0, 1.0]]\n");
            Machine::from_toml(&text, "any.toml").map(|machine| machine.device.curves.kinds().count())
        };
        assert_eq!(any("of_tomorrow").unwrap(), 1);
        assert!(any("\"a\\nb\"").unwrap_err()[0].to_string().contains("small letters"));
    }
}
