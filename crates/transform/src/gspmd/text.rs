//! A sharding of GSPMD as text: what stands in `mhlo.sharding`.
//!
//! Input: `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`. Output: a [`Tiling`], and back. The forms:
//!
//! - `{replicated}`, `{manual}`, `{unreduced}`, `{maximal device=3}`, `{unknown}`; a tuple of shardings,
//!   `{{replicated}, {manual}}`;
//! - `{devices=[4,2]<=[2,4]T(1,0)}`: devices `0, 1, ...` as an array of 2 x 4, transposed, give the tiles of a 4 x 2
//!   array;
//! - `{devices=[2,2]3,1,0,2}`: the same, with the devices listed;
//! - `last_tile_dim_replicate`: the last dim of tiles is no dim of the tensor; devices along it have the same;
//!   `last_tile_dims={manual, replicated}`: so are the last two, and the program is one device's own along the first;
//!   along an `unreduced` one devices have what adds up to the value.
//!
//! `shard_as` and `shard_like`, which tie values that are to be sharded alike, are refused.

/// One sharding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tiling {
    /// The whole on every device, or nothing known.
    Replicated,
    /// On one device.
    Maximal,
    /// Each device's own.
    Manual,
    /// What adds up to the value, on every device.
    Unreduced,
    /// In tiles.
    Tiled {
        /// Tiles along each dim, then along what is no dim.
        tiles: Vec<usize>,
        /// The device of each tile, row-major.
        devices: Vec<usize>,
        /// What the last tile dims are that are no dims of the tensor.
        beyond: Vec<LastDim>,
    },
}

impl Tiling {
    /// Whether the program is one device's own along some devices.
    pub(super) fn is_manual(&self) -> bool {
        match self {
            Self::Manual => true,
            Self::Tiled { beyond, .. } => beyond.contains(&LastDim::Manual),
            _ => false,
        }
    }

    /// Over how many devices it is, if it lists them.
    pub(super) fn num_devices(&self) -> Option<usize> {
        match self {
            Self::Tiled { devices, .. } => Some(devices.len()),
            _ => None,
        }
    }
}

/// What a tile dim is that is no dim of the tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastDim {
    /// Devices along it have the same.
    Replicated,
    /// The program is one device's own along it.
    Manual,
    /// Devices along it have what adds up to the value.
    Unreduced,
}

/// More devices than this are not listed.
const MOST_DEVICES: usize = 1 << 20;

/// Reads `mhlo.sharding`: one sharding, or those of a tuple. Errors: what is not understood.
pub(super) fn read(text: &str) -> Result<Vec<Tiling>, String> {
    let inner = text.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let Some(inner) = inner.map(str::trim) else {
        return Err(format!("a sharding should stand in braces, found `{text}`"));
    };
    if inner.starts_with('{') {
        return split(inner).into_iter().map(part).collect();
    }
    Ok(vec![one(inner)?])
}

/// A sharding of a tuple.
fn part(text: &str) -> Result<Tiling, String> {
    let text = text.trim();
    match text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(inner) => one(inner),
        None => Err(format!("each sharding of a tuple should stand in braces, found `{text}`")),
    }
}

/// The parts between commas outside of braces.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn one(text: &str) -> Result<Tiling, String> {
    let text = text.split("metadata=").next().unwrap_or_default().trim();
    if let Some(tie) = ["shard_as", "shard_like"].into_iter().find(|tie| text.contains(tie)) {
        return Err(format!(
            "`{tie}`, which ties values that are to be sharded alike, is not read; Shardy has `sdy.sharding_group`"
        ));
    }
    if let Some(rest) = text.strip_prefix("devices=") {
        return tiled(rest);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["replicated" | "unknown"] | [] => Ok(Tiling::Replicated),
        ["manual"] => Ok(Tiling::Manual),
        ["unreduced"] => Ok(Tiling::Unreduced),
        ["maximal", device]
            if device.strip_prefix("device=").is_some_and(|id| id.parse::<usize>().is_ok()) =>
        {
            Ok(Tiling::Maximal)
        }
        _ => Err(format!("the sharding `{{{text}}}` is not known")),
    }
}

/// `[2,1,4]<=[8] last_tile_dim_replicate`
fn tiled(text: &str) -> Result<Tiling, String> {
    let wrong = || format!("`devices=` should be [2,4]<=[8] or [2,2]0,1,2,3, found `{text}`");
    let (tiles, rest) = brackets(text, '[', ']').ok_or_else(wrong)?;
    let count = product(&tiles).filter(|count| (1..=MOST_DEVICES).contains(count)).ok_or_else(wrong)?;
    let (devices, rest) = match rest.strip_prefix("<=") {
        Some(rest) => {
            let (shape, rest) = brackets(rest, '[', ']').ok_or_else(wrong)?;
            let (order, rest) = match rest.strip_prefix('T') {
                Some(rest) => brackets(rest, '(', ')').ok_or_else(wrong)?,
                None => ((0..shape.len()).collect(), rest),
            };
            (transposed(&shape, &order).ok_or_else(wrong)?, rest)
        }
        None => {
            let (list, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            (numbers(list).ok_or_else(wrong)?, rest)
        }
    };
    let mut seen = vec![false; count];
    let is_new = |device: &usize| seen.get_mut(*device).is_some_and(|seen| !std::mem::replace(seen, true));
    if devices.len() != count || !devices.iter().all(is_new) {
        return Err(format!("`devices=` should list each of {count} devices once, found `{text}`"));
    }
    let beyond = match rest.trim() {
        "" => Vec::new(),
        "last_tile_dim_replicate" => vec![LastDim::Replicated],
        rest => {
            let kinds = rest.strip_prefix("last_tile_dims={").and_then(|rest| rest.strip_suffix('}'));
            let unknown = || {
                format!(
                    "what the last tile dims are should be `last_tile_dim_replicate` or \
                                      `last_tile_dims={{manual, replicated}}`, found `{rest}`"
                )
            };
            let kinds = kinds.ok_or_else(unknown)?.split(',').map(|kind| match kind.trim() {
                "manual" => Ok(LastDim::Manual),
                "replicated" => Ok(LastDim::Replicated),
                "unreduced" => Ok(LastDim::Unreduced),
                other => Err(format!("a last tile dim that is `{other}` is not known")),
            });
            kinds.collect::<Result<_, _>>()?
        }
    };
    if beyond.len() > tiles.len() {
        let (found, there) = (beyond.len(), tiles.len());
        return Err(format!("the last {found} tile dims are no dims of the tensor, but there are {there}"));
    }
    Ok(Tiling::Tiled { tiles, devices, beyond })
}

/// Numbers in brackets, and what stands behind them.
fn brackets(text: &str, open: char, close: char) -> Option<(Vec<usize>, &str)> {
    let (inner, rest) = text.strip_prefix(open)?.split_once(close)?;
    Some((numbers(inner)?, rest))
}

fn numbers(text: &str) -> Option<Vec<usize>> {
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}

fn product(sizes: &[usize]) -> Option<usize> {
    sizes.iter().try_fold(1usize, |product, size| product.checked_mul(*size))
}

/// `0, 1, 2, ...` as an array of a shape, its dims reordered, row-major again.
fn transposed(shape: &[usize], order: &[usize]) -> Option<Vec<usize>> {
    let count = product(shape).filter(|count| *count <= MOST_DEVICES)?;
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..shape.len()) {
        return None;
    }
    let stride = |dim: usize| shape[dim + 1..].iter().product::<usize>();
    let mut devices = vec![0];
    for dim in order {
        let along = (0..shape[*dim]).map(|at| at * stride(*dim)).collect::<Vec<_>>();
        devices = devices.iter().flat_map(|base| along.iter().map(move |offset| base + offset)).collect();
    }
    (devices.len() == count).then_some(devices)
}

/// Along how many devices tiles do not differ.
pub(super) struct Beyond {
    /// Those that each have their own.
    pub(super) manual: usize,
    /// Those that have what adds up to the value.
    pub(super) unreduced: usize,
    /// Those that have the same.
    pub(super) replicas: usize,
}

impl Beyond {
    /// A sharding without tiles.
    fn untiled(&self, tiles: &[usize]) -> Option<String> {
        if tiles.iter().any(|count| *count != 1) {
            return None;
        }
        match (self.manual, self.unreduced, self.replicas) {
            (1, 1, _) => Some("{replicated}".into()),
            (_, 1, 1) => Some("{manual}".into()),
            (1, _, 1) => Some("{unreduced}".into()),
            _ => None,
        }
    }

    /// All tile dims, and what is said of the last ones.
    fn dims(&self, tiles: &[usize]) -> (Vec<usize>, String) {
        let kinds = [(self.manual, "manual"), (self.unreduced, "unreduced"), (self.replicas, "replicated")];
        let (sizes, names): (Vec<usize>, Vec<&str>) =
            kinds.into_iter().filter(|(count, _)| *count > 1).unzip();
        let end = match names[..] {
            [] => String::new(),
            ["replicated"] => " last_tile_dim_replicate".into(),
            _ => format!(" last_tile_dims={{{}}}", names.join(", ")),
        };
        (tiles.iter().copied().chain(sizes).collect(), end)
    }
}

/// The text of tiles over axes: `sizes` are those of a mesh's axes, and `order` lists them in the order in which they
/// make up the tiles, manual axes behind them, then those over which the value is unreduced, and last those along which
/// devices have the same.
pub(super) fn write(tiles: &[usize], beyond: &Beyond, sizes: &[usize], order: &[usize]) -> String {
    if let Some(text) = beyond.untiled(tiles) {
        return text;
    }
    // Axes that follow each other in both orders are one.
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for axis in order.iter().copied().filter(|axis| sizes[*axis] > 1) {
        let follows = |last: &Vec<usize>| {
            let next = last.last().map_or(0, |last| last + 1);
            (next..axis).all(|between| sizes[between] == 1) && next <= axis
        };
        match runs.last_mut().filter(|last| follows(last)) {
            Some(run) => run.push(axis),
            None => runs.push(vec![axis]),
        }
    }
    let mut in_mesh: Vec<usize> = (0..runs.len()).collect();
    in_mesh.sort_by_key(|run| runs[*run][0]);
    let size = |run: &usize| runs[*run].iter().map(|axis| sizes[*axis]).product::<usize>();
    let list = |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let place = |run: usize| in_mesh.iter().position(|other| *other == run).unwrap_or(run);
    let order: Vec<usize> = (0..runs.len()).map(place).collect();
    let (tiles, end) = beyond.dims(tiles);
    let mut text =
        format!("{{devices=[{}]<=[{}]", list(&tiles), list(&in_mesh.iter().map(size).collect::<Vec<_>>()));
    if !order.iter().copied().eq(0..runs.len()) {
        text += &format!("T({})", list(&order));
    }
    text + &end + "}"
}

/// The same with the devices listed: `devices` are those of the mesh in its order.
pub(super) fn listed(
    tiles: &[usize],
    beyond: &Beyond,
    devices: &[usize],
    sizes: &[usize],
    order: &[usize],
) -> String {
    if let Some(text) = beyond.untiled(tiles) {
        return text;
    }
    let list = |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let positions = transposed(sizes, order).unwrap_or_default();
    let devices: Vec<usize> =
        positions.iter().filter_map(|position| devices.get(*position).copied()).collect();
    let (tiles, end) = beyond.dims(tiles);
    format!("{{devices=[{}]{}{end}}}", list(&tiles), list(&devices))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiled(text: &str) -> (Vec<usize>, Vec<usize>, Vec<LastDim>) {
        match read(text).unwrap().remove(0) {
            Tiling::Tiled { tiles, devices, beyond } => (tiles, devices, beyond),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn forms_are_read() {
        assert_eq!(read("{replicated}"), Ok(vec![Tiling::Replicated]));
        assert_eq!(read("{maximal device=3}"), Ok(vec![Tiling::Maximal]));
        assert_eq!(read("{{manual}, {replicated}}"), Ok(vec![Tiling::Manual, Tiling::Replicated]));
        let (tiles, devices, beyond) = tiled("{devices=[2,1,2]<=[4] last_tile_dim_replicate}");
        assert_eq!((tiles, devices, beyond), (vec![2, 1, 2], vec![0, 1, 2, 3], vec![LastDim::Replicated]));
        assert_eq!(tiled("{devices=[3,2]<=[2,3]T(1,0)}").1, [0, 3, 1, 4, 2, 5]);
        assert_eq!(tiled("{devices=[2,2]3,1,0,2}").1, [3, 1, 0, 2]);
        let both = tiled("{devices=[1,2,2]<=[4] last_tile_dims={manual, replicated}}");
        assert_eq!(both.2, [LastDim::Manual, LastDim::Replicated]);
        assert_eq!(tiled("{devices=[1,2]<=[2] last_tile_dims={unreduced}}").2, [LastDim::Unreduced]);
        let tuple = "{{devices=[1,2]<=[2] last_tile_dims={unreduced}}, {unreduced}}";
        assert_eq!(read(tuple).map(|parts| parts[1].clone()), Ok(Tiling::Unreduced));
        for wrong in [
            "{devices=[2,2]0,1,1,2}",
            "{devices=[2]<=[3]}",
            "{devices=[2,2]<=[4]T(1)}",
            "{devices=[2]<=[2] last_tile_dims={odd}}",
            "{devices=[2]<=[2] last_tile_dims={manual, manual}}",
            "{devices=[2]<=[2] more}",
            "replicated",
            "{x}",
            "{maximal}",
            "{replicated replicated}",
            "{replicated shard_as 1}",
            "{{replicated}, manual}",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let same = |replicas| Beyond { manual: 1, unreduced: 1, replicas };
        let own = |manual, replicas| Beyond { manual, unreduced: 1, replicas };
        let sum = |unreduced, replicas| Beyond { manual: 1, unreduced, replicas };
        assert_eq!(write(&[1], &sum(8, 1), &[8], &[0]), "{unreduced}");
        let text = write(&[2], &sum(4, 3), &[2, 4, 3], &[0, 1, 2]);
        assert_eq!(text, "{devices=[2,4,3]<=[24] last_tile_dims={unreduced, replicated}}");
        let text = write(&[2], &own(4, 3), &[2, 4, 3], &[0, 1, 2]);
        assert_eq!(text, "{devices=[2,4,3]<=[24] last_tile_dims={manual, replicated}}");
        assert_eq!(write(&[1], &own(8, 1), &[8], &[0]), "{manual}");
        assert_eq!(
            write(&[2], &own(4, 1), &[4, 2], &[1, 0]),
            "{devices=[2,4]<=[4,2]T(1,0) last_tile_dims={manual}}"
        );
        // Axes of 2, 4 and 3 devices; dim 0 over the second, dim 1 over the first.
        let text = write(&[4, 2], &same(3), &[2, 4, 3], &[1, 0, 2]);
        assert_eq!(text, "{devices=[4,2,3]<=[2,4,3]T(1,0,2) last_tile_dim_replicate}");
        assert_eq!(write(&[8, 1], &same(1), &[2, 4], &[0, 1]), "{devices=[8,1]<=[8]}");
        assert_eq!(write(&[1, 1], &same(8), &[2, 4], &[0, 1]), "{replicated}");
        assert_eq!(listed(&[2, 2], &same(1), &[3, 2, 1, 0], &[2, 2], &[1, 0]), "{devices=[2,2]3,1,2,0}");
        assert_eq!(
            write(&[4], &same(2), &[2, 1, 4], &[2, 0, 1]),
            "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"
        );
    }
}
