//! Inlining: one function with the bodies of all functions that it calls.
//!
//! Input: a verified program (whose calls are not recursive). Output: a copy of one of its functions in which every
//! call is replaced by what the callee does. Calls of functions without a body stay. Instructions and values keep their
//! spans, so an error in inlined code still points into the callee.
//!
//! On request the regions of `sdy` that are parts of the whole program are inlined too: of a named computation the
//! shardings of operands and results stay as constraints; a manual computation becomes what stands between its
//! boundaries ([`ManualBoundary`]), and what it says of its operands and results as constraints outside of them. Parts
//! of values that are put together again become one rearrangement each (`rearranged`).

use crate::contributions::in_whole_program;
use crate::rearranged::{Rearranged, Taken};
use meshwright_ir::attribute::Attributes;
use meshwright_ir::calls::Functions;
use meshwright_ir::expand::expand;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::Op;
use meshwright_ir::ops::manual_boundary::{ManualBoundary, Way};
use meshwright_ir::ops::rearrange::Rearrange;
use meshwright_ir::ops::sdy_constraint::{ConstraintKind, ShardingConstraint};
use meshwright_ir::program::{Body, Function, Inst, Program, Region};
use meshwright_ir::sharding::{AxisRefAttr, ShardingAttr};
use meshwright_tensor::types::Type;

/// The function `name` of a verified program with all calls of functions with a body inlined.
/// Returns `None` if there is no such function.
pub fn inline_calls(program: &Program, name: &str) -> Option<Function> {
    inline(program, name, Regions::Kept)
}

/// As [`inline_calls`], named and manual computations inlined as well, collectives of `sdy` as what they are in the
/// program of the whole, parts of values that are put together again as rearrangements, and short forms written out.
pub fn inline_regions(program: &Program, name: &str) -> Option<Function> {
    inline(program, name, Regions::Inlined).map(expand)
}

fn inline(program: &Program, name: &str, regions: Regions) -> Option<Function> {
    let function = program.function(name)?;
    let mut body = Body::new();
    let entry = body.entry();
    let mut map = Table::filled(None, function.body.values.len());
    for arg in function.args() {
        let value = &function.body.values[*arg];
        map[*arg] = Some(body.add_arg(entry, value.ty.clone(), value.span));
    }
    let own = &function.body.regions[function.body.entry()];
    body.regions[entry].arg_locations.clone_from(&own.arg_locations);
    let arguments = &function.arg_attributes;
    let mut inliner =
        Inliner { program, functions: Functions::of(program), regions, arguments, body: &mut body };
    let source = inliner.source(&function.body);
    inliner.insts(&source, function.body.entry(), entry, Returns::Kept, &mut map);
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

/// What becomes of named and manual computations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Regions {
    Kept,
    Inlined,
}

/// Where each value of the source is in the copy.
type Map = Table<ValueId, Option<ValueId>>;

struct Inliner<'a> {
    program: &'a Program,
    functions: Functions<'a>,
    regions: Regions,
    /// Attributes of the arguments of the function that all goes into.
    arguments: &'a [Attributes],
    body: &'a mut Body,
}

/// A body that is copied.
struct Source<'a> {
    body: &'a Body,
    rearranged: Rearranged,
}

impl Inliner<'_> {
    fn source<'b>(&self, body: &'b Body) -> Source<'b> {
        let rearranged = match self.regions {
            Regions::Kept => Rearranged::default(),
            Regions::Inlined => Rearranged::of(body),
        };
        Source { body, rearranged }
    }

    fn insts(&mut self, of: &Source<'_>, region: RegionId, to: RegionId, returns: Returns, map: &mut Map) {
        let from = of.body;
        for inst in &from.regions[region].insts {
            let source = &from.insts[*inst];
            if of.rearranged.unread.contains(inst) {
                continue;
            }
            if let Some((op, taken)) = of.rearranged.joins.get(inst) {
                self.rearrangement(from, *inst, op, taken, to, map);
                continue;
            }
            if source.op.is_call()
                && let [name] = source.op.callees()[..]
                && let Some(callee) = self.functions.function(name)
                && !callee.is_declaration
            {
                let mut inner = Table::filled(None, callee.body.values.len());
                for (arg, operand) in callee.args().iter().zip(&source.operands) {
                    inner[*arg] = map[*operand];
                }
                let inside = self.source(&callee.body);
                self.insts(&inside, callee.body.entry(), to, Returns::ThroughMap, &mut inner);
                for (result, returned) in source.results.iter().zip(callee.returned()) {
                    map[*result] = inner[*returned];
                }
                continue;
            }
            if let Some(crossing) = Crossing::of(source, to).filter(|_| self.regions == Regions::Inlined) {
                self.computation(of, &crossing, map);
                continue;
            }
            if let Op::SdyCollective(op) = &source.op
                && self.regions == Regions::Inlined
            {
                let ([operand], [result]) = (&source.operands[..], &source.results[..]) else { continue };
                let start = map[*operand].expect("defined before use");
                let ty = from.ty(*result);
                let ops = in_whole_program(op, self.body, self.arguments, start);
                let end = ops
                    .into_iter()
                    .fold(start, |value, op| self.append_to(op, value, ty.clone(), to, source));
                self.body.values[end].span = from.values[*result].span;
                map[*result] = Some(end);
                continue;
            }
            // A constraint on a scalar says nothing; it may stand in a function of single elements.
            if self.regions == Regions::Inlined
                && matches!(source.op, Op::ShardingConstraint(_))
                && let ([operand], [result]) = (&source.operands[..], &source.results[..])
                && from.ty(*result).as_tensor().is_some_and(|tensor| tensor.rank() == 0)
            {
                map[*result] = map[*operand];
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
                self.insts(of, *inner, copy, Returns::Kept, map);
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

    /// The rearrangement that stands where the concatenation `inst` stood.
    fn rearrangement(
        &mut self,
        from: &Body,
        inst: InstId,
        op: &Rearrange,
        taken: &[Taken],
        to: RegionId,
        map: &mut Map,
    ) {
        let source = &from.insts[inst];
        let mut operands = Vec::with_capacity(taken.len());
        for Taken { value, changes } in taken {
            let start = map[*value].expect("defined before use");
            let changed = changes.iter().fold(start, |operand, change| {
                let change = &from.insts[*change];
                let element = from.ty(change.results[0]).as_tensor().map(|ty| ty.element);
                let mut ty = self.body.ty(operand).clone();
                if let (Type::Tensor(ty), Some(element)) = (&mut ty, element) {
                    ty.element = element;
                }
                self.append_to(change.op.clone(), operand, ty, to, change)
            });
            operands.push(changed);
        }
        let result = source.results[0];
        // All of one value is the value.
        if let ([operand], [part]) = (operands.as_slice(), op.parts.as_slice())
            && !part.is_reversed
            && source.attributes.is_empty()
            && self.body.ty(*operand) == from.ty(result)
        {
            map[result] = Some(*operand);
            return;
        }
        let types = vec![from.ty(result).clone()];
        let copy = self.body.append(to, op.clone().into(), operands, Vec::new(), types, source.span);
        self.body.insts[copy].attributes = source.attributes.clone();
        self.body.insts[copy].location = source.location.clone();
        let made = self.body.insts[copy].results[0];
        self.body.values[made].span = from.values[result].span;
        map[result] = Some(made);
    }

    /// The contents of a named or manual computation.
    fn computation(&mut self, of: &Source<'_>, crossing: &Crossing<'_>, map: &mut Map) {
        let (from, source) = (of.body, crossing.inst);
        let Some(region) = source.regions.first() else { return };
        for (index, (operand, arg)) in source.operands.iter().zip(&from.regions[*region].args).enumerate() {
            let sharding = crossing.takes.get(index);
            let value = map[*operand].expect("defined before use");
            let value = self.constrained(value, sharding, crossing);
            map[*arg] = Some(self.crossed(value, from.ty(*arg), Way::Enter, sharding, crossing));
        }
        self.insts(of, *region, crossing.to, Returns::ThroughMap, map);
        let returned = from.terminator(*region).map_or(&[][..], |last| &last.operands);
        for (index, (result, returned)) in source.results.iter().zip(returned).enumerate() {
            let sharding = crossing.gives.get(index);
            let value = map[*returned].expect("defined before use");
            let value = self.crossed(value, from.ty(*result), Way::Leave, sharding, crossing);
            let value = self.constrained(value, sharding, crossing);
            self.body.values[value].span = from.values[*result].span;
            map[*result] = Some(value);
        }
    }

    /// The value with a sharding that its computation asks for. No manual axis may be added to it later.
    fn constrained(
        &mut self,
        value: ValueId,
        sharding: Option<&ShardingAttr>,
        crossing: &Crossing<'_>,
    ) -> ValueId {
        let ty = self.body.ty(value).clone();
        let Some(sharding) = sharding.filter(|_| ty.as_tensor().is_some()) else { return value };
        let mut kept = sharding.clone();
        kept.unreduced.clear();
        if let Some(mesh) = self.program.resolve_mesh(&sharding.mesh) {
            keep_off(&mut kept, crossing.manual_axes, mesh);
        }
        let op = ShardingConstraint { kind: ConstraintKind::Constraint, sharding: kept };
        self.append(op, value, ty, crossing)
    }

    /// The value on the other side of a boundary.
    fn crossed(
        &mut self,
        value: ValueId,
        ty: &Type,
        way: Way,
        sharding: Option<&ShardingAttr>,
        crossing: &Crossing<'_>,
    ) -> ValueId {
        let is_tensor = ty.as_tensor().is_some() && !crossing.manual_axes.is_empty();
        let Some(sharding) = sharding.filter(|_| is_tensor) else { return value };
        let (sharding, manual_axes) = (sharding.clone(), crossing.manual_axes.to_vec());
        self.append(ManualBoundary { way, sharding, manual_axes }, value, ty.clone(), crossing)
    }

    fn append(&mut self, op: impl Into<Op>, value: ValueId, ty: Type, crossing: &Crossing<'_>) -> ValueId {
        self.append_to(op.into(), value, ty, crossing.to, crossing.inst)
    }

    /// Appends an instruction that stands for (a part of) `source`.
    fn append_to(&mut self, op: Op, value: ValueId, ty: Type, to: RegionId, source: &Inst) -> ValueId {
        let inst = self.body.append(to, op, vec![value], Vec::new(), vec![ty], source.span);
        self.body.insts[inst].location = source.location.clone();
        self.body.insts[inst].results[0]
    }
}

/// A computation with a region that is about to be inlined.
struct Crossing<'a> {
    inst: &'a Inst,
    /// Where its contents go.
    to: RegionId,
    /// What it says of the values that go into it.
    takes: &'a [ShardingAttr],
    /// What it says of those that come out.
    gives: &'a [ShardingAttr],
    manual_axes: &'a [String],
}

impl<'a> Crossing<'a> {
    fn of(inst: &'a Inst, to: RegionId) -> Option<Self> {
        let (takes, gives, manual_axes): (_, _, &[String]) = match &inst.op {
            Op::ManualComputation(op) => {
                (op.in_shardings.as_slice(), op.out_shardings.as_slice(), &op.manual_axes)
            }
            Op::NamedComputation(op) => {
                let list =
                    |shardings: &'a Option<Vec<ShardingAttr>>| shardings.as_deref().unwrap_or_default();
                (list(&op.in_shardings), list(&op.out_shardings), &[])
            }
            _ => return None,
        };
        Some(Self { inst, to, takes, gives, manual_axes })
    }
}

/// Says that those of `manual` that a sharding does not use stay unused.
fn keep_off(sharding: &mut ShardingAttr, manual: &[String], mesh: &Mesh) {
    let used = sharding.dims.iter().flat_map(|dim| &dim.axes).chain(&sharding.replicated);
    let used: Vec<&String> = used.map(|axis| &axis.name).collect();
    let free = manual.iter().filter(|name| !used.contains(name));
    let free: Vec<AxisRefAttr> =
        free.map(|name| AxisRefAttr { name: name.clone(), sub_axis: None }).collect();
    sharding.replicated.extend(free);
    sharding.replicated.sort_by_key(|axis| (mesh.axis_named(&axis.name), axis.sub_axis));
}
