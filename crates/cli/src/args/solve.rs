//! Flags of `solve`.

use clap::Args;
use std::path::PathBuf;

/// What stands behind the help of `solve`.
pub(super) const EXAMPLES: &str = "\
Examples:
  meshwright solve problem.json.gz --timeout 60 -o solution.json
  meshwright solve --check solution.json problem.json.gz

Problems are in the JSON of the ASPLOS 2025 contest on intra-operator parallelism; a solution is the list of strategies.
Ctrl-C ends the search with the best answer so far. Exit code 3: there is no answer, or none was found in time.";

#[derive(Args, Debug)]
pub(crate) struct SolveArguments {
    /// The problem: JSON, which may be packed with gzip; `-` is stdin
    pub(crate) problem: PathBuf,
    /// Seconds after which the best answer so far is written
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = super::parse::seconds)]
    pub(crate) timeout: f64,
    /// Threads that search [default: as many as this machine runs at once]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
    /// Where random choices begin; answers that are proven best do not depend on it
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Where to write the solution, a list of strategies; `-` is stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Solve nothing: say what this solution costs and uses
    #[arg(long, value_name = "SOLUTION", conflicts_with_all = ["output", "threads", "seed", "timeout"])]
    pub(crate) check: Option<PathBuf>,
}
