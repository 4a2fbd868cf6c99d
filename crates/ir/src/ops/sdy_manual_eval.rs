//! The value of a manual computation in the program of the whole: its region is run by every device of the mesh on that
//! device's part of the operands, and the parts that the devices return are put together.
//!
//! Devices that differ only along free axes compute the same, so one of each kind gives its results. Axes along which
//! a value is unreduced hold contributions: the first device gets the operand, the others zeros, and results are
//! added up. Devices that return the same part of a result must return the same numbers.

use crate::eval::{DeviceCode, DeviceRun, Evaluated, Evaluation};
use crate::mesh::{Mesh, SubAxisId};
use crate::ops::binary::Binary;
use crate::sharding::{Reduction, ShardingAttr, resolve_axis};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{NonFinite, Precision, Tensor, compare};

use super::sdy_manual_computation::ManualComputation;

/// By how much copies may differ, relative to the largest magnitude, since sums in another order are rounded otherwise.
fn rounding(element: ElementType) -> f64 {
    match element {
        ElementType::F64 | ElementType::ComplexF64 => 1e-6,
        ElementType::F32 | ElementType::ComplexF32 => 1e-3,
        _ if element.is_float() => 0.25,
        _ => 0.0,
    }
}

/// Computes the results of a verified manual computation that has manual axes.
pub(super) fn evaluate(op: &ManualComputation, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
    let named =
        op.in_shardings.iter().chain(&op.out_shardings).filter_map(|sharding| cx.mesh(&sharding.mesh));
    let Some(mesh) = named.into_iter().find(|mesh| !mesh.axes().is_empty()) else {
        return Err(EvalError::new("a manual computation whose mesh is not declared"));
    };
    let parts = |shardings: &[ShardingAttr]| -> Result<Vec<Part>, EvalError> {
        shardings.iter().map(|sharding| Part::of(sharding, &op.manual_axes, &mesh)).collect()
    };
    let precision = cx.precision();
    let (takes, gives) = (parts(&op.in_shardings)?, parts(&op.out_shardings)?);
    let join = |pieces: &dyn Fn(usize) -> Vec<(usize, Tensor)>| {
        let result = |(index, part): (usize, &Part)| {
            let pieces = pieces(index);
            let pieces: Vec<(usize, &Tensor)> =
                pieces.iter().map(|(position, piece)| (*position, piece)).collect();
            part.join(&pieces, view.result(index), &mesh, precision)
        };
        gives.iter().enumerate().map(result).collect::<Result<Vec<Tensor>, EvalError>>()
    };
    let own = mesh.position_of(cx.device() % mesh.num_devices());
    if cx.partitions() == mesh.num_devices() && mesh.num_devices() > 1 {
        // Inside another manual computation this is one of the mesh's devices already: it runs its part, and those that
        // lie along the manual axes tell one another what they have.
        let args = inputs.iter().zip(&takes).map(|(input, part)| part.cut(input, own, &mesh, precision));
        let args = args.collect::<Result<Vec<_>, _>>()?;
        let returned = cx.call_region(view.inst.regions[0], args)?;
        let manual: Vec<SubAxisId> = mesh.sub_axis_ids().filter(|axis| is_manual(op, *axis, &mesh)).collect();
        let groups = mesh.groups(&manual);
        let members = groups.iter().find(|group| group.contains(&own)).cloned().unwrap_or_default();
        let devices: Vec<Vec<usize>> = groups
            .iter()
            .map(|group| group.iter().map(|position| mesh.device_at(*position)).collect())
            .collect();
        let all = cx.exchange("sdy.manual_computation", &devices, returned)?;
        return join(&|index| {
            members.iter().zip(&all).map(|(position, given)| (*position, given[index].clone())).collect()
        });
    }
    let mut runs = Vec::with_capacity(mesh.num_devices());
    for device in 0..mesh.num_devices() {
        let position = mesh.position_of(device);
        let args = inputs.iter().zip(&takes).map(|(input, part)| part.cut(input, position, &mesh, precision));
        let code = DeviceCode::Region(view.inst.regions[0]);
        runs.push(DeviceRun { code, args: args.collect::<Result<_, _>>()? });
    }
    let returned = cx.run_devices(runs, mesh.num_devices(), &[])?;
    let free: Vec<SubAxisId> = mesh.sub_axis_ids().filter(|axis| !is_manual(op, *axis, &mesh)).collect();
    let positions: Vec<usize> = (0..mesh.num_devices())
        .filter(|position| mesh.index_along(*position, &free) == mesh.index_along(own, &free))
        .collect();
    join(&|index| {
        let piece = |position: &usize| (*position, returned[mesh.device_at(*position)][index].clone());
        positions.iter().map(piece).collect()
    })
}

fn is_manual(op: &ManualComputation, axis: SubAxisId, mesh: &Mesh) -> bool {
    op.manual_axes.contains(&mesh.axes()[mesh.sub_axis(axis).axis].name)
}

/// Which part of a value a device has.
struct Part {
    /// Manual axes of each dim.
    dims: Vec<Vec<SubAxisId>>,
    /// Manual axes over which each device has a contribution.
    unreduced: Vec<SubAxisId>,
}

impl Part {
    fn of(sharding: &ShardingAttr, manual: &[String], mesh: &Mesh) -> Result<Self, EvalError> {
        let list = |axes: &[crate::sharding::AxisRefAttr]| -> Result<Vec<SubAxisId>, EvalError> {
            let own = axes.iter().filter(|axis| manual.contains(&axis.name));
            let pieces = own.map(|axis| resolve_axis(axis, mesh)).collect::<Result<Vec<_>, _>>();
            pieces.map(|pieces| pieces.concat()).map_err(|error| EvalError::new(error.message))
        };
        if !sharding.unreduced.is_empty() && sharding.reduction != Reduction::Sum {
            return Err(EvalError::new(
                "contributions to other reductions than a sum are not evaluated here",
            ));
        }
        let dims = sharding.dims.iter().map(|dim| list(&dim.axes)).collect::<Result<_, _>>()?;
        Ok(Self { dims, unreduced: list(&sharding.unreduced)? })
    }

    /// Where the part of the device at `position` starts, if parts are of this shape.
    fn start(&self, shape: &[usize], position: usize, mesh: &Mesh) -> Vec<usize> {
        shape.iter().zip(&self.dims).map(|(size, axes)| size * mesh.index_along(position, axes)).collect()
    }

    fn cut(
        &self,
        whole: &Tensor,
        position: usize,
        mesh: &Mesh,
        precision: Precision,
    ) -> Result<Tensor, EvalError> {
        let shape: Vec<usize> =
            whole.shape().iter().zip(&self.dims).map(|(size, axes)| size / mesh.product(axes)).collect();
        let start = self.start(&shape, position, mesh);
        let limit: Vec<usize> = start.iter().zip(&shape).map(|(start, size)| start + size).collect();
        let part = whole.slice(&start, &limit, &vec![1; shape.len()])?;
        match mesh.index_along(position, &self.unreduced) {
            0 => Ok(part),
            _ => Tensor::zeros(&part.ty(), precision),
        }
    }

    /// The parts that devices have, contributions added up, each with where it starts.
    fn parts(
        &self,
        pieces: &[&(usize, &Tensor)],
        mesh: &Mesh,
    ) -> Result<Vec<(Vec<usize>, Tensor)>, EvalError> {
        let mut parts: Vec<(Vec<usize>, Tensor)> = Vec::new();
        for (position, piece) in pieces {
            let start = self.start(piece.shape(), *position, mesh);
            match parts.iter_mut().find(|(other, _)| *other == start) {
                Some((_, total)) => *total = Binary::Add.apply(total, piece)?,
                None => parts.push((start, (*piece).clone())),
            }
        }
        Ok(parts)
    }

    fn join(
        &self,
        pieces: &[(usize, &Tensor)],
        ty: &TensorType,
        mesh: &Mesh,
        precision: Precision,
    ) -> Result<Tensor, EvalError> {
        let used: Vec<SubAxisId> = self.dims.iter().flatten().chain(&self.unreduced).copied().collect();
        let others = mesh.sub_axis_ids().filter(|axis| !used.contains(axis)).collect::<Vec<_>>();
        // Devices that differ only along axes that the result does not have hold copies of it.
        let mut copies: Vec<(usize, Vec<&(usize, &Tensor)>)> = Vec::new();
        for piece in pieces {
            let copy = mesh.index_along(piece.0, &others);
            match copies.iter_mut().find(|(other, _)| *other == copy) {
                Some((_, pieces)) => pieces.push(piece),
                None => copies.push((copy, vec![piece])),
            }
        }
        let mut copies = copies.into_iter().map(|(_, pieces)| (pieces[0].0, self.parts(&pieces, mesh)));
        let Some((device, parts)) = copies.next() else {
            return Err(EvalError::new("a manual computation on a mesh without devices"));
        };
        let parts = parts?;
        for (other, copy) in copies {
            for ((_, expected), (_, actual)) in parts.iter().zip(copy?) {
                let tolerance = rounding(ty.element);
                if !compare(&actual, expected, NonFinite::ByPosition)?.within(tolerance) {
                    let devices = [mesh.device_at(device), mesh.device_at(other)];
                    return Err(EvalError::new(format!(
                        "devices {} and {} return different numbers for the same part of a result, which is the same on \
                         both by its `out_shardings`",
                        devices[0], devices[1]
                    )));
                }
            }
        }
        let Some((_, first)) = parts.first() else {
            return Err(EvalError::new("a manual computation on a mesh without devices"));
        };
        if first.shape() == ty.shape {
            return Ok(first.clone());
        }
        let mut whole = Tensor::zeros(ty, precision)?;
        for (start, part) in &parts {
            whole.paste(start, part)?;
        }
        Ok(whole)
    }
}
