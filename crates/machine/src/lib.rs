//! Physical hardware: devices, hosts, links and topology, read from TOML files.
//!
//! Input: a spec such as `h100:32x8` ([`Machine::from_spec`]) or the text of a machine file
//! ([`Machine::from_toml`]).
//! Output: a [`Machine`], one [`Device`] type and its topology [`Level`]s from the innermost (fastest) outwards,
//! which answers which links a group of devices crosses ([`Machine::crossings`]).
//! The units of every prediction ([`Bytes`], [`Flops`], [`Seconds`] and the two rates) live here too, since nothing
//! lies below this crate.
//!
//! ```
//! use meshwright_machine::{Machine, Span};
//!
//! let machine = Machine::from_spec("h100:4x8").unwrap();
//! assert_eq!(machine.num_devices(), 32);
//! // Groups of 8 devices that lie 4 apart: 2 in each host, 4 hosts.
//! let crossings = machine.crossings(&[Span { stride: 4, size: 8 }]);
//! assert_eq!(crossings[0].level.name, "nvlink");
//! assert_eq!((crossings[0].members, crossings[0].inner), (2, 1));
//! assert_eq!((crossings[1].members, crossings[1].inner), (4, 2));
//! ```
//!
//! This crate reads no file: the built-in machines are compiled in, the doors read the user's.

mod catalog;
mod crossing;
mod curve;
mod curve_table;
mod device_table;
mod error;
mod figures;
mod file;
mod machine;
mod quantity;
mod spec;
mod tier_table;
mod units;
mod words;
mod write;

pub use catalog::list;
pub use crossing::{Crossing, Pattern, Span};
pub use curve::{Curve, CurveKinds, Curves};
pub use error::{MachineError, Position};
pub use machine::{
    ComputeCapability, Device, ElementClass, Level, LinkKind, MAX_DEVICES, Machine, PeakFlops, Platform, Tier,
};
pub use spec::file_and_sizes;
pub use units::{Bytes, BytesPerSecond, Flops, FlopsPerSecond, Seconds};
