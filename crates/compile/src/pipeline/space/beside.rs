//! Why a plan has neither fewer nor more groups.
//!
//! Input: a plan's number of groups and what it takes, and all that it was weighed against. Output: a sentence of the next
//! fewer and the next more groups: what they take, what they take at least, or that they do not fit.

use meshwright_machine::{Bytes, Seconds};

use super::{Weighed, WeighedFate};

/// A sentence of the next fewer and the next more groups that were weighed; none if there are neither. A device has `limit`
/// bytes.
pub(crate) fn why_so_many(groups: usize, step: Seconds, weighed: &[Weighed], limit: Bytes) -> Option<String> {
    let numbers = || weighed.iter().map(|own| own.groups);
    let fewer = numbers().filter(|own| *own < groups).max();
    let more = numbers().filter(|own| *own > groups).min();
    let of = |count: usize| {
        let own: Vec<&Weighed> = weighed.iter().filter(|own| own.groups == count).collect();
        format!("{count} {}", clause(&own, step, limit))
    };
    match (fewer.map(of), more.map(of)) {
        (Some(fewer), Some(more)) => {
            Some(format!("it has neither fewer groups ({fewer}) nor more of them ({more})"))
        }
        (Some(fewer), None) => Some(format!("it has no fewer groups: {fewer}")),
        (None, Some(more)) => Some(format!("it has no more groups: {more}")),
        (None, None) => None,
    }
}

/// What became of a number of groups, with all its microbatches, beside what takes `step`.
fn clause(all: &[&Weighed], step: Seconds, limit: Bytes) -> String {
    let priced = all.iter().filter_map(|own| match own.fate {
        WeighedFate::Priced(seconds, _) => Some((seconds, own.microbatches)),
        _ => None,
    });
    let passed =
        all.iter().filter(|own| own.fate == WeighedFate::Passed).map(|own| own.bound.0).reduce(f64::min);
    if let Some((seconds, microbatches)) = priced.min_by(|one, other| one.0.0.total_cmp(&other.0.0)) {
        let more = 100.0 * (seconds.0 / step.0 - 1.0);
        let parts =
            if microbatches == 1 { String::new() } else { format!(" in {microbatches} microbatches") };
        return match more {
            more if more >= 0.05 => {
                let others = passed.filter(|bound| *bound < step.0).map(Seconds);
                let others =
                    others.map(|bound| format!(", and others, which were not looked at, at least {bound}"));
                format!("would take {seconds}{parts}, {more:.1} % more{}", others.unwrap_or_default())
            }
            // What was made may take longer than it was planned to.
            more if more <= -0.05 => format!("were planned to take {seconds}{parts}, {:.1} % less", -more),
            _ => format!("would take as long{parts}"),
        };
    }
    let bound_of = |is: &dyn Fn(&WeighedFate) -> bool| {
        all.iter().filter(|own| is(&own.fate)).map(|own| own.bound.0).reduce(f64::min)
    };
    let weighed = bound_of(&|fate| matches!(fate, WeighedFate::Left | WeighedFate::Beaten));
    if let Some(bound) = weighed.into_iter().chain(passed).reduce(f64::min) {
        let least = format!("would take at least {}", Seconds(bound));
        // Of what was not looked at nothing is known but its bound.
        let is_open = passed.is_some_and(|passed| passed < step.0);
        return match (is_open, weighed) {
            _ if bound >= step.0 => least,
            (false, _) => format!("would take no less, and at least {}", Seconds(bound)),
            (true, None) => format!("were not looked at, and {least}"),
            (true, Some(_)) => format!("were not all looked at, and {least}"),
        };
    }
    let needed = all.iter().filter_map(|own| match own.fate {
        WeighedFate::DoesNotFit(needed) => Some(needed),
        _ => None,
    });
    match (needed.clone().flatten().min(), needed.count()) {
        (Some(needed), _) => format!("do not fit: a device would need {needed}, and has {limit}"),
        (None, 0) => "cannot be had of this step".to_owned(),
        // Of some it is known only that others like them do not.
        (None, _) => format!("do not seem to fit into the {limit} of a device"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::PartsOf;

    fn weighed(groups: usize, bound: f64, fate: WeighedFate) -> Weighed {
        Weighed { groups, microbatches: 8, parts_of: PartsOf::Batch, bound: Seconds(bound), fate }
    }

    #[test]
    fn the_next_numbers_are_told_by_the_best_of_each() {
        let all = [
            weighed(1, 0.0, WeighedFate::Impossible),
            weighed(2, 1.0, WeighedFate::Priced(Seconds(2.5), Some("1f1b"))),
            weighed(2, 1.0, WeighedFate::Priced(Seconds(2.2), Some("zb-h1"))),
            weighed(4, 1.0, WeighedFate::Priced(Seconds(2.0), Some("zb-h1"))),
            weighed(8, 2.5, WeighedFate::Left),
            weighed(8, 3.5, WeighedFate::DoesNotFit(None)),
            weighed(16, 0.0, WeighedFate::DoesNotFit(Some(Bytes(2048)))),
        ];
        let why = |groups: usize| why_so_many(groups, Seconds(2.0), &all, Bytes(1024));
        let of_four = "it has neither fewer groups (2 would take 2.2 s in 8 microbatches, 10.0 % more) nor more of them \
                       (8 would take at least 2.5 s)";
        assert_eq!(why(4).as_deref(), Some(of_four));
        let of_eight = "it has neither fewer groups (4 would take as long in 8 microbatches) nor more of them (16 do not fit: \
                        a device would need 2.0 KiB, and has 1.0 KiB)";
        assert_eq!(why(8).as_deref(), Some(of_eight));
        assert_eq!(why_so_many(2, Seconds(1.0), &all[1..3], Bytes(0)), None);
        let open = [weighed(8, 1.5, WeighedFate::Beaten), weighed(8, 1.2, WeighedFate::Passed)];
        let why = |rows: &[Weighed]| why_so_many(4, Seconds(2.0), rows, Bytes(1024)).unwrap();
        assert!(why(&open[..1]).ends_with("8 would take no less, and at least 1.5 s"));
        assert!(why(&open[1..]).ends_with("8 were not looked at, and would take at least 1.2 s"));
        assert!(why(&open).ends_with("8 were not all looked at, and would take at least 1.2 s"));
        let faster = [weighed(8, 1.0, WeighedFate::Priced(Seconds(1.8), None))];
        assert!(why(&faster).ends_with("8 were planned to take 1.8 s in 8 microbatches, 10.0 % less"));
        let slower = [weighed(8, 1.0, WeighedFate::Priced(Seconds(2.2), None)), open[1].clone()];
        let of_others = "8 would take 2.2 s in 8 microbatches, 10.0 % more, and others, which were not looked at, at least 1.2 s";
        assert!(why(&slower).ends_with(of_others));
        let of_two = "it has no fewer groups: 1 cannot be had of this step";
        assert_eq!(why_so_many(2, Seconds(1.0), &all[..3], Bytes(0)).as_deref(), Some(of_two));
    }
}
