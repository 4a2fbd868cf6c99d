//! `#sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}]>`: which operand or result gave an
//! axis to which others, in which step of propagation. Shardy writes it for debugging; it is kept and checked.

use crate::sharding::{AxisRefAttr, write_list};
use std::fmt;

/// An operand or a result of the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeValue {
    /// Operand number.
    Operand(i64),
    /// Result number.
    Result(i64),
}

/// `{"y" = operand-1 -> [operand-0, result-0]}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AxisEdge {
    /// The axis.
    pub axis: AxisRefAttr,
    /// Where it came from.
    pub source: EdgeValue,
    /// Where it went.
    pub targets: Vec<EdgeValue>,
}

/// `{step-2 = [...]}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PropagationStep {
    /// Its number.
    pub step: i64,
    /// What it did.
    pub edges: Vec<AxisEdge>,
}

impl fmt::Display for EdgeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operand(index) => write!(f, "operand-{index}"),
            Self::Result(index) => write!(f, "result-{index}"),
        }
    }
}

impl fmt::Display for AxisEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{} = {} -> [", self.axis, self.source)?;
        write_list(f, &self.targets)?;
        f.write_str("]}")
    }
}

impl fmt::Display for PropagationStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{step-{} = [", self.step)?;
        write_list(f, &self.edges)?;
        f.write_str("]}")
    }
}

/// Problem with edges, whatever they are attached to.
pub fn problems(steps: &[PropagationStep]) -> Option<String> {
    for (position, step) in steps.iter().enumerate() {
        let number = step.step;
        if number < 0 {
            return Some(format!("step {number} is negative"));
        }
        if steps[..position].iter().any(|other| other.step == number) {
            return Some(format!("step {number} is given twice"));
        }
        for edge in &step.edges {
            if edge.targets.contains(&edge.source) {
                return Some(format!("in step {number}, {} is both a source and a target", edge.source));
            }
            let twice =
                edge.targets.iter().enumerate().find(|(at, target)| edge.targets[..*at].contains(target));
            if let Some((_, target)) = twice {
                return Some(format!("in step {number}, {target} is a target of {} twice", edge.axis));
            }
        }
    }
    None
}

impl EdgeValue {
    /// Returns whether an instruction with so many operands and results has it.
    pub fn is_in(self, num_operands: usize, num_results: usize) -> bool {
        let (index, count) = match self {
            Self::Operand(index) => (index, num_operands),
            Self::Result(index) => (index, num_results),
        };
        usize::try_from(index).is_ok_and(|index| index < count)
    }
}
