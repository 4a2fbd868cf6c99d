//! Loops: what they carry has to mean the same in every iteration.

use super::super::meaning::{Meaning, join};
use super::{Walk, is_neutral_value};
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::InstView;

/// What a loop carries in all iterations, and for what that was found.
pub(super) struct Loop {
    /// The values that its regions read from around it.
    captured: Vec<ValueId>,
    /// What the values that it begins with meant, and those.
    given: Vec<Meaning>,
    carried: Vec<Meaning>,
}

impl Walk<'_> {
    /// Walks a loop: silently until what it carries means the same in all iterations, then once more.
    pub(super) fn carrying(&mut self, view: InstView<'_>) {
        let (condition, body) = (view.inst.regions[0], view.inst.regions[1]);
        let carried = self.fixpoint(view);
        for (result, carried) in view.inst.results.iter().zip(&carried) {
            self.set(*result, carried.clone());
        }
        if self.is_silent {
            return;
        }
        let returned = self.once_round(view, &carried);
        let start: Vec<Meaning> = self.operands(&view).into_iter().cloned().collect();
        for (index, carried) in carried.iter().enumerate() {
            let Some((reduction, axes)) = carried.partial else { continue };
            for (meaning, value) in
                [(&start[index], view.inst.operands[index]), (&returned[index], self.returned(body)[index])]
            {
                let complete = !axes.minus(meaning.partial_axes().union(meaning.own)).is_empty();
                if complete && !is_neutral_value(self.body, value, reduction) {
                    let problem = format!(
                        "carried value {index} is a contribution in one iteration and complete in another"
                    );
                    self.report(view.id, "D6", &problem);
                }
            }
        }
        for (index, (start, returned)) in start.iter().zip(&returned).enumerate() {
            if let Err((rule, problem)) = join(start, returned, self.mesh) {
                self.report(view.id, rule, &format!("carried value {index}: {problem}"));
            }
        }
        if let Some(predicate) = self.returned(condition).first().copied()
            && !self.meanings[predicate].partial_axes().is_empty()
        {
            self.report(view.id, "D6", "a contribution decides whether it goes on");
        }
    }

    /// What a loop carries in all iterations. Found once for what it begins with and reads from around it: a loop in a
    /// loop is not walked again for every round of the outer one.
    fn fixpoint(&mut self, view: InstView<'_>) -> Vec<Meaning> {
        let captured = match self.loops.get(&view.id) {
            Some(known) => known.captured.clone(),
            None => view.captured(),
        };
        let read = view.inst.operands.iter().chain(&captured);
        let given: Vec<Meaning> = read.map(|value| self.meanings[*value].clone()).collect();
        if let Some(known) = self.loops.get(&view.id).filter(|known| known.given == given) {
            return known.carried.clone();
        }
        let mut carried: Vec<Meaning> = self.operands(&view).into_iter().cloned().collect();
        let was_silent = std::mem::replace(&mut self.is_silent, true);
        let limit = 2 + 2 * carried.len() * self.mesh.sub_axes().len();
        for _ in 0..limit {
            let returned = self.once_round(view, &carried);
            let next: Vec<Meaning> = carried
                .iter()
                .zip(&returned)
                .map(|(before, after)| {
                    join(before, after, self.mesh).unwrap_or_else(|_| {
                        let mut lost = before.clone();
                        lost.lose(before.varies().union(after.varies()));
                        lost
                    })
                })
                .collect();
            if next == carried {
                break;
            }
            carried = next;
        }
        self.is_silent = was_silent;
        self.loops.insert(view.id, Loop { captured, given, carried: carried.clone() });
        carried
    }

    /// Walks condition and body with these carried values. Returns what the body returns.
    fn once_round(&mut self, view: InstView<'_>, carried: &[Meaning]) -> Vec<Meaning> {
        let (condition, body) = (view.inst.regions[0], view.inst.regions[1]);
        for region in [condition, body] {
            for (arg, meaning) in self.body.regions[region].args.iter().zip(carried) {
                self.set(*arg, meaning.clone());
            }
        }
        let was_silent = std::mem::replace(&mut self.is_silent, true);
        self.region(condition);
        self.is_silent = was_silent;
        let predicate = self.returned(condition).first().copied();
        let differs = predicate.map_or(AxisSet::EMPTY, |value| self.meanings[value].varies());
        self.decided.push(differs);
        if !self.is_silent {
            // The condition too runs as often as it holds.
            self.region(condition);
        }
        self.region(body);
        self.decided.pop();
        self.returned(body).iter().map(|value| self.meanings[*value].clone()).collect()
    }
}
