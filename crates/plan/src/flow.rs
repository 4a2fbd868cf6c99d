//! Which values flow into which, through any op and around loops.
//!
//! Input: a function with calls inlined, and a set of marks on some values or instructions. Output: for every value
//! the union of the marks of what it is computed from ([`downstream`]) or of what is computed from it ([`upstream`]).
//! Both are one pass over the instructions, and further passes over a loop's contents until nothing changes.

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::program::{Body, Def};

/// A set of up to eight marks.
pub type Marks = u8;

/// For every value the marks of all values that it depends on, its own included.
pub fn downstream(body: &Body, mut marks: Table<ValueId, Marks>) -> Table<ValueId, Marks> {
    let mut flow = Flow { body, marks: &mut marks, changed: false };
    flow.down(body.entry());
    marks
}

/// For every value the marks of all instructions that it reaches, those that read it included.
pub fn upstream(body: &Body, inst_marks: &Table<InstId, Marks>) -> Table<ValueId, Marks> {
    let mut marks = Table::filled(0, body.values.len());
    let mut flow = Flow { body, marks: &mut marks, changed: false };
    flow.up(body.entry(), inst_marks);
    marks
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
            } else {
                for (operand, result) in pairs(body, *id) {
                    self.flows(operand, result);
                }
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

    fn up(&mut self, region: RegionId, inst_marks: &Table<InstId, Marks>) {
        let body = self.body;
        for id in body.regions[region].insts.iter().rev() {
            let inst = &body.insts[*id];
            if inst.op.carries_values() {
                self.up_loop(*id, inst_marks);
                continue;
            }
            for (operand, result) in pairs(body, *id) {
                self.flows(result, operand);
            }
            for operand in &inst.operands {
                self.add(*operand, inst_marks[*id]);
            }
        }
    }

    fn up_loop(&mut self, id: InstId, inst_marks: &Table<InstId, Marks>) {
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
                self.up(*region, inst_marks);
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
    let inst = &body.insts[id];
    inst.regions
        .last()
        .and_then(|region| body.terminator(*region))
        .map_or(Vec::new(), |last| last.operands.iter().copied().zip(inst.results.iter().copied()).collect())
}

/// Which operands flow into which results: all into all, except where an op passes several values through side by
/// side (an optimization barrier), which shows in equal numbers of operands and results of pairwise equal types.
fn pairs(body: &Body, id: InstId) -> impl Iterator<Item = (ValueId, ValueId)> + use<'_> {
    let inst = &body.insts[id];
    let side_by_side = inst.results.len() > 1
        && inst.regions.is_empty()
        && inst.operands.len() == inst.results.len()
        && inst
            .operands
            .iter()
            .zip(&inst.results)
            .all(|(operand, result)| body.ty(*operand) == body.ty(*result));
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

    #[test]
    fn a_loop_that_squares_is_reached_from_all_that_feed_it_only() {
        let program = read(&Source::new("loop.mlir", LOOP)).unwrap();
        let function = program.main().unwrap();
        let body = &function.body;
        let marks: Table<InstId, Marks> =
            body.insts.values().map(|inst| u8::from(inst.op.name() == "stablehlo.multiply")).collect();
        let marks = upstream(body, &marks);
        let args: Vec<Marks> = function.args().iter().map(|value| marks[*value]).collect();
        assert_eq!(args, [0, 0, 1]);
    }
}
