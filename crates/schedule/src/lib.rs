//! Pipeline schedules. Input: [`Stages`], how many groups, stages and microbatches there are; output: a
//! [`Schedule`], a table in PyTorch's notation, or the [`Refusal`] that says which rule of the
//! schedule the numbers break.
//!
//! Each schedule of the field is a file with one `SCHEDULE`, and a line in [`SCHEDULES`]. A generator knows nothing of
//! seconds: its table is an order of actions for each group, without transfers, which [`meshwright_plan::Table`] checks
//! and [`meshwright_simulate`] times. [`synthesis`] looks for better tables where the seconds are known.
//!
//! ```
//! use meshwright_schedule::{Stages, named};
//!
//! let stages = Stages { groups: 2, virtual_stages: 1, microbatches: 3, layers: None };
//! let schedule = named("1f1b").unwrap().table(&stages).unwrap();
//! assert_eq!(schedule.to_string(), "0F0 0F1 0B0 0F2 0B1 0B2\n1F0 1B0 1F1 1B1 1F2 1B2\n");
//! ```

mod chimera;
mod dualpipe;
mod dualpipe_v;
mod eager_one_f_one_b;
mod fill;
mod gpipe;
mod interleaved_one_f_one_b;
mod interleaved_zb;
mod looped_bfs;
mod nearest;
mod one_f_one_b;
mod row;
mod stages;
pub mod synthesis;
mod terapipe;
mod two_ends;
mod v_blocks;
mod v_half;
mod v_min;
mod zb_h1;
mod zb_h2;
mod zb_v;

pub use stages::{Number, Refusal, Stages};

use meshwright_plan::Schedule;
use nearest::Rules;
use stages::Broken;

/// Every schedule that has a name.
pub const SCHEDULES: [Named; 15] = [
    gpipe::SCHEDULE,
    one_f_one_b::SCHEDULE,
    eager_one_f_one_b::SCHEDULE,
    interleaved_one_f_one_b::SCHEDULE,
    looped_bfs::SCHEDULE,
    zb_h1::SCHEDULE,
    zb_h2::SCHEDULE,
    zb_v::SCHEDULE,
    v_half::SCHEDULE,
    v_min::SCHEDULE,
    interleaved_zb::SCHEDULE,
    dualpipe::SCHEDULE,
    dualpipe_v::SCHEDULE,
    chimera::SCHEDULE,
    terapipe::SCHEDULE,
];

/// Name of the schedule of groups with so many stages each, if nobody says another: several are interleaved.
pub fn usual(virtual_stages: usize) -> &'static str {
    if virtual_stages > 1 { interleaved_one_f_one_b::SCHEDULE.name } else { one_f_one_b::SCHEDULE.name }
}

/// A schedule that the field has a name for.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// Its name, as the command line takes it.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Stages of a group, if nobody says how many.
    pub virtual_stages: usize,
    /// Copies of each stage's weights that it keeps.
    pub copies: usize,
    /// The rules that it has beside those of every pipeline.
    rules: fn(&Stages) -> Result<(), Broken>,
    /// Writes the table of numbers that break none.
    generate: fn(&Stages) -> Schedule,
}

/// Schedules are known by their names.
impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Named {
    /// The table of this schedule.
    ///
    /// # Errors
    /// The first rule of the schedule that the numbers break, with the nearest that break none.
    pub fn table(&self, stages: &Stages) -> Result<Schedule, Refusal> {
        self.by_rules(stages, &|stages| {
            stages.possible()?;
            (self.rules)(stages)
        })
    }

    /// The same for somebody who asks for it by its numbers alone: tables of very many actions are not written.
    ///
    /// # Errors
    /// As of [`Named::table`]; or it has too many actions.
    pub fn written(&self, stages: &Stages) -> Result<Schedule, Refusal> {
        self.by_rules(stages, &|stages| {
            stages.few_actions()?;
            stages.possible()?;
            (self.rules)(stages)
        })
    }

    fn by_rules(&self, stages: &Stages, rules: Rules<'_>) -> Result<Schedule, Refusal> {
        rules(stages).map_err(|broken| nearest::refusal(stages, broken, rules))?;
        Ok((self.generate)(stages))
    }
}

/// The schedule of a name.
pub fn named(name: &str) -> Option<Named> {
    SCHEDULES.into_iter().find(|schedule| schedule.name == name)
}

/// Names of all schedules, as messages list them.
pub fn names() -> String {
    SCHEDULES.map(|schedule| schedule.name).join(", ")
}
