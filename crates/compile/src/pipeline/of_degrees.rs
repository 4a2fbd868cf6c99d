//! What is said of pipelines whose numbers are degrees.
//!
//! Input: what flags or keywords say of pipelines beside their numbers, and degrees. Output: the schedule, and degrees with the
//! stages of each group that it is known for. That any of it is of pipelines is said here, for all who ask.

use meshwright_schedule::{Named, named, names};
use meshwright_search::DegreeSpace;

use crate::options::{GroupHosts, Options, StageLoops, Validation, Weights};

/// Properties of pipelines that are said beside their numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct SaidOfPipelines<'a> {
    /// Schedule, by its name.
    pub schedule: Option<&'a str>,
    /// Hosts of each group.
    pub group_hosts: Option<GroupHosts>,
    /// When updates are validated.
    pub validation: Validation,
    /// Weights that microbatches read.
    pub weights: Option<Weights>,
    /// Whether layers are loops.
    pub stage_loops: Option<StageLoops>,
    /// Layers of each stage, in their order.
    pub stage_layers: Option<&'a [usize]>,
}

impl SaidOfPipelines<'_> {
    /// The first thing that is said, in words.
    fn first(&self) -> Option<&'static str> {
        let said = [
            ("a schedule", self.schedule.is_some()),
            ("a number of hosts for each group", self.group_hosts.is_some()),
            ("post-validation", self.validation == Validation::After),
            ("a choice of delayed weights", self.weights.is_some()),
            ("whether stages have loops", self.stage_loops.is_some()),
            ("a number of layers of each stage", self.stage_layers.is_some()),
        ];
        said.into_iter().find(|(_, is_said)| *is_said).map(|(what, _)| what)
    }

    /// The degrees, with the stages of each group that the schedule is known for, if they say none, and the schedule.
    ///
    /// # Errors
    /// In words: degrees that say no stages, though something is said of pipelines; a schedule that has no name.
    pub fn of_degrees(&self, degrees: DegreeSpace) -> Result<(DegreeSpace, Option<Named>), String> {
        if let Some(what) = self.first().filter(|_| !degrees.has_stages()) {
            return Err(format!(
                "{what} is of pipelines: say their number of groups, by `stages` or by `pp`"
            ));
        }
        let (degrees, schedule) = match self.schedule {
            None => (degrees, None),
            Some(name) => match named(name) {
                Some(named) => (degrees.or_virtual_stages(named.virtual_stages), Some(named)),
                None => {
                    let names = names();
                    return Err(format!(
                        "with `pp` a schedule has a name, and `{name}` is none; the names are {names}"
                    ));
                }
            },
        };
        if let Some(said) =
            self.stage_layers.map(<[usize]>::len).filter(|said| !degrees.may_have_stages(*said))
        {
            let which = match degrees.only() {
                Some(way) => {
                    let (groups, each) = (way.groups(), way.virtual_stages());
                    format!("pp={groups} vp={each} have {}", groups * each)
                }
                None => "no `pp` and `vp` that are said have so many".to_owned(),
            };
            return Err(format!("layers of {said} stages are said, and {which}"));
        }
        Ok((degrees, schedule))
    }

    /// The options with all that is no schedule.
    pub fn of_groups(&self, options: Options) -> Options {
        let Self { group_hosts, validation, weights, stage_loops, stage_layers, .. } = *self;
        let stage_layers = stage_layers.map(|layers| (layers.len(), layers.to_vec())).into_iter().collect();
        Options { group_hosts, validation, weights, stage_loops, stage_layers, ..options }
    }
}
