//! Simulation of schedules: what each group and link does when, if every phase takes the seconds that are said of it.
//!
//! Input: a checked [`Table`] and [`Costs`]; output: a [`Timeline`], from an event loop without a clock. [`Bubbles`] says
//! what share of it is waiting, by the three conventions that people use, [`waterfall()`] what the step is made of, and
//! [`least()`] what it takes at least, at once.
//!
//! ```
//! use meshwright_plan::{Schedule, Table};
//! use meshwright_simulate::{Bubbles, Costs, simulate};
//!
//! let schedule = Schedule::from_text("0F0 0F1 0B0 0B1\n1F0 1B0 1F1 1B1").unwrap();
//! let table = Table::of(&schedule).unwrap();
//! let timeline = simulate(&table, &Costs::uniform(2, [1.0, 1.0, 1.0], 0.0));
//! assert_eq!(timeline.makespan(), 9.0);
//! assert_eq!(Bubbles::of(&timeline).of_total, 1.0 / 3.0); // (p - 1) / (m + p - 1)
//! ```

mod bubbles;
mod costs;
mod events;
mod least;
mod once;
mod waterfall;

pub use bubbles::Bubbles;
pub use costs::{Boundary, Costs, Shared, StageCosts};
pub use events::simulate;
pub use least::least;
pub use waterfall::waterfall;

#[doc(no_inline)]
pub use meshwright_plan::{Table, Timeline};
