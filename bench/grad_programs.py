"""Small programs with a derivative: for each its name, a function of arrays to one number, and the arrays' shapes.

A shape that ends with a name is drawn otherwise than as normal numbers: `positive`, `unit` (between -0.9 and 0.9), `apart`
(all different), or `index` with what it is below.
"""
import jax
import jax.numpy as jnp
from jax import lax

PROGRAMS = {}


def program(*shapes):
    def keep(function):
        PROGRAMS[function.__name__] = (function, shapes)
        return function
    return keep


def weighed(x):
    """One number of an array, to which each element adds its own share."""
    return (x * jnp.cos(jnp.arange(x.size, dtype=x.dtype)).reshape(x.shape)).sum()


UNARY = dict(
    absolute=jnp.abs, cbrt=jnp.cbrt, cosine=jnp.cos, exponential=jnp.exp, expm1=jnp.expm1, logistic=jax.nn.sigmoid,
    sine=jnp.sin, tangent=jnp.tan, tanh=jnp.tanh, sinh=jnp.sinh, cosh=jnp.cosh, atan=jnp.arctan, asinh=jnp.arcsinh,
    erf=jax.scipy.special.erf, erfc=jax.scipy.special.erfc, gelu=jax.nn.gelu, silu=jax.nn.silu, softplus=jax.nn.softplus,
    square=jnp.square, floor_and_sign=lambda x: x * jnp.floor(x) * jnp.sign(x), rounded=lambda x: x * jnp.round(x))
POSITIVE = dict(log=jnp.log, log1p=jnp.log1p, sqrt=jnp.sqrt, rsqrt=lax.rsqrt, digamma=jax.scipy.special.digamma,
                lgamma=jax.scipy.special.gammaln, acosh=lambda x: jnp.arccosh(1 + x))
UNIT = dict(acos=jnp.arccos, asin=jnp.arcsin, atanh=jnp.arctanh, erf_inv=jax.scipy.special.erfinv)
for names, kind in ((UNARY, ()), (POSITIVE, ('positive',)), (UNIT, ('unit',))):
    for name, one in names.items():
        PROGRAMS[name] = (lambda x, one=one: weighed(one(x)), ((3, 4) + kind,))

BINARY = dict(divide=jnp.divide, atan2=jnp.arctan2, maximum=jnp.maximum, minimum=jnp.minimum, hypot=jnp.hypot,
              subtract=jnp.subtract, remainder=lax.rem)
for name, one in BINARY.items():
    PROGRAMS[name] = (lambda x, y, one=one: weighed(one(x, y)), ((3, 4), (3, 4)))


@program((3, 4, 'positive'), (3, 4))
def power(x, y):
    return weighed(x ** y) + weighed(x ** 3) + weighed(x ** -1.5)


@program((3, 4))
def same_operand_twice(x):
    return weighed(x * x / (x * x + 1) + (x - x))


@program((2, 3, 4), (2, 5, 4), (5, 3))
def products(a, b, c):
    y = jnp.einsum('bik,bjk->bji', a, b)
    return weighed(jnp.einsum('bji,ji->ib', y, c)) + weighed(jnp.einsum('bik,bjk->k', a, b))


@program((4, 3), (3,), (4, 1))
def broadcasts(x, y, z):
    return weighed(x * y + z * jnp.ones((2, 4, 3)) * jnp.broadcast_to(y[None], (4, 3)))


@program((3, 4, 5))
def reductions(x):
    return weighed(x.sum(1)) + weighed(x.max((0, 2))) + weighed(x.min(1)) + weighed(x.mean(0)) + weighed(x.var(2))


@program((3, 4))
def ties(x):
    x = jnp.round(x)
    y = x + 0 * x
    return weighed(y.max(1)) + weighed(jnp.maximum(y, x))


@program((3, 4, 2))
def products_of_all(x):
    return weighed(x.prod(1)) + weighed((x * jnp.arange(2.)).prod((0, 2)))


@program((3, 4, 5))
def shapes(x):
    y = jnp.transpose(x, (2, 0, 1)).reshape(15, 4)[::-1]
    return weighed(jnp.flip(y, 1)) + weighed(y.reshape(3, 20).T) + weighed(jnp.squeeze(x[:1]))


@program((7, 5))
def slices(x):
    return weighed(x[1:6:2, ::-2]) + weighed(x[2:, 1:4]) + weighed(x[-1])


@program((3, 4), ())
def pads(x, value):
    padded = lax.pad(x, value, ((1, 2, 1), (-1, 3, 0)))
    return weighed(padded) + weighed(lax.pad(x, value, ((-1, -1, 0), (2, -2, 2)))) + weighed(jnp.pad(x, 2, mode='reflect'))


@program((3, 4), (2, 4), (3, 1))
def concatenations(x, y, z):
    return weighed(jnp.concatenate([x, y, x], 0)) + weighed(jnp.concatenate([x, z], 1)) + weighed(jnp.stack([x, x * 2], 1))


@program((6, 5), (2, 3), (1, 'index', 4))
def dynamic_slices(x, y, i):
    part = lax.dynamic_slice(x, (i[0], i[0] // 2), (2, 3))
    return weighed(part * y) + weighed(lax.dynamic_update_slice(x, y * part, (i[0], i[0])))


@program((6, 5, 3), (4, 'index', 6), (2, 2, 'index', 5))
def gathers(x, i, j):
    return weighed(x[i]) + weighed(x[:, j]) + weighed(x[i[:2], j[0]]) + weighed(jnp.take(x, i, 0, mode='clip'))


@program((6, 5), (4, 3, 'index', 5))
def gathers_along(x, i):
    return weighed(jnp.take_along_axis(x[:4], i, 1))


@program((6, 5), (4, 5), (4, 'index', 6))
def scatters_that_add(x, y, i):
    return weighed(x.at[i].add(y)) + weighed(x.at[i, 1].add(y[:, 0])) + weighed(x.at[i + 3].add(y, mode='drop') ** 2)


@program((6, 5), (4, 5), (4, 'index', 6))
def scatters_that_overwrite(x, y, i):
    return weighed(x.at[i].set(y) ** 2) + weighed(x.at[i + 3].set(y, mode='drop'))


@program((6, 5), (3, 5))
def scatters_that_multiply(x, y):
    return weighed(x.at[jnp.array([4, 0, 2])].multiply(y, unique_indices=True))


@program((6, 5), (4, 'index', 5))
def segments(x, i):
    return weighed(jax.ops.segment_sum(x[:4], i, 6) ** 2)


@program((3, 7, 'apart'), (3, 7))
def sorts(x, y):
    keys, values = lax.sort((x, y), dimension=1, num_keys=1)
    return weighed(jnp.sort(x, 0)) + weighed(keys * values) + weighed(jnp.median(x, 1))


@program((3, 7, 'apart'))
def largest(x):
    values, _ = lax.top_k(x, 3)
    return weighed(values ** 2)


@program((3, 4), (3, 4), (3, 4))
def choices(x, y, z):
    return weighed(jnp.where(x > 0, y, z * x)) + weighed(jnp.clip(x, -0.5, 0.5)) + weighed(lax.clamp(y, x, y + 1))


@program((3, 6))
def running_sums(x):
    return weighed(jnp.cumsum(x, 1)) + weighed(jnp.cumsum(x, 0)[::-1])


@program((3, 6, 'positive'))
def running_products_and_extremes(x):
    return weighed(lax.cummax(x, 1)) + weighed(lax.cummin(x, 1)) + weighed(lax.associative_scan(jnp.multiply, x, axis=1))


@program((2, 6, 7, 3))
def windows(x):
    sums = lax.reduce_window(x, 0., lax.add, (1, 3, 2, 1), (1, 2, 1, 1), ((0, 0), (1, 2), (0, 1), (0, 0)))
    spread = lax.reduce_window(x, 0., lax.add, (1, 2, 2, 1), (1, 1, 2, 1), ((0, 0), (1, 0), (0, 0), (0, 0)),
                               base_dilation=(1, 2, 1, 1), window_dilation=(1, 1, 3, 1))
    largest = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 3, 1), (1, 2, 2, 1), 'SAME')
    return weighed(sums) + weighed(spread) + weighed(largest)


@program((2, 8, 9, 4), (3, 2, 4, 6))
def convolution(x, w):
    return weighed(lax.conv_general_dilated(x, w, (2, 1), ((1, 2), (0, 1)), dimension_numbers=('NHWC', 'HWIO', 'NHWC')))


@program((2, 4, 8, 9), (6, 4, 3, 2))
def convolution_with_dilations(x, w):
    return weighed(lax.conv_general_dilated(x, w, (2, 3), ((-1, 2), (2, 3)), lhs_dilation=(2, 1), rhs_dilation=(1, 2)))


@program((2, 8, 4), (3, 2, 6))
def convolution_in_groups(x, w):
    return weighed(lax.conv_general_dilated(x, w, (1,), ((2, 0),), dimension_numbers=('NWC', 'WIO', 'NWC'),
                                            feature_group_count=2))


@program((4, 8, 3), (3, 3, 6))
def convolution_in_groups_of_the_batch(x, w):
    return weighed(lax.conv_general_dilated(x, w, (1,), ((1, 1),), dimension_numbers=('NWC', 'WIO', 'NWC'),
                                            batch_group_count=2))


@program((2, 8, 4), (4, 3, 6))
def convolution_transposed(x, w):
    return weighed(lax.conv_transpose(x, w.transpose(0, 2, 1).transpose(0, 2, 1)[:, :3].repeat(2, 1)[:, :4], (2,), 'SAME',
                                      dimension_numbers=('NWC', 'WIO', 'NWC')))


@program((3, 5, 8), (8, 4), (3,))
def attention(x, w, y):
    q = x @ w
    a = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((5, 5), bool)), jnp.einsum('btd,bsd->bts', q, q), -jnp.inf), -1)
    return weighed(jnp.einsum('bts,bsd->btd', a, x) * y[:, None, None]) + weighed(jax.nn.logsumexp(q, -1))


@program((4, 3, 3), (2, 3))
def scan_over_layers(w, x):
    return weighed(lax.scan(lambda c, w: (jnp.tanh(c @ w), c.sum()), x, w)[0])


@program((4, 3, 3), (2, 3), (3,))
def scan_with_outputs_and_a_shared_weight(w, x, b):
    def step(c, w):
        y = jnp.sin(c @ w + b)
        return y * b, (y, c)
    last, (ys, cs) = lax.scan(step, x, w, reverse=True)
    return weighed(last) + weighed(ys * cs)


@program((3, 2, 3, 3), (2, 3))
def scans_inside_of_scans(w, x):
    def inner(c, w):
        return jnp.tanh(c @ w) + c, c[0]
    def outer(c, w):
        c, ys = lax.scan(inner, c * 1.5, w)
        return jnp.sin(c), ys.sum()
    last, sums = lax.scan(outer, x, w)
    return weighed(last) + weighed(sums)


@program((5,), (2,))
def counted_loops(x, y):
    def turn(i, c):
        a, b = c
        return b * x[i], jnp.sin(a) + i * y.sum()
    a, b = lax.fori_loop(0, 5, turn, (y[0], y[1]))
    rows = lax.fori_loop(1, 4, lambda i, c: c.at[i].set(c[i - 1] * x[i]), x)
    return a * b + weighed(rows)


@program((4, 3), (1, 'index', 3))
def branches(x, i):
    a = lax.switch(i[0], [lambda x: jnp.sin(x), lambda x: x * x, lambda x: jnp.zeros_like(x)], x)
    return weighed(lax.cond(i[0] > 0, lambda a, x: a * jnp.exp(x), lambda a, x: a, a, x))


@program((4, 3), (3,))
def branches_inside_of_a_scan(x, b):
    def step(c, xi):
        i, x = xi
        y = lax.cond(i % 2 == 0, lambda c: jnp.tanh(c * x) * b, lambda c: c + jnp.exp(b), c)
        return y, y * x
    last, ys = lax.scan(step, b, (jnp.arange(4), x))
    return weighed(last) + weighed(ys)


@program((3, 4), (3, 4))
def complex_numbers(x, y):
    z = lax.complex(x, y)
    w = jnp.exp(z) * jnp.conj(z) + z / (z + 2)
    return weighed(jnp.real(w)) + weighed(jnp.imag(w * w)) + weighed(jnp.abs(z))


@program((3, 8), (3, 8))
def fourier(x, y):
    z = jnp.fft.fft(lax.complex(x, y))
    return weighed(jnp.real(z * z)) + weighed(jnp.imag(jnp.fft.ifft(z * z)))


@program((3, 8))
def fourier_of_reals(x):
    z = jnp.fft.rfft(x)
    return weighed(jnp.real(z * z)) + weighed(jnp.fft.irfft(z * z, 8))


@program((3, 4))
def other_types(x):
    narrow = x.astype(jnp.float32).astype(jnp.float64)
    return weighed(narrow * x) + weighed(jnp.where(x > 0, x, 0).astype(jnp.int32) * x)


@program((4, 6), (6,), (6,))
def norms(x, g, b):
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    y = (x - mean) * lax.rsqrt(var + 1e-5) * g + b
    return weighed(y) + weighed(x / jnp.linalg.norm(x, axis=-1, keepdims=True))


@program((4, 3))
def barriers_and_checkpoints(x):
    y = lax.optimization_barrier((jnp.sin(x), x * 2))
    return weighed(y[0] * y[1]) + weighed(jax.checkpoint(lambda x: jnp.tanh(jnp.sin(x)))(x))
