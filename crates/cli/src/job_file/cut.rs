//! Stages of a job beside those that are priced.
//!
//! Input: what the job says of its stages, and where those that are priced begin. Output: the layers of each stage of the job,
//! where that is said of it.

use super::Job;

impl Job {
    /// Layers of each stage of the job, where it has unequal ones, or equal ones and those that are priced are not; these begin
    /// behind so many layers.
    pub(super) fn cut_otherwise(&self, layers_before: &[Option<usize>]) -> Option<Vec<usize>> {
        let equal = || {
            let equal = equal(self.around.layers?, self.groups.checked_mul(self.virtual_stages)?)?;
            is_otherwise(&equal, layers_before).then_some(equal)
        };
        self.stages.clone().or_else(equal)
    }
}

/// So many stages of as many layers each.
fn equal(layers: usize, stages: usize) -> Option<Vec<usize>> {
    let is_possible = stages > 1 && layers.is_multiple_of(stages);
    is_possible.then(|| vec![layers / stages; stages])
}

/// Whether stages that begin behind so many layers are not these; of stages of which nothing is known it is not said.
fn is_otherwise(layers: &[usize], layers_before: &[Option<usize>]) -> bool {
    let ends = layers.iter().scan(0, |end, own| {
        *end += own;
        Some(Some(*end))
    });
    layers_before.iter().any(Option::is_some)
        && !ends.take(layers.len() - 1).eq(layers_before.iter().copied())
}

/// Says that stages of a job are priced as they are cut here.
pub(super) fn said(layers: &[usize]) -> String {
    let layers: Vec<String> = layers.iter().map(usize::to_string).collect();
    format!("its stages of {} layers are priced as cut for this machine", layers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stages_that_are_cut_otherwise_are_told_from_those_that_are_not() {
        let layers = equal(32, 4).unwrap();
        assert_eq!(layers, [8; 4]);
        assert!(!is_otherwise(&layers, &[Some(8), Some(16), Some(24)]));
        assert!(is_otherwise(&layers, &[Some(8), Some(16), Some(25)]));
        assert!(is_otherwise(&layers, &[Some(8), None, Some(24)]));
        assert!(!is_otherwise(&layers, &[]));
        assert!(!is_otherwise(&layers, &[None, None, None]));
        assert_eq!((equal(32, 3), equal(32, 1)), (None, None));
    }
}
