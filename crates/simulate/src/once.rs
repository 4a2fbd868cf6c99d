//! What groups hand to one another once in a step: gradients in front of an update, and behind it what was updated.
//!
//! Input: a table with updates, and [`Shared`](crate::Shared) of its stages. Output: an [`Once`] for each group that reads what
//! another one updates.

use crate::Costs;
use meshwright_plan::{Phase, Table};
use std::collections::BTreeMap;

/// Something that is handed on once in a step.
pub(crate) struct Once {
    /// The event behind which it is.
    pub(crate) behind: usize,
    /// The event that waits for it; the next step does, if there is none.
    pub(crate) reader: Option<usize>,
    /// The groups from which and to which it goes.
    pub(crate) groups: (usize, usize),
    pub(crate) seconds: f64,
    /// Its name among what links carry.
    pub(crate) name: &'static str,
}

/// All that a table hands on so, in order of stages.
pub(crate) fn all(table: &Table<'_>, costs: &Costs) -> Vec<Once> {
    let homes = table.homes();
    // The last gradients of parameters of each stage in each row, and the first and the last update of each stage at home.
    let mut gradients: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut updates: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (group, row) in table.rows.iter().enumerate() {
        for at in row {
            let Some(program) = table.action(*at).map(|action| action.program) else { continue };
            if program.phase.is_of_update() && homes[program.stage] == group {
                updates.entry(program.stage).or_insert((*at, *at)).1 = *at;
            } else if matches!(program.phase, Phase::WeightGradient | Phase::Backward) {
                gradients.insert((program.stage, group), *at);
            }
        }
    }
    let mut all = Vec::new();
    for shared in &costs.shared {
        let Some((first, last)) = updates.get(&shared.home).copied() else { continue };
        let home = homes[shared.home];
        let readers = gradients.range((shared.reader, 0)..(shared.reader + 1, 0));
        for ((_, group), made) in readers.filter(|((_, group), _)| *group != home) {
            if shared.gradients > 0.0 {
                all.push(Once {
                    behind: *made,
                    reader: Some(first),
                    groups: (*group, home),
                    seconds: shared.gradients,
                    name: "gradients",
                });
            }
            if shared.state > 0.0 {
                all.push(Once {
                    behind: last,
                    reader: None,
                    groups: (home, *group),
                    seconds: shared.state,
                    name: "state",
                });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::{Costs, Shared, simulate, waterfall};
    use meshwright_plan::{Schedule, Table, Timeline};

    fn timeline(text: &str, shared: Shared) -> Timeline {
        let schedule = Schedule::from_text(text).unwrap();
        let mut costs = Costs::uniform(2, [1.0; 3], 0.0);
        costs.stages.iter_mut().for_each(|stage| stage.update = 1.0);
        costs.shared = vec![shared];
        simulate(&Table::of(&schedule).unwrap(), &costs)
    }

    #[test]
    fn gradients_and_state_of_a_tied_parameter_take_their_time() {
        let text = "0F0 0F1 0B0 0B1 0U0\n1F0 1B0 1F1 1B1 1U0";
        let alone = timeline(text, Shared::default());
        assert_eq!(alone.makespan(), 10.0);
        // The last gradients of stage 1 are there after 7 seconds, those of stage 0 after 9.
        let hidden = timeline(text, Shared { reader: 1, home: 0, gradients: 2.0, state: 0.0 });
        assert_eq!((hidden.makespan(), hidden.groups[0][4].exposed), (10.0, 0.0));
        let tied = timeline(text, Shared { reader: 1, home: 0, gradients: 3.5, state: 2.0 });
        assert_eq!((tied.groups[0][4].start, tied.groups[0][4].exposed), (10.5, 1.5));
        // The second group waits for what the first one has updated.
        assert_eq!((tied.makespan(), tied.ready.clone()), (13.5, vec![11.5, 13.5]));
        assert_eq!(tied.waits_for_state(1), 13.5 - tied.groups[1][4].end);
        let sum: f64 = waterfall(&tied).iter().map(|part| part.seconds).sum();
        assert!((sum - 13.5).abs() < 1e-12);
    }

    #[test]
    fn copies_hand_all_of_their_gradients_to_the_first_one() {
        // Microbatch 1 begins in the second group.
        let text = "0F0 1F1 1B1 0B0 0U0\n0F1 1F0 1B0 0B1 1U0";
        let alone = timeline(text, Shared::default()).makespan();
        let copied = timeline(text, Shared { reader: 0, home: 0, gradients: 3.0, state: 2.0 });
        // `0B1` of the second group, then the gradients, the update, and the weights.
        assert_eq!((alone, copied.makespan()), (7.0, 6.0 + 3.0 + 1.0 + 2.0));
    }
}
