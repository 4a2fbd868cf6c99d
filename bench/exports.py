"""Exports of plans, read by the frameworks' own parsers, and executed: the PyTorch text and the JAX text on four processes
of the CPU, whose losses have to be that of our program with the same weights. And weights: what `save_pretrained` writes, in
several files, is read, trained for a step, and loaded again by `from_pretrained`.

    python3 -m venv env && env/bin/pip install torch transformers safetensors numpy jax accelerate deepspeed ninja six tyro
    env/bin/pip install --no-deps torchtitan==0.2.2
    env/bin/python bench/exports.py --meshwright target/debug/meshwright --megatron FOLDER [--without TARGET ...]

FOLDER is a checkout of Megatron-LM at core_v0.15.0, which is in no package. Output: a line for each plan and target, and for
each executed text both losses and how far they are apart relatively, which is an error above 1e-5. A plan is `accepted` as it
is, or `accepted as nearest`, with what was planned otherwise. Whatever is not written or not accepted is an error, and so is a
parser that is not there, but for the targets that `--without` names. Targets whose files no parser is given are named, with the
reason.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import types
import unittest.mock

import numpy as np

import models_vs_transformers as models

ROOT = pathlib.Path(__file__).resolve().parent.parent
LENGTH, BATCH, PROCESSES, TOLERANCE = 16, 8, 4, 1e-5

# Machines, degrees and flags of the plans that parsers are given.
PLANS = [
    ('h100:1x8', 'dp=8', []),
    ('h100:1x8', 'dp=8,zero=1', []),
    ('h100:1x8', 'dp=8,zero=3', []),
    ('h100:1x8', 'dp=4,tp=2,zero=1', []),
    ('h100:1x8', 'dp=4,tp=2,zero=3', ['--microbatches', '2']),
    ('h100:2x4', 'dp=4,tp=2,zero=3', ['--recompute', 'full']),
    ('h100:2x4', 'dp=2,fsdp=2,tp=2', []),
    ('h100:1x8', 'dp=4,cp=2,zero=3', []),
    ('h100:1x4', 'dp=2,tp=2,zero=3', ['--recompute', 'selective']),
    ('h100:1x4', 'dp=4,zero=3', ['--microbatches', '2', '--recompute', 'full']),
]

# Plans of models of their own, each with the targets that have what is in it: stages, several on a group, and experts.
OF_MODELS = [
    ('stages', ('h100:1x8', 'dp=4,pp=2,zero=1', ['--microbatches', '2']), ['torchtitan', 'megatron-lm']),
    ('stages', ('h100:1x8', 'dp=4,pp=2,vp=2', ['--microbatches', '2', '--schedule', 'interleaved-1f1b']),
     ['torchtitan', 'megatron-lm']),
    ('stages', ('h100:2x4', 'dp=2,tp=2,sp=2,pp=2', ['--microbatches', '4', '--recompute', 'none']),
     ['torchtitan', 'megatron-lm']),
    ('qwen3_moe', ('h100:1x4', 'dp=2,ep=2,zero=3', []), ['torchtitan']),
    ('mixtral', ('h100:1x4', 'dp=2,ep=2,zero=1', []), ['deepspeed', 'megatron-lm']),
    ('mixtral', ('h100:1x8', 'dp=2,ep=2,pp=2', ['--microbatches', '2']), ['megatron-lm']),
]

# Plans of which the texts are executed: neither target has stages, and the models that are executed have no experts.
EXECUTED = [('cpu8:4', 'dp=4,zero=3', []), ('cpu8:4', 'dp=2,tp=2,zero=3', []), ('cpu8:4', 'dp=2,fsdp=2', []),
            ('cpu8:4', 'dp=4', [])]


def planned(meshwright, step, config, plan, target, folder):
    """The folder of an export, with what was planned otherwise; or none, with the reason. `step` is a program, and `config` that
    of its model; or a configuration, and `config` none."""
    machine, degrees, flags = plan
    batch = ['--seq', str(LENGTH), '--global-batch', str(BATCH)] if config is None else []
    subprocess.run([meshwright, 'plan', step, '--machine', machine, '--as', degrees, '--search', 'none', *batch, *flags, '-o',
                    folder / 'plan.json'], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    job = folder / f'{target}-{len(list(folder.iterdir()))}'
    sizes = [] if config is None else ['--config', config]
    for nearest in ([], ['--nearest']):
        ran = subprocess.run([meshwright, 'export', folder / 'plan.json', '--to', target, *sizes, *nearest, '-o', job, '--json'],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if ran.returncode == 0:
            return job, '; '.join(change['what'] for change in json.loads(ran.stdout)['changes'])
    return None, json.loads(ran.stderr.splitlines()[0])['message']


def torchtitan(job, devices):
    from torchtitan.config import ConfigManager
    config = ConfigManager().parse_args(['--job.config_file', str(job / 'job.toml')])
    parallel = config.parallelism
    degrees = [parallel.data_parallel_replicate_degree, parallel.data_parallel_shard_degree, parallel.tensor_parallel_degree,
               parallel.context_parallel_degree, parallel.pipeline_parallel_degree]
    assert np.prod(degrees) == devices, degrees


def deepspeed(job, devices):
    import torch
    from deepspeed import init_distributed
    from deepspeed.runtime.config import DeepSpeedConfig
    if not torch.distributed.is_initialized():
        # Its operations are built by `ninja`, which lies beside Python.
        os.environ['PATH'] = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ['PATH']])
        os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT=str(free_port()), RANK='0', WORLD_SIZE='1', LOCAL_RANK='0')
        init_distributed('gloo', auto_mpi_discovery=False, verbose=False)
    path = job / 'ds_config.json'
    given = json.loads(path.read_text())
    shared = given.get('sequence_parallel_size', 1) * given.get('tensor_parallel', {}).get('autotp_size', 1)

    class Units:
        """The groups as DeepSpeed asks for them."""

        @staticmethod
        def get_data_parallel_world_size():
            return devices // shared

    config = DeepSpeedConfig(str(path), mpu=Units())
    assert config.train_batch_size == BATCH, config.train_batch_size


def accelerate(job, devices):
    from accelerate.commands.config.config_args import ClusterConfig
    from accelerate.parallelism_config import ParallelismConfig
    config = ClusterConfig.from_yaml_file(str(job / 'accelerate.yaml'))
    assert config.num_processes == devices
    if config.parallelism_config:
        sizes = {name.removeprefix('parallelism_config_'): size for name, size in config.parallelism_config.items()}
        assert ParallelismConfig(**sizes).total_size == devices


def megatron(job, devices):
    import torch
    script = (job / 'launch.sh').read_text()
    words = script.split('pretrain_gpt.py"')[1]
    words = re.sub(r'"\$\{\w+:\?[^}]*\}"', '1', words).replace('\\\n', ' ').replace('"$@"', '')
    os.environ.update(WORLD_SIZE=str(devices), RANK='0')
    os.environ.pop('CUDA_DEVICE_MAX_CONNECTIONS', None)
    if 'CUDA_DEVICE_MAX_CONNECTIONS=1' in script:
        os.environ['CUDA_DEVICE_MAX_CONNECTIONS'] = '1'
    from megatron.training.arguments import parse_args, validate_args
    given, sys.argv = sys.argv, ['pretrain_gpt.py', *shlex.split(words)]
    try:
        # The properties of an H100.
        device = types.SimpleNamespace(major=9, minor=0)
        with unittest.mock.patch.object(torch.cuda, 'get_device_properties', lambda *_: device):
            args = validate_args(parse_args())
    finally:
        sys.argv = given
    shared = args.tensor_model_parallel_size * args.pipeline_model_parallel_size * args.context_parallel_size
    replicas = devices // shared
    assert args.global_batch_size == BATCH and BATCH % (args.micro_batch_size * replicas) == 0


PARSERS = {'torchtitan': torchtitan, 'deepspeed': deepspeed, 'accelerate': accelerate, 'megatron-lm': megatron}

# Targets whose files are given to no parser, with the reason.
RECIPE = 'its recipe is a program that starts the job, on GPUs and with the configuration of a checkpoint'
NOT_PARSED = {
    'megatron-bridge': RECIPE,
    'nemo': RECIPE,
    'nanotron': 'its configuration imports its attention, which is built for GPUs',
    'maxtext': 'its configuration imports what runs on TPUs and clusters (Pathways, Orbax)',
    'mindspeed': 'its packages are for Ascend devices',
    'neuronx-distributed': 'its packages are for Neuron devices',
    'sagemaker': 'its library is in containers of SageMaker alone',
    'paddle': 'its arguments join the groups of devices when they are read',
    'pytorch': 'its text has no parser: it is executed',
    'jax': 'its text has no parser: it is executed',
}


def free_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def module(path):
    """A file of an export as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def by_torch(rank, port, job, folder):
    """The loss of the parallelized module, as process `rank` sees it."""
    import torch
    import torch.distributed as dist
    import transformers
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(PROCESSES))
    dist.init_process_group('gloo', init_method=f'tcp://127.0.0.1:{port}', rank=rank, world_size=PROCESSES)
    exported = module(job / 'parallelize.py')
    model = transformers.AutoModelForCausalLM.from_pretrained(folder / 'hub', dtype=torch.float32,
                                                              attn_implementation='eager')
    on = exported.mesh('cpu')
    model = exported.parallelize(model, on)
    data = np.load(folder / 'data.npz')
    replicas = exported.MESH['dp_replicate'] * exported.MESH['dp_shard']
    replica = rank // exported.MESH['tp']
    part = slice(replica * BATCH // replicas, (replica + 1) * BATCH // replicas)
    tokens, labels = (torch.tensor(data[name][part]).long() for name in ('tokens', 'labels'))
    logits = model(input_ids=tokens, use_cache=False).logits
    loss = torch.nn.functional.cross_entropy(logits.double().flatten(0, -2), labels.flatten())
    loss.backward()
    total = loss.detach().clone()
    dist.all_reduce(total)
    if rank == 0:
        (folder / 'loss').write_text(repr(float(total / PROCESSES)))
    dist.destroy_process_group()


def llama(config, params, tokens, labels):
    """Llama's loss, of stacked parameters by name."""
    import jax
    import jax.numpy as jnp
    layers, heads = config['num_hidden_layers'], config['num_attention_heads']
    keys, epsilon = config['num_key_value_heads'], config['rms_norm_eps']
    stack = f'model.layers.{{0..{layers - 1}}}.'
    dim = config['hidden_size'] // heads
    rates = jnp.asarray(frequencies(config, dim), jnp.float32)
    angles = jnp.arange(tokens.shape[1])[:, None] * rates
    cos, sin = (jnp.concatenate([turn(angles)] * 2, -1)[:, None] for turn in (jnp.cos, jnp.sin))

    def norm(x, weight):
        return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + epsilon) * weight

    def turned(x):
        first, second = jnp.split(x, 2, -1)
        return x * cos + jnp.concatenate([-second, first], -1) * sin

    def layer(x, own):
        y = norm(x, own['input_layernorm'])
        q, k, v = (jnp.einsum('btd,od->bto', y, own[f'self_attn.{part}_proj']) for part in 'qkv')
        q = turned(q.reshape(*q.shape[:2], heads, dim)).reshape(*q.shape[:2], keys, heads // keys, dim)
        k, v = turned(k.reshape(*k.shape[:2], keys, dim)), v.reshape(*v.shape[:2], keys, dim)
        scores = jnp.einsum('btghd,bsgd->bghts', q, k) / dim**0.5
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -jnp.inf)
        y = jnp.einsum('bghts,bsgd->btghd', jax.nn.softmax(scores, -1), v).reshape(*x.shape[:2], heads * dim)
        x = x + jnp.einsum('bto,do->btd', y, own['self_attn.o_proj'])
        y = norm(x, own['post_attention_layernorm'])
        gate, up = (jnp.einsum('btd,od->bto', y, own[f'mlp.{part}_proj']) for part in ('gate', 'up'))
        return x + jnp.einsum('bto,do->btd', jax.nn.silu(gate) * up, own['mlp.down_proj']), None

    own = {name.removeprefix(stack).removesuffix('.weight'): value for name, value in params.items() if name.startswith(stack)}
    x, _ = jax.lax.scan(layer, params['model.embed_tokens.weight'][tokens], own)
    logits = norm(x, params['model.norm.weight']) @ params['lm_head.weight'].T
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits, -1), labels[..., None], -1)
    return -jnp.mean(picked)


def frequencies(config, dim):
    """Angles of rotary positions per token, stretched as Llama 3.1's."""
    rates = config['rope_theta'] ** (-np.arange(0, dim, 2) / dim)
    given = config.get('rope_scaling')
    if not given:
        return rates
    original, low, high = (given[name] for name in ('original_max_position_embeddings', 'low_freq_factor', 'high_freq_factor'))
    share = np.clip((original * rates / (2 * np.pi) - low) / (high - low), 0, 1)
    return (1 - share) * rates / given['factor'] + share * rates


def by_jax(rank, port, job, folder):
    """The loss of sharded arguments, as process `rank` sees it."""
    import jax
    jax.config.update('jax_platforms', 'cpu')
    jax.config.update('jax_cpu_collectives_implementation', 'gloo')
    jax.distributed.initialize(f'127.0.0.1:{port}', PROCESSES, rank)
    exported = module(job / 'sharding.py')
    on = exported.mesh()
    config = json.loads((folder / 'hub' / 'config.json').read_text())
    values = dict(np.load(folder / 'params.npz'))
    data = np.load(folder / 'data.npz')

    def placed(value, spec):
        sharding = jax.sharding.NamedSharding(on, spec)
        return jax.make_array_from_callback(value.shape, sharding, lambda index: value[index])

    params = {name: placed(value, exported.SPECS[name]) for name, value in values.items()}
    for name, shape, _ in exported.ARGUMENTS:
        assert name not in values or values[name].shape == shape, name
    rows = exported.ARGUMENTS[-1][2]
    tokens, labels = (placed(data[name], rows) for name in ('tokens', 'labels'))
    loss = jax.jit(lambda *given: llama(config, *given))(params, tokens, labels)
    if rank == 0:
        (folder / 'loss').write_text(repr(float(loss)))
    jax.distributed.shutdown()


def executed(kind, job, folder):
    """The loss that four processes come to."""
    (folder / 'loss').unlink(missing_ok=True)
    port = free_port()
    code = f'import exports, pathlib, sys; exports.{kind}(int(sys.argv[1]), {port}, pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))'
    path = os.pathsep.join([str(ROOT / 'bench'), os.environ.get('PYTHONPATH', '')])
    env = {**os.environ, 'PYTHONPATH': path, 'OMP_NUM_THREADS': '1', 'JAX_PLATFORMS': 'cpu'}
    for name in ('RANK', 'WORLD_SIZE', 'MASTER_ADDR', 'MASTER_PORT', 'LOCAL_RANK'):
        env.pop(name, None)
    workers = [subprocess.Popen([sys.executable, '-c', code, str(rank), job, folder], env=env) for rank in range(PROCESSES)]
    codes = [worker.wait(timeout=300) for worker in workers]
    if any(codes):
        raise SystemExit(f'{kind}: processes ended with {codes}')
    return float((folder / 'loss').read_text())


def model_of(name, folder):
    """The configuration of a model: that of `stages` is Llama's with as many layers as four stages share."""
    if name != 'stages':
        return models.DATA / 'tiny' / f'{name}.json'
    config = json.loads((ROOT / 'tests' / 'data' / 'exports' / 'llama.json').read_text())
    path = folder / 'stages.json'
    path.write_text(json.dumps({**config, 'num_hidden_layers': 4}))
    return path


def parse_all(options, step, config, folder):
    """Gives all plans to all parsers but those that are left out; the targets that refused one, or that are named nowhere."""
    listed = subprocess.run([options.meshwright, 'export', '--to', 'list', '--json'], check=True, stdout=subprocess.PIPE).stdout
    failed, as_planned, nearest = [], 0, 0
    for target in (row['target'] for row in json.loads(listed)):
        if target in NOT_PARSED:
            print(f'{target}: not tried: {NOT_PARSED[target]}')
        elif target not in PARSERS:
            failed.append(target)
            print(f'{target}: neither tried nor named here')
    for target, parser in PARSERS.items():
        if target in options.without:
            print(f'{target}: left out')
            continue
        if target == 'megatron-lm':
            if options.megatron is None:
                failed.append(target)
                print('megatron-lm: not read by its parser, as no checkout is given (--megatron, or --without megatron-lm)')
                continue
            sys.path.insert(0, str(options.megatron))
        of_models = [(model_of(name, folder), None, plan) for name, plan, targets in OF_MODELS if target in targets]
        for step_of, sizes, plan in [(step, config, plan) for plan in PLANS] + of_models:
            job, changes = planned(options.meshwright, step_of, sizes, plan, target, folder)
            devices = int(np.prod([int(size) for size in plan[0].split(':')[1].split('x')]))
            label = f'{target:12} {plan[0]:9} {plan[1]:18} {" ".join(plan[2])}'
            if job is None:
                failed.append(f'{target} {plan[1]}')
                print(f'{label}: NOT WRITTEN: {changes}')
                continue
            try:
                parser(job, devices)
            except BaseException as error:  # parsers leave by SystemExit too
                failed.append(f'{target} {plan[1]}')
                print(f'{label}: REFUSED: {type(error).__name__}: {error}')
                continue
            as_planned, nearest = as_planned + (not changes), nearest + bool(changes)
            print(f'{label}: accepted' + (f' as nearest (instead of: {changes})' if changes else ''), flush=True)
    print(f'{as_planned} plans are accepted as they are, and {nearest} as what is nearest')
    return failed


def weights_of(name, options, folder):
    """The losses of both on weights of theirs, and on those after a step of ours; a module of `transformers` has them."""
    import torch
    import transformers
    config = models.DATA / 'tiny' / f'{name}.json'
    run = lambda *words: subprocess.run([options.meshwright, *map(str, words)], check=True, stdout=subprocess.PIPE, cwd=folder,
                                        stderr=subprocess.DEVNULL).stdout
    record = json.loads(run('model', config, '--seq', LENGTH, '--global-batch', BATCH, '--capacity-factor', models.CAPACITY,
                            '-o', 'loss.mlir', '--json'))
    arguments = record['data_arguments']
    data = {argument['name']: models.datum(argument) for argument in arguments}
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(transformers.AutoConfig.for_model(**json.loads(config.read_text())),
                                                          attn_implementation='eager').float().eval()
    model.save_pretrained(folder / 'hub', max_shard_size='20KB')

    def theirs(model):
        with torch.no_grad():
            logits = model(input_ids=torch.tensor(data['tokens']).long(), use_cache=False).logits
        return float(torch.nn.functional.cross_entropy(logits.double().flatten(0, -2),
                                                       torch.tensor(data['labels']).long().flatten()))

    def ours(hub, first):
        np.savez(folder / 'data.npz', **{f'arg{first + index}': value for index, value in enumerate(data.values())})
        run('eval', 'loss.mlir', '--weights', hub, '--inputs', 'data.npz', '--outputs', 'out.npz')
        return float(np.load(folder / 'out.npz')['out0'])

    count = len(record['parameter_arguments'])
    before = ours('hub', count), theirs(model)
    names = ','.join(argument['name'] for argument in record['parameter_arguments'])
    run('grad', 'loss.mlir', '--wrt', names, '--optimizer', 'adamw', '-o', 'step.mlir')
    run('compile', 'step.mlir', '--machine', 'cpu8:2', '--as', 'dp=2,zero=1', '--search', 'none', '-o', 'compiled')
    np.savez(folder / 'data.npz', **{f'arg{3 * count + 1 + index}': value for index, value in enumerate(data.values())})
    run('run', 'compiled', '--weights', 'hub', '--inputs', 'data.npz', '--save-weights', 'trained')
    trained, info = transformers.AutoModelForCausalLM.from_pretrained(folder / 'trained', attn_implementation='eager',
                                                                      dtype=torch.float32, output_loading_info=True)
    wrong = {key: value for key, value in info.items() if value}
    assert not wrong, wrong
    files = len(list((folder / 'hub').glob('*.safetensors')))
    return files, before, (ours('trained', count), theirs(trained.eval()))


def weights(options):
    """Families whose weights do not come to the same loss."""
    failed = []
    for name in ('llama', 'gpt2', 'gpt_neox', 'qwen3', 'gemma2', 'mixtral', 'phi3', 'mamba2'):
        with tempfile.TemporaryDirectory() as folder:
            files, *pairs = weights_of(name, options, pathlib.Path(folder))
        errors = [abs(own - other) / abs(other) for own, other in pairs]
        print(f'weights  {name:9} {files:3} files', *(f'{own:.7f} {other:.7f} {error:.1e}' for (own, other), error in
                                                      zip(pairs, errors)), flush=True)
        if not max(errors) <= TOLERANCE:
            failed.append(f'weights of {name}')
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--meshwright', type=pathlib.Path, default=ROOT / 'target' / 'debug' / 'meshwright')
    parser.add_argument('--megatron', type=pathlib.Path)
    parser.add_argument('--only', choices=['parsers', 'torch', 'jax', 'weights'])
    parser.add_argument('--without', action='append', default=[], choices=[*PARSERS, 'pytorch', 'jax'], metavar='TARGET',
                        help='a target that is left out, such as one whose parser is not there')
    options = parser.parse_args()
    options.meshwright = options.meshwright.resolve()
    config = ROOT / 'tests' / 'data' / 'exports' / 'llama.json'
    failed = weights(options) if options.only in (None, 'weights') else []
    if options.only == 'weights':
        sys.exit(f'these failed: {", ".join(failed)}' if failed else 0)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        models.SEQUENCES = BATCH
        own, _, _, checkpoint, data = models.ours(options.meshwright, config, LENGTH, folder)
        from safetensors.numpy import save_file
        (folder / 'hub').mkdir()
        (folder / 'hub' / 'config.json').write_text(config.read_text())
        save_file(checkpoint, folder / 'hub' / 'model.safetensors', metadata={'format': 'pt'})
        np.savez(folder / 'data.npz', **data)
        loss, step = folder / 'step.mlir', folder / 'training.mlir'
        record = json.loads(subprocess.run([options.meshwright, 'model', config, '--seq', str(LENGTH), '--global-batch',
                                            str(BATCH), '--json'], check=True, stdout=subprocess.PIPE).stdout)
        arguments = record['parameter_arguments']
        stacks = {argument['name']: array for argument, (_, array) in zip(arguments, models.filled(arguments))}
        np.savez(folder / 'params.npz', **stacks)
        subprocess.run([options.meshwright, 'grad', loss, '--wrt', 'model*,lm_head*', '--optimizer', 'adamw', '-o', step],
                       check=True)
        if options.only in (None, 'parsers'):
            failed += parse_all(options, step, config, folder)
        for kind, target in (('by_torch', 'pytorch'), ('by_jax', 'jax')):
            if options.only not in (None, kind[3:]) or target in options.without:
                continue
            for plan in EXECUTED:
                job, changes = planned(options.meshwright, step, config, plan, target, folder)
                if job is None:
                    failed.append(f'{target} {plan[1]}')
                    print(f'{target:8} {plan[1]:18}: NOT WRITTEN: {changes}')
                    continue
                other = executed(kind, job, folder)
                error = abs(other - own) / abs(own)
                print(f'{target:8} {plan[1]:18} {own:.8f} {other:.8f} {error:.1e}', flush=True)
                if not error <= TOLERANCE:
                    failed.append(f'{target} {plan[1]}')
    sys.exit(f'these failed: {", ".join(failed)}' if failed else 0)


if __name__ == '__main__':
    main()
