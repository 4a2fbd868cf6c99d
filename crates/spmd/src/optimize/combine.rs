//! Small collectives of one kind become one: the overhead of a collective is paid once per bucket.
//!
//! Input: collectives of one region that combine or gather alike over the same groups. A bucket grows until its bytes
//! take so long on the machine's links that the overhead no longer matters (`meshwright_cost::combine`). It stands where its
//! last member stood, if no result is read before, but by what can wait (module `wait`: an update of the parameter whose
//! gradient is summed, say) as memory allows; or, for gathers, where its first member stood, if all operands are there by
//! then and memory allows to hold what is gathered early. An all_reduce and an all_gather take several operands; what is
//! scattered, along whatever dim, is laid side by side, one row per member, if copying it takes less than the overhead that is
//! saved. So is what partitions gather, for which XLA takes no collectives of several operands.
//!
//! Only gathers of the first dim are combined, and of operands without other dims: XLA on CPU (jaxlib 0.10.2) gives
//! wrong numbers where it lays the first dim of one of several operands out as a minor one. Sums are combined only where
//! devices are replicas: of partitions, XLA combines them itself, and [`as_xla_combines`] says what it makes of a program.

use super::rewrite::keeps_elements;
use super::wait::{self, Waits};
use super::{PassContext, Target};
use crate::facts::LocalFacts;
use crate::number::Ids;
use crate::verify::Meaning;
use meshwright_cost::collective::Collective;
use meshwright_cost::combine;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::mesh::{AxisSet, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::concatenate::Concatenate;
use meshwright_ir::ops::reduce_scatter::ReduceScatter;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_ir::ops::slice::Slice;
use meshwright_ir::ops::transpose::Transpose;
use meshwright_ir::program::{Body, Def, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, each};
use meshwright_machine::Platform;
use meshwright_tensor::types::{ElementType, TensorType, Type};

pub(super) fn combine_collectives(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let target = context.target?;
    combine(body, context, &|view| match kind(view) {
        // XLA combines the sums of partitions itself, and on CPUs takes no gathers of several operands.
        Some(Kind::AllReduce) if target.ids == Ids::Partition => None,
        Some(Kind::AllGather) if target.ids == Ids::Partition && is_cpu(target) => Some(Kind::JoinedGather),
        kind => kind,
    })
}

/// What XLA makes of a program of partitions: on CPUs it combines sums, elsewhere gathers and scatters too.
pub(super) fn as_xla_combines(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let target = context.target.filter(|target| target.ids == Ids::Partition)?;
    combine(body, context, &|view| kind(view).filter(|kind| *kind == Kind::AllReduce || !is_cpu(target)))
}

fn is_cpu(target: Target<'_>) -> bool {
    target.placement.machine.device.platform == Some(Platform::Cpu)
}

fn combine(body: &Body, context: &PassContext<'_>, kind: KindOf<'_>) -> Option<Body> {
    let late = together(body, context, kind, Anchor::Last, &[Waits::Some, Waits::None]);
    let early = together(late.as_ref().unwrap_or(body), context, kind, Anchor::First, &[Waits::None]);
    early.or(late)
}

/// The body with buckets for which there is memory: those in which what reads their results waits first.
fn together(
    body: &Body,
    context: &PassContext<'_>,
    kind: KindOf<'_>,
    anchor: Anchor,
    waits: &[Waits],
) -> Option<Body> {
    let mut fitting = Fitting { body, context, tries: TRIES, taken: Vec::new(), found: None };
    for waits in waits {
        let mut members = members(body, context, kind, *waits);
        members.retain(|member| !fitting.taken.iter().any(|bucket| bucket.members.contains(&member.inst)));
        if fitting.takes(&buckets(&members, anchor)) {
            break;
        }
    }
    fitting.found
}

/// How many sets of buckets are tried.
const TRIES: usize = 32;

/// The buckets that are taken, and the body with them. A bucket holds what its members hold, all at once.
struct Fitting<'a> {
    body: &'a Body,
    context: &'a PassContext<'a>,
    tries: usize,
    taken: Vec<Bucket>,
    found: Option<Body>,
}

impl Fitting<'_> {
    /// Takes buckets as far as there is memory: where there is too little for all, halves are tried, of one bucket those of its
    /// members. Whether all are taken.
    fn takes(&mut self, buckets: &[Bucket]) -> bool {
        if buckets.is_empty() || self.tries == 0 {
            return buckets.is_empty();
        }
        self.tries -= 1;
        let all = [&self.taken, buckets].concat();
        let moves: Vec<(InstId, InstId)> = all.iter().flat_map(Bucket::moves).collect();
        let body = wait::behind(self.body, &moves);
        let body = self.context.fitting(each(&body, Combine::new(&body, &all)));
        if body.is_some() {
            (self.taken, self.found) = (all, body);
            return true;
        }
        let halves = match buckets {
            [bucket] => bucket.halves(),
            _ => [&buckets[..buckets.len() / 2], &buckets[buckets.len() / 2..]].map(<[Bucket]>::to_vec),
        };
        halves.iter().for_each(|half| {
            self.takes(half);
        });
        false
    }
}

/// What collectives of one bucket have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    AllReduce,
    AllGather,
    /// An all_gather of operands side by side.
    JoinedGather,
    ReduceScatter,
}

/// Gives the kind of an instruction that may go into a bucket.
type KindOf<'a> = &'a dyn Fn(&InstView<'_>) -> Option<Kind>;

impl Kind {
    fn is_gather(self) -> bool {
        matches!(self, Self::AllGather | Self::JoinedGather)
    }
}

/// A collective that may go into a bucket.
struct Member {
    inst: InstId,
    kind: Kind,
    /// Equal for those that may share a bucket.
    class: usize,
    /// Position in its region; those of its operand and of the first reader of its result that does not wait.
    at: usize,
    ready: Option<usize>,
    read: usize,
    bytes: u64,
    /// Bytes of a full bucket.
    enough: u64,
}

/// What makes two collectives alike.
type Class = (Kind, RegionId, Vec<SubAxisId>, ElementType, Option<Binary>);

fn members(body: &Body, context: &PassContext<'_>, kind: KindOf<'_>, waits: Waits) -> Vec<Member> {
    let facts = LocalFacts::new(body, context.mesh());
    let region_of = body.region_of();
    let position = wait::positions(body);
    let first_read = wait::first_reads(body, &position, waits);
    let mut classes: Numbers<Class> = Numbers::default();
    let mut members: Vec<Member> = Vec::new();
    for inst in body.insts.ids() {
        let view = body.view(inst);
        let ([operand], [result]) = (view.inst.operands.as_slice(), view.inst.results.as_slice()) else {
            continue;
        };
        let Some(kind) = kind(&view).filter(|_| keeps_elements(&view)) else { continue };
        let Some(axes) = facts.along(&view.inst.op) else { continue };
        let combine = view.inst.regions.first().and_then(|_| reducer(body, view.region(0)));
        let is_reduced = !kind.is_gather();
        if is_reduced && combine.is_none() {
            continue;
        }
        let region = region_of[inst];
        let bytes = body.ty(*operand).num_bytes() as u64;
        if bytes == 0 {
            continue;
        }
        let Some(enough) = enough(kind, &axes, bytes, context) else { continue };
        let class = (kind, region, axes, view.result(0).element, combine);
        let ready = match body.values[*operand].def {
            Def::Result(definition, _) if region_of[definition] == region => Some(position[definition]),
            _ => None,
        };
        let read = first_read[*result].get(&region).copied().unwrap_or(usize::MAX);
        let class = classes.number(class);
        members.push(Member { inst, kind, class, at: position[inst], ready, read, bytes, enough });
    }
    if std::ptr::eq(body, context.body) {
        told_apart(body, context, &mut members);
    }
    members.sort_by_key(|member| (member.class, member.at));
    members
}

/// Puts reductions of complete values and of contributions, over whatever axes, into classes of their own: these do not go
/// side by side. Neither do values to scatter of which a row would not show what they are shards of. What values mean is asked only of classes of which any two could.
fn told_apart(body: &Body, context: &PassContext<'_>, members: &mut [Member]) {
    let could_be_one = |one: &Member, other: &Member| {
        one.class == other.class
            && one.at < other.at
            && one.read > other.at
            && one.bytes.saturating_add(other.bytes) <= other.enough
    };
    let mut asked: Vec<usize> = Vec::new();
    for one in members.iter().filter(|one| !one.kind.is_gather()) {
        if !asked.contains(&one.class) && members.iter().any(|other| could_be_one(one, other)) {
            asked.push(one.class);
        }
    }
    let mut classes: Numbers<(usize, AxisSet, Option<InstId>)> = Numbers::default();
    for member in members {
        let (mut partial, mut alone) = (AxisSet::EMPTY, None);
        if asked.contains(&member.class) {
            let view = body.view(member.inst);
            let meaning = &context.meanings()[view.inst.operands[0]];
            partial = meaning.partial_axes();
            alone =
                (member.kind == Kind::ReduceScatter && !shows_in_rows(&view, meaning)).then_some(member.inst);
        }
        member.class = classes.number((member.class, partial, alone));
    }
}

/// Whether all axes that shard the operand of a scatter stand outside of it or of a row of it, so that a row is known to be a
/// shard over them.
fn shows_in_rows(view: &InstView<'_>, meaning: &Meaning) -> bool {
    let Op::ReduceScatter(op) = &view.inst.op else { return false };
    let row = &view.result(0).shape;
    let stands = |(dim, axes): (usize, &Vec<SubAxisId>)| {
        axes.is_empty() || dim == op.dim || row[..dim].iter().all(|size| *size == 1)
    };
    meaning.undecided.is_empty() && meaning.dims.iter().enumerate().all(stands)
}

/// Numbers of things that are equal.
struct Numbers<T>(Vec<T>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> Numbers<T> {
    fn number(&mut self, thing: T) -> usize {
        self.0.iter().position(|known| *known == thing).unwrap_or_else(|| {
            self.0.push(thing);
            self.0.len() - 1
        })
    }
}

fn kind(view: &InstView<'_>) -> Option<Kind> {
    match &view.inst.op {
        Op::AllReduce(_) => Some(Kind::AllReduce),
        Op::AllGather(op) if op.dim == 0 => Some(Kind::AllGather),
        Op::ReduceScatter(_) => Some(Kind::ReduceScatter),
        _ => None,
    }
}

/// Bytes of a full bucket; `None` if a member of so many `bytes` gains nothing.
fn enough(kind: Kind, axes: &[SubAxisId], bytes: u64, context: &PassContext<'_>) -> Option<u64> {
    let collective = match kind {
        Kind::AllReduce => Collective::AllReduce,
        Kind::AllGather | Kind::JoinedGather => Collective::AllGather,
        Kind::ReduceScatter => Collective::ReduceScatter,
    };
    let placement = context.target?.placement;
    let (axes, bytes): (AxisSet, f64) = (axes.iter().collect(), bytes as f64);
    if kind == Kind::JoinedGather && !combine::joining_pays(axes, bytes, placement) {
        return None;
    }
    Some(combine::enough(collective, axes, bytes, placement)? as u64)
}

/// Which member stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    First,
    Last,
}

/// Collectives that become one.
#[derive(Clone, Debug)]
struct Bucket {
    kind: Kind,
    members: Vec<InstId>,
    anchor: InstId,
}

impl Bucket {
    /// Members that move, and where to.
    fn moves(&self) -> impl Iterator<Item = (InstId, InstId)> {
        self.members.iter().filter(|member| **member != self.anchor).map(|member| (*member, self.anchor))
    }

    /// One of the first half of its members, and one of the others, where they are two and more.
    fn halves(&self) -> [Vec<Self>; 2] {
        let (first, others) = self.members.split_at(self.members.len().div_ceil(2));
        [first, others].map(|members| match members {
            [start, .., end] => {
                let anchor = if self.anchor == self.members[0] { start } else { end };
                vec![Self { kind: self.kind, members: members.to_vec(), anchor: *anchor }]
            }
            _ => Vec::new(),
        })
    }
}

/// Buckets of two and more. `members` are sorted by class and position.
fn buckets(members: &[Member], anchor: Anchor) -> Vec<Bucket> {
    let mut found: Vec<Bucket> = Vec::new();
    let mut open: Vec<&Member> = Vec::new();
    let mut close = |open: &mut Vec<&Member>| {
        if let (Some(first), Some(last), true) = (open.first(), open.last(), open.len() > 1) {
            let stays = if anchor == Anchor::First { first } else { last };
            let members = open.iter().map(|member| member.inst).collect();
            found.push(Bucket { kind: first.kind, members, anchor: stays.inst });
        }
        open.clear();
    };
    for member in members {
        let fits = open.first().is_some_and(|first| {
            let bytes: u64 = open.iter().map(|other| other.bytes).sum();
            let may = match anchor {
                Anchor::Last => open.iter().all(|other| other.read > member.at),
                Anchor::First => member.kind.is_gather() && member.ready.is_none_or(|ready| ready < first.at),
            };
            first.class == member.class && may && bytes.saturating_add(member.bytes) <= member.enough
        });
        if !fits {
            close(&mut open);
        }
        open.push(member);
    }
    close(&mut open);
    found
}

struct Combine<'a> {
    bucket_of: Table<InstId, Option<&'a Bucket>>,
}

impl<'a> Combine<'a> {
    fn new(body: &Body, buckets: &'a [Bucket]) -> Self {
        let mut bucket_of = Table::filled(None, body.insts.len());
        for bucket in buckets {
            bucket.members.iter().for_each(|inst| bucket_of[*inst] = Some(bucket));
        }
        Self { bucket_of }
    }
}

impl Edit for Combine<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let Some(bucket) = self.bucket_of[view.id] else { return false };
        if bucket.anchor == view.id {
            let body = view.body;
            let sources: Vec<ValueId> =
                bucket.members.iter().map(|inst| body.insts[*inst].operands[0]).collect();
            let operands: Vec<ValueId> = sources.iter().map(|value| rewriter.value(*value)).collect();
            let results: Vec<ValueId> =
                bucket.members.iter().map(|inst| body.insts[*inst].results[0]).collect();
            let types: Vec<Type> = results.iter().map(|result| body.ty(*result).clone()).collect();
            let new = match &view.inst.op {
                Op::ReduceScatter(op) if bucket.kind == Kind::ReduceScatter => {
                    let dims: Vec<usize> =
                        bucket.members.iter().map(|inst| scatter_dim(body, *inst)).collect();
                    scattered(rewriter, view, op, (&operands, &dims), &types, to)
                }
                op if bucket.kind == Kind::JoinedGather => joined(rewriter, view, op, &operands, &types, to),
                op if bucket.kind == Kind::AllGather => gathered(rewriter, view, op, &operands, &types, to),
                op => {
                    let regions =
                        view.inst.regions.iter().map(|region| rewriter.copy_elements(*region)).collect();
                    let inst = rewriter.to.append(to, op.clone(), operands, regions, types, view.inst.span);
                    rewriter.to.insts[inst].results.clone()
                }
            };
            for (result, new) in results.iter().zip(new) {
                rewriter.stand_for(*result, new);
            }
        }
        true
    }
}

/// One all_gather of all operands, each in a row: gathered along the first dim, elements stay in their order.
fn gathered(
    rewriter: &mut Rewriter<'_>,
    view: &InstView<'_>,
    op: &Op,
    operands: &[ValueId],
    types: &[Type],
    to: RegionId,
) -> Vec<ValueId> {
    let span = view.inst.span;
    let in_a_row = |ty: &Type| -> Type {
        let tensor = ty.as_tensor().expect("a gather is of tensors");
        TensorType::new([tensor.num_elements()], tensor.element).into()
    };
    let rows: Vec<ValueId> = operands
        .iter()
        .map(|value| {
            let row = in_a_row(rewriter.to.ty(*value));
            if *rewriter.to.ty(*value) == row {
                *value
            } else {
                rewriter.emit(Reshape.into(), &[*value], &[], row, span, to)
            }
        })
        .collect();
    let row_types = types.iter().map(in_a_row).collect();
    let inst = rewriter.to.append(to, op.clone(), rows, Vec::new(), row_types, span);
    let results = rewriter.to.insts[inst].results.clone();
    let shaped = results.into_iter().zip(types).map(|(value, ty)| {
        if rewriter.to.ty(value) == ty {
            value
        } else {
            rewriter.emit(Reshape.into(), &[value], &[], ty.clone(), span, to)
        }
    });
    shaped.collect()
}

/// One all_gather of all operands side by side: each is a row, rows are joined, and what is gathered, a row per member, is
/// cut apart.
fn joined(
    rewriter: &mut Rewriter<'_>,
    view: &InstView<'_>,
    op: &Op,
    operands: &[ValueId],
    types: &[Type],
    to: RegionId,
) -> Vec<ValueId> {
    let span = view.inst.span;
    let element = view.result(0).element;
    let members = view.result(0).num_elements().checked_div(view.operand(0).num_elements()).unwrap_or(1);
    let sizes: Vec<usize> = operands
        .iter()
        .map(|value| rewriter.to.ty(*value).as_tensor().map_or(0, TensorType::num_elements))
        .collect();
    let joined = beside(rewriter, operands, 1, &sizes, span, to);
    let total: usize = sizes.iter().sum();
    let all = TensorType::new([members, total], element).into();
    let all = rewriter.emit(op.clone(), &[joined], &[], all, span, to);
    let columns = cut(rewriter, all, members, &sizes, span, to);
    let wholes = columns.into_iter().zip(types);
    wholes.map(|(part, ty)| rewriter.emit(Reshape.into(), &[part], &[], ty.clone(), span, to)).collect()
}

/// One reduce_scatter of all operands: each is a row per member, rows are joined, and the own row is cut apart.
fn scattered(
    rewriter: &mut Rewriter<'_>,
    view: &InstView<'_>,
    op: &ReduceScatter,
    (operands, dims): (&[ValueId], &[usize]),
    types: &[Type],
    to: RegionId,
) -> Vec<ValueId> {
    let span: Span = view.inst.span;
    let sizes: Vec<usize> =
        types.iter().map(|ty| ty.as_tensor().map_or(0, TensorType::num_elements)).collect();
    let element = view.result(0).element;
    let members = view.operand(0).num_elements().checked_div(view.result(0).num_elements()).unwrap_or(1);
    let outermost: Vec<ValueId> = operands
        .iter()
        .zip(dims)
        .map(|(value, dim)| shards_outermost(rewriter, *value, (*dim, members), span, to))
        .collect();
    let joined = beside(rewriter, &outermost, members, &sizes, span, to);
    let total: usize = sizes.iter().sum();
    let scatter = ReduceScatter { dim: 0, participants: op.participants.clone() };
    let own = TensorType::new([1, total], element).into();
    let own = rewriter.emit(scatter.into(), &[joined], &view.inst.regions, own, span, to);
    let rows = cut(rewriter, own, 1, &sizes, span, to);
    let shards = rows.into_iter().zip(dims.iter().zip(types));
    shards.map(|(row, (dim, ty))| own_shard(rewriter, row, (*dim, ty), span, to)).collect()
}

fn scatter_dim(body: &Body, inst: InstId) -> usize {
    match &body.insts[inst].op {
        Op::ReduceScatter(op) => op.dim,
        _ => 0,
    }
}

/// A value with the shards of a dim, so many, behind one another.
fn shards_outermost(
    rewriter: &mut Rewriter<'_>,
    value: ValueId,
    (dim, members): (usize, usize),
    span: Span,
    to: RegionId,
) -> ValueId {
    let TensorType { mut shape, element } =
        rewriter.to.ty(value).as_tensor().expect("what is sent is a tensor").clone();
    if is_outermost(&shape, dim) {
        return value;
    }
    let ty = |shape: &[usize]| Type::from(TensorType::new(shape, element));
    shape[dim] /= members;
    shape.insert(dim, members);
    let apart = rewriter.emit(Reshape.into(), &[value], &[], ty(&shape), span, to);
    shape[..=dim].rotate_right(1);
    let permutation = std::iter::once(dim).chain((0..shape.len()).filter(|from| *from != dim)).collect();
    rewriter.emit(Transpose { permutation }.into(), &[apart], &[], ty(&shape), span, to)
}

/// The own shard of a dim, which lies in a row, as a value of this type.
fn own_shard(
    rewriter: &mut Rewriter<'_>,
    row: ValueId,
    (dim, ty): (usize, &Type),
    span: Span,
    to: RegionId,
) -> ValueId {
    let TensorType { shape, element } = ty.as_tensor().expect("what is sent is a tensor").clone();
    if is_outermost(&shape, dim) {
        return rewriter.emit(Reshape.into(), &[row], &[], ty.clone(), span, to);
    }
    // The dim of one shard goes to its place: no element moves, but what the row is a shard of is still known.
    let typed = |shape: &[usize]| Type::from(TensorType::new(shape, element));
    let outer: Vec<usize> = std::iter::once(1).chain(shape.iter().copied()).collect();
    let apart = rewriter.emit(Reshape.into(), &[row], &[], typed(&outer), span, to);
    let permutation: Vec<usize> = (1..=dim).chain([0]).chain(dim + 1..outer.len()).collect();
    let inner: Vec<usize> = permutation.iter().map(|from| outer[*from]).collect();
    let inner = rewriter.emit(Transpose { permutation }.into(), &[apart], &[], typed(&inner), span, to);
    rewriter.emit(Reshape.into(), &[inner], &[], ty.clone(), span, to)
}

/// Whether shards of a dim lie behind one another.
fn is_outermost(shape: &[usize], dim: usize) -> bool {
    shape[..dim].iter().all(|size| *size == 1)
}

/// Values as so many rows each, `sizes` wide, side by side.
fn beside(
    rewriter: &mut Rewriter<'_>,
    values: &[ValueId],
    rows: usize,
    sizes: &[usize],
    span: Span,
    to: RegionId,
) -> ValueId {
    let element = rewriter.to.ty(values[0]).as_tensor().expect("what is sent is a tensor").element;
    let ty = |size: usize| Type::from(TensorType::new([rows, size], element));
    let parts: Vec<ValueId> = values
        .iter()
        .zip(sizes)
        .map(|(value, size)| rewriter.emit(Reshape.into(), &[*value], &[], ty(*size), span, to))
        .collect();
    rewriter.emit(Concatenate { dim: 1 }.into(), &parts, &[], ty(sizes.iter().sum()), span, to)
}

/// Columns of a value of so many rows, `sizes` wide.
fn cut(
    rewriter: &mut Rewriter<'_>,
    all: ValueId,
    rows: usize,
    sizes: &[usize],
    span: Span,
    to: RegionId,
) -> Vec<ValueId> {
    let element = rewriter.to.ty(all).as_tensor().expect("what is sent is a tensor").element;
    let mut start = 0;
    let column = |size: &usize| {
        let cut = Slice { start: vec![0, start], limit: vec![rows, start + size], stride: vec![1, 1] };
        start += size;
        rewriter.emit(cut.into(), &[all], &[], TensorType::new([rows, *size], element).into(), span, to)
    };
    sizes.iter().map(column).collect()
}
