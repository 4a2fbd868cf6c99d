//! `meshwright launch`: a batch script or a manifest that runs a compiled folder on many hosts, a worker on each.
//!
//! Every host runs `meshwright run --engine xla` with its own number; workers meet at the first host's port.

use crate::args::{LaunchArguments, Output};
use crate::failure::{Failure, Outcome};
use crate::{compile, input, output};
use meshwright_plan::{Manifest, PlanFile};
use std::path::Path;

pub(crate) fn run(arguments: &LaunchArguments, out: Output) -> Outcome {
    let folder = &arguments.folder;
    let text = input::text(&folder.join(compile::MANIFEST_FILE), "manifest")?;
    let manifest = Manifest::from_text(&text.text).map_err(|found| Failure::input(&text, vec![*found]))?;
    let hosts = hosts(arguments)?;
    if !manifest.num_devices.is_multiple_of(hosts) {
        let devices = manifest.num_devices;
        return Err(Failure::usage(format!("{hosts} hosts do not divide the program's {devices} devices")));
    }
    let job =
        Job { arguments, hosts, devices_per_host: manifest.num_devices / hosts, folder: absolute(folder) };
    let text = if arguments.slurm { job.slurm() } else { job.jobset() };
    if out.json && arguments.output == Path::new("-") {
        return output::print(&output::json(&serde_json::json!({ "hosts": hosts, "text": text })));
    }
    output::write(&arguments.output, text.as_bytes())
}

/// How many hosts: as asked, or those of the plan's machine.
fn hosts(arguments: &LaunchArguments) -> Outcome<usize> {
    if let Some(hosts) = arguments.hosts {
        return Ok(usize::try_from(hosts).unwrap_or(usize::MAX));
    }
    let unknown =
        |why: &str| Failure::usage(format!("how many hosts is not known ({why}): give `--hosts N`"));
    let text =
        input::text(&arguments.folder.join(compile::PLAN_FILE), "plan").map_err(|_| unknown("no plan"))?;
    let plan = PlanFile::from_text(&text.text).map_err(|_| unknown("the plan cannot be read"))?;
    let machine = input::machine(&plan.machine).map_err(|_| unknown("the plan's machine is not built in"))?;
    Ok(machine.num_hosts())
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

struct Job<'a> {
    arguments: &'a LaunchArguments,
    hosts: usize,
    devices_per_host: usize,
    folder: String,
}

impl Job<'_> {
    fn slurm(&self) -> String {
        let LaunchArguments { name, port, rest, .. } = self.arguments;
        let (hosts, devices, folder) = (self.hosts, self.devices_per_host, quoted(&self.folder));
        let rest: Vec<String> = rest.iter().map(|word| quoted(word)).collect();
        let rest = rest.join(" ");
        format!(
            r#"#!/bin/bash
# {hosts} hosts with {devices} devices each. SIGTERM, before the time is up, makes the run write a checkpoint and stop.
#SBATCH --job-name={name}
#SBATCH --nodes={hosts}
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node={devices}
#SBATCH --exclusive
#SBATCH --signal=TERM@120
set -euo pipefail

coordinator="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1):{port}"
export coordinator
srun --kill-on-bad-exit=1 bash -c '
  exec meshwright run "$0" --engine xla \
    --coordinator "$coordinator" --hosts {hosts} --host-index "$SLURM_PROCID" "$@"' \
  {folder} {rest}
"#
        )
    }

    fn jobset(&self) -> String {
        let LaunchArguments { name, port, rest, image, claim, .. } = self.arguments;
        let (hosts, devices) = (self.hosts, self.devices_per_host);
        let mount =
            Path::new(&self.folder).parent().map_or("/".into(), |parent| parent.display().to_string());
        let words = [
            "run".to_owned(),
            self.folder.clone(),
            "--engine".to_owned(),
            "xla".to_owned(),
            "--coordinator".to_owned(),
            format!("{name}-workers-0-0.{name}:{port}"),
            "--hosts".to_owned(),
            hosts.to_string(),
            "--host-index".to_owned(),
            "$(JOB_COMPLETION_INDEX)".to_owned(),
        ];
        let list: Vec<String> =
            words.iter().chain(rest).map(|word| format!("                - {word:?}")).collect();
        let list = list.join("\n");
        format!(
            r#"# {hosts} hosts with {devices} devices each; needs the JobSet controller (jobset.x-k8s.io).
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: {name}
spec:
  network:
    enableDNSHostnames: true
    subdomain: {name}
  failurePolicy:
    maxRestarts: 0
  replicatedJobs:
  - name: workers
    replicas: 1
    template:
      spec:
        parallelism: {hosts}
        completions: {hosts}
        completionMode: Indexed
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            terminationGracePeriodSeconds: 120
            containers:
            - name: worker
              image: {image:?}
              command: ["meshwright"]
              args:
{list}
              ports:
              - containerPort: {port}
              resources:
                limits:
                  nvidia.com/gpu: {devices}
              volumeMounts:
              - name: data
                mountPath: {mount:?}
            volumes:
            - name: data
              persistentVolumeClaim:
                claimName: {claim:?}
"#
        )
    }
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
