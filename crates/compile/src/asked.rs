//! Where a plan is not what the caller asked for (`--as`), what it is instead and why.
//!
//! Input: the degrees that were asked for and those that the plan was recognized to have. Output: one line, such as
//! `zero=1, amounts to zero=2: gradients are summed straight into the shards of the moments, which sends and keeps less`.

use meshwright_analyze::Roles;
use meshwright_plan::Degrees;

/// Nothing if the plan is as asked.
pub(crate) fn difference(asked: &Degrees, found: &Degrees, roles: &Roles) -> Option<String> {
    let differing: Vec<(&str, usize, usize)> = degrees(asked)
        .into_iter()
        .zip(degrees(found))
        .filter(|((_, asked), (_, found))| asked != found)
        .map(|((name, asked), (_, found))| (name, asked, found))
        .collect();
    let write = |degree: fn(&(&str, usize, usize)) -> usize| {
        differing.iter().map(|other| format!("{}={}", other.0, degree(other))).collect::<Vec<_>>().join(",")
    };
    let mut reasons: Vec<&str> =
        differing.iter().map(|differing| because(*differing, asked, found, roles)).collect();
    reasons.dedup();
    (!differing.is_empty()).then(|| {
        format!(
            "{}, amounts to {}: {}",
            write(|(_, asked, _)| *asked),
            write(|(.., found)| *found),
            reasons.join("; ")
        )
    })
}

/// All degrees with their names.
fn degrees(degrees: &Degrees) -> [(&'static str, usize); 7] {
    let Degrees { dp, fsdp, tp, sp, cp, ep, zero } = *degrees;
    [("dp", dp), ("fsdp", fsdp), ("tp", tp), ("sp", sp), ("cp", cp), ("ep", ep), ("zero", zero)]
}

/// Why a degree is another than was asked for.
fn because(
    (name, asked, found): (&str, usize, usize),
    of_asked: &Degrees,
    of_found: &Degrees,
    roles: &Roles,
) -> &'static str {
    match (name, asked, found) {
        ("zero", 1, 2) => {
            "gradients are summed straight into the shards of the moments, which sends and keeps less"
        }
        ("zero", 1.., 0) if of_asked.dp * of_asked.ep > 1 && roles.moments().next().is_none() => {
            "the step keeps no moments that could be sharded"
        }
        ("zero", 2, 1) => "gradients are needed whole before they are applied",
        ("zero", ..) if of_asked.dp == 1 && of_asked.ep == 1 => {
            "no data axis has more than 1 device, and ZeRO shards state over those of the batch"
        }
        ("zero" | "fsdp", ..) if found < asked => "less than nine tenths of the state have dims that divide",
        ("zero" | "fsdp", ..) => "what is asked for shards nearly all of the state too",
        _ if of_found.tp < of_asked.tp || (name == "sp" && found < asked) => {
            "weights are smaller than activations here, so that products gather them and shard tokens or examples instead"
        }
        _ => {
            "an axis is named for what it shards in most of the work, and dims that do not divide stay whole"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;

    #[test]
    fn what_differs_is_said_and_why() {
        let text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }";
        let program = meshwright_ir::text::read(&Source::new("program.mlir", text)).unwrap();
        let roles = Roles::new(program.main().unwrap());
        let asked = Degrees { dp: 8, zero: 1, ..Degrees::default() };
        assert_eq!(difference(&asked, &asked, &roles), None);
        let line = difference(&asked, &Degrees { zero: 2, ..asked }, &roles).unwrap();
        assert!(line.starts_with("zero=1, amounts to zero=2: gradients are summed straight"), "{line}");
        let asked_sp = Degrees { dp: 2, tp: 4, sp: 4, ..Degrees::default() };
        let line = difference(&asked_sp, &Degrees { sp: 1, ..asked_sp }, &roles).unwrap();
        assert!(line.starts_with("sp=4, amounts to sp=1: weights are smaller than activations"), "{line}");
        let line = difference(&asked, &Degrees { dp: 4, tp: 2, zero: 0, ..asked }, &roles).unwrap();
        assert!(
            line.starts_with("dp=8,tp=1,zero=1, amounts to dp=4,tp=2,zero=0: an axis is named"),
            "{line}"
        );
        assert!(line.ends_with("; the step keeps no moments that could be sharded"), "{line}");
        let alone = Degrees { tp: 8, zero: 3, ..Degrees::default() };
        let line = difference(&alone, &Degrees { zero: 0, ..alone }, &roles).unwrap();
        assert!(line.starts_with("zero=3, amounts to zero=0: no data axis has more than 1 device"), "{line}");
    }
}
