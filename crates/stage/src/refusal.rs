//! Reasons why a step cannot be cut into stages.

use meshwright_ir::ids::InstId;
use std::fmt;

/// Reason why a step cannot be cut into stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing in the function trains, so that nothing tells its layers apart.
    NotTraining,
    /// There are fewer places to cut than stages need.
    TooFewPlaces {
        /// Number of stages that were wanted.
        count: usize,
        /// The instructions of the forward pass behind which about as little crosses as anywhere.
        places: Vec<InstId>,
        /// Bytes that cross there.
        least: u64,
        /// Bytes that cross at the best of the other positions, and the instruction behind it.
        next: Option<(u64, InstId)>,
    },
    /// So cut, a stage would read what another one does not make for it.
    Crossed {
        /// Number of stages.
        count: usize,
        /// The instruction that reads it, and its stage.
        reader: (InstId, usize),
        /// The instruction that makes it, and its stage.
        made: (InstId, usize),
    },
    /// So cut, something else would be read that is not there.
    NotThere {
        /// Number of stages.
        count: usize,
    },
    /// An instruction that follows from parameters has to see all examples before any of them goes on.
    NeedsAll(InstId),
}

impl Refusal {
    /// The instruction of the step's function at fault.
    pub fn inst(&self) -> Option<InstId> {
        match self {
            Self::NotTraining | Self::NotThere { .. } => None,
            Self::Crossed { reader: (inst, _), .. } => Some(*inst),
            Self::TooFewPlaces { next, .. } => next.map(|(_, inst)| inst),
            Self::NeedsAll(inst) => Some(*inst),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotTraining => f.write_str("nothing here trains, so that it has no layers to make stages of"),
            Self::TooFewPlaces { count, places, least, next } => {
                let those = match places.len() {
                    0 => "is no place".to_owned(),
                    1 => "is 1 place".to_owned(),
                    more => format!("are {more} places"),
                };
                write!(f, "the program cannot be cut into {count} stages: there {those}")?;
                if !places.is_empty() {
                    write!(f, " where as little as {least} bytes of the batch cross")?;
                }
                match next {
                    Some((bytes, _)) => write!(f, "; of the others, here {bytes} bytes do"),
                    None => Ok(()),
                }
            }
            Self::Crossed { count, reader: (_, reader), made: (_, made) } => write!(
                f,
                "the program cannot be cut into {count} stages: stage {reader} would have to read here what stage {made} does \
                 not make for it, as where a step goes through its layers more than once"
            ),
            Self::NotThere { count } => write!(
                f,
                "the program cannot be cut into {count} stages: a stage would read something before it is there"
            ),
            Self::NeedsAll(_) => f.write_str(
                "this follows from parameters, and is read for each example once it is known for all of them: all would \
                 have to pass through the stages before any of them goes on",
            ),
        }
    }
}
