"""Sizes of the planned model, as the flavor `planned` of `qwen3`; `job.toml` imports this.

For torchtitan 0.2.2: dp=2, tp=2, sp=2, ep=2, zero=2 on h100:1x8, a host of 8 devices.
By `meshwright export` from a plan of the program 80e2333b848915a9.
ZeRO-2 shards state of what is no expert over all 4 devices of the batch here, a plan's over the 2 that hold the same experts.
"""

from torchtitan.models.qwen3 import Qwen3ModelArgs, qwen3_args
from torchtitan.models.moe import MoEArgs

qwen3_args["planned"] = Qwen3ModelArgs(
    dim=32,
    n_layers=3,
    n_heads=4,
    n_kv_heads=2,
    vocab_size=96,
    norm_eps=1.0e-5,
    rope_theta=1000000.0,
    max_seq_len=64,
    head_dim=8,
    hidden_dim=48,
    qk_norm=False,
    enable_weight_tying=False,
    moe_enabled=True,
    moe_inter_dim=48,
    moe_args=MoEArgs(num_experts=4, num_shared_experts=0, top_k=2, score_func="softmax", route_norm=True, route_scale=1.0, score_before_experts=False, load_balance_coeff=None),
)
