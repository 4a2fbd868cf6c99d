//! Progress of the ways that are tried to need less memory: each stage is told with the way that it is a part of.

use meshwright_ir::control::{Control, View};
use meshwright_ir::diagnostic::Diagnostic;

use crate::offload::Offload;
use crate::options::{Microbatches, Options, Tiles};

/// Control of one way.
pub(super) struct OfWay<'a> {
    control: &'a dyn Control,
    /// The way in words.
    way: String,
}

impl<'a> OfWay<'a> {
    /// Tells that a way is begun.
    pub(super) fn begin(control: &'a dyn Control, options: &Options) -> Self {
        let way = in_words(options);
        control.progress(&way, 0, 0);
        Self { control, way }
    }
}

/// `4 microbatches, recompute full, in tiles, offload moments`.
pub(super) fn in_words(options: &Options) -> String {
    let Options { microbatches, plan, recompute, tiles, offload, .. } = options;
    let planned =
        plan.as_ref().and_then(|plan| plan.microbatches.as_ref()).map_or(1, |planned| planned.count);
    let mut parts = vec![match microbatches {
        Some(Microbatches::Search) => "microbatches searched".to_owned(),
        Some(Microbatches::Number(1)) => "1 microbatch".to_owned(),
        Some(Microbatches::Number(count)) => format!("{count} microbatches"),
        None if planned == 1 => "1 microbatch".to_owned(),
        None => format!("{planned} microbatches"),
    }];
    parts.extend(recompute.as_ref().map(|again| format!("recompute {again}")));
    parts.extend(tiles.filter(|tiles| *tiles != Tiles::None).map(|_| "in tiles".to_owned()));
    let offload = offload.as_ref().filter(|offload| **offload != Offload::None);
    parts.extend(offload.map(|offload| format!("offload {offload}")));
    parts.join(", ")
}

impl Control for OfWay<'_> {
    fn should_stop(&self) -> bool {
        self.control.should_stop()
    }

    fn progress(&self, stage: &str, done: usize, total: usize) {
        self.control.progress(&format!("{}: {stage}", self.way), done, total);
    }

    fn warn(&self, warning: &Diagnostic) {
        self.control.warn(warning);
    }

    fn after_pass(&self, name: &str, view: View<'_>) {
        self.control.after_pass(name, view);
    }

    fn is_watched(&self) -> bool {
        self.control.is_watched()
    }
}
