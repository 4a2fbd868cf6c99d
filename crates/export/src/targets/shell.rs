//! Scripts of the shell that start jobs: what only the user knows is asked for by variables.

use super::{Target, head};
use crate::job::Job;

/// A script with these commands.
pub(super) fn script(target: &Target, job: &Job, commands: &str) -> String {
    format!("#!/bin/bash\n{}set -euo pipefail\ncd \"$(dirname \"$0\")\"\n\n{commands}", head(target, job))
}

/// `torchrun` on every host; `before` comes in front, `program` is what it runs.
pub(super) fn torchrun(job: &Job, before: &str, program: &str) -> String {
    let rendezvous = match job.nodes {
        1 => "--standalone".to_owned(),
        nodes => format!(
            "--nnodes {nodes} --rdzv_backend c10d --rdzv_endpoint \"${{RDZV_ENDPOINT:?HOST:PORT of the first host}}\""
        ),
    };
    let before = if before.is_empty() { String::new() } else { format!("{before}\n") };
    format!("{before}torchrun {rendezvous} --nproc_per_node {} \\\n  {program}\n", job.devices_per_node)
}

/// Options, each with its value, one a line behind a backslash.
pub(super) fn options(options: &[(String, String)]) -> String {
    let option = |(name, value): &(String, String)| match value.is_empty() {
        true => format!("  --{name}"),
        false => format!("  --{name} {value}"),
    };
    options.iter().map(option).collect::<Vec<_>>().join(" \\\n")
}
