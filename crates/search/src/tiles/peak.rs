//! What takes the memory at the peak, type by type.

use super::Wanted;
use meshwright_cost::memory::{Life, Lives};
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Body, Def};
use meshwright_tensor::types::TensorType;
use std::collections::{BTreeMap, BTreeSet};

/// Values of one type that take less than this share of the first peak are left as they are: nothing much is won by them.
const SHARE: usize = 16;

/// What takes at least this share of the first peak is worth products with weights that are computed again.
const DEAR: usize = 4;

/// Values of one type.
pub(super) struct Kind {
    pub(super) values: Vec<ValueId>,
    /// Whether they are worth products with weights that are computed again.
    pub(super) is_dear: bool,
}

/// Bytes over the moments of a function.
pub(super) struct Profile<'a> {
    body: &'a Body,
    lives: Vec<Life>,
    /// The peak at first.
    peak: usize,
    tried: BTreeSet<String>,
}

impl<'a> Profile<'a> {
    pub(super) fn new(body: &'a Body, lives: Lives) -> Self {
        let mut profile = Self { body, lives: lives.lives, peak: 0, tried: BTreeSet::new() };
        profile.peak = profile.now().0;
        profile
    }

    /// The values of the type that takes most at the peak, of those not asked for yet; none if that is too little for what
    /// is wanted. They need not be there at the peak themselves.
    pub(super) fn next(&mut self, wanted: Wanted) -> Option<Kind> {
        let (_, moment) = self.now();
        let at_peak = self.foremost_type(|life| (life.moments.0..life.moments.1).contains(&moment));
        let foremost = match wanted {
            Wanted::Worthwhile => at_peak.filter(|(_, bytes)| bytes * SHARE >= self.peak),
            Wanted::Possible => at_peak.or_else(|| self.foremost_type(|_| true)),
        };
        let (ty, bytes) = foremost?;
        let is_such = |value: &ValueId| self.made(*value).is_some_and(|own| own.to_string() == ty);
        let values = self.body.values.ids().filter(is_such).collect();
        self.tried.insert(ty);
        Some(Kind { values, is_dear: bytes * DEAR >= self.peak })
    }

    /// The type of which these values take most, of those not asked for yet, and their bytes.
    fn foremost_type(&self, is_one: impl Fn(&Life) -> bool) -> Option<(String, usize)> {
        let mut bytes: BTreeMap<String, usize> = BTreeMap::new();
        for life in self.lives.iter().filter(|life| is_one(life)) {
            if let Some(ty) = self.made(life.value) {
                *bytes.entry(ty.to_string()).or_default() += ty.num_bytes();
            }
        }
        bytes.into_iter().filter(|(ty, _)| !self.tried.contains(ty)).max_by_key(|(_, bytes)| *bytes)
    }

    /// From here on these values are not there.
    pub(super) fn without(&mut self, values: impl Iterator<Item = ValueId>) {
        let values: BTreeSet<ValueId> = values.collect();
        self.lives.retain(|life| !values.contains(&life.value));
    }

    /// The type of a value that an instruction makes.
    fn made(&self, value: ValueId) -> Option<&'a TensorType> {
        let content = &self.body.values[value];
        content.ty.as_tensor().filter(|_| matches!(content.def, Def::Result(..)))
    }

    /// The most bytes at one moment, and the first such moment.
    fn now(&self) -> (usize, u64) {
        let mut changes: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
        for Life { value, moments } in &self.lives {
            let bytes = self.body.ty(*value).num_bytes();
            changes.entry(moments.0).or_default().0 += bytes;
            changes.entry(moments.1).or_default().1 += bytes;
        }
        let (mut bytes, mut peak) = (0_usize, (0, 0));
        for (moment, (more, less)) in changes {
            bytes = bytes + more - less;
            if bytes > peak.0 {
                peak = (bytes, moment);
            }
        }
        peak
    }
}
