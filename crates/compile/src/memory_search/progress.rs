//! Progress of the ways that are tried to need less memory: each stage is told with the way that it is a part of.

use meshwright_ir::control::{Control, View};
use meshwright_ir::diagnostic::Diagnostic;

use super::Way;
use crate::offload::Offload;
use crate::options::Tiles;
use crate::recompute::Recompute;

/// Control of one way.
pub(super) struct OfWay<'a> {
    control: &'a dyn Control,
    /// The way in words.
    way: String,
}

impl<'a> OfWay<'a> {
    /// Tells that a way is begun.
    pub(super) fn begin(control: &'a dyn Control, way: &Way<'_>, tiles: Option<Tiles>) -> Self {
        let way = in_words(way, tiles);
        control.progress(&way, 0, 0);
        Self { control, way }
    }
}

/// `4 microbatches, recompute full, in tiles, offload moments`.
pub(super) fn in_words(Way { count, recompute, offload, .. }: &Way<'_>, tiles: Option<Tiles>) -> String {
    let mut parts = vec![match count {
        1 => "1 microbatch".to_owned(),
        count => format!("{count} microbatches"),
    }];
    parts.extend(recompute.as_ref().map(|again: &Recompute| format!("recompute {again}")));
    parts.extend(tiles.filter(|tiles| *tiles != Tiles::None).map(|_| "in tiles".to_owned()));
    let offload = offload.filter(|offload| **offload != Offload::None);
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
}
