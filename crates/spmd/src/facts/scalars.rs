//! Scalars that are known for each device before the program runs: constants, the device's own number and what is
//! computed from them. They say which shard a device cuts out for itself, and who contributes what.

use super::devices::{Grid, varies_along};
use meshwright_ir::const_eval::ConstEval;
use meshwright_ir::eval::Evaluation;
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::ops::constant::tensor_of;
use meshwright_ir::program::{Def, InstView};
use meshwright_tensor::types::ElementKind;
use meshwright_tensor::{Precision, Tensor};
use std::rc::Rc;

/// On larger meshes nothing is worked out device by device.
pub const MOST_DEVICES: usize = 1 << 17;

/// A scalar on every device; a tensor has it in all its elements.
#[derive(Clone, Debug)]
pub(crate) enum PerDevice {
    /// The same on all.
    Same(Tensor),
    /// One for each position along the axes that matter.
    Each(Rc<Each>),
}

/// Scalars on a grid.
#[derive(Debug)]
pub(crate) struct Each {
    grid: Grid,
    values: Vec<Tensor>,
}

/// Integers on a grid.
pub(crate) struct Integers {
    /// The axes along which they differ.
    pub(crate) grid: Grid,
    /// One for each position.
    pub(crate) values: Vec<i64>,
}

impl PerDevice {
    /// The axes along which devices have different scalars.
    pub(crate) fn axes(&self) -> AxisSet {
        match self {
            Self::Same(_) => AxisSet::EMPTY,
            Self::Each(each) => each.grid.axes(),
        }
    }

    /// What it is at a position of a grid that has all its axes.
    fn at(&self, grid: &Grid, position: usize) -> &Tensor {
        match self {
            Self::Same(value) => value,
            Self::Each(each) => &each.values[each.grid.within(grid, position)],
        }
    }

    /// Integers (a boolean counts as 0 or 1); `None` if it is the same on all or no integer.
    pub(crate) fn integers(&self) -> Option<Integers> {
        let Self::Each(each) = self else { return None };
        Some(Integers { grid: each.grid.clone(), values: integers(&each.values)? })
    }
}

impl Each {
    /// Scalars of all positions of a grid; integers keep the axes along which they differ.
    fn new(grid: Grid, values: Vec<Tensor>, mesh: &Mesh) -> Self {
        let Some(known) = integers(&values) else { return Self { grid, values } };
        let varies = varies_along(&known, &grid);
        if varies == grid.axes() {
            return Self { grid, values };
        }
        let smaller = Grid::along(varies, mesh);
        let mut kept: Vec<Option<Tensor>> = vec![None; smaller.len()];
        for (at, value) in values.into_iter().enumerate() {
            kept[smaller.within(&grid, at)].get_or_insert(value);
        }
        Self { grid: smaller, values: kept.into_iter().flatten().collect() }
    }
}

fn integers(values: &[Tensor]) -> Option<Vec<i64>> {
    let integer = |value: &Tensor| match value.element().kind() {
        ElementKind::Boolean => value.scalar_bool().ok().map(i64::from),
        ElementKind::Float | ElementKind::Complex => None,
        _ => value.scalar_as_i64().ok(),
    };
    values.iter().map(integer).collect()
}

/// What is known of each value.
pub(crate) type Scalars = Table<ValueId, Option<PerDevice>>;

/// Works out the results of an instruction whose operands are known, if it is one on scalars (or repeats one).
pub(crate) fn evaluate(view: &InstView<'_>, known: &mut Scalars, mesh: &Mesh) {
    let [result] = *view.inst.results.as_slice() else { return };
    let Some(tensor) = view.body.ty(result).as_tensor() else { return };
    if mesh.num_devices() > MOST_DEVICES || view.inst.op.is_collective() || !view.inst.regions.is_empty() {
        return;
    }
    match &view.inst.op {
        Op::DynamicSlice(_) => return known[result] = entry(view, known, mesh),
        Op::BroadcastInDim(_) | Op::Reshape(_) | Op::OptimizationBarrier(_) => {
            known[result] = known[view.inst.operands[0]].clone();
            return;
        }
        Op::Constant(constant) if constant.value.splat_bytes().is_none() => return,
        Op::Constant(_) => {}
        // What one device has and others have not is a contribution, not a position.
        Op::Select(_) if tensor.element.is_inexact() => return,
        _ if tensor.rank() > 0 => return,
        _ => {}
    }
    let operands: Option<Vec<PerDevice>> =
        view.inst.operands.iter().map(|operand| known[*operand].clone()).collect();
    let Some(operands) = operands else { return };
    if view.operand_types().any(|ty| ty.as_tensor().is_none_or(|tensor| tensor.rank() > 0)) {
        return;
    }
    let is_number = matches!(view.inst.op, Op::DeviceId(_));
    let axes = if is_number { mesh.all() } else { axes_of(&operands) };
    let grid = Grid::along(axes, mesh);
    let run = |position: usize| -> Option<Tensor> {
        let inputs = operands.iter().map(|operand| operand.at(&grid, position).clone()).collect();
        // Only where all devices are told apart does the number of one matter.
        let found = view
            .inst
            .op
            .evaluate(Evaluation { view, inputs, cx: &mut ConstEval { device: position } })
            .ok()?;
        let value = found.into_iter().next()?;
        // Of a splat constant one element says all.
        if value.rank() == 0 { Some(value) } else { first_element(&value) }
    };
    let is_same = !is_number && operands.iter().all(|operand| matches!(operand, PerDevice::Same(_)));
    known[result] = if is_same { run(0).map(PerDevice::Same) } else { on_grid(&grid, run, mesh) };
}

/// The axes that matter to any of them.
fn axes_of(operands: &[PerDevice]) -> AxisSet {
    operands.iter().map(PerDevice::axes).fold(AxisSet::EMPTY, AxisSet::union)
}

/// What is found at all positions of a grid.
fn on_grid(grid: &Grid, run: impl Fn(usize) -> Option<Tensor>, mesh: &Mesh) -> Option<PerDevice> {
    let values = (0..grid.len()).map(run).collect::<Option<Vec<Tensor>>>()?;
    Some(PerDevice::Each(Each::new(grid.clone(), values, mesh).into()))
}

/// The entry of a constant table that each device looks up.
fn entry(view: &InstView<'_>, known: &Scalars, mesh: &Mesh) -> Option<PerDevice> {
    let Def::Result(table, _) = view.body.values[view.inst.operands[0]].def else { return None };
    let Op::Constant(table) = &view.body.insts[table].op else { return None };
    if view.operand(0).rank() != 1
        || view.result(0).num_elements() != 1
        || !view.operand(0).element.is_integer()
    {
        return None;
    }
    let table = tensor_of(&table.value, Precision::Declared).ok()?;
    let start = known[view.inst.operands[1]].as_ref()?;
    let grid = Grid::along(start.axes(), mesh);
    let run = |position: usize| {
        let inputs = vec![table.clone(), start.at(&grid, position).clone()];
        let found = view
            .inst
            .op
            .evaluate(Evaluation { view, inputs, cx: &mut ConstEval { device: position } })
            .ok()?;
        first_element(&found.into_iter().next()?)
    };
    on_grid(&grid, run, mesh)
}

fn first_element(value: &Tensor) -> Option<Tensor> {
    if value.num_elements() == 0 {
        return None;
    }
    let rank = value.rank();
    value.slice(&vec![0; rank], &vec![1; rank], &vec![1; rank]).ok()?.reshape(&[]).ok()
}
