"""Stable Diffusion's networks in Flax (diffusers 0.35), tiny: training of the UNet, sampling, the autoencoder."""
import jax
import jax.numpy as jnp
from diffusers import FlaxAutoencoderKL, FlaxDDIMScheduler, FlaxDDPMScheduler, FlaxUNet2DConditionModel

from .steps import FLOAT, adam, in_float, normal, real, tokens, trained_with_key

BATCH = 4


def network():
    return FlaxUNet2DConditionModel(
        sample_size=8, in_channels=4, out_channels=4, block_out_channels=(32, 64), layers_per_block=1,
        down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"), up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"),
        attention_head_dim=8, cross_attention_dim=16, dropout=0.1, dtype=FLOAT)


@real(curve=True)
def unet():
    """Noise and times are drawn inside the step, beside dropout."""
    model, scheduler = network(), FlaxDDPMScheduler(num_train_timesteps=100)
    schedule = in_float(scheduler.create_state())

    def loss(params, key, latents, text):
        one, two, drop = jax.random.split(key, 3)
        noise = jax.random.normal(one, latents.shape, FLOAT)
        times = jax.random.randint(two, (len(latents),), 0, 100)
        noisy = scheduler.add_noise(schedule, latents, noise, times)
        found = model.apply({"params": params}, noisy, times, text, train=True, rngs={"dropout": drop}).sample
        return jnp.mean((found - noise) ** 2)

    params = model.init_weights(jax.random.key(0))
    return *trained_with_key(loss, params), (normal(BATCH, 4, 8, 8), normal(BATCH, 6, 16))


@real
def sampling():
    """A loop of denoising with guidance: the UNet for text and no text at once."""
    model, scheduler = network(), FlaxDDIMScheduler(num_train_timesteps=100)
    schedule = scheduler.set_timesteps(scheduler.create_state(), 4, (2, 4, 8, 8))
    schedule = in_float(schedule)

    def step(state, text):
        params, key = state
        key, now = jax.random.split(key)
        latents = jax.random.normal(now, (2, 4, 8, 8), FLOAT)

        def denoise(index, carry):
            latents, schedule = carry
            time = schedule.timesteps[index]
            times = jnp.broadcast_to(time, 4)
            found = model.apply({"params": params}, jnp.concatenate([latents] * 2), times, text).sample
            plain, told = jnp.split(found, 2)
            latents, schedule = scheduler.step(schedule, plain + 7.5 * (told - plain), time, latents).to_tuple()
            return latents.astype(FLOAT), schedule

        latents, _ = jax.lax.fori_loop(0, 4, denoise, (latents, schedule))
        return (params, key), latents

    return step, (in_float(model.init_weights(jax.random.key(0))), jax.random.key(1)), (normal(4, 6, 16),)


@real
def autoencoder():
    model = FlaxAutoencoderKL(in_channels=3, out_channels=3, latent_channels=4, block_out_channels=(16, 32),
                              down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2,
                              layers_per_block=1, norm_num_groups=8, sample_size=16, dtype=FLOAT)

    def loss(params, key, images):
        coded = model.apply({"params": params}, images, method=model.encode).latent_dist
        made = model.apply({"params": params}, coded.sample(key), method=model.decode).sample
        return jnp.mean((made - images) ** 2) + 1e-4 * coded.kl().mean()

    return *trained_with_key(loss, model.init_weights(jax.random.key(0)), adam()), (normal(BATCH, 3, 16, 16),)
