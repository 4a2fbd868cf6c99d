//! The search that chose the numbers of a pipeline.
//!
//! Input: the plan that was chosen, or a table of the whole step that took less than it. Output: what it was weighed against, and
//! what none of that takes less than.

use meshwright_machine::Seconds;

use crate::pipeline::{PipelinePlan, Weighed, Weighing};

/// The search that chose the numbers of a pipeline.
#[derive(Clone, Debug)]
pub enum ChosenBy {
    /// The plan that its programs are made of.
    Plan(Box<PipelinePlan>),
    /// All that was weighed before a table of the whole step took less, which is cut at more places.
    Table(Weighing),
}

impl ChosenBy {
    /// All that was weighed, beside the pipeline that was taken.
    pub fn weighing(&self) -> Weighing {
        match self {
            Self::Plan(plan) => plan.weighing(),
            Self::Table(weighing) => weighing.clone(),
        }
    }

    /// All that was weighed.
    pub(super) fn weighed(&self) -> &[Weighed] {
        match self {
            Self::Plan(plan) => &plan.weighed,
            Self::Table(weighing) => &weighing.weighed,
        }
    }

    /// No pipeline that was weighed takes less.
    pub(super) fn bound(&self) -> Seconds {
        match self {
            Self::Plan(plan) => plan.bound,
            Self::Table(weighing) => weighing.bound,
        }
    }

    /// Takes over what all searches weighed, of which this is one.
    pub(super) fn is_among(&mut self, all: Vec<Weighed>) {
        let (bound, weighed) = match self {
            Self::Plan(plan) => (&mut plan.bound, &mut plan.weighed),
            Self::Table(weighing) => (&mut weighing.bound, &mut weighing.weighed),
        };
        *bound = Seconds(all.iter().map(|own| own.bound.0).fold(bound.0, f64::min));
        *weighed = all;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{PartsOf, WeighedFate};

    #[test]
    fn what_was_weighed_stays_where_a_table_takes_less() {
        let row = |groups: usize, bound: f64| Weighed {
            groups,
            microbatches: 4,
            parts_of: PartsOf::Batch,
            bound: Seconds(bound),
            fate: WeighedFate::Beaten,
        };
        let (numbers, weighed) = ((2, 4), vec![row(2, 3.0), row(4, 2.0)]);
        let mut searched = ChosenBy::Table(Weighing { numbers, bound: Seconds(2.0), weighed });
        assert_eq!((searched.bound(), searched.weighed().len()), (Seconds(2.0), 2));
        assert_eq!(searched.weighing().bounded_by().map(|own| own.groups), Some(4));
        searched.is_among(vec![row(2, 1.0)]);
        assert_eq!((searched.bound(), searched.weighed().len()), (Seconds(1.0), 1));
        assert!(searched.weighing().bounded_by().is_none());
    }
}
