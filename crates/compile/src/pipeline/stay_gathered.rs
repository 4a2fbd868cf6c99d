//! Parameters that are gathered once in a step stay so.
//!
//! A loop over microbatches may gather parameters before it, or in its forward pass and keep them for the backward pass. The
//! stages of a pipeline run no loop: each of their programs gathers what it reads, in every microbatch. Where a step was
//! sharded as if it were the loop, parameters are therefore kept as all of the loop reads them, and the update gathers what
//! it has made, once: ZeRO-1 instead of ZeRO-3, which takes the memory of a loop that gathers before it.
//!
//! A parameter may be read in another type and another shape: then shards are converted before the loop, and what that makes is
//! gathered. Where that takes fewer bytes than the parameter, stages do so too, once in a step: it is a copy
//! ([`Staged::copies`](meshwright_stage::Staged::copies)), which stays gathered as loops read it
//! ([`copies_stay_gathered`]). Programs of stages make the rest each, so that such a parameter is kept as what is
//! made of it is read, and converted so ([`Kept::Converted`]): of several readers as that reads it which has least of it,
//! the others gather the rest in every microbatch. That takes the memory of a parameter in its own type.

use meshwright_analyze::kept_copies::KeptCopies;
use meshwright_analyze::roles::PARAMETERS;
use meshwright_analyze::{Role, Roles};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Function, Inst};
use meshwright_ir::rule::{ShardingRule, Strategy};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::{Decisions, Policy, Shardings, Use};
use std::collections::BTreeSet;

use crate::options::Options;

/// Which parameters stay gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// Those that are read as they are.
    Plain,
    /// Those that are converted first, too.
    Converted,
    /// The same, over hosts: what the so many devices of a host share stays so, and is gathered in every microbatch.
    OverHosts(usize),
}

/// Who makes copies of parameters that are worth keeping ([`KeptCopies`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copied {
    /// Stages, once in a step.
    Once,
    /// Their programs, in every microbatch.
    Anew,
}

impl Copied {
    /// Those of a pipeline. Where microbatches read weights of several steps, there is no copy for all of them.
    pub(super) fn of(options: &Options) -> Self {
        let planned = options.plan.as_ref().and_then(|plan| plan.delayed_weights.as_ref());
        let is_anew = options.converts_again || options.weights.is_some() || planned.is_some();
        if is_anew { Self::Anew } else { Self::Once }
    }

    /// The copies that stages make of parameters once in a step, among what stands outside of loops and is read by them or moved.
    fn of_function(self, function: &Function, roles: &Roles) -> BTreeSet<ValueId> {
        if self == Self::Anew {
            return BTreeSet::new();
        }
        let body = &function.body;
        let is_of_parameters = |value: ValueId| roles.depends[value] == PARAMETERS;
        let as_it_is = |value: ValueId| value;
        let mut known = KeptCopies::new(body, &is_of_parameters, &as_it_is);
        let asked = body.regions[body.entry()].insts.iter().flat_map(|inst| match &body.insts[*inst] {
            own if is_loop(own) => &own.operands[..],
            own if is_moving(own) => &own.results,
            _ => &[],
        });
        asked.copied().filter(|value| is_of_parameters(*value) && known.is_copy(*value)).collect()
    }
}

/// Keeps every parameter as the loops that read it have it, but for those that are `fixed`. Returns whether some are kept so that
/// are converted first.
pub(super) fn stay_gathered(
    function: &Function,
    roles: &Roles,
    fixed: &Decisions,
    shardings: &mut Shardings,
    (kept, copied): (Kept, Copied),
) -> bool {
    let (uses, kept_copies) = (function.body.uses(), copied.of_function(function, roles));
    let reads = Reads { function, shardings, uses: &uses, kept, kept_copies: &kept_copies }.all();
    let mut are_converted = false;
    for argument in 0..function.args().len() {
        let own = function.args()[argument];
        let role = &roles.args[argument];
        let mut wanted = reads.iter().filter(|read| read.argument == argument).map(|read| &read.sharding);
        let Some(sharding) = wanted.next() else { continue };
        let is_free = role.role == Role::Parameter && !fixed.values.contains_key(&own);
        if !is_free || wanted.any(|other| other != sharding) || !is_larger(function, own, sharding, shardings)
        {
            continue;
        }
        if let Some(result) = role.result {
            if fixed.results.get(result).is_some_and(Option::is_some) {
                continue;
            }
            shardings.results[result] = sharding.clone();
        }
        shardings.values[own] = sharding.clone();
        for read in reads.iter().filter(|read| read.argument == argument) {
            for (inside, own) in &read.inside {
                shardings.values[*inside].clone_from(own);
            }
            for (convert, strategy) in &read.converts {
                shardings.strategies[*convert].clone_from(strategy);
                are_converted = true;
            }
        }
    }
    are_converted
}

/// Keeps every copy of parameters that loops read as they read it, but for those that are `fixed`: of several readers as that
/// reads it which has least of it. Returns whether some are kept so.
pub(super) fn copies_stay_gathered(
    function: &Function,
    roles: &Roles,
    fixed: &Decisions,
    shardings: &mut Shardings,
    (kept, copied): (Kept, Copied),
) -> bool {
    if kept == Kept::Plain {
        return false;
    }
    let (uses, kept_copies) = (function.body.uses(), copied.of_function(function, roles));
    let found = Reads { function, shardings, uses: &uses, kept, kept_copies: &kept_copies }.copies();
    let mut are_any = false;
    for (names, sharding) in found {
        if names.iter().any(|name| fixed.values.contains_key(name)) {
            continue;
        }
        names.into_iter().for_each(|name| shardings.values[name].clone_from(&sharding));
        are_any = true;
    }
    are_any
}

/// How turns of a loop read an argument.
struct Read {
    argument: usize,
    sharding: Sharding,
    /// All that it is called in the loop and behind it, if that carries it as it is, and what it is converted to.
    inside: Vec<(ValueId, Sharding)>,
    /// What converts it.
    converts: Vec<(InstId, Strategy)>,
}

/// How what is made of a value is read.
struct Wanted {
    /// The sharding of the value that suits that.
    sharding: Sharding,
    /// Those of what is made of it, and of its names in loops.
    made: Vec<(ValueId, Sharding)>,
    converts: Vec<(InstId, Strategy)>,
}

/// What is asked of the reads of a sharded function.
struct Reads<'a> {
    function: &'a Function,
    shardings: &'a Shardings,
    uses: &'a Table<ValueId, Vec<(InstId, usize)>>,
    kept: Kept,
    /// What stages make of parameters once in a step; nothing where their programs make all that they read.
    kept_copies: &'a BTreeSet<ValueId>,
}

impl Reads<'_> {
    /// All reads of arguments for the turns of loops: of those that loops carry and do not change, and by what stands in
    /// front of loops, as it does what all turns would do alike.
    fn all(&self) -> Vec<Read> {
        let Self { function, shardings, .. } = *self;
        let body = &function.body;
        let mut found = Vec::new();
        let entry = &body.regions[body.entry()].insts;
        let Some(last) = entry.iter().rposition(|inst| self.is_loop(*inst)) else { return found };
        for inst in &entry[..=last] {
            let view = body.view(*inst);
            if self.is_loop(*inst) {
                for (index, outside) in view.inst.operands.iter().enumerate() {
                    let Some(argument) = function.argument_index(*outside) else { continue };
                    let Some((inside, names)) = self.carried(*inst, index) else { continue };
                    let sharding = self.read_as(inside).unwrap_or_else(|| shardings.values[inside].clone());
                    let inside = names.into_iter().map(|name| (name, sharding.clone())).collect();
                    found.push(Read { argument, sharding, inside, converts: Vec::new() });
                }
                continue;
            }
            if !view.inst.regions.is_empty() {
                continue;
            }
            for (index, operand) in view.inst.operands.iter().enumerate() {
                let Some(argument) = function.argument_index(*operand) else { continue };
                found.push(match self.converted(*inst) {
                    Some(Wanted { sharding, made, converts }) => {
                        Read { argument, sharding, inside: made, converts }
                    }
                    None => {
                        let sharding = self.operand(*inst, index);
                        Read { argument, sharding, inside: Vec::new(), converts: Vec::new() }
                    }
                });
            }
        }
        found
    }

    /// The names of copies of parameters that loops read otherwise than they are made, with how they read them: those in loops, and
    /// that in front where nothing but loops reads it.
    fn copies(&self) -> Vec<(Vec<ValueId>, Sharding)> {
        let Self { function, shardings, .. } = *self;
        let body = &function.body;
        let mut found = Vec::new();
        for inst in body.regions[body.entry()].insts.iter().filter(|inst| self.is_loop(**inst)) {
            for (index, outside) in body.insts[*inst].operands.iter().enumerate() {
                let Some((inside, names)) = self.carried(*inst, index) else { continue };
                let Some(tensor) = body.ty(inside).as_tensor() else { continue };
                if !self.kept_copies.contains(outside) {
                    continue;
                }
                let bytes = |own: &Sharding| own.local_type(tensor, &shardings.mesh).num_bytes();
                let own = &shardings.values[inside];
                let Some(least) = self.readers(inside).flatten().min_by_key(bytes) else { continue };
                let in_hosts = match self.kept {
                    Kept::OverHosts(devices) => Some(within(own, &shardings.mesh, devices)),
                    Kept::Plain | Kept::Converted => None,
                };
                let least = in_hosts.into_iter().chain([least]).min_by_key(bytes);
                let is_larger = |least: &Sharding| own.partial.is_none() && bytes(least) > bytes(own);
                let is_of_loops = self.uses[*outside].iter().all(|(reader, _)| self.is_loop(*reader));
                let names = names.into_iter().chain(is_of_loops.then_some(*outside)).collect();
                found.extend(least.filter(is_larger).map(|least| (names, least)));
            }
        }
        found
    }

    fn is_loop(&self, inst: InstId) -> bool {
        is_loop(&self.function.body.insts[inst])
    }

    /// The sharding in which an instruction reads an operand.
    fn operand(&self, inst: InstId, index: usize) -> Sharding {
        let view = self.function.body.view(inst);
        let rule = view.inst.op.rule(&view);
        self.shardings.strategies[inst].operand_sharding(&rule, index, &self.shardings.mesh)
    }

    /// What a loop calls an operand in its turns, and all names of it, if it carries it as it is.
    fn carried(&self, inst: InstId, index: usize) -> Option<(ValueId, Vec<ValueId>)> {
        let body = &self.function.body;
        let view = body.view(inst);
        let turns = view.inst.regions[1];
        let next = body.terminator(turns)?;
        let inside = body.regions[turns].args[index];
        let names = view.inst.regions.iter().map(|region| body.regions[*region].args[index]);
        (next.operands[index] == inside).then(|| (inside, names.chain([view.inst.results[index]]).collect()))
    }

    /// The shardings in which a loop's body reads what it carries; none for a reader that does not say, or does not keep it.
    fn readers(&self, inside: ValueId) -> impl Iterator<Item = Option<Sharding>> {
        let Self { function, shardings, .. } = *self;
        let body = &function.body;
        self.uses[inside].iter().filter(|(reader, _)| !is_return(body, *reader)).map(
            move |(reader, index)| {
                let view = body.view(*reader);
                let is_plain = view.inst.regions.is_empty() && !view.inst.op.carries_values();
                let is_kept = shardings.policies.of(Use { reader: *reader, value: inside }) == Policy::Keep;
                (is_plain && is_kept).then(|| self.operand(*reader, *index))
            },
        )
    }

    /// The sharding in which all of a loop's body reads what it carries, if that is one and is kept once it is made.
    fn read_as(&self, inside: ValueId) -> Option<Sharding> {
        let mut wanted = self.readers(inside);
        let first = wanted.next()??;
        wanted.all(|other| other.as_ref() == Some(&first)).then_some(first)
    }

    /// The sharding of its operand with which an instruction that only converts or moves makes what loops read, if that is more
    /// of it than is there; nothing where something else than one loop, or one such instruction, reads it.
    fn converted(&self, inst: InstId) -> Option<Wanted> {
        let Self { function, shardings, kept, .. } = *self;
        let view = function.body.view(inst);
        let ([result], true, false) = (&view.inst.results[..], is_moving(view.inst), kept == Kept::Plain)
        else {
            return None;
        };
        // A copy is made of shards.
        if self.kept_copies.contains(result) {
            return None;
        }
        let [(reader, index)] = self.uses[*result][..] else { return None };
        let mut wanted = match self.is_loop(reader) {
            true => {
                let (inside, names) = self.carried(reader, index)?;
                let tensor = function.body.ty(inside).as_tensor()?;
                let bytes = |own: &Sharding| own.local_type(tensor, &shardings.mesh).num_bytes();
                let least = self.readers(inside).flatten().min_by_key(bytes)?;
                let rule = view.inst.op.rule(&view);
                let made = shardings.strategies[inst].result_sharding(&rule, 0, &shardings.mesh);
                let in_hosts = match kept {
                    Kept::OverHosts(devices) => Some(within(&made, &shardings.mesh, devices)),
                    Kept::Plain | Kept::Converted => None,
                };
                let least = in_hosts.into_iter().chain([least]).min_by_key(bytes)?;
                if bytes(&least) <= bytes(&made) {
                    return None;
                }
                let made = names.into_iter().map(|name| (name, least.clone())).collect();
                Wanted { sharding: least, made, converts: Vec::new() }
            }
            false => self.converted(reader)?,
        };
        let rule = view.inst.op.rule(&view);
        let strategy = that_makes(&rule, &wanted.sharding, &shardings.mesh)?;
        wanted.made.push((*result, wanted.sharding));
        wanted.sharding = strategy.operand_sharding(&rule, 0, &shardings.mesh);
        wanted.converts.push((inst, strategy));
        Some(wanted)
    }
}

/// A sharding over the devices of a host alone, of which there are so many: the last axes of a mesh lie there, of one that is
/// longer than a host its last part.
fn within(sharding: &Sharding, mesh: &Mesh, devices: usize) -> Sharding {
    let (mut inside, mut product) = (AxisSet::EMPTY, 1);
    for piece in mesh.sub_axis_ids().rev() {
        product *= mesh.sub_axis(piece).size;
        // Groups of devices that do not divide a host lie on two of them.
        if !devices.is_multiple_of(product) {
            break;
        }
        inside.insert(piece);
    }
    let mut own = sharding.clone();
    own.dims.iter_mut().for_each(|dim| dim.axes.retain(|axis| inside.contains(*axis)));
    own
}

/// The strategy of an instruction of one result with which it makes that in a sharding; none if there is none.
fn that_makes(rule: &ShardingRule, wanted: &Sharding, mesh: &Mesh) -> Option<Strategy> {
    let mut strategy = Strategy::replicated(rule);
    for (factors, dim) in rule.results.first()?.iter().zip(&wanted.dims) {
        let mut open = factors.iter();
        let mut factor = open.next();
        for axis in &dim.axes {
            let is_full = |own: &&usize| mesh.product(&strategy.axes[**own]) == rule.factors[**own].size;
            while factor.is_some_and(|own| is_full(&own)) {
                factor = open.next();
            }
            strategy.axes[*factor?].push(*axis);
        }
    }
    let is_it = strategy.is_legal(rule, mesh)
        && strategy.result_sharding(rule, 0, mesh).places_like(wanted)
        && wanted.partial.is_none();
    is_it.then_some(strategy)
}

fn is_loop(inst: &Inst) -> bool {
    inst.regions.len() == 2 && inst.op.carries_values()
}

/// Whether an instruction only converts or moves.
fn is_moving(inst: &Inst) -> bool {
    matches!(inst.op, Op::Convert(_) | Op::Reshape(_) | Op::Transpose(_))
}

fn is_return(body: &Body, inst: InstId) -> bool {
    matches!(body.insts[inst].op, Op::Return(_))
}

/// Whether a device has more of a value in this sharding than it keeps now.
fn is_larger(function: &Function, value: ValueId, sharding: &Sharding, shardings: &Shardings) -> bool {
    let Some(tensor) = function.body.ty(value).as_tensor() else { return false };
    let bytes = |sharding: &Sharding| sharding.local_type(tensor, &shardings.mesh).num_bytes();
    sharding.partial.is_none() && bytes(sharding) > bytes(&shardings.values[value])
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::mesh::Axis;

    /// The text of what is left within hosts of so many devices of a dim that all axes of a mesh of these sizes shard.
    fn left(sizes: &[usize], devices: usize) -> String {
        let axes =
            sizes.iter().enumerate().map(|(axis, size)| Axis { name: format!("a{axis}"), size: *size });
        let mesh = Mesh::new("mesh", axes.collect()).expect("a mesh");
        let mut sharding = Sharding::replicated(1);
        sharding.dims[0].axes = mesh.sub_axis_ids().collect();
        mesh.describe(&within(&sharding, &mesh, devices).dims[0].axes).join(", ")
    }

    #[test]
    fn of_an_axis_that_is_longer_than_a_host_its_last_part_lies_there() {
        assert_eq!(left(&[4, 8], 8), "a1");
        assert_eq!(left(&[4, 2, 4], 8), "a1, a2");
        assert_eq!(left(&[2, 16], 8), "a1:(2)8");
        assert_eq!(left(&[16, 2], 8), "a0:(4)4, a1");
        assert_eq!(left(&[2, 16], 16), "a1");
        // Three devices one behind the other are not always on one host of four.
        assert_eq!(left(&[4, 3], 4), "");
    }
}
