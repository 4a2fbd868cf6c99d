//! Constraints on the degrees of plans, as users write them: `tp<=8@nvlink, cp=1, pp in 1,2,4,8, layers 0-3: tp<=4`.
//!
//! Input: text ([`Constraints`], grammar below) and facts of a plan, or of a way that was asked for ([`Facts`]). Output: the
//! clause that it breaks, if it breaks one. A plan is allowed if all clauses hold of it.
//!
//! ```text
//! constraints = clause { "," clause }
//! clause      = test | part ":" part_test
//! test        = degree order number [ "@" level ]
//!             | degree "in" number { "," number } [ "@" level ]
//!             | degree "@" level
//! part_test   = part_degree order number
//!             | part_degree "in" number { "," number }
//! part        = ( "layers" | "layer" ) number [ "-" number ]
//!             | a name of parameters as pins write it, such as "lm_head.weight" or "layers.*.w1"
//! degree      = "dp" | "fsdp" | "tp" | "sp" | "cp" | "ep" | "zero" | "pp" | "vp"
//! part_degree = "tp" | "ep"
//! order       = "=" | "!=" | "<=" | ">=" | "<" | ">"
//! level       = a level of the machine's links, such as "nvlink"
//! ```
//!
//! Blanks may stand between all of these; after `in` and behind `layers` there is one. Of a part of the model `tp` and `ep` are
//! by how many devices each of its products shares the parameter, or its experts.
//!
//! `@nvlink` holds where all devices of the degree reach one another by that level of links, or by those inside of it; `zero` and
//! `vp` are no numbers of devices, and have no level.

mod facts;
mod read;
mod scope;

pub use facts::Facts;
pub use scope::{Scope, Scoped};

use meshwright_machine::Machine;
use meshwright_plan::DegreeName;
use std::fmt;

/// Clauses that all have to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// In the order in which they are written.
    pub clauses: Vec<Clause>,
}

/// One constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The part of the model that it is about; none: all of it.
    pub scope: Option<Scope>,
    /// The degree that it is about.
    pub degree: DegreeName,
    /// What its number has to be.
    pub test: Test,
    /// The level of links that its devices have to reach one another by.
    pub level: Option<String>,
}

/// A condition on a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// Any number.
    Any,
    /// One that stands so to another.
    Compared(Order, usize),
    /// One of these.
    In(Vec<usize>),
}

/// Relation of a number to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
    /// `>`
    More,
}

impl Order {
    /// All of them; where one begins like another, the longer one first.
    const ALL: [Self; 6] = [Self::Unequal, Self::AtMost, Self::AtLeast, Self::Equal, Self::Less, Self::More];

    fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
            Self::Less => "<",
            Self::More => ">",
        }
    }

    fn holds(self, number: usize, other: usize) -> bool {
        match self {
            Self::Equal => number == other,
            Self::Unequal => number != other,
            Self::AtMost => number <= other,
            Self::AtLeast => number >= other,
            Self::Less => number < other,
            Self::More => number > other,
        }
    }
}

impl Constraints {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    /// Returns whether some are about parts of the model.
    pub fn has_parts(&self) -> bool {
        self.clauses.iter().any(|clause| clause.scope.is_some())
    }

    /// Those that are about the whole model.
    pub fn of_whole(&self) -> Self {
        let whole = self.clauses.iter().filter(|clause| clause.scope.is_none());
        Self { clauses: whole.cloned().collect() }
    }

    /// Those that are about stages, and those about what is inside of the groups that run them.
    pub fn apart(&self) -> (Self, Self) {
        let (stages, inside): (Vec<&Clause>, Vec<&Clause>) =
            self.clauses.iter().partition(|clause| clause.is_of_stages());
        let of = |clauses: Vec<&Clause>| Self { clauses: clauses.into_iter().cloned().collect() };
        (of(stages), of(inside))
    }

    /// Returns whether a plan without stages may keep to them.
    pub fn leave_one_group(&self) -> bool {
        self.clauses.iter().all(|clause| !clause.is_of_stages() || clause.test.holds(1))
    }

    /// Those that a plan without stages may break: what they say of stages is left out if it holds of one group.
    pub fn of_one_group(&self) -> Self {
        let may_break = |clause: &&Clause| !clause.is_of_stages() || !clause.test.holds(1);
        Self { clauses: self.clauses.iter().filter(may_break).cloned().collect() }
    }

    /// The clauses that a search has to keep to beside those that ways are asked for: those about parts, if there are any.
    pub(crate) fn of_what_is_searched(&self) -> String {
        let (parts, whole): (Vec<&Clause>, Vec<&Clause>) =
            self.clauses.iter().partition(|clause| clause.scope.is_some());
        let text =
            |clauses: &[&Clause]| clauses.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match (parts.is_empty(), whole.is_empty()) {
            (true, _) => text(&whole),
            (false, true) => text(&parts),
            (false, false) => format!("{}` beside `{}", text(&parts), text(&whole)),
        }
    }

    /// The first clause that does not hold, where all parts of the model are sharded alike.
    pub fn broken(&self, facts: &Facts) -> Option<&Clause> {
        self.clauses.iter().find(|clause| !clause.holds(facts))
    }

    /// Refuses levels of links that the machine does not have.
    ///
    /// # Errors
    /// The level, and those that there are.
    pub fn suit(&self, machine: &Machine) -> Result<(), String> {
        let levels: Vec<&str> = machine.levels().iter().map(|level| level.name.as_str()).collect();
        for clause in &self.clauses {
            if let Some(level) = clause.level.as_deref().filter(|level| !levels.contains(level)) {
                let known = levels.join(", ");
                return Err(format!(
                    "`{clause}`: the machine has no links called `{level}`; there are {known}"
                ));
            }
        }
        Ok(())
    }
}

impl Test {
    /// Returns whether it holds of a number.
    pub(crate) fn holds(&self, number: usize) -> bool {
        match self {
            Self::Any => true,
            Self::Compared(order, other) => order.holds(number, *other),
            Self::In(numbers) => numbers.contains(&number),
        }
    }
}

impl Clause {
    /// Whether it is about stages.
    fn is_of_stages(&self) -> bool {
        matches!(self.degree, DegreeName::Pp | DegreeName::Vp)
    }

    /// Returns whether it holds of a plan.
    pub fn holds(&self, facts: &Facts) -> bool {
        self.test.holds(facts.number(self.degree))
            && self.level.as_deref().is_none_or(|level| facts.is_within(self.degree, level))
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scope) = &self.scope {
            write!(f, "{scope}: ")?;
        }
        f.write_str(self.degree.name())?;
        match &self.test {
            Test::Any => {}
            Test::Compared(order, number) => write!(f, "{}{number}", order.sign())?,
            Test::In(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
                write!(f, " in {}", numbers.join(","))?;
            }
        }
        match &self.level {
            Some(level) => write!(f, "@{level}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Constraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clauses: Vec<String> = self.clauses.iter().map(ToString::to_string).collect();
        f.write_str(&clauses.join(", "))
    }
}
