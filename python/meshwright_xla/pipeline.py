"""A step that is several programs: groups of devices run those of their stages and phases, and hand values to one another.

Input: the job, whose `events` are what all groups do, in one order of which the row of each group is a part. A process
launches what its groups take part in, in that order and from one thread, and waits only behind the last: devices and
collectives keep to the order in which they are asked. Where updates are validated behind them, the first events of the next
step are launched before that (`ahead`), and dropped if an update has to be made again. What nobody reads any more is given up at once.
"""
import pathlib
import re

import jax
import numpy as np

from . import memories, shards, xla_client
from .ahead import Parts, phase_of
from .state import Devices
from .transfers import Transfers
from .whole import fed_back, shown


def unchanged_by(reduction, dtype):
    """What changes nothing when it is put together with anything."""
    if reduction in ("sum", "or"):
        return np.zeros((), dtype)
    if reduction in ("product", "and"):
        return np.ones((), dtype) if reduction == "product" or dtype == bool else np.asarray(~np.zeros((), dtype))
    if dtype == bool:
        return np.asarray(reduction == "min")
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.asarray(limits.max if reduction == "min" else limits.min, dtype)
    return np.asarray(np.inf if reduction == "min" else -np.inf, dtype)


class Group:
    """A group of devices: what it runs and what it keeps, as this process has it."""

    def __init__(self, number, manifest, all_devices, process):
        described = manifest["groups"][number]
        numbers = sorted(device for group in manifest["groups"] for device in group["devices"])
        places = [numbers.index(device) for device in described["devices"]]
        self.devices = Devices(described, [all_devices[place] for place in places], process, places)
        is_run = {str(stage) for stage, group in enumerate(manifest["stages"]) if group == number}
        self.programs = {p["program"]: Program(p) for p in manifest["programs"] if stage_of(p["program"]) in is_run}
        self._slots = {}
        for program in self.programs.values():
            for (kind, which), described in program.takes + program.gives:
                self._slots.setdefault(kind, {}).setdefault((which, form(described)), described)
        # What is kept, by value and microbatch, and the arguments of the step, by part and form.
        self.held, self.arguments = {}, {}
        # Whether the optimistic update of each stage stands, on each device.
        self.valid = {}
        self._begin, self._sums, self.uses_host = None, [], False

    def slots(self, kind):
        """Slots of a kind that its programs take or give: name and description, each form once."""
        return [(which, described) for (which, _), described in self._slots.get(kind, {}).items()]

    def described(self, value):
        """How its devices hold a value."""
        found = [*self.slots("stash"), *self.slots("received"), *self.slots("accumulator")]
        return next(described for name, described in found if name == value)

    def forms(self, index):
        """The parts of an argument of the step that its programs take, each in its forms."""
        return [(part, described) for part, described in self.slots("argument") if part[0] == index]

    def compile(self, files, accumulators):
        """Compiles its programs, and the one that begins its accumulators."""
        for name, program in self.programs.items():
            text = pathlib.Path(files[name]["path"]).read_text()
            self.uses_host |= memories.is_used(text)
            program.executable = xla_client.load_local(text, self.devices.all, files[name]["is_partitioned"])
        # An accumulator of another group is handed over as a whole.
        own = [(name, described) for name, described in self.slots("accumulator") if self._gathers(name)]
        self._sums = [name for name, _ in own]
        beginnings = []
        for name, described in own:
            dtype = shards.element_type(described["element"])
            beginnings.append((shards.local_shape(self.devices.mesh, described), unchanged_by(accumulators[name], dtype)))
        if beginnings:
            whole = jax.jit(lambda: tuple(jax.numpy.full(shape, value, value.dtype) for shape, value in beginnings))
            self._begin = xla_client.load_local(whole.lower().as_text(), self.devices.all)

    def _gathers(self, name):
        """Whether its programs add to an accumulator."""
        return any(("accumulator", name) in program.given for program in self.programs.values())

    def begin(self):
        """Begins a step, or goes on with one whose first events were launched: nothing is gathered yet."""
        if self._begin is not None:
            for name, parts in zip(self._sums, xla_client.launch(self._begin, [])):
                self.held[name, None] = Value(parts)

    def place(self, part, described, part_of):
        """Puts an argument of the step, or layers of it, on its devices."""
        self.arguments[part, form(described)] = Value(None, self.devices.place(described, part_of))

    def run(self, name, microbatch, frees, results):
        """Launches a program; results of the step are put with the others."""
        program, taken = self.programs[name], []
        if phase_of(name) == "R" and self.is_valid(name):
            for key in map(tuple, frees):
                self.held.pop(key, None)
            return
        for (kind, which), described in program.takes:
            if kind == "argument":
                value = self.arguments[which, form(described)]
            elif kind == "microbatch":
                value = self.number(microbatch)
            else:
                value = self.held.get((which, microbatch)) or self.held[which, None]
            taken.append(value.whole(self.devices.all))
        for key in map(tuple, frees):
            self.held.pop(key, None)
        for slot, _ in program.takes:
            if slot in program.given:
                self.held.pop((slot[1], None), None)
        given = xla_client.launch(program.executable, taken)
        for ((kind, which), _), parts in zip(program.gives, given):
            if kind == "result":
                results[which] = parts
            elif kind == "valid":
                self.valid[stage_of(name)] = parts
            else:
                self.held[which, None if kind == "accumulator" else microbatch] = Value(parts)

    def is_valid(self, name):
        """Whether the optimistic update of a program's stage stands."""
        return bool(np.asarray(self.valid[stage_of(name)][0]))

    def number(self, microbatch):
        """The number of a microbatch on all devices."""
        key = "microbatch", microbatch
        if key not in self.arguments:
            each = [np.int32(microbatch)] * len(self.devices.own)
            self.arguments[key] = Value(None, xla_client.place(each, self.devices.all))
        return self.arguments[key]

    def bytes(self):
        """Bytes that a device keeps between programs."""
        return sum(value.bytes() for value in (*self.held.values(), *self.arguments.values()))


class Program:
    """The program of a stage and phase, with what it takes and gives: slots, and their descriptions."""

    def __init__(self, described):
        self.takes = [(slot_of(d["slot"]), d) for d in described["takes"]]
        self.gives = [(slot_of(d["slot"]), d) for d in described["gives"]]
        self.given = {slot for slot, _ in self.gives}
        self.executable = None


class Value:
    """What this process's devices have of a value: parts, and the array that they are for programs."""

    def __init__(self, parts, whole=None):
        self.parts = parts or [shard.data for shard in sorted(whole.addressable_shards, key=lambda s: s.device.id)]
        self._whole = whole

    def whole(self, on):
        """As programs on these devices take it."""
        if self._whole is None:
            self._whole = xla_client.gather_up(self.parts, on)
        return self._whole

    def bytes(self):
        """Bytes on one device."""
        return self.parts[0].nbytes


def slot_of(text):
    """A slot of a manifest: its kind, and what it names. Of an argument or a result of the step that is its number, and the
    first and the end of its layers if they are some of a stack: `argument 3[5]`, `argument 3[4..8]`."""
    kind, _, which = text.partition(" ")
    if kind not in ("argument", "result"):
        return kind, which
    index, _, layers = which.rstrip("]").partition("[")
    first, _, end = layers.partition("..")
    return kind, (int(index), (int(first), int(end or int(first) + 1)) if layers else None)


def name_of(kind, part):
    """The text of a slot of an argument or a result."""
    index, layers = part
    if layers is None:
        return f"{kind} {index}"
    first, end = layers
    return f"{kind} {index}[{first}]" if end == first + 1 else f"{kind} {index}[{first}..{end}]"


def in_order(part):
    """A key that sorts arguments or results, and layers of them."""
    index, layers = part
    return index, layers or (0, 0)


def in_stack(slices, layers):
    """Where in a stack what lies in slices of some of its layers is."""
    if layers is None:
        return slices
    first, *others = slices
    return (slice(layers[0] + first.start, layers[0] + first.stop), *others)


def form(described):
    """How devices hold an array, to be compared."""
    return repr([described.get(key) for key in ("sharding", "unreduced", "device_ids", "memory")])


def stage_of(program):
    """The stage of a program such as `12F`, as text."""
    return re.match(r"\d+", program)[0]


class Pipeline:
    """The programs of a job on the groups of which this process has devices."""

    def __init__(self, job, all_devices, process):
        self._manifest = manifest = job["manifest"]
        self._files = {p["program"]: file for p, file in zip(manifest["programs"], job["programs"], strict=True)}
        self._groups = [Group(number, manifest, all_devices, process) for number in range(len(manifest["groups"]))]
        self._own = {number: group for number, group in enumerate(self._groups) if group.devices.own}
        self._transfers = Transfers([group.devices for group in self._groups], job.get("ways", ()))
        # Numbers of this process's devices.
        self.own = sorted(group.devices.names[at] for group in self._own.values() for at in group.devices.own)
        # Group and description of each result of the step, or of each part of one.
        self._given = {
            result: (number, described)
            for number, group in enumerate(self._groups) for result, described in group.slots("result")
        }
        parts = Parts(job["events"], manifest)
        own = [[event for event in part if self._concerns(event)] for part in (parts.head, parts.body, parts.tail)]
        self._head, self._body, self._tail = own
        self._events, given_late = sum(own, []), parts.given_late
        # What there is to launch in a step.
        self.num_events = len(self._events)
        self._fed_back = list(self._feedback())
        # Those that are there before an update is validated, and the others.
        self._early = [fed for fed in self._fed_back if name_of("result", fed[1]) not in given_late]
        self._late = [fed for fed in self._fed_back if name_of("result", fed[1]) in given_late]
        # Whether the first events of the step that comes next have been launched.
        self._is_begun = False
        self._results, self._peaks = {}, None

    def compile(self):
        """Makes the programs of its groups ready, and the transfers that they take part in."""
        for group in self._own.values():
            group.compile(self._files, self._manifest.get("accumulators", {}))
        for event in self._events:
            if "value" in event:
                described = self._groups[event["source"]].described(event["value"])
                self._transfers.prepare(event["value"], described, event["source"], event["target"])
        for _, result, source, target in self._fed_back:
            if source != target:
                self._transfers.prepare(name_of("result", result), self._given[result][1], source, target)

    def placed(self):
        """Bytes on devices and hosts; groups say what they need (`memory`)."""
        return None

    @property
    def uses_host(self):
        """Whether its programs keep something on the host."""
        return any(group.uses_host for group in self._own.values())

    def takes(self, index):
        """Whether devices of this process need an argument."""
        return any(group.forms(index) for group in self._own.values())

    def place(self, index, part_of):
        """Puts an argument on the devices; `part_of` gives the part that lies in slices."""
        for group in self._own.values():
            for part, described in group.forms(index):
                group.place(part, described, lambda slices, layers=part[1]: part_of(in_stack(slices, layers)))

    def run(self, line, bring_next=None):
        """Runs a step, waits for it, and feeds its results back; tells how much is still to be launched. If there is a next
        step, `bring_next` places what it is given."""
        self._results = {}
        is_first = self._peaks is None
        if is_first:
            self._peaks = dict.fromkeys(self._own, 0)
        for group in self._own.values():
            group.held = group.held if self._is_begun else {}
            group.begin()
        line.left = self.num_events
        self._launch([] if self._is_begun else self._head, line, is_first)
        self._launch(self._body, line, is_first)
        self._is_begun = False
        before = {number: dict(group.arguments) for number, group in self._own.items()}
        self._feed_back(self._early)
        if self._tail:
            self._validate(line, before, bring_next, is_first)
        line.left = 0
        kept = (value.parts for group in self._own.values() for value in group.arguments.values())
        xla_client.wait_for_all([list(self._results.values()), list(kept)])

    def _validate(self, line, before, bring_next, is_first):
        """Begins the next step with the optimistic update, then validates that, and makes it again where it does not stand;
        `before` are the arguments that it was made from."""
        held = {number: group.held for number, group in self._own.items()}
        for group in self._own.values():
            group.held = {}
        if bring_next is not None:
            bring_next()
            # What it makes is no result of this step.
            self._launch(self._head, line, False)
            self._is_begun = True
        begun = {number: (group.held, group.arguments) for number, group in self._own.items()}
        for number, group in self._own.items():
            group.held, group.arguments = held[number], before[number]
        self._launch(self._tail, line, is_first)
        stands = all(group.is_valid(name) for group in self._own.values() for name in group.programs if phase_of(name) == "V")
        for number, group in self._own.items():
            group.held, group.arguments = begun[number]
            if not stands:
                group.held = {}
        self._is_begun &= stands
        self._feed_back(self._late if stands else self._early + self._late)

    def _launch(self, events, line, is_first):
        for event in events:
            if "program" in event:
                self._act(event, is_first)
            else:
                self._hand(event)
            line.left = max(line.left - 1, 0)

    def _feed_back(self, among):
        """Makes results the arguments of the next step."""
        for index, result, source, target in among:
            parts, described = self._results.get(result), self._given[result][1]
            if source != target:
                parts = self._transfers.hand(name_of("result", result), described, source, target, parts)
            if target in self._own:
                for part, own in self._own[target].forms(index[0]):
                    if part == index:
                        self._own[target].arguments[part, form(own)] = Value(parts)

    def scalars(self):
        """Results of the step to be shown that this process has, by number."""
        there = [index for index in shown(self._manifest) if (index, None) in self._results]
        return {index: np.asarray(self._results[index, None][0]) for index in there
                if not self._given[index, None][1].get("unreduced")}

    def memory(self):
        """The most bytes that a device of each group needed at once, by number of the group."""
        return {number: self._measured(number) or peak for number, peak in (self._peaks or {}).items()}

    def write_results(self, folder):
        """Writes the shards of all results that this process owns. What was written, by name."""
        return self._write(folder, {index: (f"out{index}", d) for index, d in enumerate(self._manifest["results"])})

    def write_state(self, folder):
        """Writes the shards of the state that this process owns. What was written, by name."""
        arguments = self._manifest["arguments"]
        return self._write(folder, {result: (f"arg{index}", arguments[index]) for index, result in fed_back(self._manifest)})

    def _write(self, folder, names):
        """Writes the results that have names, those of which there are layers part by part."""
        written = {}
        for index, layers in sorted(self._results, key=in_order):
            if index not in names:
                continue
            (name, whole), (number, held) = names[index], self._given[index, layers]
            file = name if layers is None else f"{name}.{layers[0]}"
            described = {**whole, **held}
            part = self._own[number].devices.write(folder, file, described, self._results[index, layers])
            array = written.setdefault(name, {**part, "shape": whole["shape"], "shards": []})
            for shard in part["shards"]:
                start = shard["start"]
                array["shards"].append({**shard, "start": start if layers is None else [layers[0] + start[0], *start[1:]]})
        return written

    def _concerns(self, event):
        """Whether this process has part in an event."""
        if "program" in event:
            return event["group"] in self._own
        return self._transfers.is_own(event["source"], event["target"])

    def _feedback(self):
        """What comes back as an argument: argument and result, each a whole or layers, the group that has it, and one that
        wants it."""
        for index, result in fed_back(self._manifest):
            for target, group in enumerate(self._groups):
                for part in sorted({part for part, _ in group.forms(index)}, key=in_order):
                    given = result, part[1]
                    source, _ = self._given[given]
                    if target == source or self._transfers.is_own(source, target):
                        yield part, given, source, target

    def _act(self, event, is_first):
        group = self._own[event["group"]]
        before = group.bytes() if is_first else 0
        group.run(event["program"], event["microbatch"], event["frees"], self._results)
        if is_first:
            needed = before + xla_client.bytes_of_run(group.programs[event["program"]].executable)
            self._peaks[event["group"]] = max(self._peaks[event["group"]], needed)

    def _hand(self, event):
        value, source, target = event["value"], event["source"], event["target"]
        key, described = (value, event["microbatch"]), self._groups[source].described(value)
        parts = self._own[source].held[key].parts if source in self._own else []
        parts = self._transfers.hand(value, described, source, target, parts)
        if source in self._own:
            for freed in map(tuple, event["frees"]):
                self._own[source].held.pop(freed, None)
        if target in self._own:
            self._own[target].held[key] = Value(parts)

    def _measured(self, number):
        """The most bytes that the devices of a group say they had; nothing where they do not."""
        group = self._own[number].devices
        stats = [group.all[at].memory_stats() or {} for at in group.own]
        return max((own.get("peak_bytes_in_use", 0) for own in stats), default=0)
