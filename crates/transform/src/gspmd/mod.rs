//! GSPMD's form of shardings, read into `sdy` and written back.
//!
//! Input: a verified program with `mhlo.sharding` on arguments, results and instructions, and GSPMD's custom calls.
//! Output: the same program with `sdy` in their place, over a mesh that follows from the lists of devices (`axes`), or several (`layouts`):
//!
//! - `@Sharding` is a constraint, its `unspecified_dims` open; one that says nothing goes;
//! - a function called between `@SPMDFullToShardShape` and `@SPMDShardToFullShape`, as JAX lowers `shard_map`, is a
//!   manual computation; elsewhere the two are its boundaries (`ops::manual_boundary`).
//!
//! [`write()`] goes the other way. A program that has `sdy` shardings or a mesh already is left as it is.

mod axes;
mod layouts;
mod manual;
mod text;
mod write;
mod write_manual;

pub use write::write;

use layouts::Layouts;
use text::Tiling;

use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::sdy_constraint::{ConstraintKind, ShardingConstraint};
use meshwright_ir::program::{Body, Function, MeshDecl, Program};
use meshwright_ir::sharding::{DimShardingAttr, MeshRef, Reduction, ShardingAttr};
use std::collections::{BTreeMap, BTreeSet};

/// A sharding in GSPMD's form cannot be read.
pub const GSPMD: Check = Check("gspmd-sharding");

/// The attribute that holds a sharding.
const SHARDING: &str = "mhlo.sharding";

/// How a sharding is written.
const FORMS: &str = "write `{replicated}`, `{manual}`, `{unreduced}` or tiles over devices: `{devices=[2,4]<=[8]}`, with \
                     the devices listed `{devices=[2,2]3,1,0,2}`, with copies along the last tile dim \
                     `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`";

/// Targets of GSPMD's custom calls.
pub(crate) const CONSTRAINT: &str = "Sharding";
pub(crate) const ENTER: &str = "SPMDFullToShardShape";
pub(crate) const LEAVE: &str = "SPMDShardToFullShape";

/// The program with `sdy`'s shardings in place of GSPMD's; `None` if it has none of these, or speaks `sdy` already.
///
/// # Errors
/// Each sharding that is not understood.
pub fn read(program: &Program) -> Result<Option<Program>, Diagnostics> {
    if has_sdy(program) {
        return Ok(None);
    }
    let mut tilings = Vec::new();
    let mut problems = Vec::new();
    let partitions = program.attributes.get("mhlo.num_partitions").and_then(Attr::as_int);
    let partitions = partitions.and_then(|count| usize::try_from(count).ok());
    // Over how many devices, and who says so.
    let mut devices = partitions
        .filter(|count| *count > 1)
        .map(|count| (count, format!("`mhlo.num_partitions` is {count}")));
    for Place { text, span, name } in places(program) {
        match text::read(&text) {
            Ok(found) => {
                let count = found.iter().find_map(Tiling::num_devices);
                if let (Some(count), Some((others, said))) = (count, &devices)
                    && count != *others
                {
                    let problem = format!("{name}: its sharding is over {count} devices, but {said}");
                    let hint = "all shardings of a module are over the same devices";
                    problems.push(error(span, problem).hint(hint));
                }
                devices =
                    devices.or_else(|| count.map(|count| (count, format!("that of {name} is over {count}"))));
                tilings.extend(found);
            }
            Err(problem) => problems.push(error(span, format!("{name}: {problem}")).hint(FORMS)),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let says_something = |tiling: &Tiling| !matches!(tiling, Tiling::Manual | Tiling::Maximal);
    if !tilings.iter().any(says_something) {
        return Ok(None);
    }
    let num_devices = devices.map(|(count, _)| count).or(partitions).unwrap_or(1).max(1);
    let layouts = Layouts::of(&tilings, num_devices).map_err(|problem| {
        vec![
            error(Span::NONE, problem)
                .hint("lower the program with Shardy, which names the axes of the mesh"),
        ]
    })?;
    let mut reader = Reader { layouts, problems, idle: Idle::default() };
    let mut program = program.clone();
    for function in &mut program.functions {
        reader.function(function);
    }
    if !reader.problems.is_empty() {
        return Err(reader.problems);
    }
    let declared = reader.layouts.into_meshes().map(|mesh| MeshDecl {
        mesh,
        attributes: Attributes::new(),
        position: 0,
        span: Span::NONE,
        location: None,
    });
    program.meshes.extend(declared);
    Ok(Some(program))
}

fn error(span: Span, message: String) -> Diagnostic {
    Diagnostic::error(GSPMD, span, message)
}

/// A sharding as it is written.
struct Place {
    text: String,
    span: Span,
    /// What it stands at.
    name: String,
}

/// All of them.
fn places(program: &Program) -> Vec<Place> {
    let mut found = Vec::new();
    let mut add = |attributes: &Attributes, span: Span, name: &dyn Fn() -> String| {
        if let Some(text) = attributes.get(SHARDING).and_then(Attr::as_str) {
            found.push(Place { text: text.to_owned(), span, name: name() });
        }
    };
    for function in &program.functions {
        let (name, body) = (&function.name, &function.body);
        for (index, (attributes, arg)) in function.arg_attributes.iter().zip(function.args()).enumerate() {
            add(attributes, body.values[*arg].span, &|| format!("argument {index} of `@{name}`"));
        }
        for (index, attributes) in function.result_attributes.iter().enumerate() {
            add(attributes, function.result_span(index), &|| format!("result {index} of `@{name}`"));
        }
        for inst in body.insts.values() {
            add(&inst.attributes, inst.span, &|| format!("`{}`", inst.op.name()));
        }
    }
    found
}

/// Whether a program speaks `sdy`.
fn has_sdy(program: &Program) -> bool {
    let in_function = |function: &Function| {
        let outer = function.arg_attributes.iter().chain(&function.result_attributes);
        let insts = function.body.insts.values().map(|inst| &inst.attributes);
        outer.chain(insts).any(|attributes| attributes.get("sdy.sharding").is_some())
    };
    !program.meshes.is_empty() || program.functions.iter().any(in_function)
}

struct Reader {
    layouts: Layouts,
    problems: Diagnostics,
    /// Constraints of the function at hand that say nothing.
    idle: Idle,
}

impl Reader {
    fn function(&mut self, function: &mut Function) {
        let span = function.span;
        let arguments: Vec<Option<String>> = function
            .arg_attributes
            .iter()
            .map(|attributes| attributes.get(SHARDING).and_then(Attr::as_str).map(str::to_owned))
            .collect();
        let types: Vec<_> = function
            .args()
            .iter()
            .map(|arg| function.body.ty(*arg).as_tensor().map(|ty| ty.rank()))
            .collect();
        for (attributes, rank) in function.arg_attributes.iter_mut().zip(types) {
            self.boundary(attributes, rank, span);
        }
        let types = function.result_types.iter().map(|ty| ty.as_tensor().map(|ty| ty.rank()));
        for (attributes, rank) in function.result_attributes.iter_mut().zip(types) {
            self.boundary(attributes, rank, span);
        }
        manual::computations(self, &mut function.body, &arguments);
        let insts: Vec<InstId> = function.body.insts.ids().collect();
        for inst in insts {
            self.instruction(&mut function.body, inst);
        }
        std::mem::take(&mut self.idle).leave(&mut function.body);
    }

    /// The sharding of an argument or a result.
    fn boundary(&mut self, attributes: &mut Attributes, rank: Option<usize>, span: Span) {
        let Some(text) = attributes.remove(SHARDING) else { return };
        let Some(rank) = rank else { return };
        if let Some(sharding) = text.as_str().and_then(|text| self.sharding(text, 0, rank, &[], span)) {
            attributes.set("sdy.sharding", Attr::Sharding(sharding));
        }
    }

    /// One of the shardings in a text, as `sdy` has it. `None` if there is none, or one that is each device's own.
    fn sharding(
        &mut self,
        text: &str,
        index: usize,
        rank: usize,
        open: &[usize],
        span: Span,
    ) -> Option<ShardingAttr> {
        let tilings = text::read(text).ok()?;
        // One sharding may stand for all results.
        let tiling = tilings.get(index).or(tilings.first())?;
        if *tiling == Tiling::Manual {
            return None;
        }
        let tiles = match self.layouts.tiles(tiling, rank) {
            Ok(tiles) => tiles,
            Err(problem) => {
                self.problem(span, problem);
                return None;
            }
        };
        let dims = tiles.dims.into_iter().enumerate();
        let dims =
            dims.map(|(dim, axes)| DimShardingAttr { axes, is_open: open.contains(&dim), priority: None });
        Some(ShardingAttr {
            mesh: MeshRef::Symbol(tiles.mesh),
            dims: dims.collect(),
            replicated: Vec::new(),
            unreduced: tiles.unreduced,
            reduction: Reduction::Sum,
        })
    }

    /// The axes along which a sharding says that the program is one device's own.
    fn manual_axes(&mut self, text: &str, rank: usize, span: Span) -> Vec<String> {
        let tiling = text::read(text).ok().and_then(|tilings| tilings.into_iter().next());
        match tiling.map(|tiling| self.layouts.tiles(&tiling, rank)) {
            Some(Ok(tiles)) => tiles.manual,
            Some(Err(problem)) => {
                self.problem(span, problem);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Reports a problem once.
    fn problem(&mut self, span: Span, problem: String) {
        let problem = error(span, problem);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn instruction(&mut self, body: &mut Body, id: InstId) {
        let inst = &body.insts[id];
        let Some(text) = inst.attributes.get(SHARDING).and_then(Attr::as_str).map(str::to_owned) else {
            return;
        };
        let span = inst.span;
        let ranks: Vec<usize> = inst
            .results
            .iter()
            .map(|result| body.ty(*result).as_tensor().map_or(0, |tensor| tensor.rank()))
            .collect();
        if let Op::CustomCall(call) = &inst.op
            && call.target == CONSTRAINT
            && let ([operand], [result]) = (&inst.operands[..], &inst.results[..])
        {
            let (operand, result) = (*operand, *result);
            let open = unspecified_dims(&call.attributes);
            let rank = ranks.first().copied().unwrap_or(0);
            let sharding = self.sharding(&text, 0, rank, &open, span);
            let says_something = |sharding: &ShardingAttr| {
                !sharding.unreduced.is_empty()
                    || sharding.dims.iter().any(|dim| !dim.axes.is_empty() || !dim.is_open)
            };
            match sharding.filter(says_something) {
                Some(sharding) => {
                    let inst = &mut body.insts[id];
                    inst.op = ShardingConstraint { kind: ConstraintKind::Constraint, sharding }.into();
                    inst.attributes = Attributes::new();
                }
                None => self.idle.take_out(id, Some((result, operand))),
            }
            return;
        }
        let per_result: Vec<Option<ShardingAttr>> = ranks
            .iter()
            .enumerate()
            .map(|(index, rank)| self.sharding(&text, index, *rank, &[], span))
            .collect();
        let attributes = &mut body.insts[id].attributes;
        attributes.remove(SHARDING);
        // What is each device's own along all axes says nothing of the whole.
        let known: Option<Vec<ShardingAttr>> = per_result.into_iter().collect();
        if let Some(known) = known.filter(|known| !known.is_empty()) {
            attributes.set("sdy.sharding", Attr::ShardingPerValue(known));
        }
    }
}

/// `unspecified_dims=[0,1]` of a custom call.
fn unspecified_dims(attributes: &Attributes) -> Vec<usize> {
    let config = attributes.get("backend_config").and_then(Attr::as_str).unwrap_or_default();
    let list = config.split("unspecified_dims=[").nth(1).and_then(|rest| rest.split(']').next());
    list.unwrap_or_default().split(',').filter_map(|dim| dim.trim().parse().ok()).collect()
}

/// Instructions that a body does without.
#[derive(Default)]
struct Idle {
    insts: BTreeSet<InstId>,
    /// What is read instead of a result.
    values: BTreeMap<ValueId, ValueId>,
}

impl Idle {
    /// Notes an instruction, and its result with the operand that it is.
    fn take_out(&mut self, id: InstId, same: Option<(ValueId, ValueId)>) {
        self.insts.insert(id);
        if let Some((result, operand)) = same {
            self.values.insert(result, self.behind(operand));
        }
    }

    fn behind(&self, mut value: ValueId) -> ValueId {
        while let Some(next) = self.values.get(&value) {
            value = *next;
        }
        value
    }

    /// Takes them out.
    fn leave(self, body: &mut Body) {
        if self.insts.is_empty() {
            return;
        }
        for inst in body.insts.values_mut() {
            inst.operands.iter_mut().for_each(|value| *value = self.behind(*value));
        }
        for region in body.regions.values_mut() {
            region.insts.retain(|inst| !self.insts.contains(inst));
        }
    }
}
