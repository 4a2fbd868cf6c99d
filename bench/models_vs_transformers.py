"""Losses and gradients of models beside those of their own authors: tiny configurations of each family, with weights that
are drawn from the names of tensors, as a program by `meshwright model` and `meshwright grad` and as a module by `transformers`.

    python3 -m venv env && env/bin/pip install torch transformers safetensors numpy
    env/bin/python bench/models_vs_transformers.py --meshwright target/debug/meshwright [NAME ...] [--record]

Input: `tests/data/models/tiny/NAME.json`. Output: a line for each with both losses and how far they differ relatively,
which is an error above 1e-5, and how far the gradient that differs most does, relative to its norm, which is one above
1e-4; with `--record`, those of `transformers` go to `losses.json` and `gradients.json` of `tests/data/models` (of each
argument the norm and some elements), with which `cargo test -p meshwright-models` compares the programs. The weights are
loaded by their names in the checkpoint (`from_pretrained`), and gradients saved by them (`save_pretrained`), so names are
proven too.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / 'tests' / 'data' / 'models'
SEQUENCES = 2
SAMPLES = 4  # elements of each gradient that are recorded
CAPACITY = 1000  # every expert has a place for every token, as the authors' modules drop none


def drawn(name, count):
    """`count` numbers in -0.5..0.5 that follow from a name: FNV-1a of the name, mixed with each position."""
    seed = 2166136261
    for byte in name.encode():
        seed = (seed ^ byte) * 16777619 & 0xFFFFFFFF
    x = np.arange(count, dtype=np.uint64) * 2654435761 + seed & 0xFFFFFFFF
    x ^= x >> 16
    x = x * 2246822519 & 0xFFFFFFFF
    x ^= x >> 13
    return x.astype(np.float64) / 2.0**32 - 0.5


def weight(name, shape):
    """A tensor of the checkpoint: matrices of about unit gain, biases small, weights of norms around one."""
    values = drawn(name, int(np.prod(shape)))
    if len(shape) > 1:
        values = 0.6 * values
    elif name.endswith('bias'):
        values = 0.2 * values
    else:
        values = 1.0 + 0.4 * values
    return values.astype(np.float32).reshape(shape)


def names(pattern):
    """All names that one with braces stands for, in order: `a.{0..3}.b.{1..5..2}`."""
    found = re.search(r'\{(\d+)\.\.(\d+)(?:\.\.(\d+))?\}', pattern)
    if not found:
        return [pattern]
    first, last, step = (int(part or 1) for part in found.groups())
    return [name for number in range(first, last + 1, step)
            for name in names(pattern[:found.start()] + str(number) + pattern[found.end():])]


def place(name):
    """The name of a tensor and the place of a part of it: `w(:,0:64:2)` has every second of the first 64 along its second dim."""
    found = re.fullmatch(r'(.*)\(((?::,)*)(\d+):(\d+)(?::(\d+))?\)', name)
    if not found:
        return name, None
    return found[1], (found[2].count(','), *(int(number or 1) for number in found.groups()[2:]))


def filled(arguments, tensor=weight):
    """For each argument the tensors of the checkpoint that it is made of, by name, and what it has of them. `tensor` makes one
    of its name and shape."""
    ends = {}
    for pattern, part in (place(argument['name']) for argument in arguments):
        ends[pattern] = max(ends.get(pattern, 0), part[2] if part else 0)
    for argument in arguments:
        pattern, part = place(argument['name'])
        shape = list(argument['shape'][pattern.count('{'):])
        if part:
            shape[part[0]] = ends[pattern]
        whole = {name: tensor(name, shape) for name in names(pattern)}
        cut = (np.s_[:],) * part[0] + (np.s_[part[1]:part[2]:part[3]],) if part else np.s_[:]
        yield whole, np.stack([array[cut] for array in whole.values()]).reshape(argument['shape'])


def datum(argument):
    values = drawn(argument['name'], int(np.prod(argument['shape'])))
    if 'below' in argument:
        values = np.floor((values + 0.5) * argument['below']).astype(np.int32)
    else:
        values = values.astype(np.float32)
    return values.reshape(argument['shape'])


def ours(meshwright, config, length, folder, extra=()):
    """The loss of the program, the gradients by its parameters, these arguments, the same as tensors of the checkpoint, and
    its data."""
    command = [meshwright, 'model', config, '--seq', str(length), '--global-batch', str(SEQUENCES), '--capacity-factor',
               str(CAPACITY), '--json', '-o', folder / 'step.mlir', *extra]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    record = json.loads(text)
    checkpoint, arrays = {}, []
    for whole, array in filled(record['parameter_arguments']):
        checkpoint.update(whole)
        arrays.append(array)
    data = {argument['name']: datum(argument) for argument in record['data_arguments']}
    arrays += data.values()
    np.savez(folder / 'in.npz', **{f'arg{index}': array for index, array in enumerate(arrays)})
    count = len(record['parameter_arguments'])
    wrt = ','.join(f'arg{index}' for index in range(count))
    subprocess.run([meshwright, 'grad', folder / 'step.mlir', '--wrt', wrt, '--promise-in-bounds', '-o',
                    folder / 'grad.mlir'], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([meshwright, 'eval', folder / 'grad.mlir', '--inputs', folder / 'in.npz', '--outputs',
                    folder / 'out.npz'], check=True, stdout=subprocess.DEVNULL)
    found = np.load(folder / 'out.npz')
    gradients = [found[f'out{index + 1}'] for index in range(count)]
    return float(found['out0']), gradients, record['parameter_arguments'], checkpoint, data


def theirs(config, checkpoint, data, folder):
    """The loss of the module with the same weights, and its gradients by the names of tensors in the checkpoint."""
    import torch
    import transformers
    from safetensors.numpy import load_file, save_file
    (folder / 'hub').mkdir()
    (folder / 'hub' / 'config.json').write_text(config.read_text())
    save_file(checkpoint, folder / 'hub' / 'model.safetensors', metadata={'format': 'pt'})
    auto = {'bert': 'BertForMaskedLM', 't5': 'T5ForConditionalGeneration', 'vit': 'ViTForImageClassification',
            'whisper': 'WhisperForConditionalGeneration'}
    kind = json.loads(config.read_text())['model_type']
    cls = getattr(transformers, auto.get(kind, 'AutoModelForCausalLM'))
    model, info = cls.from_pretrained(folder / 'hub', attn_implementation='eager', dtype=torch.float32,
                                      output_loading_info=True)
    wrong = {key: value for key, value in info.items() if value}
    if wrong:
        raise SystemExit(f'{config.name}: {wrong}')
    given = {'tokens': 'input_ids', 'decoder_tokens': 'decoder_input_ids', 'pixels': 'pixel_values',
             'features': 'input_features', 'token_types': 'token_type_ids'}
    model.eval()
    logits = model(**{given[name]: torch.tensor(array).long() if array.dtype == np.int32 else torch.tensor(array)
                      for name, array in data.items() if name != 'labels'}).logits
    labels = torch.tensor(data['labels']).long()
    loss = torch.nn.functional.cross_entropy(logits.double().flatten(0, -2), labels.flatten())
    loss.backward()
    # What is saved in the place of parameters is named as they are, and taken apart where the module keeps several as one.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.zeros_like(parameter) if parameter.grad is None else parameter.grad)
        for buffer in model.buffers():
            buffer.zero_()
    model.save_pretrained(folder / 'gradients')
    return float(loss.detach()), load_file(folder / 'gradients' / 'model.safetensors')


def sampled(name, gradient):
    """What is recorded of the gradient by an argument."""
    flat = gradient.astype(np.float64).flatten()
    places = np.floor((drawn('gradient ' + name, SAMPLES) + 0.5) * flat.size).astype(int)
    digits = lambda number: float(f'{number:.8e}')
    return {'norm': digits(np.linalg.norm(flat)), 'elements': {str(place): digits(flat[place]) for place in places}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('names', nargs='*')
    parser.add_argument('--meshwright', default=ROOT / 'target' / 'debug' / 'meshwright')
    parser.add_argument('--record', action='store_true')
    options = parser.parse_args()
    paths = [DATA / name for name in ('losses.json', 'gradients.json')]
    losses, gradients = (json.loads(path.read_text()) if path.exists() else {} for path in paths)
    found = sorted(DATA.glob('tiny/*.json'))
    failed = []
    for config in found:
        if options.names and config.stem not in options.names:
            continue
        length = 17 if config.stem == 'vit' else 16  # parts of an image and the token of its class
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            own, own_gradients, arguments, checkpoint, data = ours(options.meshwright, config, length, folder)
            other, by_name = theirs(config, checkpoint, data, folder)
        others = [array for _, array in filled(arguments, lambda name, shape: by_name[name].reshape(shape))]
        error = abs(own - other) / abs(other)
        apart = {argument['name']: np.linalg.norm(one - two) / max(np.linalg.norm(two), 1e-12)
                 for argument, one, two in zip(arguments, own_gradients, others)}
        # A norm of rounding alone has no digits.
        largest = max(np.linalg.norm(two) for two in others)
        apart = {name: away for (name, away), two in zip(apart.items(), others) if np.linalg.norm(two) > 1e-6 * largest}
        worst = max(apart, key=apart.get)
        print(f'{config.stem:24} {own:.7f} {other:.7f} {error:.1e} {apart[worst]:.1e} {worst}', flush=True)
        if not (error <= 1e-5 and apart[worst] <= 1e-4):
            failed.append(config.stem)
        losses[config.stem] = {'sequence': length, 'loss': other}
        gradients[config.stem] = {argument['name']: sampled(argument['name'], array)
                                  for argument, array in zip(arguments, others)}
    if options.record and not failed:
        for path, recorded in zip(paths, (losses, gradients)):
            path.write_text(json.dumps(recorded, indent=1, sort_keys=True) + '\n')
    sys.exit(f'these differ: {", ".join(failed)}' if failed else 0)


if __name__ == '__main__':
    main()
