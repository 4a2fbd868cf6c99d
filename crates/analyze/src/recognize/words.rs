//! Kinds of parallelism of a plan in words.
//!
//! Input: what each sub-axis is used for and the ZeRO stages. Output: one entry per kind of parallelism, such as
//! `data parallel over 8 (besides expert parallel over 4)`. The numbers of the kinds multiply to the devices, because an
//! axis counts for its main use; what it does besides is said behind that.

use meshwright_ir::mesh::{AxisSet, Mesh};

use super::{Recognized, Use};

/// In the order in which they are said.
const WORDS: [(Use, &str); 8] = [
    (Use::Data, "data parallel"),
    (Use::Expert, "expert parallel"),
    (Use::Tensor, "tensor parallel"),
    (Use::Sequence, "sequence parallel"),
    (Use::Ulysses, "Ulysses sequence parallel"),
    (Use::Context, "context parallel"),
    (Use::Spatial, "spatial parallel"),
    (Use::Embedding, "embedding parallel"),
];

/// One entry per kind of parallelism; `touched` are the axes that shard anything at all.
pub(super) fn parts(recognized: &Recognized, mesh: &Mesh, touched: AxisSet) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let of = |main: Use| recognized.axes(|uses| uses.main == Some(main));
    for (main, words) in WORDS {
        let axes = of(main);
        if mesh.set_size(axes) > 1 {
            parts.push(format!("{words} over {}{}", mesh.set_size(axes), besides(recognized, mesh, main)));
        }
        // Comes with tensor parallelism, as people write it.
        let beside_tensors = recognized.axes(|uses| main == Use::Tensor && is_beside_tensors(uses));
        if mesh.set_size(beside_tensors) > 1 {
            parts.push(format!("sequence parallel over {}", mesh.set_size(beside_tensors)));
        }
    }
    parts.extend(recognized.zero.parts(mesh, of(Use::Data)));
    let idle = recognized.axes(|uses| uses.main.is_none());
    for (axes, words) in [
        (of(Use::Sharded), "sharded"),
        (idle.intersection(touched), "mostly replicated"),
        (idle.minus(touched), "replicated"),
    ] {
        if mesh.set_size(axes) > 1 {
            parts.push(format!("{words} over {}", mesh.set_size(axes)));
        }
    }
    if parts.is_empty() {
        return vec!["one device".into()];
    }
    parts
}

fn is_beside_tensors(uses: &super::Uses) -> bool {
    uses.main == Some(Use::Tensor) && uses.besides.contains(&Use::Sequence)
}

/// What the axes of one main use do besides: ` (besides expert parallel over 4)`, without a number where all of them do.
fn besides(recognized: &Recognized, mesh: &Mesh, main: Use) -> String {
    let all = recognized.axes(|uses| uses.main == Some(main));
    let others: Vec<String> = WORDS
        .iter()
        .filter(|(other, _)| (main, *other) != (Use::Tensor, Use::Sequence))
        .filter_map(|(other, words)| {
            let axes = recognized.axes(|uses| uses.main == Some(main) && uses.besides.contains(other));
            match mesh.set_size(axes) {
                1 => None,
                _ if axes == all => Some((*words).to_owned()),
                size => Some(format!("{words} over {size}")),
            }
        })
        .collect();
    if others.is_empty() { String::new() } else { format!(" (besides {})", others.join(", ")) }
}
