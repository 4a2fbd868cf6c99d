//! When each value of a function is read for the last time.
//!
//! Input: a body. Output: for every instruction, which operands it may take away (so that an op may write into a
//! buffer that nobody else reads) and which values to drop after it. A value belongs to the region that defines it:
//! read inside a loop, a value from outside stays alive until the whole loop is done.
//!
//! ```text
//! %1 = add %0, %0      // takes %0 with the second operand
//! %2 = while(%1) {...} // reads %c inside: drops %c afterwards
//! ```

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::program::Body;

/// The last reads of all values of one body.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// For every operand of every instruction, whether it is the last read of its value.
    pub takes: Table<InstId, Vec<bool>>,
    /// Values that nothing reads after the instruction, besides those it takes.
    pub drops: Table<InstId, Vec<ValueId>>,
    /// Whether anything reads the value at all.
    pub is_read: Table<ValueId, bool>,
}

/// The last read of one value.
#[derive(Clone, Copy)]
struct LastRead {
    /// The instruction of the value's own region that reads it, itself or inside.
    inst: InstId,
    /// Whether a region of `inst` reads it; then `inst` must not take it away before running the region.
    inside: bool,
}

/// Finds the last reads of a verified body.
pub fn liveness(body: &Body) -> Liveness {
    let unread = Seen { owner: body.entry(), last: None };
    let mut seen = Table::filled(unread, body.values.len());
    visit(body, body.entry(), &mut Vec::new(), &mut seen);
    let mut result = Liveness {
        takes: body.insts.values().map(|inst| vec![false; inst.operands.len()]).collect(),
        drops: Table::filled(Vec::new(), body.insts.len()),
        is_read: seen.values().map(|seen| seen.last.is_some()).collect(),
    };
    for (value, seen) in seen.iter() {
        let Some(read) = seen.last else { continue };
        let position = body.insts[read.inst].operands.iter().rposition(|operand| *operand == value);
        match position {
            Some(position) if !read.inside => result.takes[read.inst][position] = true,
            _ => result.drops[read.inst].push(value),
        }
    }
    result
}

/// What is known of one value.
#[derive(Clone, Copy)]
struct Seen {
    /// The region that defines it.
    owner: RegionId,
    last: Option<LastRead>,
}

/// `around` holds the regions being visited with the instruction reached in each, outermost first.
fn visit(
    body: &Body,
    region: RegionId,
    around: &mut Vec<(RegionId, InstId)>,
    seen: &mut Table<ValueId, Seen>,
) {
    for arg in &body.regions[region].args {
        seen[*arg].owner = region;
    }
    for id in &body.regions[region].insts {
        around.push((region, *id));
        let inst = &body.insts[*id];
        for operand in &inst.operands {
            let Seen { owner, last } = seen[*operand];
            let reader = around.iter().rev().find(|(region, _)| *region == owner);
            let (_, reader) = *reader.expect("a verified program reads only values in scope");
            let inside_before = last.is_some_and(|read| read.inst == reader && read.inside);
            seen[*operand].last = Some(LastRead { inst: reader, inside: inside_before || reader != *id });
        }
        for inner in &inst.regions {
            visit(body, *inner, around, seen);
        }
        around.pop();
        for result in &inst.results {
            seen[*result].owner = region;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::ids::Id;
    use meshwright_ir::text::read;

    #[test]
    fn values_read_in_a_loop_outlive_it() {
        let text = "func.func @main(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i1>) -> tensor<f32> {
  %0 = stablehlo.add %a, %a : tensor<f32>
  %1 = stablehlo.while(%x = %0) : tensor<f32>
   cond {
    stablehlo.return %c : tensor<i1>
  } do {
    %2 = stablehlo.add %x, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %1 : tensor<f32>
}";
        let program = read(&Source::new("test", text)).unwrap();
        let function = &program.functions[0];
        let (body, args) = (&function.body, function.args());
        let found = liveness(body);
        let top = &body.regions[body.entry()].insts;
        assert_eq!(found.takes[top[0]], [false, true], "the second read of %a is its last");
        assert_eq!(found.takes[top[1]], [true]);
        let mut dropped = found.drops[top[1]].clone();
        dropped.sort();
        assert_eq!(dropped, [args[1], args[2]]);
        let inner = &body.regions[RegionId::from_index(2)].insts;
        assert_eq!(found.takes[inner[0]], [true, false], "%b is read again in the next turn");
        let condition = &body.regions[RegionId::from_index(1)];
        assert!(!found.is_read[condition.args[0]]);
        assert_eq!(found.takes[condition.insts[0]], [false]);
    }
}
