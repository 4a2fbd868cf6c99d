//! `meshwright launch`: a batch script or a manifest that runs a compiled folder on many hosts, a worker on each.
//!
//! Every host runs `meshwright run --engine xla` with its own number; workers meet at the first host's port. What devices
//! the scheduler is asked for follows from the plan's machine, or from a flag.

use crate::args::{LaunchArguments, Output};
use crate::failure::{Failure, Outcome};
use crate::{input, output, usage, workers};
use meshwright_execute::workers::launches;
use meshwright_ir::diagnostic::Diagnostic;
use meshwright_machine::{Machine, Platform};
use meshwright_plan::bundle::{MANIFEST_FILE, PLAN_FILE};
use meshwright_plan::{Bundle, PlanFile};
use std::path::Path;

/// How `run` is called beside what it is given.
const RUN: [&str; 11] = [
    "meshwright",
    "run",
    "folder",
    "--engine",
    "xla",
    "--coordinator",
    "host:1",
    "--hosts",
    "1",
    "--host-index",
    "0",
];

pub(crate) fn run(arguments: &LaunchArguments, out: Output) -> Outcome {
    let folder = &arguments.folder;
    let text = input::text(&folder.join(MANIFEST_FILE), "manifest")?;
    let bundle = Bundle::from_text(&text.text).map_err(|found| Failure::input(&text, vec![*found]))?;
    let machine = machine(arguments);
    let hosts = hosts(arguments, &machine)?;
    let devices = bundle.num_devices();
    if !devices.is_multiple_of(hosts) {
        return Err(Failure::usage(format!("{hosts} hosts do not divide the program's {devices} devices")));
    }
    let groups: Vec<&[usize]> = bundle.groups.iter().map(|group| group.devices.as_slice()).collect();
    launches::split(&groups, hosts).map_err(|straddles| workers::straddling("--hosts", hosts, &straddles))?;
    match arguments.slurm {
        true => must_be_of_slurm(&arguments.name)?,
        false => must_be_of_kubernetes(&arguments.name)?,
    }
    let given = RUN.into_iter().chain(arguments.rest.iter().map(String::as_str));
    if let Some(refusal) = usage::refusal(given) {
        let message = format!("behind `--`, which `meshwright run` is given: {}", refusal.message);
        return Err(Failure::Usage(Box::new(Diagnostic { message, ..refusal })));
    }
    let devices_per_host = devices / hosts;
    let resource = resource(arguments, &machine)?;
    let job = Job { arguments, hosts, devices_per_host, resource, folder: absolute(folder) };
    let text = if arguments.slurm { job.slurm() } else { job.jobset() };
    if out.json && arguments.output == Path::new("-") {
        return output::print(&output::json(&serde_json::json!({ "hosts": hosts, "text": text })));
    }
    output::write(&arguments.output, text.as_bytes())
}

/// The machine that the plan is for, or why it is not known.
fn machine(arguments: &LaunchArguments) -> Result<Machine, &'static str> {
    let text = input::text(&arguments.folder.join(PLAN_FILE), "plan").map_err(|_| "no plan")?;
    let plan = PlanFile::from_text(&text.text).map_err(|_| "the plan cannot be read")?;
    input::machine(&plan.machine).map_err(|_| "the plan's machine is not built in")
}

/// How many hosts: as asked, or those of the plan's machine.
fn hosts(arguments: &LaunchArguments, machine: &Result<Machine, &str>) -> Outcome<usize> {
    match (arguments.hosts, machine) {
        (Some(hosts), _) => Ok(usize::try_from(hosts).unwrap_or(usize::MAX)),
        (None, Ok(machine)) => Ok(machine.num_hosts()),
        (None, Err(why)) => {
            Err(Failure::usage(format!("how many hosts is not known ({why}): give `--hosts N`")))
        }
    }
}

/// Errors: a name that Slurm does not take, which has it in a line of the script.
fn must_be_of_slurm(name: &str) -> Outcome {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    match !name.is_empty() && name.bytes().all(is_plain) {
        true => Ok(()),
        false => Err(Failure::usage(format!("`--name {name}` should be letters, digits, `-`, `_` and `.`"))),
    }
}

/// Errors: a name that Kubernetes does not take, which makes host names of it (RFC 1123).
fn must_be_of_kubernetes(name: &str) -> Outcome {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_label = (1..=40).contains(&name.len()) && !name.starts_with('-') && !name.ends_with('-');
    match is_label && name.bytes().all(is_inner) {
        true => Ok(()),
        false => Err(Failure::usage(format!(
            "`--name {name}` should be at most 40 lower-case letters, digits and `-` between them, as Kubernetes names jobs"
        ))),
    }
}

/// How the scheduler is asked for a device: as the flag says, or as it calls those of the plan's machine. `None`: not at
/// all, since every host has cores.
fn resource(arguments: &LaunchArguments, machine: &Result<Machine, &str>) -> Outcome<Option<String>> {
    if let Some(name) = &arguments.resource {
        return Ok(Some(name.clone()).filter(|name| name != NO_RESOURCE));
    }
    let unknown = |why: &str| {
        let scheduler = if arguments.slurm { "Slurm" } else { "Kubernetes" };
        Failure::usage(format!(
            "what {scheduler} calls the devices is not known ({why}): give `--resource NAME`, or `--resource {NO_RESOURCE}`"
        ))
    };
    let machine = machine.as_ref().map_err(|why| unknown(why))?;
    let name = match (machine.device.platform, arguments.slurm) {
        (None, _) => return Err(unknown("the plan's machine has no `platform`")),
        (Some(Platform::Cpu), _) => return Ok(None),
        (Some(Platform::Cuda | Platform::Rocm), true) => "gpu",
        (Some(_), true) => return Err(unknown("every cluster has its own name for them")),
        (Some(Platform::Cuda), false) => "nvidia.com/gpu",
        (Some(Platform::Rocm), false) => "amd.com/gpu",
        (Some(Platform::Tpu), false) => "google.com/tpu",
        (Some(Platform::Neuron), false) => "aws.amazon.com/neuron",
        (Some(Platform::Npu), false) => "huawei.com/Ascend910",
    };
    Ok(Some(name.to_owned()))
}

/// With this name, the scheduler is not asked for devices.
const NO_RESOURCE: &str = "none";

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

struct Job<'a> {
    arguments: &'a LaunchArguments,
    hosts: usize,
    devices_per_host: usize,
    /// What the scheduler calls a device.
    resource: Option<String>,
    folder: String,
}

impl Job<'_> {
    fn slurm(&self) -> String {
        let LaunchArguments { name, port, rest, .. } = self.arguments;
        let (hosts, devices, folder) = (self.hosts, self.devices_per_host, quoted(&self.folder));
        let rest: Vec<String> = rest.iter().map(|word| quoted(word)).collect();
        let rest = rest.join(" ");
        let asked = self.resource.as_ref();
        let asked = asked.map_or(String::new(), |name| format!("#SBATCH --gres={name}:{devices}\n"));
        format!(
            r#"#!/bin/bash
# {hosts} host(s) with {devices} devices each. SIGTERM, before the time is up, makes the run write a checkpoint and stop.
#SBATCH --job-name={name}
#SBATCH --nodes={hosts}
#SBATCH --ntasks-per-node=1
{asked}#SBATCH --exclusive
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
        let asked = self.resource.as_ref().map_or(String::new(), |name| {
            format!(
                "              resources:\n                limits:\n                  {name}: {devices}\n"
            )
        });
        format!(
            r#"# {hosts} host(s) with {devices} devices each; needs the JobSet controller (jobset.x-k8s.io).
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
{asked}              volumeMounts:
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
