"""Sizes of the planned model, as the flavor `planned` of `llama3`; `job.toml` imports this.

For torchtitan 0.2.2: dp=16, fsdp=16, tp=4, sp=4, zero=3 on h100:8x8, 8 hosts of 8 devices.
By `meshwright export` from a plan of the program 4663312a257ad29e.
"""

from torchtitan.models.llama3 import TransformerModelArgs, llama3_args
from torchtitan.models.llama3.model.args import RoPEScalingArgs

llama3_args["planned"] = TransformerModelArgs(
    dim=4096,
    n_layers=32,
    n_heads=32,
    n_kv_heads=8,
    vocab_size=128256,
    norm_eps=1.0e-5,
    rope_theta=500000.0,
    max_seq_len=131072,
    multiple_of=1,
    ffn_dim_multiplier=1.3126258926936458,
    rope_scaling_args=RoPEScalingArgs(scaling_factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192),
)
