//! Flags that ask for the smallest machine.

use crate::parse;
use clap::Args;

/// Goals that a machine has to meet.
#[derive(Args, Clone, Debug, Default)]
pub struct Wanted {
    /// Of machines such as `h100:{1..128}x8`, or of one: the smallest whose best plan takes in so many tokens per second
    #[arg(long, value_name = "N", value_parser = parse::amount)]
    pub target_tokens_per_s: Option<f64>,
    /// Tokens of the whole training, such as `15T`, for `--deadline` and `--budget`
    #[arg(long, value_name = "N", value_parser = parse::amount)]
    pub tokens: Option<f64>,
    /// The smallest that trains on `--tokens` in so much time: `30d`, `12h`
    #[arg(long, value_name = "TIME", value_parser = parse::duration, requires = "tokens")]
    pub deadline: Option<f64>,
    /// The smallest that trains on `--tokens` for so many dollars, of machines with a price
    #[arg(long, value_name = "DOLLARS", value_parser = parse::amount, requires = "tokens")]
    pub budget: Option<f64>,
}

impl Wanted {
    /// Whether anything is wanted.
    pub(crate) fn is_any(&self) -> bool {
        self.first().is_some()
    }

    /// The first flag that wants anything.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let all = [
            ("--target-tokens-per-s", self.target_tokens_per_s.is_some()),
            ("--deadline", self.deadline.is_some()),
            ("--budget", self.budget.is_some()),
        ];
        all.into_iter().find(|(_, is_wanted)| *is_wanted).map(|(flag, _)| flag)
    }
}
