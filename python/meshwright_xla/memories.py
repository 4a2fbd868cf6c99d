"""Memory of the host in programs, and what becomes of it where devices know none.

A program says which arguments and results lie on the host (`mhlo.memory_kind`), and where a value goes there or comes back
(`annotate_device_placement`). Where a platform runs that, it is left as it is; where it does not, `in_one` takes it out:
what is computed is the same, and all of it lies on the devices.

    %d = annotate_device_placement %m {device}   becomes   %m in all that reads %d
"""
import functools

HOST = "pinned_host"
KINDS = ("mhlo.memory_kind", "jax.memory_kind")
ANNOTATION = "annotate_device_placement"

# A value that comes from the host, and goes back.
PROBE = f"""func.func @main(%arg0: tensor<2xf32> {{mhlo.memory_kind = "{HOST}"}}) -> (tensor<2xf32> {{mhlo.memory_kind = "{HOST}"}}) {{
  %0 = stablehlo.custom_call @{ANNOTATION}(%arg0) {{has_side_effect = true, mhlo.frontend_attributes = {{_xla_buffer_placement = "device"}}}} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  %2 = stablehlo.custom_call @{ANNOTATION}(%1) {{has_side_effect = true, mhlo.frontend_attributes = {{_xla_buffer_placement = "{HOST}"}}}} : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}}
"""


def missing(platform):
    """What is said where devices know no memory of the host."""
    return (f"{platform} devices run no programs that keep values in the memory of the host: what the plan keeps there lies on "
            "the devices")


def is_used(text):
    """Whether a program keeps something on the host."""
    return HOST in text


def kinds(device):
    """The kinds of memory that a device reaches."""
    return {memory.kind for memory in device.addressable_memories()}


@functools.cache
def has_host(device):
    """Whether a device of this process runs programs that keep something on the host, by trying."""
    import jax
    import numpy as np
    from jax.sharding import SingleDeviceSharding

    from . import xla_client

    try:
        if HOST not in kinds(device):
            return False
        argument = jax.device_put(np.ones(2, np.float32), SingleDeviceSharding(device, memory_kind=HOST))
        [[result]] = xla_client.execute(xla_client.load(PROBE, [device]), [argument])
        return result.sharding.memory_kind == HOST and np.asarray(result).tolist() == [2.0, 2.0]
    except Exception:  # however it refuses
        return False


def in_one(text):
    """The program with all of it in the memory of the devices."""
    from jax.interpreters import mlir

    ir = mlir.ir
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        for function in module.body.operations:
            for name in ("arg_attrs", "res_attrs"):
                if name in function.attributes:
                    given = ir.ArrayAttr(function.attributes[name])
                    function.attributes[name] = ir.ArrayAttr.get([_without_kind(ir, one) for one in given])
        found = []
        module.operation.walk(lambda op: _note(ir, op, found))
        for op in found:
            op.results[0].replace_all_uses_with(op.operands[0])
            op.erase()
        return str(module)


def _without_kind(ir, attributes):
    given = ir.DictAttr(attributes)
    return ir.DictAttr.get({one.name: one.attr for one in given if one.name not in KINDS})


def _note(ir, op, found):
    op = op.operation
    if op.name == "stablehlo.custom_call" and ir.StringAttr(op.attributes["call_target_name"]).value == ANNOTATION:
        found.append(op)
    return ir.WalkResult.ADVANCE


def of_run(executable, arguments):
    """Bytes that a run takes on one device and on the host for it: of arguments as they lie, and of what XLA says that a
    program makes beside them."""
    stats = executable.get_compiled_memory_stats()
    parts = [array.addressable_shards[0].data for array in arguments]

    def held(is_host):
        return sum(part.nbytes for part in parts if (part.sharding.memory_kind == HOST) == is_host)

    return {
        "device": {"arguments": held(False), "made": stats.temp_size_in_bytes},
        "host": {"arguments": held(True), "made": stats.host_temp_size_in_bytes},
    }
