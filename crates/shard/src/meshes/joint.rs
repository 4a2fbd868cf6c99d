//! Several views of the same devices as one mesh. Input: views, the first being the one that the others are joined to.
//! Output: that view's mesh, its axes split where a digit of some view begins or ends and its pieces do not, and for
//! each view the pieces that its digits are.

use super::view::{Cuts, Digit, View, digits};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::mesh::{Axis, Mesh, SubAxisId};
use meshwright_ir::program::{Function, Program};
use meshwright_ir::sharding::ShardingAttr;
use meshwright_plan::Orders;
use std::collections::{BTreeMap, BTreeSet};

/// A view joined to the mesh.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    pub(super) view: View,
    /// Its digits, each of a prime number of devices, major first, and the piece that each one is.
    pairs: Vec<(Digit, SubAxisId)>,
    /// The pieces that tell apart the same devices as their digits.
    exact: BTreeSet<SubAxisId>,
    /// The mesh with the devices in the order that gives each of them the coordinates that it has in the view, if
    /// that is another one.
    order: Option<Mesh>,
}

/// The mesh, and the views of it.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) mesh: Mesh,
    pub(super) joined: Vec<Joined>,
}

impl Joint {
    /// `views` has at least one.
    pub(super) fn new(views: Vec<View>, program: &Program) -> Self {
        let main = &views[0];
        let mut cuts = main.cuts.clone();
        let mut stride = 1;
        for axis in main.mesh().axes().iter().rev() {
            // Parts of axes never cross the ends of axes.
            cuts.insert(stride);
            stride *= axis.size;
        }
        let mut ends_of_manual = BTreeSet::new();
        for view in &views[1..] {
            for digit in view.cuts.digits() {
                let is_manual =
                    view.manual.iter().any(|axis| axis.stride <= digit.stride && digit.end() <= axis.end());
                for run in runs(main, view, digit) {
                    if cuts.cut(run) && is_manual {
                        ends_of_manual.extend([run.stride, run.end()]);
                    }
                }
            }
        }
        let mesh = split(main, &cuts, &ends_of_manual, program);
        let joined = views.iter().map(|view| join(view.clone(), main, &mesh)).collect();
        Self { mesh, joined }
    }

    /// The view that a sharding is written in: the first one of its mesh that has its digits.
    pub(super) fn view_of(&self, sharding: &ShardingAttr, program: &Program) -> Option<&Joined> {
        let mesh = program.resolve_mesh(&sharding.mesh).filter(|mesh| !mesh.axes().is_empty())?;
        let digits = digits(sharding, mesh)?;
        self.joined.iter().find(|joined| joined.view.mesh().is_like(mesh) && joined.view.has(&digits))
    }

    /// The arguments and results of views whose devices stand in another order.
    pub(super) fn orders(&self, program: &Program, function: &Function) -> Orders {
        let of = |attributes: &[Attributes]| -> BTreeMap<usize, Mesh> {
            let order = |attributes: &Attributes| match attributes.get("sdy.sharding") {
                Some(Attr::Sharding(sharding)) => self.view_of(sharding, program)?.order.clone(),
                _ => None,
            };
            let each = attributes.iter().enumerate();
            each.filter_map(|(index, attributes)| Some((index, order(attributes)?))).collect()
        };
        Orders { arguments: of(&function.arg_attributes), results: of(&function.result_attributes) }
    }
}

impl Joined {
    /// The pieces of a digit of the view, major first.
    pub(super) fn pieces(&self, digit: Digit) -> Vec<SubAxisId> {
        let inside = |(own, _): &&(Digit, SubAxisId)| digit.stride <= own.stride && own.end() <= digit.end();
        self.pairs.iter().filter(inside).map(|(_, piece)| *piece).collect()
    }

    /// The same if they tell apart the same devices.
    pub(super) fn exact_pieces(&self, digit: Digit) -> Option<Vec<SubAxisId>> {
        Some(self.pieces(digit)).filter(|pieces| pieces.iter().all(|piece| self.exact.contains(piece)))
    }
}

/// Whether two digits of two views are the same coordinate of every device.
fn is_same(first: &View, own: Digit, second: &View, other: Digit) -> bool {
    own.size == other.size
        && first.positions.iter().zip(&second.positions).all(|(at, there)| own.of(*at) == other.of(*there))
}

/// The digits of `main` that are parts of a digit of `view`, minor first, up to one that is not.
fn runs(main: &View, view: &View, digit: Digit) -> Vec<Digit> {
    let position = |own: usize| main.positions[view.devices[own]];
    let (start, num_devices) = (position(0), main.positions.len());
    let mut found = Vec::new();
    let (mut at, end) = (digit.stride, digit.end());
    while at < end {
        let rest = end / at;
        let Some(stride) = position(at).checked_sub(start).filter(|stride| *stride > 0) else { break };
        let steps =
            (1..rest).take_while(|step| position(at * step).checked_sub(start) == Some(stride * step));
        let length = 1 + steps.count();
        let is_run = |size: &usize| {
            let end = stride.checked_mul(*size).filter(|end| num_devices.is_multiple_of(*end));
            let (own, other) = (Digit { stride, size: *size }, Digit { stride: at, size: *size });
            rest.is_multiple_of(*size) && end.is_some() && is_same(main, own, view, other)
        };
        let Some(size) = (2..=length).rev().find(is_run) else { break };
        found.push(Digit { stride, size });
        at *= size;
    }
    found
}

/// The mesh of `main` with every axis split that is not cut where its pieces are.
fn split(main: &View, cuts: &Cuts, ends_of_manual: &BTreeSet<usize>, program: &Program) -> Mesh {
    let mesh = main.mesh();
    let mut axes: Vec<Axis> = Vec::new();
    let mut end = mesh.num_devices();
    for (position, axis) in mesh.axes().iter().enumerate() {
        let start = end / axis.size;
        let inside: Vec<usize> = cuts.between(start, end).collect();
        let own: BTreeSet<usize> = mesh.pieces(position).iter().map(|piece| mesh.stride(*piece)).collect();
        let is_whole = inside.iter().all(|cut| own.contains(cut) && !ends_of_manual.contains(cut));
        if is_whole {
            axes.push(axis.clone());
        } else {
            let bounds: Vec<usize> =
                std::iter::once(end).chain(inside.into_iter().rev()).chain([start]).collect();
            for (index, pair) in bounds.windows(2).enumerate() {
                let mut name = format!("{}_{index}", axis.name);
                while mesh.axis_named(&name).is_some() || axes.iter().any(|other| other.name == name) {
                    name.push('_');
                }
                axes.push(Axis { name, size: pair[0] / pair[1] });
            }
        }
        end = start;
    }
    if axes == mesh.axes() && program.mesh(&mesh.name).is_some_and(|other| other.is_like(mesh)) {
        return mesh.clone();
    }
    let mut name = if mesh.name.is_empty() { "mesh".to_owned() } else { mesh.name.clone() };
    while program.mesh(&name).is_some() {
        name.push_str("_split");
    }
    Mesh::with_device_ids(name, axes, mesh.device_ids().to_vec()).expect("the pieces of a mesh")
}

/// Pairs the digits of a view with the pieces of the mesh, whose devices stand as in `main`.
fn join(mut view: View, main: &View, mesh: &Mesh) -> Joined {
    let num_devices = main.positions.len();
    let mut pairs: Vec<(Digit, SubAxisId)> = Vec::new();
    let mut exact = BTreeSet::new();
    for piece in mesh.sub_axis_ids() {
        let own = Digit { stride: mesh.stride(piece), size: mesh.size(piece) };
        let place = |position: usize| view.positions[main.devices[position]];
        let Some(stride) = place(own.stride).checked_sub(place(0)).filter(|stride| *stride > 0) else {
            continue;
        };
        let digit = Digit { stride, size: own.size };
        let divides = num_devices.is_multiple_of(digit.end());
        if divides && is_same(main, own, &view, digit) && view.cuts.cut(digit) {
            pairs.push((digit, piece));
            exact.insert(piece);
        }
    }
    let mut left: Vec<SubAxisId> = mesh.sub_axis_ids().filter(|piece| !exact.contains(piece)).collect();
    for digit in view.cuts.digits() {
        if pairs.iter().any(|(own, _)| *own == digit) {
            continue;
        }
        let mut rest = digit;
        while rest.size > 1 {
            let Some(at) = left.iter().position(|piece| rest.size.is_multiple_of(mesh.size(*piece))) else {
                break;
            };
            let piece = left.remove(at);
            let size = mesh.size(piece);
            let own = Digit { stride: rest.end() / size, size };
            view.cuts.insert(own.stride);
            pairs.push((own, piece));
            rest.size /= size;
        }
    }
    pairs.sort_by_key(|(digit, _)| std::cmp::Reverse(digit.stride));
    let order = order(&view, &pairs, mesh);
    Joined { view, pairs, exact, order }
}

/// The mesh with each device where its coordinates in the view are, if that is not where it stands.
fn order(view: &View, pairs: &[(Digit, SubAxisId)], mesh: &Mesh) -> Option<Mesh> {
    let mut device_ids = vec![0; view.positions.len()];
    for (device, position) in view.positions.iter().enumerate() {
        let at: usize = pairs.iter().map(|(digit, piece)| digit.of(*position) * mesh.stride(*piece)).sum();
        *device_ids.get_mut(at)? = device;
    }
    let order = Mesh::with_device_ids(mesh.name.clone(), mesh.axes().to_vec(), device_ids).ok()?;
    (!order.is_like(mesh)).then_some(order)
}
