"""Keras 3 on JAX: networks of `keras.applications` and layers, trained by their stateless calls."""
import jax
import jax.numpy as jnp
import keras
from keras.src.backend.common import dtypes

from .steps import FLOAT, normal, real, tokens

keras.config.set_floatx("float64" if FLOAT == jnp.float64 else "float32")
if FLOAT == jnp.float64:
    # Keras makes 32 bits of 64 wherever two types meet, so that layers would normalize in f32.
    dtypes.BIT64_TO_BIT32_DTYPE["float64"] = "float64"
layers = keras.layers
BATCH = 8


def trained(model, loss, optimizer):
    """A step as Keras' guide for JAX makes it: variables in lists, random states among those that are not trained."""
    optimizer.build(model.trainable_variables)

    def step(state, x, y):
        params, others, moments = state

        def of(params):
            predicted, new = model.stateless_call(params, others, x, training=True)
            return loss(y, predicted), new

        (value, others), gradients = jax.value_and_grad(of, has_aux=True)(params)
        params, moments = optimizer.stateless_apply(moments, gradients, params)
        return (params, others, moments), value

    values = lambda variables: [variable.value for variable in variables]
    return step, tuple(map(values, (model.trainable_variables, model.non_trainable_variables, optimizer.variables)))


LABELS = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@real
def mobilenet():
    keras.utils.set_random_seed(0)
    model = keras.applications.MobileNetV2((32, 32, 3), alpha=0.35, weights=None, classes=4, classifier_activation=None)
    return *trained(model, LABELS, keras.optimizers.SGD(0.01, 0.9)), (normal(BATCH, 32, 32, 3), tokens(BATCH, below=4))


@real(curve=True)
def encoder():
    """A text classifier with attention and dropout, whose seeds are state."""
    keras.utils.set_random_seed(0)
    ids = keras.Input((16,), dtype="int32")
    x = layers.Embedding(64, 32)(ids)
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(4, 8, dropout=0.1)(x, x))
    y = layers.Dropout(0.2)(layers.Dense(32)(layers.Dense(64, activation="gelu")(x)))
    x = layers.GlobalAveragePooling1D()(layers.LayerNormalization()(x + y))
    model = keras.Model(ids, layers.Dense(4)(x))
    return *trained(model, LABELS, keras.optimizers.AdamW(1e-3)), (tokens(BATCH, 16), tokens(BATCH, below=4))


@real(curve=True)
def forecaster():
    """Convolutions, a bidirectional GRU with dropout, and an LSTM."""
    keras.utils.set_random_seed(0)
    model = keras.Sequential([
        keras.Input((24, 4)), layers.Conv1D(16, 3, padding="causal", activation="relu"), layers.MaxPooling1D(2),
        layers.Bidirectional(layers.GRU(8, return_sequences=True, dropout=0.1)), layers.LSTM(16), layers.Dense(1)])
    return *trained(model, keras.losses.MeanSquaredError(), keras.optimizers.RMSprop(1e-3)), (normal(BATCH, 24, 4), normal(BATCH, 1))


@real(curve=True)
def unet():
    """A segmentation network: strided and transposed convolutions, joined, with batch norm and spatial dropout."""
    keras.utils.set_random_seed(0)
    image = keras.Input((16, 16, 3))
    convolve = lambda x, size: layers.ReLU()(layers.BatchNormalization()(layers.Conv2D(size, 3, padding="same")(x)))
    above = convolve(image, 8)
    below = layers.SpatialDropout2D(0.2)(convolve(layers.MaxPooling2D()(above), 16))
    x = layers.Concatenate()([above, layers.Conv2DTranspose(8, 2, strides=2)(below)])
    model = keras.Model(image, layers.Conv2D(4, 1)(convolve(x, 8)))
    return *trained(model, LABELS, keras.optimizers.Adam(1e-3)), (normal(BATCH, 16, 16, 3), tokens(BATCH, 16, 16, below=4))


@real
def video():
    """A convolutional LSTM, and convolutions in three dims."""
    keras.utils.set_random_seed(0)
    model = keras.Sequential([
        keras.Input((4, 8, 8, 2)), layers.ConvLSTM2D(4, 3, padding="same", return_sequences=True),
        layers.Conv3D(2, 3, padding="same")])
    clip = normal(BATCH, 4, 8, 8, 2)
    return *trained(model, keras.losses.Huber(), keras.optimizers.Adafactor(1e-3)), (clip, clip)
