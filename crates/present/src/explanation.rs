//! Where the sharding of a value came from, where shardings are at odds and what is sent, as text and as JSON.

use crate::plural;
use meshwright_compile::Sent;
use meshwright_compile::explanation::{AxisOrigin, Conflict, Explanation, Root, Side, Site};
use meshwright_ir::diagnostic::{Source, Span};
use serde_json::{Value, json};
use std::fmt::Write;

/// How many conflicts are shown unless all are asked for.
const SHOWN: usize = 10;

fn name(source: &Source, site: &Site) -> String {
    let text =
        if site.value.is_some() { source.snippet(site.value).split(':').next().unwrap_or("") } else { "" };
    let function = site.function.as_ref().map_or(String::new(), |name| format!("@{name}:"));
    match (text, site.result) {
        ("", _) => format!("the result of {}", site.what),
        (text, Some(result)) => format!("{function}{text}#{result}"),
        (text, None) => format!("{function}{text}"),
    }
}

fn place(source: &Source, span: Span) -> String {
    if span.is_some() { format!(" at {}", source.locate(span)) } else { String::new() }
}

/// Explains the sharding of a value, dim by dim up to the annotation.
pub fn text(source: &Source, found: &Explanation) -> String {
    let mut text =
        format!("{} ({}{})", name(source, &found.site), found.site.what, place(source, found.site.place));
    match &found.sharding {
        Some(sharding) => {
            let _ = writeln!(text, " is {sharding}");
        }
        None => text.push_str(" is replicated: no sharding reaches it\n"),
    }
    for origin in &found.origins {
        let _ = writeln!(
            text,
            "  dim {} has {}{}",
            origin.dim,
            origin.axis,
            because(source, &found.site, origin)
        );
    }
    text
}

/// Of a longer chain the first links are shown, and the last.
const LINKS_FIRST: usize = 24;
const LINKS_LAST: usize = 6;

/// ` because of the dot at ..., which got it from %a`, up to the annotation.
fn because(source: &Source, site: &Site, origin: &AxisOrigin) -> String {
    let mut text = String::new();
    let skipped = match origin.links.len() {
        count if count > LINKS_FIRST + LINKS_LAST + 1 => LINKS_FIRST..count - LINKS_LAST,
        _ => 0..0,
    };
    for (index, link) in origin.links.iter().enumerate() {
        if skipped.contains(&index) {
            if index == skipped.start {
                let _ = write!(text, ",\n    and so on through {} more operations", skipped.len());
            }
            continue;
        }
        let (what, span) = &link.through;
        let got = if index == 0 { " because of" } else { ",\n    which has it because of" };
        let _ = write!(
            text,
            "{got} {what}{}, which got it from {}",
            place(source, *span),
            name(source, &link.from)
        );
    }
    let last = origin.links.last().map_or(site, |link| &link.from);
    let root = match (origin.root, origin.links.is_empty()) {
        (Root::Annotation, true) => "; it is annotated",
        (Root::Annotation, false) => ",\n    which is annotated",
        (Root::Search, true) => "; the search chose it",
        (Root::Search, false) => ",\n    for which the search chose it",
    };
    let _ = write!(text, "{root} ({}{})", last.what, place(source, last.place));
    text
}

/// Conflicts of shardings, the most expensive first; all, or the first of them.
pub fn conflicts(source: &Source, found: &[Conflict], full: bool) -> String {
    let mut text = match found.len() {
        0 => "No conflicts: every operation finds its tensors sharded alike.\n".to_owned(),
        1 => "1 conflict\n".to_owned(),
        count => format!("{count} conflicts, the most expensive first\n"),
    };
    let shown = if full { found.len() } else { SHOWN };
    for conflict in found.iter().take(shown) {
        let what = format!("{}{}", conflict.what, place(source, conflict.place));
        let _ = writeln!(text, "\n{what}: about {} bytes per device", conflict.bytes.round());
        for side in &conflict.sides {
            let _ = writeln!(text, "  {}", side_text(source, side, &conflict.sides));
        }
    }
    if found.len() > shown {
        let _ = writeln!(text, "\n{} more: see them with `--full`", found.len() - shown);
    }
    text
}

/// Communication of the partitioned program: collectives of each kind, their bytes, and what the largest is for.
pub fn communication(source: &Source, sent: &[Sent]) -> String {
    let count: u64 = sent.iter().map(|sent| sent.count).sum();
    let bytes: f64 = sent.iter().map(|sent| sent.ring_bytes).sum();
    if count == 0 {
        return "\nPartitioned, it sends nothing.\n".to_owned();
    }
    let total = plural::count(count as usize, "collective");
    let mut text = format!("\nPartitioned, it runs {total}; each device sends {} bytes:\n", bytes.round());
    for sent in sent {
        let (kind, largest, place) = (sent.kind, sent.largest.round(), place(source, sent.place));
        let _ = writeln!(
            text,
            "  {} {kind}, {} bytes; the largest sends {largest}{place}",
            sent.count,
            sent.ring_bytes.round()
        );
    }
    text
}

/// One of [`communication`] for programs.
pub fn sent_json(source: &Source, sent: &Sent) -> Value {
    json!({
        "kind": sent.kind,
        "count": sent.count,
        "ring_bytes": sent.ring_bytes.round(),
        "largest": { "ring_bytes": sent.largest.round(), "place": source.locate(sent.place) },
    })
}

/// `%2 dim 0 has "x", "y"; "y" because of ...`: the axes, and where the one came from that others do not have, unless
/// another side stands on the way, which says it.
fn side_text(source: &Source, side: &Side, all: &[Side]) -> String {
    let axes = if side.axes.is_empty() { "nothing".to_owned() } else { side.axes.join(", ") };
    let mut text = format!("{} dim {} has {axes}", name(source, &side.site), side.dim);
    let Some(origin) = &side.origin else { return text };
    let is_like = |other: &&Side| {
        other.axes == side.axes
            && other.site != side.site
            && origin.links.iter().any(|link| link.from == other.site)
    };
    if let Some(other) = all.iter().find(is_like) {
        let _ = write!(text, ", from {}", name(source, &other.site));
        return text;
    }
    if side.axes.len() > 1 && !origin.links.is_empty() {
        let _ = write!(text, "; {}", origin.axis);
    }
    text + &because(source, &side.site, origin)
}

fn site_json(source: &Source, site: &Site) -> Value {
    json!({ "value": name(source, site), "what": site.what, "place": source.locate(site.place) })
}

fn origin_json(source: &Source, origin: &AxisOrigin) -> Value {
    let links = origin.links.iter().map(|link| {
        let (what, span) = &link.through;
        json!({ "through": what, "place": source.locate(*span), "from": site_json(source, &link.from) })
    });
    let root = match origin.root {
        Root::Annotation => "annotation",
        Root::Search => "search",
    };
    json!({ "dim": origin.dim, "axis": origin.axis, "root": root, "links": links.collect::<Vec<_>>() })
}

/// The same as [`text`] for programs.
pub fn to_json(source: &Source, found: &Explanation) -> Value {
    let origins: Vec<Value> = found.origins.iter().map(|origin| origin_json(source, origin)).collect();
    json!({ "site": site_json(source, &found.site), "sharding": found.sharding, "origins": origins })
}

/// One of [`conflicts`] for programs.
pub fn conflict_json(source: &Source, conflict: &Conflict) -> Value {
    let side = |side: &Side| {
        let origin = side.origin.as_ref().map(|origin| origin_json(source, origin));
        json!({ "site": site_json(source, &side.site), "dim": side.dim, "axes": side.axes, "origin": origin })
    };
    let sides: Vec<Value> = conflict.sides.iter().map(side).collect();
    json!({
        "what": conflict.what,
        "place": source.locate(conflict.place),
        "bytes": conflict.bytes,
        "sides": sides,
    })
}
