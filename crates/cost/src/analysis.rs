//! What costs need to know of a function whatever its shardings: worked out once, used for every plan.
//!
//! Input: a function with its calls inlined. Output: an [`Analysis`]: sharding rules, what is fused, how often loops
//! run, and what had to be assumed.

use crate::fusion::Fusion;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, Table};
use meshwright_ir::loops::trip_count;
use meshwright_ir::program::{Function, InstView};
use meshwright_ir::rule::ShardingRule;
use std::fmt;

/// How often a loop is taken to run when its trip count cannot be found in the program.
pub const ASSUMED_TRIP_COUNT: u64 = 8;

/// Something that a prediction rests on and that the program does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// A loop is taken to run so many times.
    TripCount {
        /// The loop.
        inst: InstId,
        /// Where it stands.
        span: Span,
        /// How often.
        count: u64,
    },
    /// All branches of a conditional are counted, though only one runs.
    Branches {
        /// The conditional.
        inst: InstId,
        /// Where it stands.
        span: Span,
    },
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TripCount { count, .. } => write!(f, "the loop is taken to run {count} times"),
            Self::Branches { .. } => f.write_str("all branches of the conditional are counted"),
        }
    }
}

/// Facts about one function.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    /// The function.
    pub function: &'a Function,
    /// The sharding rule of every instruction.
    pub rules: Table<InstId, ShardingRule>,
    /// What is stored in memory.
    pub fusion: Fusion,
    /// How often each loop runs; 1 for what is not a loop.
    pub trip_counts: Table<InstId, u64>,
    /// What was assumed, in program order.
    pub assumptions: Vec<Assumption>,
}

impl<'a> Analysis<'a> {
    /// Analyzes a verified function.
    pub fn new(function: &'a Function) -> Self {
        Self::with_trip_counts(function, &trip_count)
    }

    /// The same when something else than the program says how often a loop runs.
    pub fn with_trip_counts(
        function: &'a Function,
        trip_count: &dyn Fn(InstView<'_>) -> Option<u64>,
    ) -> Self {
        let body = &function.body;
        let rules: Table<InstId, ShardingRule> = body
            .insts
            .ids()
            .map(|inst| {
                let view = body.view(inst);
                view.inst.op.rule(&view)
            })
            .collect();
        let mut trip_counts = Table::filled(1, body.insts.len());
        let mut assumptions = Vec::new();
        for inst in body.walk(body.entry()) {
            let view = body.view(inst);
            let span = view.inst.span;
            if view.inst.op.carries_values() {
                trip_counts[inst] = trip_count(view).unwrap_or_else(|| {
                    assumptions.push(Assumption::TripCount { inst, span, count: ASSUMED_TRIP_COUNT });
                    ASSUMED_TRIP_COUNT
                });
            } else if has_branches(&view) {
                assumptions.push(Assumption::Branches { inst, span });
            }
        }
        let fusion = Fusion::new(function, &rules);
        Self { function, rules, fusion, trip_counts, assumptions }
    }
}

/// Whether the instruction's regions are branches: programs of their own that take no arguments.
pub(crate) fn has_branches(view: &InstView<'_>) -> bool {
    let regions = &view.inst.regions;
    !view.inst.op.carries_values()
        && !regions.is_empty()
        && regions.iter().all(|region| view.body.regions[*region].args.is_empty())
}
