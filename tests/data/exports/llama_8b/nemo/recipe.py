"""The planned job as a recipe. The environment says the rest: HF_MODEL (folder or name of the model), STEPS, LEARNING_RATE,
and DATA, without which data are mocked.

For NeMo 2.4.0: dp=16, tp=4, sp=4, zero=1 on h100:8x8, 8 hosts of 8 devices.
By `meshwright export` from a plan of the program 4663312a257ad29e.
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
    model = llm.LlamaModel.importer(f"hf://{source}").init()
    model.config.seq_length = 8192
    model.config.recompute_granularity = "full"
    model.config.recompute_method = "uniform"
    model.config.recompute_num_layers = 1
    model.config.make_vocab_size_divisible_by = 32064
    model.config.perform_initialization = True
    model.config.bf16 = True
    model.config.fp16 = False
    model.config.kv_channels = 128
    model.config.share_embeddings_and_output_weights = False
    model.config.params_dtype = torch.bfloat16
    return model


def planned_data(tokenizer):
    """Batches as they were planned."""
    sizes = {
        "seq_length": 8192,
        "global_batch_size": 128,
        "micro_batch_size": 4,
    }
    if "DATA" in os.environ:
        return llm.PreTrainingDataModule(paths=[os.environ["DATA"]], tokenizer=tokenizer, **sizes)
    return llm.MockDataModule(tokenizer=tokenizer, **sizes)


def planned_trainer():
    """The trainer, with the plan's degrees."""
    strategy = nl.MegatronStrategy(
        tensor_model_parallel_size=4,
        pipeline_model_parallel_size=1,
        virtual_pipeline_model_parallel_size=None,
        context_parallel_size=1,
        expert_model_parallel_size=1,
        sequence_parallel=True,
        ddp=DistributedDataParallelConfig(
            use_distributed_optimizer=True,
            overlap_grad_reduce=True,
            overlap_param_gather=True,
        ),
    )
    return nl.Trainer(
        accelerator="gpu",
        devices=8,
        num_nodes=8,
        max_steps=int(os.environ["STEPS"]),
        plugins=nl.MegatronMixedPrecision(precision="bf16-mixed"),
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
        bf16=True,
        use_distributed_optimizer=True,
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
