"""The planned job as a recipe. The environment says the rest: HF_MODEL (folder or name of the model), STEPS, LEARNING_RATE,
and DATA, without which data are mocked.

For Megatron-Bridge (NeMo) 0.5.1: dp=4, tp=2, zero=1 on h100:2x4, 2 hosts of 4 devices.
By `meshwright export` from a plan of the program 35ef45d598e1affc.
"""

import os

import torch
from megatron.bridge import AutoBridge
from megatron.bridge.recipes.common import _pretrain_common
from megatron.bridge.training.config import ConfigContainer
from megatron.bridge.training.gpt_step import forward_step
from megatron.bridge.training.pretrain import pretrain


def planned_config() -> ConfigContainer:
    """The planned job."""
    cfg = _pretrain_common()
    model = os.environ["HF_MODEL"]
    cfg.model = AutoBridge.from_hf_pretrained(model).to_megatron_provider(load_weights=False)
    cfg.tokenizer.tokenizer_model = model
    cfg.train.train_iters = int(os.environ["STEPS"])
    cfg.optimizer.lr = float(os.environ["LEARNING_RATE"])
    cfg.optimizer.min_lr = cfg.optimizer.lr / 10
    cfg.dataset.blend = ([os.environ["DATA"]], None) if "DATA" in os.environ else None
    cfg.model.tensor_model_parallel_size = 2
    cfg.model.pipeline_model_parallel_size = 1
    cfg.model.virtual_pipeline_model_parallel_size = None
    cfg.model.context_parallel_size = 1
    cfg.model.expert_model_parallel_size = 1
    cfg.model.sequence_parallel = False
    cfg.model.seq_length = 16
    cfg.model.recompute_granularity = None
    cfg.model.recompute_method = None
    cfg.model.recompute_num_layers = None
    cfg.model.make_vocab_size_divisible_by = 48
    cfg.dataset.seq_length = 16
    cfg.train.global_batch_size = 8
    cfg.train.micro_batch_size = 2
    cfg.ddp.use_distributed_optimizer = True
    cfg.ddp.overlap_param_gather = True
    cfg.ddp.data_parallel_sharding_strategy = "no_shard"
    cfg.mixed_precision = None
    cfg.model.bf16 = False
    cfg.model.fp16 = False
    cfg.model.params_dtype = torch.float32
    cfg.optimizer.bf16 = False
    return cfg


if __name__ == "__main__":
    pretrain(config=planned_config(), forward_step_func=forward_step)
