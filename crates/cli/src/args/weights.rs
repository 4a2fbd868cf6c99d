//! Flags for checkpoints as Hugging Face writes them.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct Weights {
    /// Parameters from a folder that `save_pretrained` wrote (safetensors), by their names; what an optimizer keeps
    /// beside them begins at zero
    #[arg(long, value_name = "FOLDER")]
    pub(crate) weights: Option<PathBuf>,
}
