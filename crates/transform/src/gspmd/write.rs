//! From `sdy` to GSPMD's form.
//!
//! Input: a program whose shardings are `sdy`. Output: the same with `mhlo.sharding` in their place, constraints and
//! reshards being `@Sharding` custom calls; what only guides propagation goes. Manual computations are taken apart
//! (`write_manual`), and every sharding inside says along which axes its value is each device's own. Closed and open
//! dims look alike there; priorities are lost. Errors: what GSPMD cannot say: values that are unreduced as a maximum or
//! minimum, other regions and collectives of `sdy`, sub-axes that cut through prime factors.

use super::text;
use super::write_manual::{flatten, without};
use super::{CONSTRAINT, ENTER, GSPMD, Idle, LEAVE, SHARDING};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::custom_call::CustomCall;
use meshwright_ir::ops::manual_boundary::Way;
use meshwright_ir::program::{Body, Program, Regions};
use meshwright_ir::sharding::{Reduction, Sharding, ShardingAttr};
use meshwright_tensor::types::Type;

/// The program in GSPMD's form.
pub fn write(program: &Program) -> Result<Program, Diagnostics> {
    let mut written = program.clone();
    let around = flatten(&mut written)?;
    let mut writer = Writer { program, manual: Vec::new(), problems: Vec::new() };
    let mut num_devices = 1;
    for decl in &program.meshes {
        num_devices = num_devices.max(decl.mesh.num_devices());
    }
    for (function, around) in written.functions.iter_mut().zip(&around) {
        let span = function.span;
        writer.manual.clone_from(&around.function);
        let types: Vec<Type> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
        for (attributes, ty) in function.arg_attributes.iter_mut().zip(&types) {
            writer.attributes(attributes, std::slice::from_ref(ty), span);
        }
        for (attributes, ty) in function.result_attributes.iter_mut().zip(&function.result_types) {
            writer.attributes(attributes, std::slice::from_ref(ty), span);
        }
        let body = &mut function.body;
        let mut idle = Idle::default();
        for id in whole_tensors(body) {
            writer.manual.clear();
            writer.manual.extend_from_slice(around.inst(id));
            let types: Vec<Type> =
                body.insts[id].results.iter().map(|value| body.ty(*value).clone()).collect();
            let inst = &mut body.insts[id];
            let span = inst.span;
            writer.attributes(&mut inst.attributes, &types, span);
            if let Op::ShardingConstraint(constraint) = &inst.op
                && let Some(text) = types.first().and_then(|ty| writer.text(&constraint.sharding, ty, span))
            {
                let target = CONSTRAINT.to_owned();
                inst.op = CustomCall { target, attributes: Attributes::new() }.into();
                inst.attributes.set(SHARDING, Attr::string(&text));
            } else if let Op::ManualBoundary(boundary) = &inst.op {
                let target = if boundary.way == Way::Enter { ENTER } else { LEAVE };
                let sharding = match boundary.way {
                    Way::Enter => without(&boundary.sharding, &boundary.manual_axes),
                    Way::Leave => boundary.sharding.clone(),
                };
                let text = types.first().and_then(|ty| writer.text(&sharding, ty, span));
                let (target, attributes) = (target.to_owned(), Attributes::new());
                inst.op = CustomCall { target, attributes }.into();
                inst.attributes.set(SHARDING, Attr::string(&text.unwrap_or_default()));
            } else if let Op::SdyConstant(constant) = &inst.op {
                inst.op = constant.constant.clone().into();
            } else if matches!(
                inst.op,
                Op::DataFlowEdge(_) | Op::PropagationBarrier(_) | Op::ShardingGroup(_)
            ) {
                // They guide propagation alone.
                let same = inst.results.first().copied().zip(inst.operands.first().copied());
                idle.take_out(id, same);
            } else if inst.op.name().starts_with("sdy.") && !matches!(inst.op, Op::Return(_)) {
                let message = format!("`{}` has no form in GSPMD", inst.op.name());
                writer.problems.push(Diagnostic::error(GSPMD, span, message));
            }
        }
        idle.leave(body);
    }
    written.meshes.clear();
    written.attributes.set("mhlo.num_partitions", Attr::i32(i32::try_from(num_devices).unwrap_or(i32::MAX)));
    written.attributes.set("mhlo.num_replicas", Attr::i32(1));
    if writer.problems.is_empty() { Ok(written) } else { Err(writer.problems) }
}

/// All instructions, those of reducers aside.
fn whole_tensors(body: &Body) -> Vec<InstId> {
    let mut found = Vec::new();
    let mut pending = vec![body.entry()];
    while let Some(region) = pending.pop() {
        for id in &body.regions[region].insts {
            found.push(*id);
            let view = body.view(*id);
            if view.regions() != Regions::OfElements || view.inst.op.name().starts_with("sdy.") {
                pending.extend(&view.inst.regions);
            }
        }
    }
    found
}

struct Writer<'a> {
    program: &'a Program,
    /// The axes along which what is at hand is each device's own.
    manual: Vec<String>,
    problems: Diagnostics,
}

impl Writer<'_> {
    /// `sdy.sharding` of some attributes as `mhlo.sharding`.
    fn attributes(&mut self, attributes: &mut Attributes, types: &[Type], span: Span) {
        let shardings = match attributes.remove("sdy.sharding") {
            Some(Attr::Sharding(sharding)) => vec![sharding],
            Some(Attr::ShardingPerValue(shardings)) => shardings,
            _ => match self.own_of_device(types) {
                Some(shardings) => shardings,
                None => return,
            },
        };
        let texts: Option<Vec<String>> =
            shardings.iter().zip(types).map(|(sharding, ty)| self.text(sharding, ty, span)).collect();
        match texts.as_deref() {
            Some([only]) => attributes.set(SHARDING, Attr::string(only)),
            Some(several) if !several.is_empty() => {
                attributes.set(SHARDING, Attr::string(&format!("{{{}}}", several.join(", "))));
            }
            _ => {}
        }
    }

    /// Along manual axes a value says so even if it has no sharding.
    fn own_of_device(&self, types: &[Type]) -> Option<Vec<ShardingAttr>> {
        let has_axes = |mesh: &&Mesh| self.manual.iter().all(|name| mesh.axis_named(name).is_some());
        let mesh = self.program.meshes.iter().map(|decl| &decl.mesh).find(has_axes)?;
        let whole = |ty: &Type| {
            let rank = ty.as_tensor()?.rank();
            Some(Sharding::replicated(rank).to_attr(mesh))
        };
        if self.manual.is_empty() { None } else { types.iter().map(whole).collect() }
    }

    fn text(&mut self, sharding: &ShardingAttr, ty: &Type, span: Span) -> Option<String> {
        let mesh = self.program.resolve_mesh(&sharding.mesh)?;
        if mesh.is_maximal() {
            return Some(format!("{{maximal device={}}}", mesh.device_ids()[0]));
        }
        let shape = &ty.as_tensor()?.shape;
        match Sharding::resolve(sharding, mesh, shape) {
            Ok(resolved) if resolved.partial.is_some_and(|(reduction, _)| reduction != Reduction::Sum) => {
                let message = "a value that is unreduced as a maximum or minimum has no form in GSPMD";
                self.problems.push(Diagnostic::error(GSPMD, span, message));
                None
            }
            Ok(resolved) => {
                let manual = self.manual.iter().filter_map(|name| mesh.axis_named(name));
                Some(tiled(&resolved, mesh, &manual.flat_map(|axis| mesh.pieces(axis)).collect::<Vec<_>>()))
            }
            Err(problem) => {
                self.problems.push(Diagnostic::error(GSPMD, span, problem.message).hint(problem.hint));
                None
            }
        }
    }
}

fn tiled(sharding: &Sharding, mesh: &Mesh, manual: &[SubAxisId]) -> String {
    let tiles: Vec<usize> = sharding.dim_axes().map(|axes| mesh.product(axes)).collect();
    let (sharded, partial) = (sharding.sharded_axes(), sharding.partial_axes());
    let used = sharded.union(partial);
    let manual: Vec<SubAxisId> = manual.iter().copied().filter(|axis| !used.contains(*axis)).collect();
    let unreduced: Vec<SubAxisId> = mesh.sub_axis_ids().filter(|axis| partial.contains(*axis)).collect();
    let is_free = |axis: &SubAxisId| !used.contains(*axis) && !manual.contains(axis);
    let free: Vec<SubAxisId> = mesh.sub_axis_ids().filter(is_free).collect();
    let order = sharding.dim_axes().flatten().chain(&manual).chain(&unreduced).chain(&free);
    let sizes: Vec<usize> = mesh.sub_axes().iter().map(|axis| axis.size).collect();
    let position = |axis: &SubAxisId| mesh.sub_axis_ids().position(|other| other == *axis).unwrap_or(0);
    let order: Vec<usize> = order.map(position).collect();
    let beyond = text::Beyond {
        manual: mesh.product(&manual),
        unreduced: mesh.product(&unreduced),
        replicas: mesh.product(&free),
    };
    if mesh.device_ids().is_empty() {
        return text::write(&tiles, &beyond, &sizes, &order);
    }
    text::listed(&tiles, &beyond, mesh.device_ids(), &sizes, &order)
}
