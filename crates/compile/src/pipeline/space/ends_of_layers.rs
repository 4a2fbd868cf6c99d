//! Layers of the model among the segments of a step.
//!
//! Input: what each segment reads of layers, by name. Output: [`EndsOfLayers`], which segments end between two layers, and where the
//! stages end that have as many layers as somebody says.

use meshwright_stage::places;
use std::collections::{BTreeMap, BTreeSet};

use super::segments::Parts;
use super::short::Short;
use crate::pipeline::layers::{OfLayers, of_layers};

/// Which segments of the whole step end where a layer does, and which begin one.
#[derive(Debug)]
pub(super) struct EndsOfLayers {
    /// Whether each segment ends between two layers, or in front or behind all: the next one that reads something of layers reads
    /// what the first segment of a layer reads. In a model whose layers have no numbers each does.
    pub(super) is_end: Vec<bool>,
    /// Whether each begins a layer; none does in a model whose layers have no numbers.
    begins: Vec<bool>,
}

impl EndsOfLayers {
    /// Those of a step of which `parts` has each kind of segment once or twice.
    pub(super) fn of(parts: &Parts<'_>, short: &Short) -> Self {
        Self::read_by(&of_layers(parts.cut, &parts.step, &places::open(&parts.step)), &short.like)
    }

    /// Those of segments that read as some others do, of which it is known.
    fn read_by(read: &[BTreeSet<OfLayers>], like: &[usize]) -> Self {
        // The first segment that reads layers of an encoder, of a decoder, or of all begins one.
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        for own in like {
            for (prefix, _) in &read[*own] {
                first.entry(prefix.as_str()).or_insert(*own);
            }
        }
        let is_first =
            |of: &OfLayers| first.get(of.0.as_str()).is_some_and(|first| read[*first].contains(of));
        let begins = |own: &usize| read[*own].iter().any(is_first);
        let mut is_end = vec![true; like.len()];
        let mut next_begins = true;
        for (at, own) in like.iter().enumerate().rev() {
            is_end[at] = next_begins;
            if !read[*own].is_empty() {
                next_begins = begins(own);
            }
        }
        Self { is_end, begins: like.iter().map(begins).collect() }
    }

    /// Places where a layer ends.
    pub(super) fn count(&self) -> usize {
        self.is_end.iter().filter(|is_end| **is_end).count()
    }

    /// Layers of the model.
    pub(super) fn layers(&self) -> usize {
        self.begins.iter().filter(|begins| **begins).count()
    }

    /// Segments in front of the end of each stage, of stages of so many layers each: what comes before the first layer is in the
    /// first stage, and what comes behind the last in the last one, which may have no other.
    ///
    /// # Errors
    /// Why these are not the layers of the model, in words.
    pub(super) fn behind(&self, layers: &[usize]) -> Result<Vec<usize>, String> {
        let starts: Vec<usize> = (0..self.begins.len()).filter(|at| self.begins[*at]).collect();
        let (Some(last), Some((_, front))) = (starts.last(), layers.split_last()) else {
            return Err("layers of this step have no numbers".to_owned());
        };
        let sum = layers.iter().try_fold(0_usize, |sum, own| sum.checked_add(*own));
        if sum != Some(starts.len()) {
            return Err(sum.map_or("they have too many".to_owned(), |sum| format!("they have {sum}")));
        }
        let between = 1..layers.len() - 1;
        if let Some(stage) = between.into_iter().find(|stage| layers[*stage] == 0) {
            return Err(format!("stage {stage} has none, which only the first and the last may"));
        }
        let behind =
            self.is_end[*last..].iter().position(|is_end| *is_end).map_or(last + 1, |at| last + at + 1);
        let (mut before, mut ends) = (0, Vec::with_capacity(layers.len()));
        for own in front {
            before += own;
            ends.push(starts.get(before).copied().unwrap_or(behind));
        }
        if ends.first() == Some(&0) {
            return Err("nothing comes in front of the first, so that stage 0 has to have some".to_owned());
        }
        if ends.last() == Some(&self.begins.len()) {
            return Err("nothing comes behind the last, so that the last stage has to have some".to_owned());
        }
        ends.push(self.begins.len());
        Ok(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::{EndsOfLayers, OfLayers};
    use std::collections::BTreeSet;

    #[test]
    fn stages_of_so_many_layers_end_behind_them() {
        // What is in front, two layers of two segments, one of one, and what is behind.
        let ends = EndsOfLayers {
            is_end: [1, 0, 1, 0, 1, 1, 1].map(|is_end| is_end == 1).to_vec(),
            begins: [0, 1, 0, 1, 0, 1, 0].map(|begins| begins == 1).to_vec(),
        };
        assert_eq!((ends.count(), ends.layers()), (5, 3));
        assert_eq!(ends.behind(&[3]), Ok(vec![7]));
        assert_eq!(ends.behind(&[1, 2]), Ok(vec![3, 7]));
        assert_eq!(ends.behind(&[2, 1]), Ok(vec![5, 7]));
        assert_eq!(ends.behind(&[0, 1, 1, 1, 0]), Ok(vec![1, 3, 5, 6, 7]));
        for (wrong, why) in [
            (&[1, 1][..], "they have 2"),
            (&[4, 0], "they have 4"),
            (&[usize::MAX, 4], "too many"),
            (&[1, 0, 2], "stage 1 has none"),
            (&[0, 0, 3], "stage 1 has none"),
            (&[3, 0, 0], "stage 1 has none"),
        ] {
            assert!(ends.behind(wrong).is_err_and(|words| words.contains(why)), "{wrong:?}");
        }
        // Two layers, and nothing around them.
        let ends = EndsOfLayers { is_end: vec![true; 2], begins: vec![true; 2] };
        assert_eq!(ends.behind(&[1, 1]), Ok(vec![1, 2]));
        assert!(ends.behind(&[0, 2]).is_err_and(|words| words.contains("in front")));
        assert!(ends.behind(&[2, 0]).is_err_and(|words| words.contains("behind the last")));
        let unnumbered = EndsOfLayers { is_end: vec![true; 2], begins: vec![false; 2] };
        assert!(unnumbered.behind(&[1, 1]).is_err_and(|words| words.contains("no numbers")));
    }

    #[test]
    fn segments_begin_layers_of_an_encoder_and_of_a_decoder() {
        let of = |names: &[&str]| -> BTreeSet<OfLayers> {
            let each = names.iter().filter_map(|name| name.split_once(' '));
            each.map(|(prefix, behind)| (prefix.to_owned(), behind.to_owned())).collect()
        };
        let read = [
            of(&[]),
            of(&["e. q", "e. k"]),
            of(&["e. mlp"]),
            of(&["d. q"]),
            of(&["d. cross", "d. mlp"]),
            // Where a segment ends in a layer that the next one goes on with.
            of(&["d. cross", "d. q"]),
        ];
        // In front, two layers of the encoder with scores that read nothing, what is between, and two of the decoder.
        let like = [0, 1, 0, 2, 1, 0, 2, 0, 3, 4, 5, 4];
        let ends = EndsOfLayers::read_by(&read, &like);
        let numbers = |all: &[bool]| -> Vec<usize> { (0..all.len()).filter(|at| all[*at]).collect() };
        assert_eq!(numbers(&ends.begins), [1, 4, 8, 10]);
        assert_eq!(numbers(&ends.is_end), [0, 3, 6, 7, 9, 11]);
        assert_eq!(ends.behind(&[1, 3]), Ok(vec![4, 12]));
        assert_eq!(ends.behind(&[3, 1]), Ok(vec![10, 12]));
    }
}
