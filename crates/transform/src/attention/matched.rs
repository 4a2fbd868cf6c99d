//! An attention as a kernel would run it: what it reads, what it is to give, how keys are masked.
//!
//! Input: a softmax with all that is computed of it. Output: the attention, or why it is none that the kernel takes.

use super::algebra::Sum;
use super::dims::{Atom, Atoms, Dims};
use super::features::padding;
use super::masks::{Bias, Masks, Unseen};
use super::reader::{Known, Root};
use super::roles::{Layout, Roles, Sharing};
use super::scores::{Scores, Sink};
use super::softmax::{Product, Softmax, Totaled, Upstream};
use super::takes::{Reason, Takes};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_tensor::types::ElementType;

/// An attention.
pub(super) struct Attention {
    pub(super) exponential: InstId,
    pub(super) atoms: Atoms,
    pub(super) roles: Roles,
    pub(super) layout: Layout,
    pub(super) scale: f64,
    pub(super) element: ElementType,
    /// Features of zeros that values get for the kernel.
    pub(super) padding: usize,
    /// What targets of the kernel's calls begin with.
    pub(super) prefix: &'static str,
    pub(super) is_causal: bool,
    /// How many of the last keys a query sees; zero: all.
    pub(super) window: usize,
    pub(super) bias: Option<Bias>,
    pub(super) unseen: Option<Unseen>,
    pub(super) sink: Option<Sink>,
    pub(super) q: Root,
    pub(super) k: Root,
    pub(super) v: Root,
    /// Products that give the output.
    pub(super) outputs: Vec<Given>,
    pub(super) gradient: Option<Gradient>,
    /// Instructions that read something made of the exponentials and are no part of it.
    pub(super) readers: Vec<InstId>,
    /// Whether one of them changes the probabilities.
    pub(super) is_changed: bool,
}

/// The gradient of an attention.
pub(super) struct Gradient {
    /// Gradient of the output, and queries, keys and values as they are read beside it.
    pub(super) output: Root,
    pub(super) q: Root,
    pub(super) k: Root,
    pub(super) v: Root,
    pub(super) of_q: Vec<Given>,
    pub(super) of_k: Vec<Given>,
    pub(super) of_v: Vec<Given>,
    pub(super) of_bias: Vec<Given>,
    pub(super) of_sink: Vec<Given>,
}

/// A value that a call gives in the end.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// The value.
    pub(super) value: ValueId,
    /// Its dims.
    pub(super) dims: Dims,
    /// How much of what the call gives it is.
    pub(super) factor: f64,
}

/// Products by what they give, as their positions.
#[derive(Default)]
struct Sorted {
    outputs: Vec<usize>,
    of_v: Vec<usize>,
    of_q: Vec<usize>,
    of_k: Vec<usize>,
}

impl Sorted {
    fn of(atoms: &Atoms, scores: &Scores, products: &[Product]) -> Self {
        let (keys, queries) = (atoms.set(&scores.keys), atoms.set(&scores.queries));
        let mut sorted = Self::default();
        for (at, product) in products.iter().enumerate() {
            let along = atoms.set(&product.along);
            match (product.of.as_probabilities(), product.of.as_gradient(scores.tolerance)) {
                (Some(_), _) if along == keys => sorted.outputs.push(at),
                (Some(_), _) if along == queries => sorted.of_v.push(at),
                (_, Some(_)) if along == keys => sorted.of_q.push(at),
                (_, Some(_)) if along == queries => sorted.of_k.push(at),
                _ => {}
            }
        }
        sorted
    }
}

impl Attention {
    /// The attention that a softmax belongs to. `None` if nothing is made of its probabilities that an attention makes.
    pub(super) fn of(
        known: &Known<'_>,
        mut softmax: Softmax<'_, '_>,
        takes: &'static Takes,
        sharing: Sharing,
    ) -> Option<Result<Self, Reason>> {
        let sorted = Sorted::of(&softmax.atoms, &softmax.scores, &softmax.products);
        let is_nothing = softmax.upstream.is_none() && softmax.scores.sink.is_some() && !softmax.is_changed();
        if sorted.outputs.is_empty() && (softmax.is_joined() || is_nothing) {
            return Some(Err(Reason::Joined));
        }
        let first = sorted.outputs.first().map(|at| softmax.products[*at].with.clone());
        let Some(v) = first.or_else(|| Some(softmax.upstream.as_ref()?.values.clone())) else {
            return softmax.is_changed().then_some(Err(Reason::Changed));
        };
        if softmax.scores.is_capped {
            return Some(Err(Reason::Capped));
        }
        let gradient = match &softmax.upstream {
            None => Ok(None),
            Some(_) => gradient(&mut softmax, &sorted, &v).map(Some),
        };
        Some(gradient.and_then(|gradient| Self::made(known, softmax, &sorted, v, gradient, takes, sharing)))
    }

    fn made(
        known: &Known<'_>,
        mut softmax: Softmax<'_, '_>,
        sorted: &Sorted,
        v: Root,
        upstream: Option<Upstreamed>,
        takes: &'static Takes,
        sharing: Sharing,
    ) -> Result<Self, Reason> {
        let roles = Roles::of(&softmax.atoms, &softmax.scores, &v, sharing).ok_or(Reason::Dims)?;
        let masks = Masks::of(&softmax.atoms, &roles, &softmax.scores)?;
        if softmax.scores.sink.as_ref().is_some_and(|sink| !roles.have(&softmax.atoms.all(&sink.root.dims))) {
            return Err(Reason::Joined);
        }
        let (q, k) = (softmax.scores.q.clone(), softmax.scores.k.clone());
        let element = element(known, [&q, &k, &v], takes)?;
        let has_bias_gradient = upstream.is_some() && masks.bias.is_some();
        let padding = padding(&softmax.atoms, &roles, takes)?;
        lengths_fit(&softmax.atoms, &roles, has_bias_gradient)?;
        let gradient = match upstream {
            Some(upstream) => Some(upstream.given(known, &softmax, sorted, &roles, &masks.bias)?),
            None => None,
        };
        let same = |at: &usize| {
            let (with, dims) = (softmax.products[*at].with.value, softmax.products[*at].with.dims.clone());
            with == v.value && softmax.atoms.unify_dims(&dims, &v.dims)
        };
        if !sorted.outputs.iter().all(same) {
            return Err(Reason::Dims);
        }
        let outputs = sorted.outputs.iter().map(|at| {
            let product = &softmax.products[*at];
            let factor = product.of.as_probabilities().unwrap_or(1.0);
            given(known, product.id, &product.dims, factor)
        });
        let outputs = outputs.collect();
        let layout = Layout::of(&softmax.atoms, &roles, &q);
        let is_changed = softmax.is_changed();
        let Softmax { atoms, scores, read_otherwise, .. } = softmax;
        let readers = read_otherwise.into_iter().map(|(_, reader)| reader).collect();
        let Masks { is_causal, window, bias, unseen } = masks;
        let (exponential, scale) = (scores.exponential, scores.scale);
        Ok(Self {
            exponential,
            atoms,
            roles,
            layout,
            scale,
            element,
            padding,
            prefix: takes.prefix,
            is_causal,
            window,
            bias,
            unseen,
            sink: scores.sink,
            q,
            k,
            v,
            outputs,
            gradient,
            readers,
            is_changed,
        })
    }
}

fn given(known: &Known<'_>, id: InstId, dims: &Dims, factor: f64) -> Given {
    Given { value: known.body.insts[id].results[0], dims: dims.clone(), factor }
}

/// What the products of a gradient read beside what is made of the exponentials.
struct Upstreamed {
    output: Root,
    q: Root,
    k: Root,
    v: Root,
}

/// The gradient that the products make together, if they are one.
fn gradient(softmax: &mut Softmax<'_, '_>, sorted: &Sorted, v: &Root) -> Result<Upstreamed, Reason> {
    let Some(Upstream { gradient, values, .. }) = &softmax.upstream else { return Err(Reason::Gradient) };
    let (gradient, values) = (gradient.clone(), values.clone());
    let Softmax { atoms, scores, products, .. } = softmax;
    let mut is_same = |a: &Root, b: &Root| a.value == b.value && atoms.unify_dims(&a.dims, &b.dims);
    let mut all = |which: &[usize], root: &Root| which.iter().all(|at| is_same(&products[*at].with, root));
    let is_one = all(&sorted.of_v, &gradient) && all(&sorted.of_q, &scores.k) && all(&sorted.of_k, &scores.q);
    if !is_one || !is_same(&values, v) || (sorted.of_q.is_empty() && sorted.of_k.is_empty()) {
        return Err(Reason::Gradient);
    }
    let with = |which: &[usize]| which.first().map(|at| products[*at].with.clone());
    let (q, k) = (with(&sorted.of_k), with(&sorted.of_q));
    Ok(Upstreamed {
        output: gradient,
        q: q.unwrap_or_else(|| scores.q.clone()),
        k: k.unwrap_or_else(|| scores.k.clone()),
        v: values,
    })
}

impl Upstreamed {
    /// The gradient with what it gives.
    fn given(
        self,
        known: &Known<'_>,
        softmax: &Softmax<'_, '_>,
        sorted: &Sorted,
        roles: &Roles,
        bias: &Option<Bias>,
    ) -> Result<Gradient, Reason> {
        let Scores { scale, tolerance, .. } = softmax.scores;
        let factor = |at: usize| {
            let of = &softmax.products[at].of;
            of.as_probabilities().or_else(|| Some(of.as_gradient(tolerance)? / scale)).unwrap_or(1.0)
        };
        let given_by = |which: &[usize], root: &Root| -> Result<Vec<Given>, Reason> {
            let own = softmax.atoms.all(&root.dims);
            let is_repeated = |atom: &&Atom| !own.contains(atom);
            let repeated: Vec<Atom> = roles.shared.iter().filter(is_repeated).copied().collect();
            let mut all = Vec::new();
            for at in which {
                let product = &softmax.products[*at];
                let dims = softmax.atoms.all(&product.dims);
                if repeated.iter().any(|atom| dims.contains(atom)) {
                    all.extend(
                        softmax
                            .totals_of(*at, &repeated)
                            .ok_or(Reason::Gradient)?
                            .map(|total| given(known, total.id, &total.dims, factor(*at))),
                    );
                } else {
                    all.push(given(known, product.id, &product.dims, factor(*at)));
                }
            }
            Ok(all)
        };
        let of_q = given_by(&sorted.of_q, &softmax.scores.q)?;
        let of_k = given_by(&sorted.of_k, &softmax.scores.k)?;
        let of_v = given_by(&sorted.of_v, &self.v)?;
        let of_bias = bias.as_ref().map_or(Vec::new(), |bias| of_bias(known, softmax, roles, bias));
        let of_sink = softmax.scores.sink.as_ref().map_or(Vec::new(), |sink| {
            let own = softmax.atoms.all(&sink.root.dims);
            let all = [roles.batches.clone(), roles.heads(), roles.queries.clone()].concat();
            let missing = all.into_iter().filter(|atom| !own.contains(atom)).collect::<Vec<_>>();
            summed(known, softmax, &missing, Sum::as_gradient_of_sink)
        });
        let Self { output, q, k, v } = self;
        Ok(Gradient { output, q, k, v, of_q, of_k, of_v, of_bias, of_sink })
    }
}

/// Values that are the gradient of the bias.
fn of_bias(known: &Known<'_>, softmax: &Softmax<'_, '_>, roles: &Roles, bias: &Bias) -> Vec<Given> {
    let all = [&roles.batches[..], &roles.heads()].concat();
    let is_missing = |atom: &Atom| !bias.batches.contains(atom) && !bias.heads.contains(atom);
    let missing: Vec<Atom> = all.into_iter().filter(is_missing).collect();
    let tolerance = softmax.scores.tolerance;
    summed(known, softmax, &missing, |sum| sum.as_gradient(tolerance))
}

/// Values that are some number times what is asked for, summed along these atoms.
fn summed(
    known: &Known<'_>,
    softmax: &Softmax<'_, '_>,
    along: &[Atom],
    is_asked: impl Fn(&Sum) -> Option<f64>,
) -> Vec<Given> {
    let along = softmax.atoms.set(along);
    let mut found: Vec<Given> = Vec::new();
    for total in softmax.totals.iter().filter(|total| softmax.atoms.set(&total.along) == along) {
        if let Totaled::Sum(sum) = &total.of
            && let Some(factor) = is_asked(sum)
        {
            found.push(given(known, total.id, &total.dims, factor));
        }
    }
    if along.is_empty() {
        for (value, _) in &softmax.read_otherwise {
            if let Some((dims, form)) = softmax.form(*value)
                && let Some(factor) = form.alone().and_then(&is_asked)
                && found.iter().all(|given| given.value != *value)
            {
                found.push(Given { value: *value, dims, factor });
            }
        }
    }
    found
}

/// The element type of queries, keys and values.
fn element(known: &Known<'_>, roots: [&Root; 3], takes: &'static Takes) -> Result<ElementType, Reason> {
    let mut own = None;
    for root in roots {
        let element = known.ty(root.value).ok_or(Reason::Dims)?.element;
        if !takes.elements.contains(&element) || own.is_some_and(|own| own != element) {
            return Err(Reason::Element(element, takes));
        }
        own = Some(element);
    }
    own.ok_or(Reason::Dims)
}

/// Whether the kernel takes so many queries and keys.
fn lengths_fit(atoms: &Atoms, roles: &Roles, has_bias_gradient: bool) -> Result<(), Reason> {
    let lengths = [atoms.sizes(&roles.queries), atoms.sizes(&roles.keys)];
    match lengths.into_iter().find(|length| length % 2 != 0) {
        Some(length) if has_bias_gradient => Err(Reason::OddLength(length)),
        _ => Ok(()),
    }
}
