//! Shares of a step in which groups wait, by the three conventions of the literature.
//!
//! With the seconds `w` that a group computes on average, the seconds `t` of the step (its makespan, if no group begins the
//! next one before all have ended), and the longest span `s` from a
//! group's first run to the end of its last:
//!
//! - (a) of the total, `(t - w) / t`: GPipe, Chimera;
//! - (b) of the ideal, `(t - w) / w`: Megatron;
//! - (c) of the span, `(s - w) / s`: the zero bubble papers, where the next step begins on each group for itself.

use meshwright_plan::Timeline;

/// The bubble of a timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bubbles {
    /// Convention (a).
    pub of_total: f64,
    /// Convention (b).
    pub of_ideal: f64,
    /// Convention (c).
    pub of_span: f64,
}

impl Bubbles {
    /// Sums up a timeline; of one that does nothing, there is no bubble.
    pub fn of(timeline: &Timeline) -> Self {
        let count = timeline.groups.len();
        let busy = (0..count).map(|group| timeline.busy(group)).sum::<f64>() / count.max(1) as f64;
        let over = |time: f64, whole: f64| if whole > 0.0 { (time - busy) / whole } else { 0.0 };
        let (step, span) = (timeline.step(), timeline.longest_span());
        Self { of_total: over(step, step), of_ideal: over(step, busy), of_span: over(span, span) }
    }
}
