//! What costs need to know of a function whatever its shardings: worked out once, used for every plan.
//!
//! Input: a function with its calls inlined. Output: an [`Analysis`]: sharding rules, what is fused, how often loops
//! run, and what had to be assumed.

use crate::fusion::{Fusion, FusionRule, Part, Role};
use crate::host::on_host;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, Table, ValueId};
pub use meshwright_ir::loops::ASSUMED_TRIP_COUNT;
use meshwright_ir::loops::{AddedStack, Reads, added_stacks, trip_count};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Function, InstView, Regions};
use meshwright_ir::rule::ShardingRule;
use meshwright_machine::Platform;
use meshwright_tensor::types::Type;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

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

/// What many instructions have in common: op, types, rule and part in fusion, and so the cost under one strategy.
/// Layers of a model repeat the same instructions, so there are far fewer classes than instructions.
#[derive(PartialEq, Eq, Hash)]
struct Class<'a> {
    rule: &'a ShardingRule,
    regions: Regions,
    op: &'a Op,
    /// Types, and whether each is read from memory; a fusion reads once what it reads twice.
    operands: Vec<(&'a Type, bool)>,
    results: Vec<(&'a Type, bool)>,
    role: Role,
    part: &'a Part,
}

/// Facts about one function.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    /// The function.
    pub function: &'a Function,
    /// Which values lie in the memory of the host.
    pub on_host: Table<ValueId, bool>,
    /// What is stored in memory.
    pub fusion: Fusion,
    /// How often each loop runs; 1 for what is not a loop.
    pub trip_counts: Table<InstId, u64>,
    /// How many instructions each one stands for, as in a step with fewer layers than it is priced for; 1 if for itself.
    pub stands_for: Table<InstId, u64>,
    /// The same of what loops take and leave, and of what is returned.
    pub carried_for: Table<ValueId, u64>,
    /// What was assumed, in program order.
    pub assumptions: Vec<Assumption>,
    /// What reducers read from around them, by the instruction that they are of; only where they do.
    captured: BTreeMap<InstId, Vec<ValueId>>,
    rules: Table<InstId, ShardingRule>,
    /// What the regions of each instruction are.
    pub(crate) regions: Table<InstId, Regions>,
    /// The number of each instruction's class, once somebody asked for it.
    class_of: OnceLock<Table<InstId, usize>>,
    /// Stacks that loops fill and that are added to something behind, once somebody asked for them.
    added_stacks: OnceLock<Vec<AddedStack>>,
}

impl<'a> Analysis<'a> {
    /// Analyzes a verified function, for no compiler in particular.
    pub fn new(function: &'a Function) -> Self {
        Self::fused_by(function, FusionRule::default())
    }

    /// Analyzes a verified function for the compiler of a platform.
    pub fn on(function: &'a Function, platform: Option<Platform>) -> Self {
        Self::fused_by(function, FusionRule::of(platform))
    }

    fn fused_by(function: &'a Function, fuses: FusionRule) -> Self {
        Self::with(function, fuses, &trip_count)
    }

    /// Analyzes a verified function where something else than the program says how often a loop runs.
    pub fn with_trip_counts(
        function: &'a Function,
        trip_count: &dyn Fn(InstView<'_>) -> Option<u64>,
    ) -> Self {
        Self::with(function, FusionRule::default(), trip_count)
    }

    fn with(
        function: &'a Function,
        fuses: FusionRule,
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
        let on_host = on_host(function);
        let fusion = Fusion::new(function, &rules, &on_host, fuses);
        let mut trip_counts = Table::filled(1, body.insts.len());
        let mut assumptions = Vec::new();
        for inst in body.walk(body.entry()) {
            let view = body.view(inst);
            let span = view.inst.span;
            match view.regions() {
                Regions::Loop => {
                    trip_counts[inst] = trip_count(view).unwrap_or_else(|| {
                        assumptions.push(Assumption::TripCount { inst, span, count: ASSUMED_TRIP_COUNT });
                        ASSUMED_TRIP_COUNT
                    });
                }
                Regions::Branches => assumptions.push(Assumption::Branches { inst, span }),
                Regions::OfElements => {}
            }
        }
        let captured = captured(body);
        let regions = body.insts.ids().map(|inst| body.view(inst).regions()).collect();
        let stands_for = Table::filled(1, body.insts.len());
        let carried_for = Table::filled(1, body.values.len());
        Self {
            function,
            on_host,
            fusion,
            trip_counts,
            stands_for,
            carried_for,
            assumptions,
            captured,
            rules,
            regions,
            class_of: OnceLock::new(),
            added_stacks: OnceLock::new(),
        }
    }

    /// The same where instructions, and values that loops take and leave, stand for others too: each costs as often, and
    /// needs memory once.
    #[must_use]
    pub fn standing_for(self, stands_for: Table<InstId, u64>, carried_for: Table<ValueId, u64>) -> Self {
        Self { stands_for, carried_for, ..self }
    }

    /// The sharding rule of an instruction.
    pub fn rule(&self, inst: InstId) -> &ShardingRule {
        &self.rules[inst]
    }

    /// A number that instructions share which cost the same under the same strategy.
    pub fn class_number(&self, inst: InstId) -> usize {
        self.class_of.get_or_init(|| self.classified())[inst]
    }

    /// Stacks that loops fill from zero and that are added to something behind: they are added in the loop.
    pub(crate) fn added_stacks(&self) -> &[AddedStack] {
        self.added_stacks.get_or_init(|| {
            let body = &self.function.body;
            added_stacks(Reads { body, uses: &body.uses(), region_of: &body.region_of() })
        })
    }

    /// The values that the reducers of an instruction read from around them, whole whatever shards are at hand.
    pub(crate) fn captured(&self, inst: InstId) -> &[ValueId] {
        self.captured.get(&inst).map_or(&[], Vec::as_slice)
    }

    /// The class of each instruction, numbered in their order.
    fn classified(&self) -> Table<InstId, usize> {
        let body = &self.function.body;
        let mut known: FxHashMap<Class<'_>, usize> = FxHashMap::default();
        let stored = |value: &ValueId| (body.ty(*value), self.fusion.is_stored[*value]);
        let read = |(index, value): (usize, &ValueId), all: &[ValueId]| {
            let (ty, is_stored) = stored(value);
            (ty, is_stored && !all[..index].contains(value))
        };
        let class = |inst: InstId| {
            let source = &body.insts[inst];
            Class {
                rule: &self.rules[inst],
                regions: self.regions[inst],
                op: &source.op,
                operands: {
                    let all = &source.operands;
                    all.iter().enumerate().map(|one| read(one, all)).collect()
                },
                results: source.results.iter().map(stored).collect(),
                role: self.fusion.roles[inst],
                part: self.fusion.part(inst),
            }
        };
        let numbered = |inst: InstId| {
            let next = known.len();
            *known.entry(class(inst)).or_insert(next)
        };
        body.insts.ids().map(numbered).collect()
    }
}

fn captured(body: &Body) -> BTreeMap<InstId, Vec<ValueId>> {
    let has_reducers = |inst: &InstId| {
        !body.insts[*inst].regions.is_empty() && body.view(*inst).regions() == Regions::OfElements
    };
    let insts = body.insts.ids().filter(has_reducers);
    insts.map(|inst| (inst, body.view(inst).captured())).filter(|(_, values)| !values.is_empty()).collect()
}
