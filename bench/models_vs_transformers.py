"""Losses of models beside those of their own authors: tiny configurations of each family, with weights that are drawn
from the names of tensors, as a program by `meshwright model` and as a module by `transformers`.

    python3 -m venv env && env/bin/pip install torch transformers safetensors numpy
    env/bin/python bench/models_vs_transformers.py --meshwright target/debug/meshwright [NAME ...] [--record]

Input: `tests/data/models/tiny/NAME.json`. Output: a line for each with both losses and how far they differ relatively,
which is an error above 1e-5; with `--record`, those of `transformers` go to `tests/data/models/losses.json`, with which
`cargo test -p meshwright-models` compares the programs. The weights are loaded by their names in the checkpoint
(`from_pretrained`), so names are proven too.
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


def filled(arguments):
    """For each argument the tensors of the checkpoint that it is made of, by name, and what it has of them."""
    ends = {}
    for pattern, part in (place(argument['name']) for argument in arguments):
        ends[pattern] = max(ends.get(pattern, 0), part[2] if part else 0)
    for argument in arguments:
        pattern, part = place(argument['name'])
        shape = list(argument['shape'][pattern.count('{'):])
        if part:
            shape[part[0]] = ends[pattern]
        whole = {name: weight(name, shape) for name in names(pattern)}
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
    """The loss of the program, its parameters as tensors of the checkpoint, and its data."""
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
    subprocess.run([meshwright, 'eval', folder / 'step.mlir', '--inputs', folder / 'in.npz', '--outputs',
                    folder / 'out.npz'], check=True, stdout=subprocess.DEVNULL)
    return float(np.load(folder / 'out.npz')['out0']), checkpoint, data


def theirs(config, checkpoint, data, folder):
    """The loss of the module with the same weights."""
    import torch
    import transformers
    from safetensors.numpy import save_file
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
    with torch.no_grad():
        logits = model(**{given[name]: torch.tensor(array).long() if array.dtype == np.int32 else torch.tensor(array)
                          for name, array in data.items() if name != 'labels'}).logits
    labels = torch.tensor(data['labels']).long()
    return float(torch.nn.functional.cross_entropy(logits.double().flatten(0, -2), labels.flatten()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('names', nargs='*')
    parser.add_argument('--meshwright', default=ROOT / 'target' / 'debug' / 'meshwright')
    parser.add_argument('--record', action='store_true')
    options = parser.parse_args()
    path = DATA / 'losses.json'
    losses = json.loads(path.read_text()) if path.exists() else {}
    found = sorted(DATA.glob('tiny/*.json'))
    failed = []
    for config in found:
        if options.names and config.stem not in options.names:
            continue
        length = 17 if config.stem == 'vit' else 16  # parts of an image and the token of its class
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            own, checkpoint, data = ours(options.meshwright, config, length, folder)
            other = theirs(config, checkpoint, data, folder)
        error = abs(own - other) / abs(other)
        print(f'{config.stem:24} {own:.7f} {other:.7f} {error:.1e}', flush=True)
        if not error <= 1e-5:
            failed.append(config.stem)
        losses[config.stem] = {'sequence': length, 'loss': other}
    if options.record and not failed:
        path.write_text(json.dumps(losses, indent=1, sort_keys=True) + '\n')
    sys.exit(f'these differ: {", ".join(failed)}' if failed else 0)


if __name__ == '__main__':
    main()
