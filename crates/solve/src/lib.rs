//! The solver: one strategy for each node of a graph, so that the sum of costs is least and memory suffices
//! at every moment.
//!
//! - [`problem`] is the problem as plain data, [`format`](mod@format) its files, [`check`](mod@check) the independent checker.
//! - [`solve`](mod@solve) puts the parts together:
//!   - `reduce` makes the problem smaller without losing its best answers;
//!   - `dual` bounds it: costs move along edges, and memory has prices;
//!   - `narrow` lets bounds discard strategies, which lets the problem be reduced again;
//!   - `exact` branches on what is left, or dives for a good answer;
//!   - `neighborhood` improves an answer by solving regions around it exactly.
//!
//! [`min_cut`] is for problems of two choices each, which have an exact answer at once.
//!
//! It knows nothing of programs and machines.

pub mod check;
mod dual;
mod exact;
pub mod format;
mod graph;
mod incumbent;
pub mod min_cut;
mod narrow;
mod neighborhood;
pub mod problem;
mod random;
mod reduce;
pub mod solve;

pub use check::check;
pub use min_cut::Network;
pub use problem::{Assignment, Problem};
pub use solve::{Infeasible, Options, Progress, Reason, Solution, Watch, solve};
