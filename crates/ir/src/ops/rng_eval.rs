//! Evaluation of `rng_bit_generator`, bit for bit as XLA: Threefry 2x32 and Philox 4x32 (J. K. Salmon et al., "Parallel
//! random numbers: as easy as 1, 2, 3", 2011) of a key and a counter, which are the parts of the state.

use super::rng::Algorithm;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{Precision, Tensor, unravel};

/// The new state and the bits, for a state of two or three `ui64`.
pub(super) fn generate(
    algorithm: Algorithm,
    state: &Tensor,
    result: &TensorType,
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let words = state.bitcast(&words_type(state)?, precision)?;
    let words = words.dense::<u64>()?;
    let (new_state, bits) = match (algorithm, &*words) {
        (Algorithm::ThreeFry, [key, counter]) => {
            let (bits, used) = three_fry_bits(*key, *counter, result);
            (vec![*key, counter.wrapping_add(used)], bits)
        }
        (Algorithm::Default | Algorithm::Philox, [key, low]) => {
            let counter = u128::from(*low) | u128::from(*key) << 64;
            let (bits, used) = philox_bits(*key, counter, result);
            (vec![*key, counter.wrapping_add(used) as u64], bits)
        }
        (Algorithm::Default | Algorithm::Philox, [key, low, high]) => {
            let counter = u128::from(*low) | u128::from(*high) << 64;
            let (bits, used) = philox_bits(*key, counter, result);
            let counter = counter.wrapping_add(used);
            (vec![*key, counter as u64, (counter >> 64) as u64], bits)
        }
        (_, words) => {
            let message = format!("a state of {} words is not that of the algorithm", words.len());
            return Err(EvalError::new(message));
        }
    };
    let new_state = Tensor::from_vec(ElementType::Ui64, [new_state.len()], new_state);
    Ok(vec![new_state.bitcast(&state.ty(), precision)?, Tensor::from_le_bytes(result, &bits, precision)?])
}

/// The state as `ui64`.
fn words_type(state: &Tensor) -> Result<TensorType, EvalError> {
    let shape = match state.element() {
        ElementType::Ui64 => state.shape().to_vec(),
        ElementType::Ui32 if state.num_elements().is_multiple_of(2) => vec![state.num_elements() / 2],
        other => return Err(EvalError::new(format!("the state is kept in elements of {other}"))),
    };
    Ok(TensorType::new(shape, ElementType::Ui64))
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// Threefry 2x32 with 20 rounds.
fn three_fry(key: [u32; 2], counter: [u32; 2]) -> [u32; 2] {
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    const PARITY: u32 = 0x1bd1_1bda;
    let keys = [key[0], key[1], key[0] ^ key[1] ^ PARITY];
    let mut x = [counter[0].wrapping_add(keys[0]), counter[1].wrapping_add(keys[1])];
    for group in 0..5 {
        for rotation in ROTATIONS[group % 2] {
            x[0] = x[0].wrapping_add(x[1]);
            x[1] = x[1].rotate_left(rotation) ^ x[0];
        }
        x[0] = x[0].wrapping_add(keys[(group + 1) % 3]);
        x[1] = x[1].wrapping_add(keys[(group + 2) % 3]).wrapping_add(group as u32 + 1);
    }
    x
}

/// The bytes of all elements, and how many counters they took.
fn three_fry_bits(key: u64, counter: u64, result: &TensorType) -> (Vec<u8>, u64) {
    let at = |index: usize| three_fry(halves(key), halves(counter.wrapping_add(index as u64)));
    let size = result.element.bits().div_ceil(8);
    let count = result.num_elements();
    let mut bytes = Vec::with_capacity(count * size);
    if size == 8 {
        for index in 0..count {
            let [low, high] = at(index);
            bytes.extend([low.to_le_bytes(), high.to_le_bytes()].concat());
        }
        return (bytes, count as u64);
    }
    // A counter gives two neighbors along one dim: the first even one, else the first of the largest.
    let shape = &result.shape;
    let even = shape.iter().position(|size| size % 2 == 0);
    let largest = || (0..shape.len()).rev().max_by_key(|dim| shape[*dim]);
    let Some(split) = even.or_else(largest) else {
        bytes.extend(&at(0)[0].to_le_bytes()[..size]);
        return (bytes, 1);
    };
    let mut half = shape.clone();
    half[split] = half[split].div_ceil(2);
    for position in 0..count {
        let mut index = unravel(position, shape);
        let word = index[split] % 2;
        index[split] /= 2;
        let counter = index.iter().zip(&half).fold(0, |counter, (at, size)| counter * size + at);
        bytes.extend(&at(counter)[word].to_le_bytes()[..size]);
    }
    (bytes, half.iter().product::<usize>() as u64)
}

/// Philox 4x32 with 10 rounds.
fn philox(key: [u32; 2], counter: [u32; 4]) -> [u32; 4] {
    const MULTIPLIERS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
    const STEPS: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];
    let (mut key, mut x) = (key, counter);
    for _ in 0..10 {
        let products = [0, 1].map(|half| halves(u64::from(MULTIPLIERS[half]) * u64::from(x[2 * half])));
        let [[low0, high0], [low1, high1]] = products;
        x = [high1 ^ x[1] ^ key[0], low1, high0 ^ x[3] ^ key[1], low0];
        key = [key[0].wrapping_add(STEPS[0]), key[1].wrapping_add(STEPS[1])];
    }
    x
}

/// The bytes of all elements, and how many counters they took.
fn philox_bits(key: u64, counter: u128, result: &TensorType) -> (Vec<u8>, u128) {
    let size = result.element.bits().div_ceil(8);
    let count = result.num_elements();
    // A counter gives four words; an element takes one, or two if it is of 64 bits.
    let words = if size == 8 { count.saturating_mul(2) } else { count };
    let counters = words.div_ceil(4);
    let mut bytes = Vec::with_capacity(count * size);
    for index in 0..counters {
        let counter = counter.wrapping_add(index as u128);
        let words = [0, 32, 64, 96].map(|shift| (counter >> shift) as u32);
        for word in philox(halves(key), words) {
            bytes.extend(&word.to_le_bytes()[..size.min(4)]);
        }
    }
    bytes.truncate(count * size);
    (bytes, counters as u128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        // The example of the specification.
        let ty = TensorType::new([2, 2], ElementType::Ui64);
        let state = Tensor::from_vec(ElementType::Ui64, [2], vec![1u64, 2]);
        let results = generate(Algorithm::ThreeFry, &state, &ty, Precision::Declared).unwrap();
        assert_eq!(results[0].dense::<u64>().unwrap()[..], [1, 6]);
        let expected =
            [9236835810183407956, 16087790271692313299, 18212823393184779219, 2658481902456610144u64];
        assert_eq!(results[1].dense::<u64>().unwrap()[..], expected);
        // The paper's vector of zeros.
        assert_eq!(philox([0; 2], [0; 4]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    }
}
