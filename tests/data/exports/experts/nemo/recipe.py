"""The planned job as a recipe. The environment says the rest: HF_MODEL (folder or name of the model), STEPS, LEARNING_RATE,
and DATA, without which data are mocked.

For NeMo 2.4.0: dp=2, tp=2, sp=2, ep=2 on h100:1x8, a host of 8 devices.
By `meshwright export` from a plan of the program 80e2333b848915a9.
"""

import os

import torch
from megatron.core.distributed import DistributedDataParallelConfig
from megatron.core.optimizer import OptimizerConfig
from nemo import lightning as nl
from nemo.collections import llm


def planned_model():
    """The model, with weights drawn anew."""
    source = os.environ["HF_MODEL"]
    model = llm.MixtralModel.importer(f"hf://{source}").init()
    model.config.seq_length = 16
    model.config.recompute_granularity = None
    model.config.recompute_method = None
    model.config.recompute_num_layers = None
    model.config.make_vocab_size_divisible_by = 48
    model.config.moe_router_dtype = "fp32"
    model.config.moe_router_load_balancing_type = "none"
    model.config.perform_initialization = True
    model.config.bf16 = False
    model.config.fp16 = False
    model.config.kv_channels = 8
    model.config.share_embeddings_and_output_weights = False
    model.config.params_dtype = torch.float32
    return model


def planned_data(tokenizer):
    """Batches as they were planned."""
    sizes = {
        "seq_length": 16,
        "global_batch_size": 8,
        "micro_batch_size": 2,
    }
    if "DATA" in os.environ:
        return llm.PreTrainingDataModule(paths=[os.environ["DATA"]], tokenizer=tokenizer, **sizes)
    return llm.MockDataModule(tokenizer=tokenizer, **sizes)


def planned_trainer():
    """The trainer, with the plan's degrees."""
    strategy = nl.MegatronStrategy(
        tensor_model_parallel_size=2,
        pipeline_model_parallel_size=1,
        virtual_pipeline_model_parallel_size=None,
        context_parallel_size=1,
        expert_model_parallel_size=2,
        sequence_parallel=True,
        expert_tensor_parallel_size=2,
        ddp=DistributedDataParallelConfig(
            use_distributed_optimizer=False,
            overlap_grad_reduce=True,
            overlap_param_gather=False,
        ),
    )
    return nl.Trainer(
        accelerator="gpu",
        devices=8,
        num_nodes=1,
        max_steps=int(os.environ["STEPS"]),
        plugins=None,
        strategy=strategy,
        accumulate_grad_batches=1,
        use_distributed_sampler=False,
        limit_val_batches=0,
    )


def planned_optimizer():
    """AdamW."""
    config = OptimizerConfig(
        optimizer="adam",
        lr=float(os.environ["LEARNING_RATE"]),
        bf16=False,
        use_distributed_optimizer=False,
    )
    return nl.MegatronOptimizerModule(config=config)


if __name__ == "__main__":
    model = planned_model()
    llm.pretrain(
        model=model,
        data=planned_data(model.tokenizer),
        trainer=planned_trainer(),
        optim=planned_optimizer(),
    )
