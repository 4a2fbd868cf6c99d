//! What is measured: small local programs, as StableHLO text.

use super::Layout;
use crate::collective::Collective;
use meshwright_machine::ElementClass;
use std::fmt::Write;

/// Size of the products that lie between collectives.
const BETWEEN: usize = 192;
/// So many elements are sent fast, and sent more often.
const FEW: usize = 1 << 18;

/// Examples of a depthwise convolution,
const EXAMPLES: usize = 2;
/// and neighbors that it reads.
const TAPS: usize = 4;

/// One thing that takes time.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A product of two square matrices of this size.
    Product(ElementClass, usize),
    /// An elementwise op that reads and writes so many bytes, together.
    Elementwise(f64),
    /// A depthwise convolution of two sequences over four neighbors: tokens and channels.
    DepthwiseConvolution(usize, usize),
    /// The smallest op.
    Smallest,
    /// A copy of so many bytes between a device and the memory of its host, one way.
    HostCopy(f64),
    /// Collectives one behind the other, each with what a device holds before it, in bytes; over members that lie
    /// `stride` apart.
    Collectives {
        /// The kinds and bytes.
        each: Vec<(Collective, f64)>,
        /// Members of a group.
        members: usize,
        /// How far apart they lie.
        stride: usize,
    },
}

impl What {
    /// Flops of a depthwise convolution of so many tokens and channels.
    pub(super) fn depthwise_flops(tokens: usize, channels: usize) -> f64 {
        2.0 * (EXAMPLES * TAPS * tokens * channels) as f64
    }

    /// Bytes that it reads and writes.
    pub(super) fn depthwise_bytes(tokens: usize, channels: usize) -> f64 {
        4.0 * ((2 * EXAMPLES * tokens + TAPS) * channels) as f64
    }
}

/// A thing and two programs that do it `counts` times, and do all else alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The thing.
    pub what: What,
    /// Later measurements of a family take longer: if one takes too long, the rest may be left out.
    pub family: String,
    /// How often each program does it.
    pub counts: [usize; 2],
    /// The programs; every device runs the same.
    pub programs: [String; 2],
    /// Shape and element type of each argument.
    pub arguments: Vec<(Vec<usize>, &'static str)>,
}

/// Everything that is measured, the small ones of each family first.
pub fn measurements(layout: Layout) -> Vec<Measurement> {
    let mut all = vec![smallest()];
    for (class, element) in
        [(ElementClass::F32, "f32"), (ElementClass::Bf16, "bf16"), (ElementClass::F64, "f64")]
    {
        all.extend([64, 128, 256, 512, 1024, 2048, 4096, 8192].map(|size| product(class, element, size)));
    }
    all.extend([14, 16, 18, 20, 22, 24, 26, 28].map(|log2| elementwise(1 << log2)));
    all.extend(
        [(32, 64), (64, 128), (128, 256), (256, 512)].map(|(tokens, channels)| depthwise(tokens, channels)),
    );
    all.extend([22, 24, 26, 28].map(|log2| host_copy(1 << log2)));
    let devices = layout.num_devices();
    let inside = layout.per_process;
    // Groups inside a process, groups across processes, and everything.
    let mut groups = vec![(2, 1), (inside, 1), (2, inside / 2), (layout.processes, inside), (devices, 1)];
    groups
        .retain(|(members, stride)| *members > 1 && *stride > 0 && devices.is_multiple_of(members * stride));
    groups.sort_unstable();
    groups.dedup();
    for (members, stride) in groups {
        for kind in 0..4 {
            let sizes = [8, 12, 15, 18, 20, 22, 24].map(|log2| 1usize << log2);
            all.extend(sizes.map(|elements| collectives(kind, elements, members, stride, devices)));
        }
    }
    all
}

fn program(arguments: &[(Vec<usize>, &'static str)], body: &str, result: &str) -> String {
    let types: Vec<String> = arguments.iter().map(|(shape, element)| ty(shape, element)).collect();
    let list: Vec<String> = types.iter().enumerate().map(|(index, ty)| format!("%a{index}: {ty}")).collect();
    format!(
        "func.func public @main({}) -> {} {{\n{body}  return {result} : {}\n}}\n",
        list.join(", "),
        types[0],
        types[0]
    )
}

fn ty(shape: &[usize], element: &str) -> String {
    let dims: String = shape.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{dims}{element}>")
}

fn product_text(size: usize, element: &'static str, count: usize) -> String {
    let ty = ty(&[size, size], element);
    let mut body = String::new();
    for step in 0..count {
        let from = if step == 0 { "%a0".to_owned() } else { format!("%x{}", step - 1) };
        let _ = writeln!(
            body,
            "  %x{step} = stablehlo.dot_general {from}, %a1, contracting_dims = [1] x [0] : ({ty}, {ty}) -> {ty}"
        );
    }
    program(&[(vec![size, size], element), (vec![size, size], element)], &body, &format!("%x{}", count - 1))
}

fn smallest() -> Measurement {
    let counts = [8, 136];
    Measurement {
        what: What::Smallest,
        family: "smallest".into(),
        counts,
        programs: counts.map(|count| product_text(4, "f32", count)),
        arguments: vec![(vec![4, 4], "f32"); 2],
    }
}

fn product(class: ElementClass, element: &'static str, size: usize) -> Measurement {
    let counts = if size <= 256 { [2, 18] } else { [1, 4] };
    Measurement {
        what: What::Product(class, size),
        family: format!("product of {element}"),
        counts,
        programs: counts.map(|count| product_text(size, element, count)),
        arguments: vec![(vec![size, size], element); 2],
    }
}

fn depthwise(tokens: usize, channels: usize) -> Measurement {
    let counts = [1, 5];
    let arguments = vec![(vec![EXAMPLES, tokens, channels], "f32"), (vec![TAPS, 1, channels], "f32")];
    let (x, w) = (ty(&arguments[0].0, "f32"), ty(&arguments[1].0, "f32"));
    let text = |count: usize| {
        let mut body = String::new();
        for step in 0..count {
            let from = if step == 0 { "%a0".to_owned() } else { format!("%x{}", step - 1) };
            let _ = writeln!(
                body,
                "  %x{step} = stablehlo.convolution({from}, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], \
                 window = {{pad = [[{}, 0]]}} {{batch_group_count = 1 : i64, feature_group_count = {channels} : i64}} \
                 : ({x}, {w}) -> {x}",
                TAPS - 1
            );
        }
        program(&arguments, &body, &format!("%x{}", count - 1))
    };
    Measurement {
        what: What::DepthwiseConvolution(tokens, channels),
        family: "depthwise convolution".into(),
        counts,
        programs: counts.map(text),
        arguments: arguments.clone(),
    }
}

/// A loop, since ops one behind the other would become one.
fn elementwise(elements: usize) -> Measurement {
    let counts = [2, 10];
    let ty = ty(&[elements], "f32");
    let text = |count: usize| {
        let body = format!(
            "  %zero = stablehlo.constant dense<0> : tensor<i32>\n  \
             %one = stablehlo.constant dense<1> : tensor<i32>\n  \
             %count = stablehlo.constant dense<{count}> : tensor<i32>\n  \
             %half = stablehlo.constant dense<5.000000e-01> : {ty}\n  \
             %w:2 = stablehlo.while(%i = %zero, %x = %a0) : tensor<i32>, {ty}\n   cond {{\n    \
             %p = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>\n    \
             stablehlo.return %p : tensor<i1>\n  }} do {{\n    \
             %y = stablehlo.multiply %x, %half : {ty}\n    %z = stablehlo.add %y, %half : {ty}\n    \
             %j = stablehlo.add %i, %one : tensor<i32>\n    \
             stablehlo.return %j, %z : tensor<i32>, {ty}\n  }}\n"
        );
        program(&[(vec![elements], "f32")], &body, "%w#1")
    };
    Measurement {
        what: What::Elementwise(8.0 * elements as f64),
        family: "elementwise".into(),
        counts,
        programs: counts.map(text),
        arguments: vec![(vec![elements], "f32")],
    }
}

/// There and back again and again. A product of its own lies in between: what comes back at once need not go there.
fn host_copy(elements: usize) -> Measurement {
    // A turn is two copies.
    let (turns, own, square) = ([1, 3], ty(&[elements], "f32"), ty(&[4, 4], "f32"));
    let arguments = vec![(vec![elements], "f32"), (vec![4, 4], "f32")];
    let copied = |from: &str, place: &str| {
        format!(
            "stablehlo.custom_call @annotate_device_placement({from}) {{has_side_effect = true, \
             mhlo.frontend_attributes = {{_xla_buffer_placement = \"{place}\"}}}} : ({own}) -> {own}"
        )
    };
    let text = |turns: usize| {
        let mut body = String::new();
        let (mut x, mut p) = ("%a0".to_owned(), "%a1".to_owned());
        for turn in 0..turns {
            let _ = write!(
                body,
                "  %h{turn} = {}\n  \
                 %p{turn} = stablehlo.dot_general {p}, %a1, contracting_dims = [1] x [0] : ({square}, {square}) -> {square}\n  \
                 %b{turn}:2 = stablehlo.optimization_barrier %h{turn}, %p{turn} : {own}, {square}\n  \
                 %d{turn} = {}\n  \
                 %x{turn} = stablehlo.negate %d{turn} : {own}\n",
                copied(&x, "pinned_host"),
                copied(&format!("%b{turn}#0"), "device"),
            );
            (x, p) = (format!("%x{turn}"), format!("%b{turn}#1"));
        }
        program(&arguments, &body, &x)
    };
    Measurement {
        what: What::HostCopy(4.0 * elements as f64),
        family: "copy to and from the host".into(),
        counts: turns.map(|turns| 2 * turns),
        programs: turns.map(text),
        arguments: arguments.clone(),
    }
}

/// All groups of `members` devices that lie `stride` apart, as they are written.
fn groups(members: usize, stride: usize, devices: usize) -> String {
    let extent = members * stride;
    let rows: Vec<String> = (0..devices / members)
        .map(|group| {
            let first = group / stride * extent + group % stride;
            let row: Vec<String> = (0..members).map(|member| (first + member * stride).to_string()).collect();
            format!("[{}]", row.join(", "))
        })
        .collect();
    format!("dense<[{}]> : tensor<{}x{members}xi64>", rows.join(", "), devices / members)
}

/// The collectives of a kind, `%x` of a step from `from`, as text. They exchange in groups of `members` devices that lie
/// `stride` apart.
fn exchange(kind: usize, (from, step): (&str, usize), elements: usize, groups: [usize; 3]) -> String {
    let [members, stride, devices] = groups;
    let (own, all) = (ty(&[elements], "f32"), ty(&[elements * members], "f32"));
    let groups = self::groups(members, stride, devices);
    let sum = "({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %s = stablehlo.add %p, %q : tensor<f32>\n    \
               stablehlo.return %s : tensor<f32>\n  })";
    match kind {
        0 => format!(
            "  %x{step} = \"stablehlo.all_reduce\"({from}) <{{replica_groups = {groups}}}> {sum} : ({own}) -> {own}\n"
        ),
        1 => format!(
            "  %g{step} = \"stablehlo.all_gather\"({from}) <{{all_gather_dim = 0 : i64, replica_groups = {groups}}}> \
             : ({own}) -> {all}\n  \
             %x{step} = \"stablehlo.reduce_scatter\"(%g{step}) <{{replica_groups = {groups}, \
             scatter_dimension = 0 : i64}}> {sum} : ({all}) -> {own}\n"
        ),
        2 => format!(
            "  %x{step} = \"stablehlo.all_to_all\"({from}) <{{concat_dimension = 0 : i64, replica_groups = {groups}, \
             split_count = {members} : i64, split_dimension = 0 : i64}}> : ({own}) -> {own}\n"
        ),
        _ => {
            let next = |device: usize| {
                let (place, extent) = (device / stride % members, members * stride);
                let next = device / extent * extent + (place + 1) % members * stride + device % stride;
                format!("[{device}, {next}]")
            };
            let pairs: Vec<String> = (0..devices).map(next).collect();
            format!(
                "  %x{step} = \"stablehlo.collective_permute\"({from}) <{{source_target_pairs = dense<[{}]> : \
                 tensor<{devices}x2xi64>}}> : ({own}) -> {own}\n",
                pairs.join(", ")
            )
        }
    }
}

/// A program of `steps` products, the first `count` of which are followed by what `exchange` writes. A program is never
/// collectives alone: devices come to one from computing, some later than others, and all wait.
fn between_products(
    arguments: &[(Vec<usize>, &'static str)],
    (count, steps): (usize, usize),
    exchange: impl Fn(&str, usize) -> String,
) -> String {
    let (own, product) = (ty(&arguments[0].0, "f32"), ty(&[BETWEEN, BETWEEN], "f32"));
    let mut body = String::from("  %zero = stablehlo.constant dense<0> : tensor<i32>\n");
    let (mut x, mut p) = ("%a0".to_owned(), "%a1".to_owned());
    for step in 0..steps {
        let _ = write!(
            body,
            "  %p{step} = stablehlo.dot_general {p}, %a2, contracting_dims = [1] x [0] : ({product}, {product}) -> {product}\n  \
             %f{step} = stablehlo.slice %p{step} [0:1, 0:1] : ({product}) -> tensor<1x1xf32>\n  \
             %v{step} = stablehlo.reshape %f{step} : (tensor<1x1xf32>) -> tensor<1xf32>\n  \
             %u{step} = stablehlo.dynamic_update_slice {x}, %v{step}, %zero : ({own}, tensor<1xf32>, tensor<i32>) -> {own}\n"
        );
        x = format!("%u{step}");
        if step < count {
            body.push_str(&exchange(&x, step));
            x = format!("%x{step}");
        }
        let _ = write!(
            body,
            "  %e{step} = stablehlo.slice {x} [0:1] : ({own}) -> tensor<1xf32>\n  \
             %w{step} = stablehlo.reshape %e{step} : (tensor<1xf32>) -> tensor<1x1xf32>\n  \
             %q{step} = stablehlo.dynamic_update_slice %p{step}, %w{step}, %zero, %zero : ({product}, \
             tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> {product}\n"
        );
        p = format!("%q{step}");
    }
    program(arguments, &body, &x)
}

fn collectives(kind: usize, elements: usize, members: usize, stride: usize, devices: usize) -> Measurement {
    let elements = elements.next_multiple_of(members);
    let bytes = 4.0 * elements as f64;
    let square = (vec![BETWEEN, BETWEEN], "f32");
    let arguments = vec![(vec![elements], "f32"), square.clone(), square];
    let counts = if elements <= FEW { [1, 9] } else { [1, 5] };
    let one = |from: &str, step: usize| exchange(kind, (from, step), elements, [members, stride, devices]);
    let each = match kind {
        0 => vec![(Collective::AllReduce, bytes)],
        1 => vec![(Collective::AllGather, bytes), (Collective::ReduceScatter, bytes * members as f64)],
        2 => vec![(Collective::AllToAll, bytes)],
        _ => vec![(Collective::CollectivePermute, bytes)],
    };
    let names: Vec<&str> = each.iter().map(|(kind, _)| kind.name()).collect();
    Measurement {
        family: format!("{} over {members} devices {stride} apart", names.join(" and ")),
        what: What::Collectives { each, members, stride },
        counts,
        programs: counts.map(|count| between_products(&arguments, (count, counts[1]), one)),
        arguments,
    }
}
