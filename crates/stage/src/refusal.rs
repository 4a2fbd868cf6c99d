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
    /// An instruction that follows from parameters has to see all examples before any of them goes on.
    NeedsAll(InstId),
}

impl Refusal {
    /// The instruction of the step's function at fault.
    pub fn inst(&self) -> Option<InstId> {
        match self {
            Self::NotTraining => None,
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
            Self::NeedsAll(_) => f.write_str(
                "this follows from parameters, and is read for each example once it is known for all of them: all would \
                 have to pass through the stages before any of them goes on",
            ),
        }
    }
}
