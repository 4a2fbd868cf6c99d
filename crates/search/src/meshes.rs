//! The meshes that are worth trying on a machine.
//!
//! Input: a machine. Output: meshes of all its devices with up to four axes, fewer axes first. An axis never leaves
//! its level of the topology: it lies within hosts or across them, and an axis across both is two axes that shard
//! together. Only where there are four levels or more, of which all at once are often too much to choose from, neighboring
//! ones are joined too.
//!
//! On a torus all orders of a level's axes are tried. Elsewhere any unit of a level reaches any other at the same rate, and
//! the order says only along which axes a dim may lie: of two axes both orders are tried unless finer axes have both (2x4
//! and 4x2 are 2x2x2), of more only where all sizes are primes.
//!
//! Example: `h100:1x8` gives 8, 2x4 and 2x2x2; `h100:4x8` gives 4x8, 2x2x8, 4x2x4, 2x2x2x4 and 4x2x2x2; six devices give 6,
//! 2x3 and 3x2.

use meshwright_ir::mesh::{Axis, Mesh};
use meshwright_machine::{Level, LinkKind, Machine};

/// The most axes that are tried, unless the topology itself has more levels.
const MAX_AXES: usize = 4;

/// So many levels are always axes of their own.
const FEW_LEVELS: usize = 3;

/// The meshes to try; never empty.
pub fn meshes(machine: &Machine) -> Vec<Mesh> {
    let levels: Vec<&Level> = machine.levels().iter().rev().filter(|level| level.size > 1).collect();
    let max_axes = MAX_AXES.max(levels.len());
    let mut shapes: Vec<Vec<usize>> = vec![Vec::new()];
    for (position, level) in levels.iter().enumerate() {
        let left = levels.len() - position - 1;
        let mut longer = Vec::new();
        for shape in &shapes {
            for splits in splits(level, max_axes.saturating_sub(shape.len() + left).max(1)) {
                longer.push([shape.as_slice(), &splits].concat());
            }
        }
        shapes = longer;
    }
    if levels.is_empty() {
        shapes = vec![vec![1]];
    }
    if levels.len() > FEW_LEVELS {
        let sizes: Vec<usize> = levels.iter().map(|level| level.size).collect();
        shapes.extend(joined(&sizes, 2));
        shapes.extend(joined(&sizes, 3));
    }
    shapes.sort_by_key(Vec::len);
    shapes.iter().map(|shape| mesh(shape)).collect()
}

/// The axes of a mesh on which degrees of parallelism lie, outermost first: which degree, and how many devices of it. A
/// degree that crosses hosts is two axes. `None` if one would lie unevenly across hosts, or if they do not multiply to the
/// machine's size.
pub(crate) fn laid_over(machine: &Machine, degrees: &[usize]) -> Option<Vec<(usize, usize)>> {
    let mut open = degrees.iter().copied().enumerate().filter(|(_, size)| *size > 1);
    let mut current = open.next();
    let mut axes = Vec::new();
    for level in machine.levels().iter().rev() {
        let (mut rest, mut own) = (level.size, Vec::new());
        while rest > 1 {
            let (degree, size) = current?;
            let taken = size.min(rest);
            if !size.is_multiple_of(taken) || !rest.is_multiple_of(taken) {
                return None;
            }
            own.push((degree, taken));
            rest /= taken;
            current = if size == taken { open.next() } else { Some((degree, size / taken)) };
        }
        if !is_ordered(level) {
            own.sort_by_key(|(_, size)| *size);
        }
        axes.extend(own);
    }
    if axes.is_empty() {
        axes.push((0, 1));
    }
    current.is_none().then_some(axes)
}

/// Whether the order of a level's axes matters.
fn is_ordered(level: &Level) -> bool {
    matches!(level.kind, LinkKind::Torus { .. })
}

/// True if axes of one size are interchangeable, wherever they stand in the mesh.
pub fn has_equal_axes(machine: &Machine) -> bool {
    let mut levels = machine.levels().iter().filter(|level| level.size > 1);
    levels.next().is_none_or(|level| !is_ordered(level)) && levels.next().is_none()
}

/// The ordered ways to write a level's size as a product of at most `max_axes` numbers above one.
fn splits(level: &Level, max_axes: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    factors(level.size, max_axes, &mut Vec::new(), &mut all);
    all.retain(|split| is_ordered(level) || split.is_sorted() || order_matters(split));
    all
}

/// Whether axes of these sizes make other plans in another order, which no finer ones have.
fn order_matters(sizes: &[usize]) -> bool {
    match sizes {
        [one, other] => {
            smallest_prime(*one) != smallest_prime(*other) || !is_power(*one) || !is_power(*other)
        }
        _ => sizes.iter().all(|size| smallest_prime(*size) == *size),
    }
}

/// The smallest prime that divides a number above one.
fn smallest_prime(number: usize) -> usize {
    (2..).find(|factor| number.is_multiple_of(*factor)).unwrap_or(number)
}

/// Whether a number above one is a power of a prime.
fn is_power(number: usize) -> bool {
    let prime = smallest_prime(number);
    let mut rest = number;
    while rest.is_multiple_of(prime) {
        rest /= prime;
    }
    rest == 1
}

/// The ways to join neighbors so that `count` numbers are left.
fn joined(sizes: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 1 {
        return vec![vec![sizes.iter().product()]];
    }
    let first = |end: usize| {
        let rest = joined(&sizes[end..], count - 1).into_iter();
        rest.map(move |rest| [&[sizes[..end].iter().product()], rest.as_slice()].concat())
    };
    (1..=sizes.len() + 1 - count).flat_map(first).collect()
}

fn factors(rest: usize, max_axes: usize, so_far: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    if rest == 1 {
        all.push(so_far.clone());
        return;
    }
    if max_axes == 1 {
        so_far.push(rest);
        all.push(so_far.clone());
        so_far.pop();
        return;
    }
    for factor in (2..=rest).filter(|factor| rest.is_multiple_of(*factor)) {
        so_far.push(factor);
        factors(rest / factor, max_axes - 1, so_far, all);
        so_far.pop();
    }
}

/// Axes are called `x`, `y`, `z`, `w` until it is known what they do.
pub(crate) fn mesh(shape: &[usize]) -> Mesh {
    let names = ["x", "y", "z", "w"];
    let name =
        |position: usize| names.get(position).map_or(format!("a{position}"), |name| (*name).to_owned());
    let axes =
        shape.iter().enumerate().map(|(position, size)| Axis { name: name(position), size: *size }).collect();
    Mesh::new("mesh", axes).expect("a machine's devices fit into a mesh")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(spec: &str) -> Vec<String> {
        let machine = Machine::from_spec(spec).unwrap();
        let sizes =
            |mesh: &Mesh| mesh.axes().iter().map(|axis| axis.size.to_string()).collect::<Vec<_>>().join("x");
        meshes(&machine).iter().map(sizes).collect()
    }

    #[test]
    fn axes_stay_within_their_level() {
        assert_eq!(shapes("cpu8"), ["8", "2x4", "2x2x2"]);
        assert_eq!(shapes("h100:1x8"), ["8", "2x4", "2x2x2"]);
        assert_eq!(shapes("h100:4x8"), ["4x8", "2x2x8", "4x2x4", "2x2x2x4", "4x2x2x2"]);
        assert_eq!(shapes("h100:1x1"), ["1"]);
    }

    #[test]
    fn both_orders_are_tried_where_no_finer_mesh_has_them() {
        assert_eq!(shapes("cpu8:6"), ["6", "2x3", "3x2"]);
        assert_eq!(shapes("cpu8:12"), ["12", "2x6", "3x4", "4x3", "6x2", "2x2x3", "2x3x2", "3x2x2"]);
        assert_eq!(shapes("cpu8:9"), ["9", "3x3"]);
    }

    #[test]
    fn of_many_levels_some_are_joined() {
        let of_few: Vec<String> =
            shapes("tpu_v5p:2x2x2x4").into_iter().filter(|shape| shape.split('x').count() < 4).collect();
        assert_eq!(of_few, ["2x16", "4x8", "8x4", "2x2x8", "2x4x4", "4x2x4"]);
    }

    #[test]
    fn on_a_torus_the_order_of_axes_matters() {
        assert_eq!(shapes("tpu_v5e:4x4"), ["4x4", "2x2x4", "4x2x2", "2x2x2x2"]);
        assert!(
            meshes(&Machine::from_spec("tpu_v4:4x4x8").unwrap()).iter().all(|mesh| mesh.num_devices() == 128)
        );
    }
}
