//! How calls of the scan of Mamba-2 are written: their targets, and the chunk in their configuration.

use crate::attribute::{Attr, Attributes};
use crate::ops::custom_call::CustomCall;

/// Target of the scan: `_mamba_chunk_scan_combined_fwd` of the package `mamba_ssm`.
pub const FORWARD: &str = "mamba_chunk_scan_combined_fwd";

/// Target of its gradients: `_mamba_chunk_scan_combined_bwd`.
pub const BACKWARD: &str = "mamba_chunk_scan_combined_bwd";

/// The name of the chunk in the configuration.
const CHUNK: &str = "chunk_size";

/// A call of one of them with so many steps in a chunk.
pub fn call(target: &str, chunk: usize) -> CustomCall {
    let mut config = Attributes::new();
    config.set(CHUNK, Attr::position(chunk));
    let mut attributes = Attributes::new();
    attributes.set("api_version", Attr::i32(4));
    attributes.set("backend_config", Attr::Dict(config));
    CustomCall { target: target.to_owned(), attributes }
}

/// Steps of a chunk, if the configuration of a call says them.
pub(super) fn chunk(call: &CustomCall) -> Option<usize> {
    let Attr::Dict(config) = call.attributes.get("backend_config")? else { return None };
    usize::try_from(config.get(CHUNK)?.as_int()?).ok().filter(|chunk| *chunk > 0)
}
