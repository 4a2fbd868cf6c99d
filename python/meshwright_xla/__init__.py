"""The engine `xla`: workers that run a compiled program on the devices that JAX has.

`__main__` is the worker process that `meshwright run --engine xla` starts, `worker` what it does; `xla_client` holds all
that is used of JAX's private interfaces; `shards` says which part of an array a device holds; `store` keeps arrays as
folders of shards; `messages` is what a worker and its supervisor tell each other.
"""
