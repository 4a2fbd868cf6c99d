//! What the search for regions asks of a function.

use super::Found;
use meshwright_analyze::batch::likeliest;
use meshwright_analyze::dim_classes::Class;
use meshwright_analyze::model_flops::is_product;
use meshwright_analyze::phases::reads;
use meshwright_analyze::{Phase, Phases, Roles};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::loops::scan;
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::program::{Body, Def, Function, Regions};
use meshwright_ir::rule::ShardingRule;
use std::collections::BTreeSet;

/// A function and who reads what in it.
pub(super) struct Facts<'a> {
    pub(super) function: &'a Function,
    roles: &'a Roles,
    /// Whether a region is along a dim that suits who asks for tiles.
    pub(super) suits: &'a dyn Fn(&Found) -> bool,
    /// The dims of the batch.
    batch: BTreeSet<Class>,
    /// The region in which each instruction stands.
    home: Table<InstId, RegionId>,
    /// Its place there.
    place: Table<InstId, usize>,
    /// What each instruction reads, in its regions too.
    pub(super) reads: Table<InstId, Vec<ValueId>>,
    /// The instructions that read each value, of the region in which it is made.
    pub(super) readers: Table<ValueId, Vec<InstId>>,
    /// Whether each value is made of constants alone.
    is_constant: Table<ValueId, bool>,
    /// What takes parts of the stacks of a loop around it, or puts them there: cut, each turn would rearrange whole stacks.
    of_stacks: BTreeSet<InstId>,
    /// When each instruction runs, of a function that trains.
    phases: Option<Phases>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(function: &'a Function, roles: &'a Roles, suits: &'a dyn Fn(&Found) -> bool) -> Self {
        let body = &function.body;
        let mut facts = Self {
            function,
            roles,
            suits,
            batch: likeliest(function, roles),
            home: body.region_of(),
            place: places(body),
            reads: body.insts.ids().map(|inst| reads(body, inst)).collect(),
            readers: Table::filled(Vec::new(), body.values.len()),
            is_constant: Table::filled(false, body.values.len()),
            of_stacks: of_stacks(body),
            phases: Phases::new(function, roles),
        };
        for inst in body.walk(body.entry()) {
            let read = std::mem::take(&mut facts.reads[inst]);
            for value in &read {
                let is_here = facts.maker(*value).is_some_and(|maker| facts.home[maker] == facts.home[inst]);
                if is_here && facts.readers[*value].last() != Some(&inst) {
                    facts.readers[*value].push(inst);
                }
            }
            let is_constant = body.insts[inst].regions.is_empty()
                && !body.insts[inst].op.has_side_effects()
                && read.iter().all(|value| facts.is_constant[*value]);
            body.insts[inst].results.iter().for_each(|result| facts.is_constant[*result] = is_constant);
            facts.reads[inst] = read;
        }
        facts
    }

    pub(super) fn body(&self) -> &'a Body {
        &self.function.body
    }

    /// The instruction that makes a value, if one does.
    pub(super) fn maker(&self, value: ValueId) -> Option<InstId> {
        match self.function.body.values[value].def {
            Def::Result(inst, _) => Some(inst),
            Def::Argument(..) => None,
        }
    }

    /// The same, if it stands in `home`.
    pub(super) fn maker_in(&self, value: ValueId, home: RegionId) -> Option<InstId> {
        self.maker(value).filter(|inst| self.home[*inst] == home)
    }

    /// The instructions of a region from the first to the last of some of them.
    pub(super) fn span(&self, home: RegionId, of: &BTreeSet<InstId>) -> &'a [InstId] {
        let places = || of.iter().map(|inst| self.place[*inst]);
        let (Some(first), Some(last)) = (places().min(), places().max()) else { return &[] };
        &self.body().regions[home].insts[first..=last]
    }

    pub(super) fn home(&self, inst: InstId) -> RegionId {
        self.home[inst]
    }

    pub(super) fn rule(&self, inst: InstId) -> &'a ShardingRule {
        &self.roles.rules[inst]
    }

    /// Number of elements of a value; none if it is no tensor.
    pub(super) fn elements(&self, value: ValueId) -> usize {
        let ty = self.function.body.ty(value).as_tensor();
        ty.map_or(0, |ty| ty.shape.iter().product())
    }

    /// Whether a value is made of constants alone, in the region where it is needed.
    pub(super) fn is_constant(&self, value: ValueId) -> bool {
        self.is_constant[value]
    }

    /// Returns whether the function trains: then microbatches cut its batch.
    pub(super) fn trains(&self) -> bool {
        !self.roles.gradients.is_empty()
    }

    /// Returns whether a dim is the batch.
    pub(super) fn is_batch(&self, value: ValueId, dim: usize) -> bool {
        self.batch.contains(&self.roles.classes.of(value, dim))
    }

    /// Whether an instruction may be one of a tile.
    pub(super) fn may_be_cut(&self, inst: InstId) -> bool {
        let view = self.function.body.view(inst);
        view.regions() == Regions::OfElements
            && view.inst.op.traits().data_flow == DataFlow::None
            && !view.inst.op.has_side_effects()
            && !matches!(view.inst.op, Op::Return(_))
            && !self.of_stacks.contains(&inst)
            && !self.is_of_update(inst)
    }

    /// Whether an instruction is part of the update of parameters: along their dims a step has nothing that gets smaller.
    fn is_of_update(&self, inst: InstId) -> bool {
        self.phases.as_ref().is_some_and(|phases| phases.of[inst] == Phase::Update)
    }

    pub(super) fn multiplies_weights(&self, inst: InstId) -> bool {
        self.roles.multiplies_weights(self.function, inst)
    }

    /// Whether an instruction mixes elements with weights: what is behind it is another part of the model.
    pub(super) fn leads_on(&self, inst: InstId) -> bool {
        let view = self.function.body.view(inst);
        view.regions() != Regions::OfElements || is_product(&view.inst.op, self.rule(inst))
    }
}

/// The instructions that loops around them have for taking parts of stacks, and for putting them there.
fn of_stacks(body: &Body) -> BTreeSet<InstId> {
    let loops = body.insts.ids().map(|inst| body.view(inst)).filter(|view| view.regions() == Regions::Loop);
    let accesses = loops.filter_map(scan).flat_map(|scan| scan.accesses);
    accesses.map(|access| access.inst).collect()
}

/// The place of each instruction in its region.
fn places(body: &Body) -> Table<InstId, usize> {
    let mut places = Table::filled(0, body.insts.len());
    for (_, region) in body.regions.iter() {
        region.insts.iter().enumerate().for_each(|(place, inst)| places[*inst] = place);
    }
    places
}
