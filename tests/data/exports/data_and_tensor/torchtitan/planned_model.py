"""Sizes of the planned model, as the flavor `planned` of `llama3`; `job.toml` imports this.

For torchtitan 0.2.2: dp=4, tp=2, sp=2, zero=2 on h100:1x8, a host of 8 devices.
By `meshwright export` from a plan of the program 35ef45d598e1affc.
"""

from torchtitan.models.llama3 import TransformerModelArgs, llama3_args
from torchtitan.models.llama3.model.args import RoPEScalingArgs

llama3_args["planned"] = TransformerModelArgs(
    dim=32,
    n_layers=3,
    n_heads=4,
    n_kv_heads=2,
    vocab_size=96,
    norm_eps=1.0e-5,
    rope_theta=500000.0,
    max_seq_len=64,
    multiple_of=1,
    ffn_dim_multiplier=0.5705882352941176,
    rope_scaling_args=RoPEScalingArgs(scaling_factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192),
)
