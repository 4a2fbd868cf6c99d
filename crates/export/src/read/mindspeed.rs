//! Arguments of MindSpeed-LLM 2.3.0, in a script: those of Megatron-LM, and its own.
//!
//! Input: a script, and the devices. Output: what the reader of Megatron-LM (`megatron`) finds.

use super::megatron::{Dialect, OF_FSDP, Values, read_as, settings_as};
use super::{Found, Problem, Reader, not_read};

pub(super) const READER: Reader = Reader {
    target: "mindspeed",
    extensions: &[".sh"],
    is_it: |text| text.launch().is_ok_and(|launch| launch.has(is_own_argument)),
    read: |text, around| read_as(&DIALECT, text, around),
    settings: |text| settings_as(&DIALECT, text),
    may_stay: OF_FSDP,
};

const DIALECT: Dialect = Dialect { title: "MindSpeed-LLM 2.3.0", flags: FLAGS, values: VALUES, check };

/// Arguments of its own without a value.
const FLAGS: &str = "use-fused-rmsnorm use-fused-swiglu use-fused-rotary-pos-emb";

/// Arguments of its own with a value.
const VALUES: &str = "context-parallel-algo tokenizer-name-or-path";

/// Returns whether an argument of this name is its own.
pub(super) fn is_own_argument(name: &str) -> bool {
    FLAGS.split(' ').chain(VALUES.split(' ')).any(|own| own == name)
}

/// Refuses tokens that are shared by another algorithm than Megatron's.
fn check(found: Found, value: Values<'_>) -> Result<Found, Problem> {
    match value("context-parallel-algo").filter(|name| found.degrees.cp > 1 && name != "megatron_cp_algo") {
        Some(name) => Err(not_read("--context-parallel-algo", format!("`{name}`"))),
        None => Ok(found),
    }
}
