//! The new function: what somebody needs of the old one, with values read as those that they are the same as.

use super::live::Live;
use super::same::Same;
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, InstView, Regions};
use meshwright_ir::rewrite::{Edit, Rewriter, Rewritten, rewritten};

/// Writes the new body.
pub(super) fn written(body: &Body, same: &Same, live: &Live) -> Rewritten {
    rewritten(body, &mut Writer { same, live, ends: Vec::new() })
}

struct Writer<'a> {
    same: &'a Same,
    live: &'a Live,
    /// The regions of loops that are being written, innermost last, and the positions of what they return.
    ends: Vec<(RegionId, Vec<usize>)>,
}

impl Edit for Writer<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if !self.live.insts[view.id] {
            return true;
        }
        match view.regions() {
            Regions::Loop => self.pruned(rewriter, view, to),
            Regions::Branches | Regions::OfElements => {
                matches!(view.inst.op, Op::Return(_)) && self.returns(rewriter, view, to)
            }
        }
    }

    fn operand(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        _: RegionId,
    ) -> Option<ValueId> {
        Some(self.read(rewriter, view.inst.operands[index]))
    }
}

impl Writer<'_> {
    fn read(&self, rewriter: &Rewriter<'_>, value: ValueId) -> ValueId {
        rewriter.value(self.same.of_value(value))
    }

    /// Writes a loop without what it carries for nobody. False: there is nothing of that kind.
    fn pruned(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let inst = view.inst;
        let kept = self.live.carried(inst);
        if kept.len() == inst.results.len() {
            return false;
        }
        let operands = kept.iter().map(|index| self.read(rewriter, inst.operands[*index])).collect();
        let last = inst.regions.len() - 1;
        let mut regions = Vec::with_capacity(inst.regions.len());
        for (position, region) in inst.regions.iter().enumerate() {
            let copy = rewriter.region_with(*region, &kept);
            if position == last {
                self.ends.push((copy, kept.clone()));
            }
            rewriter.walk(*region, copy, self);
            regions.push(copy);
        }
        self.ends.pop();
        let made = rewriter.append_some(view.id, operands, regions, &kept, to);
        rewriter.to.insts[made].attributes = of_some_results(&inst.attributes, &kept);
        true
    }

    /// Writes the end of a loop's body that returns less than it did.
    fn returns(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let Some((_, kept)) = self.ends.last().filter(|(region, _)| *region == to) else { return false };
        let operands = kept.iter().map(|index| self.read(rewriter, view.inst.operands[*index])).collect();
        rewriter.append(view.id, operands, Vec::new(), to);
        true
    }
}

/// Attributes of an instruction of which only some results are left.
fn of_some_results(attributes: &Attributes, kept: &[usize]) -> Attributes {
    let some = |(name, attribute): (&str, &Attr)| {
        let attribute = match attribute {
            Attr::ShardingPerValue(list) => {
                Attr::ShardingPerValue(kept.iter().filter_map(|index| list.get(*index)).cloned().collect())
            }
            other => other.clone(),
        };
        (name.to_owned(), attribute)
    };
    attributes.iter().map(some).collect()
}
