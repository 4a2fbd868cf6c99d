//! A machine: one kind of device, and the links between many of them as nested levels.
//!
//! Levels run from the innermost (fastest) to the outermost; devices are numbered with the innermost level fastest.
//! Example: `h100:32x8` has the levels `nvlink` (8) and `infiniband` (32); device 19 is device 3 of host 2.
//! A torus contributes one level per torus axis.
//! What each number means is told once, in `docs/machines.md`, and repeated at its field here.

use std::fmt;
use std::str::FromStr;

use crate::curve::Curves;
use crate::error::MachineError;
use crate::units::{Bytes, BytesPerSecond, FlopsPerSecond, Seconds};

/// No machine may have more devices: well above the largest built, well below what overflows.
pub const MAX_DEVICES: usize = 1 << 20;

/// Devices of one kind and how they are linked.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The name by which specs call it, such as `h100`.
    pub name: String,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// One line for people.
    pub description: String,
    /// Whether its figures were measured on the very machine; predictions for any other are marked.
    pub calibrated: bool,
    /// Where the figures come from.
    pub source: String,
    /// What else a reader of the figures should know.
    pub note: String,
    /// Keys, such as `device.launch_overhead` or `levels.nvlink.latency`, whose values nobody published or measured.
    pub assumed: Vec<String>,
    /// What one device costs per hour, in US dollars.
    pub price_per_device_hour: Option<f64>,
    /// How many devices one host (operating system, process) holds at most.
    pub devices_per_host: usize,
    /// The device of which all are made.
    pub device: Device,
    /// Innermost first; not empty; the product of the sizes is at most [`MAX_DEVICES`].
    levels: Vec<Level>,
}

/// One accelerator, or one virtual device.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// The product, such as `H100 80GB SXM`.
    pub name: String,
    /// What it is to those who hand it out; `None`: nobody said.
    pub platform: Option<Platform>,
    /// Generation of an NVIDIA GPU, as CUDA counts them; `None`: nobody said, or it is none.
    pub compute_capability: Option<ComputeCapability>,
    /// Peak dense rates by class of element type.
    pub flops: PeakFlops,
    /// Fraction of the peak rate that a large matrix product reaches, in (0, 1].
    pub flops_efficiency: f64,
    /// Memory of one device.
    pub memory: Bytes,
    /// Fraction of it that allocators need, in [0, 1): what is fragmented, and what the runtime keeps.
    pub memory_headroom: f64,
    /// Peak bandwidth of that memory.
    pub memory_bandwidth: BytesPerSecond,
    /// Fraction of the peak memory bandwidth that a large elementwise op reaches, in (0, 1].
    pub memory_efficiency: f64,
    /// Time that any op takes, however small.
    pub launch_overhead: Seconds,
    /// Time that any collective takes, however small and however few its members.
    pub collective_overhead: Seconds,
    /// Time that any `collective_permute` takes instead; `None`: that of any op.
    pub permute_overhead: Option<Seconds>,
    /// What depthwise convolutions in f32 reach, if it is less than what products reach. Those with more features in a group lie between.
    pub grouped_convolution_flops: Option<FlopsPerSecond>,
    /// Shares of these rates that kinds of kernels reach, by operations or bytes; what has none reaches all of it.
    pub curves: Curves,
    /// The memory of its host; `None`: nobody said, and nothing of a plan is moved there.
    pub host: Option<Tier>,
    /// The drives of its host; `None`: there are none.
    pub nvme: Option<Tier>,
}

/// Memory behind that of the devices, which those of one host share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tier {
    /// Memory of one host.
    pub memory: Bytes,
    /// Peak bytes per second that one *device* can send there while it receives as many, when all of its host do.
    pub bandwidth: BytesPerSecond,
    /// Fraction of `bandwidth` that large copies reach, in (0, 1].
    pub efficiency: f64,
}

impl Tier {
    /// Bandwidth that large copies reach, one way.
    pub fn achievable_bandwidth(&self) -> BytesPerSecond {
        self.bandwidth * self.efficiency
    }
}

/// Platforms of devices, as those who hand them out and JAX name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Cores of a host.
    Cpu,
    /// NVIDIA's GPUs.
    Cuda,
    /// AMD's GPUs.
    Rocm,
    /// Google's TPUs.
    Tpu,
    /// AWS's Trainium.
    Neuron,
    /// Huawei's Ascend.
    Npu,
}

impl Platform {
    /// All of them.
    pub const ALL: [Platform; 6] = [Self::Cpu, Self::Cuda, Self::Rocm, Self::Tpu, Self::Neuron, Self::Npu];

    /// The platform that a machine file, or JAX, calls so; `None` for others, and for `gpu`, which may be either.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|platform| platform.name() == name)
    }

    /// As a machine file has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
            Self::Rocm => "rocm",
            Self::Tpu => "tpu",
            Self::Neuron => "neuron",
            Self::Npu => "npu",
        }
    }
}

/// CUDA's compute capability: `9.0` of Hopper, `8.0` of Ampere. Which kernels its libraries have depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ComputeCapability {
    /// The generation.
    pub major: u32,
    /// The member of it.
    pub minor: u32,
}

impl FromStr for ComputeCapability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        let (major, minor) = numbers.ok_or_else(|| format!("`{text}` is no compute capability"))?;
        Ok(Self { major, minor })
    }
}

impl fmt::Display for ComputeCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Peak dense rates, without sparsity; a multiply-add counts as two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeakFlops {
    /// f64.
    pub f64: FlopsPerSecond,
    /// f32, with inputs not rounded.
    pub f32: FlopsPerSecond,
    /// f32 with inputs rounded to ten bits of mantissa; `None`: the device has no such units.
    pub tf32: Option<FlopsPerSecond>,
    /// bf16 and f16, accumulated in f32.
    pub bf16: FlopsPerSecond,
    /// 8-bit floats; as `bf16` where the device has none.
    pub fp8: FlopsPerSecond,
    /// int8; as `bf16` where the device has none.
    pub int8: FlopsPerSecond,
}

/// Element types that run at one rate, the widest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ElementClass {
    /// f64.
    F64,
    /// f32 and everything that is computed like it, wider integers included.
    F32,
    /// f32 with inputs rounded to ten bits of mantissa.
    Tf32,
    /// bf16 and f16.
    Bf16,
    /// 8-bit floats.
    Fp8,
    /// 8-bit integers.
    Int8,
}

impl ElementClass {
    /// All of them, the widest first.
    pub const ALL: [ElementClass; 6] = [Self::F64, Self::F32, Self::Tf32, Self::Bf16, Self::Fp8, Self::Int8];

    /// Its name in plans and machine files.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::Tf32 => "tf32",
            Self::Bf16 => "bf16",
            Self::Fp8 => "fp8",
            Self::Int8 => "int8",
        }
    }
}

/// One level of the topology: `size` units, each holding all the levels below, joined by links of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Such as `nvlink`, or `x` for an axis of a torus; unique in the machine.
    pub name: String,
    /// Number of units joined.
    pub size: usize,
    /// How many the hardware can join; `None` where that has no limit of interest.
    pub max_size: Option<usize>,
    /// How they are joined.
    pub kind: LinkKind,
    /// Peak bytes per second that one *device* can send into this level while it receives as many.
    /// On a torus axis both links of the device count together; on a full mesh all links to its peers.
    pub bandwidth: BytesPerSecond,
    /// Fraction of `bandwidth` that large messages reach, in (0, 1].
    pub efficiency: f64,
    /// Time for one message of no size to reach a neighbor, beyond the device's overheads.
    pub latency: Seconds,
    /// Shares of the bandwidth that collectives reach, by the bytes that a device sends into the level.
    pub curves: Curves,
}

/// Kinds of links between the units of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// Any to any at full bandwidth.
    Switch,
    /// One link to each of the other `max_size - 1` units; a smaller group uses only the links inside it.
    FullMesh,
    /// No links: the units share one memory, as devices that are one process do.
    Memory,
    /// Two links, to the next and to the previous unit of one torus axis.
    Torus {
        /// The ends are joined where the size is a multiple of this; otherwise the axis is a line.
        wraps_every: usize,
    },
}

impl LinkKind {
    /// Its name in machine files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Switch => "switch",
            Self::FullMesh => "full_mesh",
            Self::Memory => "memory",
            Self::Torus { .. } => "torus",
        }
    }
}

impl Machine {
    /// The machine with other levels; the only way to set them.
    ///
    /// # Errors
    /// No level, a size of 0, a size above the level's `max_size`, or more than [`MAX_DEVICES`] devices.
    pub(crate) fn with_levels(mut self, levels: Vec<Level>) -> Result<Machine, MachineError> {
        if levels.is_empty() {
            return Err(MachineError::new("the machine has no levels")
                .hint("give at least one `[[levels]]`, such as the links inside a host"));
        }
        let mut num_devices: usize = 1;
        for level in &levels {
            check_size(&self.name, level)?;
            num_devices = num_devices.saturating_mul(level.size);
        }
        if num_devices > MAX_DEVICES {
            return Err(MachineError::new(format!(
                "a machine of {} devices is too large: at most {MAX_DEVICES} are supported",
                shape_text(&levels)
            )));
        }
        self.levels = levels;
        Ok(self)
    }

    /// A machine before its levels are known; [`Machine::with_levels`] must follow.
    pub(crate) fn without_levels(name: String, device: Device) -> Machine {
        Machine {
            name,
            device,
            aliases: Vec::new(),
            description: String::new(),
            calibrated: false,
            source: String::new(),
            note: String::new(),
            assumed: Vec::new(),
            price_per_device_hour: None,
            devices_per_host: 1,
            levels: Vec::new(),
        }
    }

    /// The levels, innermost first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The number of devices: the product of the levels' sizes.
    pub fn num_devices(&self) -> usize {
        self.levels.iter().map(|level| level.size).product()
    }

    /// The number of hosts. A host does not reach across an innermost switch or full mesh.
    pub fn num_hosts(&self) -> usize {
        match self.levels[0].kind {
            LinkKind::Torus { .. } => self.num_devices().div_ceil(self.devices_per_host),
            LinkKind::Switch | LinkKind::FullMesh | LinkKind::Memory => {
                let domain = self.levels[0].size;
                self.num_devices() / domain * domain.div_ceil(self.devices_per_host)
            }
        }
    }

    /// The most devices that one host of this machine holds.
    pub fn devices_of_a_host(&self) -> usize {
        self.num_devices().div_ceil(self.num_hosts().max(1))
    }

    /// Bytes of the memory of a host, drives included, that each of its devices may use; `None` where nobody knows the host.
    pub fn host_share(&self) -> Option<Bytes> {
        let (host, drives) = (self.device.host?, self.device.nvme);
        let all = host.memory.0.saturating_add(drives.map_or(0, |drives| drives.memory.0));
        Some(Bytes(all / self.devices_of_a_host().max(1) as u64))
    }

    /// Bytes of one device for which the memory of its host has no room, of so many that lie there: they lie on its drives.
    pub fn on_drives(&self, bytes: Bytes) -> Bytes {
        let share = |host: Tier| host.memory.0 / self.devices_of_a_host().max(1) as u64;
        Bytes(bytes.0.saturating_sub(self.device.host.map_or(u64::MAX, share)))
    }

    /// Seconds in which what lies on drives is read and written once, as each step does it, if a device has so many bytes on
    /// its host.
    pub fn drive_seconds(&self, bytes: Bytes) -> Seconds {
        let on = |drives: Tier| Seconds(self.on_drives(bytes).0 as f64 / drives.achievable_bandwidth().0);
        self.device.nvme.map_or(Seconds::ZERO, on)
    }

    /// The sizes from the outermost to the innermost level, as specs write them: `32x8`.
    pub fn shape(&self) -> String {
        shape_text(&self.levels)
    }

    /// The spec of this machine, such as `h100:32x8`.
    pub fn spec(&self) -> String {
        format!("{}:{}", self.name, self.shape())
    }
}

impl Device {
    /// The peak rate for a class of element types.
    pub fn peak_flops(&self, class: ElementClass) -> FlopsPerSecond {
        match class {
            ElementClass::F64 => self.flops.f64,
            ElementClass::F32 => self.flops.f32,
            ElementClass::Tf32 => self.flops.tf32.unwrap_or(self.flops.f32),
            ElementClass::Bf16 => self.flops.bf16,
            ElementClass::Fp8 => self.flops.fp8,
            ElementClass::Int8 => self.flops.int8,
        }
    }

    /// The class in whose arithmetic the device computes elements of another: products of 8-bit elements run as bf16
    /// where it has no units for them.
    pub fn computed_in(&self, class: ElementClass) -> ElementClass {
        let is_bf16 = match class {
            ElementClass::Fp8 => self.flops.fp8 == self.flops.bf16,
            ElementClass::Int8 => self.flops.int8 == self.flops.bf16,
            ElementClass::F64 | ElementClass::F32 | ElementClass::Tf32 | ElementClass::Bf16 => false,
        };
        if is_bf16 { ElementClass::Bf16 } else { class }
    }

    /// The rate that a large matrix product reaches.
    pub fn achievable_flops(&self, class: ElementClass) -> FlopsPerSecond {
        self.peak_flops(class) * self.flops_efficiency
    }

    /// The memory that programs may use: all but the headroom.
    pub fn usable_memory(&self) -> Bytes {
        Bytes((self.memory.0 as f64 * (1.0 - self.memory_headroom)) as u64)
    }

    /// The memory bandwidth that a large elementwise op reaches.
    pub fn achievable_memory_bandwidth(&self) -> BytesPerSecond {
        self.memory_bandwidth * self.memory_efficiency
    }
}

impl Level {
    /// Bandwidth at which one device can send into this level when the pattern suits the links.
    pub fn achievable_bandwidth(&self) -> BytesPerSecond {
        self.bandwidth * self.efficiency
    }

    /// Returns whether the level is a torus axis with its ends joined.
    pub fn wraps(&self) -> bool {
        match self.kind {
            LinkKind::Torus { wraps_every } => self.size > 1 && self.size.is_multiple_of(wraps_every),
            LinkKind::Switch | LinkKind::FullMesh | LinkKind::Memory => false,
        }
    }
}

fn check_size(name: &str, level: &Level) -> Result<(), MachineError> {
    let Level { name: level_name, size, .. } = level;
    if *size == 0 {
        return Err(MachineError::new(format!("level `{level_name}` of `{name}` has size 0"))
            .hint("every size is at least 1"));
    }
    match level.max_size {
        Some(max_size) if *size > max_size => Err(MachineError::new(format!(
            "level `{level_name}` of `{name}` joins at most {max_size} units, not {size}"
        ))),
        _ => Ok(()),
    }
}

fn shape_text(levels: &[Level]) -> String {
    let sizes: Vec<String> = levels.iter().rev().map(|level| level.size.to_string()).collect();
    sizes.join("x")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_hosts_and_shape_follow_from_the_levels() {
        let machine = Machine::from_spec("h100:32x8").unwrap();
        assert_eq!((machine.num_devices(), machine.num_hosts()), (256, 32));
        assert_eq!((machine.shape(), machine.spec()), ("32x8".to_string(), "h100:32x8".to_string()));
        assert_eq!(Machine::from_spec("h100:3x6").unwrap().num_hosts(), 3);
        assert_eq!(Machine::from_spec("tpu_v4:4x4x8").unwrap().num_hosts(), 32);
        // An NVL72 rack is 18 trays of 4; 6 devices of each of two racks need 2 trays each.
        assert_eq!(Machine::from_spec("gb200:2x72").unwrap().num_hosts(), 36);
        assert_eq!(Machine::from_spec("gb200:2x6").unwrap().num_hosts(), 4);
    }

    #[test]
    fn a_torus_axis_wraps_only_at_its_multiples() {
        let wraps = |spec: &str| {
            let machine = Machine::from_spec(spec).unwrap();
            machine.levels().iter().map(Level::wraps).collect::<Vec<_>>()
        };
        // Innermost first: the last number of the spec.
        assert_eq!(wraps("tpu_v5e:8x16")[..2], [true, false]);
        assert_eq!(wraps("tpu_v4:2x4x12")[..3], [true, true, false]);
        assert_eq!(wraps("h100:2x8"), [false, false]);
    }

    #[test]
    fn a_missing_class_runs_as_bf16() {
        let a100 = Machine::from_spec("a100").unwrap().device;
        assert_eq!(a100.peak_flops(ElementClass::Fp8), FlopsPerSecond(312e12));
        assert_eq!(a100.peak_flops(ElementClass::F32), FlopsPerSecond(19.5e12));
    }
}
