"""What a worker's devices hold: arguments read shard by shard, results fed back and written shard by shard."""
import numpy as np

from . import shards, store, xla_client


def num_devices(manifest):
    """How many devices a manifest speaks of: of one program, or of programs for groups of devices."""
    return sum(len(group["devices"]) for group in manifest["groups"]) if "groups" in manifest else manifest["num_devices"]


class Devices:
    """The devices of a mesh, and those of them that are this process's. `manifest` says what the mesh is; `numbers` are
    those that all devices of the program have, if these are not all."""

    def __init__(self, manifest, all_devices, process, numbers=None):
        self.mesh, self.all = manifest["mesh"], all_devices
        self.names = list(numbers or range(len(all_devices)))
        places = manifest.get("device_ids") or range(len(all_devices))
        # The position in the mesh of each device number.
        self.positions = {number: position for position, number in enumerate(places)}
        self.own = [number for number, device in enumerate(all_devices) if device.process_index == process]

    def position(self, described, number):
        """The position in the mesh of the device with a number; an array may list the devices in an order of its own."""
        own = described.get("device_ids")
        return own.index(number) if own else self.positions[number]

    def slices(self, described, number):
        """The part of an array that a device holds, without padding."""
        return shards.device_slices(self.mesh, described, self.position(described, number))

    def is_first(self, described, number):
        """Whether a device is the first of those that contribute to the same shard of a sum."""
        return shards.index_along(self.mesh, described.get("unreduced", []), self.position(described, number))[0] == 0

    def place(self, described, part_of):
        """Puts an argument on this process's devices; `part_of` gives the part that lies in slices. Devices that hold
        the same part share it on the way."""
        local, parts, placed = shards.local_shape(self.mesh, described), {}, []
        for number in self.own:
            slices = self.slices(described, number)
            key = tuple((s.start, s.stop) for s in slices)
            if key not in parts:
                parts[key] = shards.padded(part_of(slices), local)
            part = parts[key]
            placed.append(part if self.is_first(described, number) else np.zeros_like(part))
        return xla_client.place(placed, self.all, described.get("memory"))

    def owners(self, described):
        """The devices of this process that write an array: of those that hold one part, the first; of a sum, all that
        contribute."""
        seen, owners = {}, []
        for number in range(len(self.all)):
            slices = self.slices(described, number)
            key = tuple((s.start, s.stop) for s in slices)
            if described.get("unreduced"):
                key += (shards.index_along(self.mesh, described["unreduced"], self.position(described, number))[0],)
            empty = any(s.start == s.stop < size for s, size in zip(slices, described["shape"]))
            if seen.setdefault(key, number) == number and not empty and number in self.own:
                owners.append((number, slices))
        return owners

    def write(self, folder, name, described, copies):
        """Writes the shards of one array that this process owns. `copies` are what its devices hold, in their order."""
        written = []
        for number, slices in self.owners(described):
            shape = [s.stop - s.start for s in slices]
            array = np.asarray(copies[self.own.index(number)])[tuple(slice(size) for size in shape)]
            file = f"{name}.{self.names[number]}.npy"
            checksum = store.write_shard(folder, file, array)
            start = [s.start for s in slices]
            written.append({"file": file, "start": start, "shape": shape, "crc32": checksum})
        kept = {key: described[key] for key in ("name", "shape", "element") if key in described}
        if described.get("unreduced"):
            kept["combine"] = "sum"
        return {**kept, "shards": written}
