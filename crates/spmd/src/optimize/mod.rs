//! Passes over the local program, each one function in one file, in the order of the list below.
//!
//! A pass takes a body and what surrounds it (`PassContext`) and gives another body, or nothing if it finds nothing to
//! do. None changes what arguments and results mean, and none sends more bytes. Those that weigh time against
//! something else need a machine and find nothing without one.

mod accumulate;
mod add_in_loops;
mod bring_late;
mod cancel;
mod combine;
mod compute_once;
mod dead_code;
mod defer_reductions;
mod duplicates;
mod hierarchy;
mod hoist;
mod memory;
mod merge;
mod narrow;
mod overlap;
mod reduce_scatter;
mod rewrite;
mod ring;
mod split;
mod start_loops;
mod times;
mod wait;

pub(crate) use times::{Times, collective_of};

use crate::account::{Account, Places};
use crate::number::Ids;
use crate::verify::Meaning;
use meshwright_ir::control::{Control, Quiet, View};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::loops::Reads;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Body, Program};
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{DeviceProgram, Placement};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A pass: its name and what it does to the body of the local program.
pub struct Pass {
    /// Name, for `--dump-after` and for turning it off.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Rebuilds the body; `None` if there is nothing to do.
    run: fn(&Body, &PassContext<'_>) -> Option<Body>,
}

/// The pass that removes what nobody reads.
const DEAD_CODE: &str = "dead-code";

/// The pass that makes rings of products and their collectives.
const OVERLAP_PRODUCTS: &str = "overlap-products";

/// The pass that hides collectives behind any other work: with it, a program is to take less time with rings than without.
const OVERLAP_COLLECTIVES: &str = "overlap-collectives";

/// All passes in order.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "duplicates",
        summary: "equal collectives and slices of one value become one",
        run: duplicates::merge_duplicates,
    },
    Pass {
        name: "cancel-opposites",
        summary: "a gather that undoes a slice or a scatter, and the like, goes",
        run: cancel::cancel_opposites,
    },
    Pass {
        name: "defer-reductions",
        summary: "sums over devices are taken behind linear ops",
        run: defer_reductions::defer_reductions,
    },
    Pass {
        name: "reduce-after-loops",
        summary: "a loop that adds up sums over devices sums them over the devices behind it",
        run: accumulate::reduce_after_loops,
    },
    Pass {
        name: "add-in-loops",
        summary: "what a loop stacks from zero, to be added behind, is added in the loop",
        run: add_in_loops::add_in_loops,
    },
    Pass {
        name: "merge-collectives",
        summary: "one collective in place of two, one behind the other",
        run: merge::merge_collectives,
    },
    Pass {
        name: "reduce-scatters",
        summary: "a sum of which each device keeps its shard is scattered",
        run: reduce_scatter::scatter_reductions,
    },
    Pass {
        name: "narrow-products",
        summary: "a product of which a device reads only parts is computed in these parts",
        run: narrow::narrow_products,
    },
    Pass {
        name: "split-reductions",
        summary: "a sum is scattered, worked on in shards and gathered (the last needs a machine)",
        run: split::split_reductions,
    },
    Pass {
        name: "hoist-gathers",
        summary: "collectives of what a loop does not change stand before it, where memory allows",
        run: hoist::hoist_gathers,
    },
    Pass {
        name: "split-by-levels",
        summary: "a large sum, gather or scatter across hosts works level by level (needs a machine)",
        run: hierarchy::split_by_levels,
    },
    Pass {
        name: OVERLAP_PRODUCTS,
        summary: "a product and its gather or scatter become a ring of both (needs a machine)",
        run: ring::overlap_products,
    },
    Pass {
        name: "combine-collectives",
        summary: "small collectives of one kind become one (needs a machine)",
        run: combine::combine_collectives,
    },
    Pass {
        name: OVERLAP_COLLECTIVES,
        summary: "collectives are in flight while a device works (needs a machine, and an engine that honors it)",
        run: overlap::overlap_collectives,
    },
    Pass {
        name: "compute-once",
        summary: "what several read is computed once (for XLA on CPUs)",
        run: compute_once::compute_once,
    },
    Pass {
        name: "start-loops",
        summary: "what loops fill or add up begins where they do (for XLA on CPUs)",
        run: start_loops::start_loops,
    },
    Pass {
        name: "bring-late",
        summary: "what lies on the host is brought when it is read, not long before",
        run: bring_late::bring_late,
    },
    Pass { name: DEAD_CODE, summary: "what nobody reads goes", run: dead_code::remove_dead_code },
];

/// The machine that the program is for.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// Where the mesh lies on it.
    pub placement: &'a Placement,
    /// Memory of each device that may be used.
    pub memory_limit: Bytes,
    /// What its engine makes of collectives.
    pub collectives: Collectives,
    /// What devices are to it: XLA takes sums of several operands of replicas alone.
    pub ids: Ids,
}

/// Ways in which an engine runs collectives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collectives {
    /// A device waits at each of them; `async_start` is not written.
    #[default]
    Blocking,
    /// Between `async_start` and `async_done` a device goes on.
    Async,
}

/// What surrounds the body that a pass works on.
pub(crate) struct PassContext<'a> {
    device: &'a DeviceProgram,
    body: &'a Body,
    target: Option<Target<'a>>,
    known: &'a Known,
}

/// What was found out about a body, once a pass asked for it: as long as passes leave it as it is, for all of them.
#[derive(Default)]
struct Known {
    meanings: OnceCell<Table<ValueId, Meaning>>,
    uses: OnceCell<Table<ValueId, Vec<(InstId, usize)>>>,
    region_of: OnceCell<Table<InstId, RegionId>>,
    /// The most bytes alive at once.
    peak: OnceCell<Bytes>,
}

impl<'a> PassContext<'a> {
    fn new(device: &'a DeviceProgram, body: &'a Body, target: Option<Target<'a>>, known: &'a Known) -> Self {
        Self { device, body, target, known }
    }

    fn mesh(&self) -> &'a Mesh {
        &self.device.mesh
    }

    /// What every value of the body means globally.
    fn meanings(&self) -> &Table<ValueId, Meaning> {
        self.known.meanings.get_or_init(|| crate::verify::meanings(self.device))
    }

    /// Who reads a value of the body, and as which operand.
    fn uses(&self, value: ValueId) -> &[(InstId, usize)] {
        &self.known.uses.get_or_init(|| self.body.uses())[value]
    }

    /// The body, who reads what in it, and where instructions stand.
    fn reads(&self) -> Reads<'_> {
        let uses = self.known.uses.get_or_init(|| self.body.uses());
        Reads { body: self.body, uses, region_of: self.known.region_of.get_or_init(|| self.body.region_of()) }
    }

    /// How often a value of the body is read.
    fn num_uses(&self, value: ValueId) -> usize {
        self.uses(value).len()
    }

    /// Whether two instructions of the body stand in one region, so that neither runs more often than the other.
    fn are_together(&self, left: InstId, right: InstId) -> bool {
        self.region(left) == self.region(right)
    }

    /// The region in which an instruction of the body stands.
    fn region(&self, inst: InstId) -> RegionId {
        self.known.region_of.get_or_init(|| self.body.region_of())[inst]
    }
}

/// Runs all passes but those named in `without`. What a pass leaves unread goes before the next one, which would count
/// its reads; `dead-code` does that. Stops between two passes if `control` says so. What values mean is checked behind every
/// pass that changed the program.
///
/// # Panics
/// A pass leaves a value used as what it is not.
pub fn run(
    device: &mut DeviceProgram,
    without: &[String],
    target: Option<Target<'_>>,
    control: &dyn Control,
) {
    run_watched(device, without, target, control, &mut must_mean_the_same);
}

/// The same; `watch` sees the program behind every pass that changed it, in the place of the check.
pub fn run_watched(
    device: &mut DeviceProgram,
    without: &[String],
    target: Option<Target<'_>>,
    control: &dyn Control,
    watch: &mut dyn FnMut(&'static str, &DeviceProgram),
) {
    run_passes(PASSES, device, without, target, control, watch);
}

/// The same, of some of the passes.
fn run_passes(
    passes: &[Pass],
    device: &mut DeviceProgram,
    without: &[String],
    target: Option<Target<'_>>,
    control: &dyn Control,
    watch: &mut dyn FnMut(&'static str, &DeviceProgram),
) {
    let is_on = |name: &str| !without.iter().any(|other| other == name);
    let mut known = Known::default();
    let mut tried: Option<Tried> = None;
    for (at, pass) in passes.iter().enumerate().filter(|(_, pass)| is_on(pass.name)) {
        let Some(main) = device.program.main().filter(|_| !control.should_stop()) else { return };
        if let Some(tried) = &mut tried {
            if let Some(body) = tried.bodies.remove(pass.name) {
                put_body(device, body);
                watch(pass.name, device);
            }
            control.after_pass(pass.name, View::Program(&|| Program::clone(&device.program)));
            continue;
        }
        let made =
            (pass.run)(&main.body, &PassContext::new(device, &main.body, target, &known)).map(|body| {
                let is_dead_code_left = is_on(DEAD_CODE) && pass.name != DEAD_CODE;
                is_dead_code_left.then(|| dead_code::without_dead_code(&body)).flatten().unwrap_or(body)
            });
        let mut taken = made;
        let is_weighed = pass.name == OVERLAP_PRODUCTS && is_on(OVERLAP_COLLECTIVES);
        if let (Some(body), Some(target), true) = (&taken, target, is_weighed) {
            let with = |device: DeviceProgram| Tried::of(device, &passes[at + 1..], without, target);
            let mut other = device.clone();
            put_body(&mut other, body.clone());
            let (other, own) = (with(other), with(device.clone()));
            taken = taken.filter(|_| other.seconds < own.seconds);
            tried = Some(if taken.is_some() { other } else { own });
        }
        if let Some(body) = taken {
            known = Known::default();
            put_body(device, body);
            watch(pass.name, device);
        }
        control.after_pass(pass.name, View::Program(&|| Program::clone(&device.program)));
    }
}

/// Puts another body in the place of that of `main`.
fn put_body(device: &mut DeviceProgram, body: Body) {
    let Some(name) = device.program.main().map(|main| main.name.clone()) else { return };
    if let Some(own) = device.program.functions.iter_mut().find(|function| function.name == name) {
        own.body = body;
    }
}

/// The passes that are left, run on a program that may be taken.
struct Tried {
    /// The body behind each pass that changed it.
    bodies: BTreeMap<&'static str, Body>,
    /// What the program takes behind all of them.
    seconds: Seconds,
}

impl Tried {
    fn of(mut device: DeviceProgram, behind: &[Pass], without: &[String], target: Target<'_>) -> Self {
        let mut bodies = BTreeMap::new();
        run_passes(behind, &mut device, without, Some(target), &Quiet, &mut |pass, device| {
            bodies.extend(device.program.main().map(|main| (pass, main.body.clone())));
        });
        let run = as_run(&device, Some(target));
        let seconds = Account::new(&run, target.placement, &Places::UNKNOWN).seconds();
        Self { bodies, seconds }
    }
}

/// A program as its engine runs it: XLA combines small sums of partitions itself. Times are those of this program, so that
/// many small sums count as the few that are left of them.
pub fn as_run<'a>(device: &'a DeviceProgram, target: Option<Target<'_>>) -> Cow<'a, DeviceProgram> {
    let combined = device.program.main().and_then(|main| {
        let known = Known::default();
        let context = PassContext::new(device, &main.body, target, &known);
        combine::as_xla_combines(&main.body, &context)
    });
    let Some(body) = combined else { return Cow::Borrowed(device) };
    let mut device = device.clone();
    put_body(&mut device, body);
    Cow::Owned(device)
}

/// A pass that leaves a value used as what it is not is a defect of the compiler.
fn must_mean_the_same(pass: &'static str, device: &DeviceProgram) {
    if let Err(found) = crate::verify_meaning(device) {
        let messages: Vec<String> = found.iter().map(ToString::to_string).collect();
        panic!("values contradict each other after `{pass}`: {}", messages.join("; "));
    }
}
