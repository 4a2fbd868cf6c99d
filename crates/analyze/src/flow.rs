//! Which values flow into which, through any op, around loops and out of branches.
//!
//! Input: a function with calls inlined, and a set of marks on some values. Output: for every value
//! the union of the marks of what it is computed from ([`downstream`]) or of what is computed from it ([`upstream`]).
//! Both are one pass over the instructions, and further passes over a loop's contents until nothing changes.
//! `Sources` are the same edges one at a time, backwards.

use std::collections::BTreeSet;

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::loops::runs;
use meshwright_ir::program::{Body, Def, Regions};

/// A set of up to eight marks.
pub type Marks = u8;

/// For every value the marks of all values that it depends on, its own included.
pub fn downstream(body: &Body, mut marks: Table<ValueId, Marks>) -> Table<ValueId, Marks> {
    let mut flow = Flow { body, marks: &mut marks, changed: false };
    flow.down(body.entry());
    marks
}

/// For every value the marks of all values that it reaches, its own included.
pub fn upstream(body: &Body, mut marks: Table<ValueId, Marks>) -> Table<ValueId, Marks> {
    let mut flow = Flow { body, marks: &mut marks, changed: false };
    flow.up(body.entry());
    marks
}

/// Whether the regions of an instruction are branches: programs of their own that take no arguments.
pub(crate) fn has_branches(body: &Body, id: InstId) -> bool {
    body.view(id).regions() == Regions::Branches
}

/// All instructions of a region that work on whole tensors, in execution order: those inside loops and branches too,
/// those inside reducers not. A loop or a conditional comes before its contents.
pub fn whole_insts(body: &Body, region: RegionId) -> Vec<InstId> {
    let mut order = Vec::new();
    // Regions of which some instructions are still to come, the innermost last.
    let mut open = vec![body.regions[region].insts.iter()];
    while let Some(insts) = open.last_mut() {
        let Some(id) = insts.next() else {
            open.pop();
            continue;
        };
        order.push(*id);
        if body.insts[*id].op.carries_values() || has_branches(body, *id) {
            let inner = body.insts[*id].regions.iter().rev();
            open.extend(inner.map(|region| body.regions[*region].insts.iter()));
        }
    }
    order
}

/// Number of times that each instruction runs.
pub fn runs_of_insts(body: &Body) -> Table<InstId, f64> {
    let mut of_insts = Table::filled(1.0, body.insts.len());
    let runs = runs(body);
    for (region, content) in body.regions.iter() {
        content.insts.iter().for_each(|inst| of_insts[*inst] = runs[region] as f64);
    }
    of_insts
}

/// Values that are one value, pair by pair: what a loop starts from, carries, and gives back; what a branch returns
/// and the conditional's result. In each pair of a loop's the operand comes first. Empty for other instructions.
pub(crate) fn ties(body: &Body, id: InstId) -> Vec<(ValueId, ValueId)> {
    let inst = &body.insts[id];
    let mut ties = Vec::new();
    if inst.op.carries_values() {
        for (position, (operand, result)) in inst.operands.iter().zip(&inst.results).enumerate() {
            ties.push((*operand, *result));
            ties.extend(inst.regions.iter().map(|region| (body.regions[*region].args[position], *result)));
        }
        ties.extend(carried(body, id));
    } else if has_branches(body, id) {
        ties.extend(inst.regions.iter().flat_map(|region| returned(body, *region, id)));
    }
    ties
}

/// The edges of the flow, backwards.
pub(crate) struct Sources<'a> {
    body: &'a Body,
    owner: Table<RegionId, Option<InstId>>,
}

impl<'a> Sources<'a> {
    /// Of a body with calls inlined.
    pub(crate) fn new(body: &'a Body) -> Self {
        let mut owner = Table::filled(None, body.regions.len());
        for (id, inst) in body.insts.iter() {
            inst.regions.iter().for_each(|region| owner[*region] = Some(id));
        }
        Self { body, owner }
    }

    /// What a value takes over unchanged: what a loop, a branch or an op that passes values through side by side makes
    /// it from. `None` if it is computed, or is an argument of the function.
    pub(crate) fn handed_over(&self, value: ValueId) -> Option<Vec<ValueId>> {
        let body = self.body;
        match body.values[value].def {
            Def::Argument(region, index) => {
                let owner = self.owner[region].filter(|owner| body.insts[*owner].op.carries_values())?;
                let started = body.insts[owner].operands[index];
                Some([Some(started), self.carried_at(owner, index)].into_iter().flatten().collect())
            }
            Def::Result(id, index) => {
                let inst = &body.insts[id];
                if inst.op.carries_values() {
                    Some(
                        [Some(inst.operands[index]), self.carried_at(id, index)]
                            .into_iter()
                            .flatten()
                            .collect(),
                    )
                } else if has_branches(body, id) {
                    let last = |region: &RegionId| body.terminator(*region)?.operands.get(index).copied();
                    Some(inst.regions.iter().filter_map(last).collect())
                } else if is_side_by_side(body, id) {
                    Some(vec![inst.operands[index]])
                } else {
                    None
                }
            }
        }
    }

    /// All values that a value leads back to by these operands, around loops and into branches.
    pub(crate) fn behind(
        &self,
        value: ValueId,
        operands: &dyn Fn(ValueId) -> Vec<ValueId>,
    ) -> BTreeSet<ValueId> {
        let mut found = BTreeSet::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if found.insert(value) {
                open.extend(self.handed_over(value).unwrap_or_else(|| operands(value)));
            }
        }
        found
    }

    fn carried_at(&self, id: InstId, index: usize) -> Option<ValueId> {
        let region = self.body.insts[id].regions.last()?;
        self.body.terminator(*region)?.operands.get(index).copied()
    }
}

struct Flow<'a> {
    body: &'a Body,
    marks: &'a mut Table<ValueId, Marks>,
    changed: bool,
}

impl Flow<'_> {
    fn add(&mut self, value: ValueId, marks: Marks) {
        let old = self.marks[value];
        if old | marks != old {
            self.marks[value] = old | marks;
            self.changed = true;
        }
    }

    fn flows(&mut self, from: ValueId, to: ValueId) {
        self.add(to, self.marks[from]);
    }

    fn down(&mut self, region: RegionId) {
        let body = self.body;
        for id in &body.regions[region].insts {
            let inst = &body.insts[*id];
            if inst.op.carries_values() {
                self.down_loop(*id);
                continue;
            }
            if has_branches(body, *id) {
                for branch in &inst.regions {
                    self.down(*branch);
                    returned(body, *branch, *id).for_each(|(value, result)| self.flows(value, result));
                }
            }
            for (operand, result) in pairs(body, *id) {
                self.flows(operand, result);
            }
        }
    }

    fn down_loop(&mut self, id: InstId) {
        let body = self.body;
        let inst = &body.insts[id];
        for region in &inst.regions {
            for (operand, arg) in inst.operands.iter().zip(&body.regions[*region].args) {
                self.flows(*operand, *arg);
            }
        }
        loop {
            let before = std::mem::replace(&mut self.changed, false);
            for region in &inst.regions {
                self.down(*region);
            }
            let round = std::mem::replace(&mut self.changed, false);
            for (returned, result) in carried(body, id) {
                self.flows(returned, result);
                for region in &inst.regions {
                    if let Def::Result(_, index) = body.values[result].def {
                        self.flows(returned, body.regions[*region].args[index]);
                    }
                }
            }
            let again = self.changed;
            self.changed = before || round || again;
            if !again {
                break;
            }
        }
        for (operand, result) in inst.operands.iter().zip(&inst.results) {
            self.flows(*operand, *result);
        }
    }

    fn up(&mut self, region: RegionId) {
        let body = self.body;
        for id in body.regions[region].insts.iter().rev() {
            let inst = &body.insts[*id];
            if inst.op.carries_values() {
                self.up_loop(*id);
                continue;
            }
            if has_branches(body, *id) {
                for branch in &inst.regions {
                    returned(body, *branch, *id).for_each(|(value, result)| self.flows(result, value));
                    self.up(*branch);
                }
            }
            for (operand, result) in pairs(body, *id) {
                self.flows(result, operand);
            }
        }
    }

    fn up_loop(&mut self, id: InstId) {
        let body = self.body;
        let inst = &body.insts[id];
        loop {
            let before = std::mem::replace(&mut self.changed, false);
            for (returned, result) in carried(body, id) {
                self.flows(result, returned);
                for region in &inst.regions {
                    if let Def::Result(_, index) = body.values[result].def {
                        self.flows(body.regions[*region].args[index], returned);
                    }
                }
            }
            for region in inst.regions.iter().rev() {
                self.up(*region);
            }
            let again = self.changed;
            self.changed |= before;
            if !again {
                break;
            }
        }
        for (position, operand) in inst.operands.iter().enumerate() {
            self.flows(inst.results[position], *operand);
            for region in &inst.regions {
                self.flows(body.regions[*region].args[position], *operand);
            }
        }
    }
}

/// What a loop's last region returns, with the loop's results.
fn carried(body: &Body, id: InstId) -> Vec<(ValueId, ValueId)> {
    body.insts[id].regions.last().map_or(Vec::new(), |region| returned(body, *region, id).collect())
}

/// What a region returns, with the results of the instruction that it belongs to.
fn returned(body: &Body, region: RegionId, id: InstId) -> impl Iterator<Item = (ValueId, ValueId)> + use<'_> {
    let last = body.terminator(region).map_or(&[][..], |last| &last.operands);
    last.iter().copied().zip(body.insts[id].results.iter().copied())
}

/// Whether an op passes several values through side by side (an optimization barrier), which shows in equal numbers
/// of operands and results of pairwise equal types.
pub(crate) fn is_side_by_side(body: &Body, id: InstId) -> bool {
    let inst = &body.insts[id];
    inst.results.len() > 1
        && inst.regions.is_empty()
        && inst.operands.len() == inst.results.len()
        && inst
            .operands
            .iter()
            .zip(&inst.results)
            .all(|(operand, result)| body.ty(*operand) == body.ty(*result))
}

/// Which operands flow into which results: all into all, except where they stand side by side.
fn pairs(body: &Body, id: InstId) -> impl Iterator<Item = (ValueId, ValueId)> + use<'_> {
    let inst = &body.insts[id];
    let side_by_side = is_side_by_side(body, id);
    inst.operands.iter().enumerate().flat_map(move |(position, operand)| {
        let results = if side_by_side { &inst.results[position..=position] } else { &inst.results[..] };
        results.iter().map(move |result| (*operand, *result))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::read;

    const LOOP: &str = r#"
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:3 = stablehlo.while(%x = %a, %y = %b, %z = %c) : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %1 = stablehlo.add %x, %y : tensor<4xf32>
    %2 = stablehlo.multiply %z, %z : tensor<4xf32>
    stablehlo.return %y, %z, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
"#;

    #[test]
    fn marks_go_round_a_loop_as_often_as_they_move() {
        let program = read(&Source::new("loop.mlir", LOOP)).unwrap();
        let function = program.main().unwrap();
        let mut marks = Table::filled(0, function.body.values.len());
        for (bit, arg) in function.args().iter().enumerate() {
            marks[*arg] = 1 << bit;
        }
        let marks = downstream(&function.body, marks);
        let returned: Vec<Marks> = function.returned().iter().map(|value| marks[*value]).collect();
        // The first carried value takes over the second, which takes over the third.
        assert_eq!(returned, [0b111, 0b110, 0b100]);
    }

    /// Marks what multiplications make.
    fn of_multiply(body: &Body) -> Table<ValueId, Marks> {
        let is_product = |value: &meshwright_ir::program::Value| match value.def {
            Def::Result(id, _) => body.insts[id].op.name() == "stablehlo.multiply",
            Def::Argument(..) => false,
        };
        body.values.values().map(|value| u8::from(is_product(value))).collect()
    }

    #[test]
    fn a_loop_that_squares_is_reached_from_all_that_feed_it_only() {
        let program = read(&Source::new("loop.mlir", LOOP)).unwrap();
        let function = program.main().unwrap();
        let body = &function.body;
        let marks = upstream(body, of_multiply(body));
        let args: Vec<Marks> = function.args().iter().map(|value| marks[*value]).collect();
        assert_eq!(args, [0, 0, 1]);
    }

    const BRANCHES: &str = r#"
func.func @main(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.multiply %a, %a : tensor<4xf32>
    "stablehlo.return"(%1) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%b) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  %2 = stablehlo.add %c, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"#;

    #[test]
    fn branches_hand_their_values_to_the_results() {
        let program = read(&Source::new("branches.mlir", BRANCHES)).unwrap();
        let function = program.main().unwrap();
        let body = &function.body;
        let mut marks = Table::filled(0, body.values.len());
        for (bit, arg) in function.args().iter().enumerate() {
            marks[*arg] = 1 << bit;
        }
        assert_eq!(downstream(body, marks)[function.returned()[0]], 0b0111);
        let marks = upstream(body, of_multiply(body));
        let args: Vec<Marks> = function.args().iter().map(|value| marks[*value]).collect();
        assert_eq!(args, [0, 1, 0, 0]);
        let names: Vec<&str> =
            whole_insts(body, body.entry()).iter().map(|id| body.insts[*id].op.name()).collect();
        assert_eq!(names[..3], ["stablehlo.if", "stablehlo.multiply", "stablehlo.return"]);
    }
}
