//! Time against memory: the plans for several limits on memory, as a table.

use crate::plural;
use crate::table::{Lean, render_broken};
use crate::wrap::wrap;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::{MeshAxis, PlanTile};
use serde::Serialize;

/// The plan for one limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    limit_bytes: u64,
    fits: bool,
    /// Of the plan; of the one that came closest if none fits.
    peak_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_seconds: Option<f64>,
    mesh: Vec<MeshAxis>,
    parallelism: Vec<String>,
    /// Microbatches of a step.
    microbatches: usize,
    /// What is made again for the backward pass, as the plan says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    recompute: Option<String>,
    /// What runs in tiles, in words.
    tiles: Vec<String>,
    /// Most bytes that lie at once in the memory of the host, for one device.
    host_bytes: u64,
    /// What lies there, in words.
    offload: Vec<String>,
    /// Whether the search was stopped before its end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unfinished: bool,
}

impl Point {
    /// A plan that fits.
    pub fn of(limit: Bytes, plan: &PlanFile) -> Self {
        Self {
            limit_bytes: limit.0,
            fits: true,
            peak_bytes: plan.memory.peak_bytes,
            total_seconds: Some(plan.predicted.total_seconds),
            mesh: plan.mesh.clone(),
            parallelism: plan.parallelism.clone(),
            microbatches: plan.microbatches.as_ref().map_or(1, |found| found.count),
            recompute: plan.recompute.clone(),
            tiles: kinds_of_tiles(&plan.tiles),
            host_bytes: plan.memory.host_bytes,
            offload: plan
                .memory
                .host
                .iter()
                .flat_map(|host| &host.parts)
                .map(|part| part.what.clone())
                .collect(),
            unfinished: plan.unfinished,
        }
    }

    /// No plan fits; the one that came closest needs so much.
    pub fn too_little(limit: Bytes, peak: Bytes) -> Self {
        Self {
            limit_bytes: limit.0,
            fits: false,
            peak_bytes: peak.0,
            total_seconds: None,
            mesh: Vec::new(),
            parallelism: Vec::new(),
            microbatches: 1,
            recompute: None,
            tiles: Vec::new(),
            host_bytes: 0,
            offload: Vec::new(),
            unfinished: false,
        }
    }

    /// The fastest of these plans that this one's limit has room for: what was found for one limit may do for another too.
    pub fn best_of(&self, found: &[Self]) -> Self {
        let fits = found.iter().filter(|other| other.fits && other.peak_bytes <= self.limit_bytes);
        let faster = |best: Self, other: &Self| match (best.total_seconds, other.total_seconds) {
            (Some(own), Some(seconds)) if seconds >= own => best,
            _ => Self { limit_bytes: self.limit_bytes, ..other.clone() },
        };
        fits.fold(self.clone(), faster)
    }

    /// What it does to need less memory, beside shardings.
    fn measures(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        parts.extend((self.microbatches > 1).then(|| format!("{} microbatches", self.microbatches)));
        parts.extend(self.recompute.as_ref().map(|again| format!("recompute {again}")));
        parts.extend(self.tiles.iter().cloned());
        parts.extend(self.offload.iter().map(|what| format!("{what} on the host")));
        parts.extend(self.unfinished.then(|| "unfinished".to_owned()));
        parts.join("; ")
    }

    /// Predicted seconds of a step; none if no plan fits.
    pub fn seconds(&self) -> Option<f64> {
        self.total_seconds
    }

    /// Most bytes on one device at once.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }
}

/// `attention scores in 8 tiles`, for each kind of region.
fn kinds_of_tiles(all: &[PlanTile]) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    for PlanTile { holds, count, .. } in all {
        let kind = format!("{holds} in {}", plural::count(*count, "tile"));
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// For people. `title` is what is planned; the limits are shown if somebody gave them.
pub fn text(points: &[Point], title: &str, are_given: bool) -> String {
    let row = |point: &Point| {
        let mesh = point.mesh.iter().map(|axis| format!("{}={}", axis.name, axis.size)).collect::<Vec<_>>();
        let (time, amounts) = match point.total_seconds {
            Some(seconds) => (Seconds(seconds).to_string(), point.parallelism.join(", ")),
            None => (
                "-".to_owned(),
                format!("does not fit; the least that was found is {}", Bytes(point.peak_bytes)),
            ),
        };
        let peak = if point.fits { Bytes(point.peak_bytes).to_string() } else { "-".to_owned() };
        let limit = are_given.then(|| Bytes(point.limit_bytes).to_string());
        limit.into_iter().chain([peak, time, mesh.join(","), amounts, point.measures()]).collect()
    };
    let head = [
        ("memory limit", Lean::Right),
        ("peak memory", Lean::Right),
        ("step time", Lean::Right),
        ("mesh", Lean::Left),
        ("parallelism", Lean::Left),
        ("with", Lean::Left),
    ];
    let rows: Vec<Vec<String>> = points.iter().map(row).collect();
    let mut head = if are_given { &head[..] } else { &head[1..] };
    let mut rows = rows;
    // Where no plan does anything, there is nothing to tell.
    if points.iter().all(|point| point.measures().is_empty()) {
        head = &head[..head.len() - 1];
        rows.iter_mut().for_each(|row| row.truncate(head.len()));
    }
    format!("{}\n{}", wrap("", &format!("Time against memory, {title}")), render_broken(head, &rows))
}

/// For programs: a list, one entry per plan.
pub fn json(points: &[Point]) -> String {
    let mut text = serde_json::to_string_pretty(points).expect("plain data has a JSON form");
    text.push('\n');
    text
}
