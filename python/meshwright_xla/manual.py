"""A local program whose devices are partitions, as XLA takes it: called in a manual computation of Shardy.

XLA compiles for several partitions only with a partitioner. The `{manual}` shardings that the program has are GSPMD's form,
which XLA warns of; in Shardy's, it is a manual computation along an axis of all devices that is left as it is. Input and
output: text. Arguments and results then are global: local ones stacked along the first dim, those without dims replicated,
as `xla_client.place` says that they are.
"""
MESH, AXIS, LOCAL = "meshwright_devices", "device", "meshwright_local"


def spread(text, num_devices):
    """The program that calls a local one on every device."""
    from jax.interpreters import mlir

    ir = mlir.ir
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        main = next(op for op in module.body.operations if ir.StringAttr(op.attributes["sym_name"]).value == "main")
        kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        given = ir.ArrayAttr(main.attributes["arg_attrs"]) if "arg_attrs" in main.attributes else []
        aliases = [one["tf.aliasing_output"] if "tf.aliasing_output" in one else None for one in map(ir.DictAttr, given)]
        inputs, results = ([ir.RankedTensorType(one) for one in types] for types in (kind.inputs, kind.results))
        if not results:
            return text
        caller = _caller(inputs, results, aliases or [None] * len(inputs), num_devices)
        for name in ("arg_attrs", "res_attrs"):
            if name in main.attributes:
                del main.attributes[name]
        main.attributes["sym_name"] = ir.StringAttr.get(LOCAL)
        main.attributes["sym_visibility"] = ir.StringAttr.get("private")
        called = str(module).rstrip()
    return f"{called.removesuffix('}')}{caller}\n}}\n"


def _caller(inputs, results, aliases, num_devices):
    """The text of a mesh, and of a function that calls the local program under it."""
    def whole(one):
        shape = [one.shape[0] * num_devices, *one.shape[1:]] if one.shape else []
        return f"tensor<{''.join(f'{size}x' for size in shape)}{one.element_type}>"

    def sharding(one):
        dims = ", ".join(f'{{"{AXIS}"}}' if dim == 0 else "{}" for dim in range(len(one.shape)))
        return f"@{MESH}, [{dims}]"

    def every(texts):
        return ", ".join(texts)

    def packed(count):
        return f":{count}" if count > 1 else ""

    def unpacked(name):
        return [f"%{name}#{index}" if len(results) > 1 else f"%{name}" for index in range(len(results))]

    parameters = every(
        f"%arg{index}: {whole(one)} {{sdy.sharding = #sdy.sharding<{sharding(one)}>"
        f"{'' if alias is None else f', tf.aliasing_output = {alias}'}}}"
        for index, (one, alias) in enumerate(zip(inputs, aliases)))
    returned = every(f"{whole(one)} {{sdy.sharding = #sdy.sharding<{sharding(one)}>}}" for one in results)
    ins, outs = (every(f"<{sharding(one)}>" for one in types) for types in (inputs, results))
    local = f"({every(map(str, inputs))}) -> ({every(map(str, results))})"
    arguments, own = every(f"%arg{index}" for index in range(len(inputs))), every(f"%own{index}" for index in range(len(inputs)))
    typed = every(f"%own{index}: {one}" for index, one in enumerate(inputs))
    return f"""sdy.mesh @{MESH} = <["{AXIS}"={num_devices}]>
func.func public @main({parameters}) -> ({returned}) {{
  %all{packed(len(results))} = sdy.manual_computation({arguments}) in_shardings=[{ins}] out_shardings=[{outs}] manual_axes={{"{AXIS}"}} ({typed}) {{
    %each{packed(len(results))} = func.call @{LOCAL}({own}) : {local}
    sdy.return {every(unpacked("each"))} : {every(map(str, results))}
  }} : ({every(map(whole, inputs))}) -> ({every(map(whole, results))})
  return {every(unpacked("all"))} : {every(map(whole, results))}
}}"""
