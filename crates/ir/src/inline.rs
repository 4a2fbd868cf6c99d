//! Inlining: every call replaced by the callee's instructions, so that later stages see one function.

use crate::calls::Functions;
use crate::ids::{RegionId, Table, ValueId};
use crate::op::Op;
use crate::program::{Body, Function, Program, Region};

/// The function `name` of a verified program with all calls of functions with a body inlined.
/// Returns `None` if there is no such function.
pub fn inline_calls(program: &Program, name: &str) -> Option<Function> {
    let function = program.function(name)?;
    let mut body = Body::new();
    let entry = body.entry();
    let mut map = Table::filled(None, function.body.values.len());
    for arg in function.args() {
        let value = &function.body.values[*arg];
        map[*arg] = Some(body.add_arg(entry, value.ty.clone(), value.span));
    }
    Inliner { functions: Functions::of(program), body: &mut body }.insts(
        &function.body,
        function.body.entry(),
        entry,
        Returns::Kept,
        &mut map,
    );
    let mut inlined = function.clone();
    inlined.body = body;
    Some(inlined)
}

/// What becomes of a region's terminator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returns {
    /// Copied, as that of the outermost function and of inner regions.
    Kept,
    /// Dropped; the caller reads the returned values through the map.
    ThroughMap,
}

struct Inliner<'a> {
    functions: Functions<'a>,
    body: &'a mut Body,
}

impl Inliner<'_> {
    fn insts(
        &mut self,
        from: &Body,
        region: RegionId,
        to: RegionId,
        returns: Returns,
        map: &mut Table<ValueId, Option<ValueId>>,
    ) {
        for inst in &from.regions[region].insts {
            let source = &from.insts[*inst];
            if source.op.is_call()
                && let [name] = source.op.callees()[..]
                && let Some(callee) = self.functions.get(name)
                && !callee.is_declaration
            {
                let mut inner = Table::filled(None, callee.body.values.len());
                for (arg, operand) in callee.args().iter().zip(&source.operands) {
                    inner[*arg] = map[*operand];
                }
                self.insts(&callee.body, callee.body.entry(), to, Returns::ThroughMap, &mut inner);
                for (result, returned) in source.results.iter().zip(callee.returned()) {
                    map[*result] = inner[*returned];
                }
                continue;
            }
            if matches!(source.op, Op::Return(_)) && returns == Returns::ThroughMap {
                continue;
            }
            let operands =
                source.operands.iter().map(|value| map[*value].expect("defined before use")).collect();
            let mut regions = Vec::with_capacity(source.regions.len());
            for inner in &source.regions {
                let copy = self.body.regions.push(Region::default());
                for arg in &from.regions[*inner].args {
                    let value = &from.values[*arg];
                    map[*arg] = Some(self.body.add_arg(copy, value.ty.clone(), value.span));
                }
                self.insts(from, *inner, copy, Returns::Kept, map);
                regions.push(copy);
            }
            let types = source.results.iter().map(|value| from.ty(*value).clone()).collect();
            let copy = self.body.append(to, source.op.clone(), operands, regions, types, source.span);
            self.body.insts[copy].attributes = source.attributes.clone();
            self.body.insts[copy].location = source.location.clone();
            for (old, new) in source.results.iter().zip(self.body.insts[copy].results.clone()) {
                self.body.values[new].span = from.values[*old].span;
                map[*old] = Some(new);
            }
        }
    }
}
