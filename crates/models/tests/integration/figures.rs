//! Operations of the forward pass beside counts by hand, exactly, for six families.

use meshwright_ir::diagnostic::Source;
use meshwright_models::{Batch, Figures, Options, ScanForm, read};
use std::path::PathBuf;

const B: u64 = 2;
const T: u64 = 12;
const TOKENS: u64 = B * T;

fn figures(name: &str) -> Figures {
    with_scans(name, ScanForm::WrittenOut, T)
}

fn with_scans(name: &str, scan: ScanForm, length: u64) -> Figures {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models/tiny");
    let text = std::fs::read_to_string(path.join(format!("{name}.json"))).unwrap();
    let options = Options {
        sequence: Some(length as usize),
        batch: Batch::Sequences(B as usize),
        scan,
        ..Options::default()
    };
    read(&Source::new(name, text), &options).unwrap().figures()
}

/// A product of so many rows with a matrix.
fn product(rows: u64, inputs: u64, outputs: u64) -> u64 {
    2 * rows * inputs * outputs
}

/// Scores and means of an attention with keys and values of these widths.
fn attention(heads: u64, key: u64, value: u64) -> u64 {
    2 * B * heads * T * T * (key + value)
}

#[test]
fn a_llama_takes_its_products() {
    let layer = product(TOKENS, 32, 32) * 2 + product(TOKENS, 32, 16) * 2 + product(TOKENS, 32, 48) * 3;
    let expected = 3 * (layer + attention(4, 8, 8)) + product(TOKENS, 32, 96);
    let found = figures("llama");
    assert_eq!(found.flops, expected as f64);
    assert_eq!(found.attention_flops, (3 * attention(4, 8, 8)) as f64);
    assert_eq!(found.cache_bytes_per_token, 3 * 2 * 2 * 8 * 4);
    let blocks: Vec<(&str, f64)> = found.blocks.iter().map(|one| (one.block.as_str(), one.flops)).collect();
    let of_attention = product(TOKENS, 32, 32) * 2 + product(TOKENS, 32, 16) * 2 + attention(4, 8, 8);
    let expected = [
        ("attention", 3 * of_attention),
        ("mlp", 3 * 3 * product(TOKENS, 32, 48)),
        ("head", product(TOKENS, 32, 96)),
    ];
    assert_eq!(blocks, expected.map(|(block, flops)| (block, flops as f64)));
}

#[test]
fn a_gpt2_takes_its_products() {
    let layer = product(TOKENS, 32, 96) + product(TOKENS, 32, 32) + product(TOKENS, 32, 128) * 2;
    let expected = 2 * (layer + attention(4, 8, 8)) + product(TOKENS, 32, 96);
    assert_eq!(figures("gpt2").flops, expected as f64);
}

#[test]
fn a_mixtral_takes_what_its_chosen_experts_take() {
    // Two of four experts for each of twelve tokens are six tokens for each expert.
    let mixer = product(TOKENS, 32, 32) * 2 + product(TOKENS, 32, 16) * 2 + attention(4, 8, 8);
    let experts = product(TOKENS, 32, 4) + 3 * product(TOKENS * 2, 32, 48);
    let expected = 3 * (mixer + experts) + product(TOKENS, 32, 96);
    assert_eq!(figures("mixtral").flops, expected as f64);
}

#[test]
fn a_deepseek_takes_its_latent_attention_and_experts() {
    let mixer = product(TOKENS, 32, 24)
        + product(TOKENS, 24, 4 * 18)
        + product(TOKENS, 32, 16 + 8)
        + product(TOKENS, 16, 4 * (10 + 12))
        + product(TOKENS, 4 * 12, 32)
        + attention(4, 18, 12);
    let dense = 3 * product(TOKENS, 32, 48);
    // Three of eight experts for each of twelve tokens: 4.5 tokens for each, so five places.
    let routed = product(TOKENS, 32, 8) + 3 * product(B * 8 * 5, 32, 20);
    let shared = 3 * product(TOKENS, 32, 40);
    let expected = 3 * mixer + dense + 2 * (routed + shared) + product(TOKENS, 32, 96);
    let found = figures("deepseek_v3");
    assert_eq!(found.flops, expected as f64);
    assert_eq!(found.cache_bytes_per_token, 3 * (16 + 8) * 4);
}

#[test]
fn a_mamba2_takes_its_scan_by_chunks() {
    // Two chunks of six steps; 8 heads of 8 in 2 groups, states of 12. The convolution of each channel by itself sums up
    // no channels, and is counted as no product.
    let projections = product(TOKENS, 32, 64 + 64 + 48 + 8) + product(TOKENS, 64, 32);
    let inside = 2 * B * 2 * 6 * 6 * (2 * 12 + 8 * 8);
    let states = 2 * TOKENS * 8 * 8 * 12;
    // Each chunk reads what those before it carry, as one product.
    let carried = 2 * B * 2 * 2 * 8 * 8 * 12;
    let expected = 2 * (projections + inside + 2 * states + carried) + product(TOKENS, 32, 96);
    let found = figures("mamba2");
    assert_eq!(found.flops, expected as f64);
    assert_eq!(found.cache_bytes_per_sequence, 2 * (4 * 112 + 64 * 12) * 4);
}

#[test]
fn a_t5_takes_two_stacks() {
    let own = 4 * product(TOKENS, 32, 32) + attention(4, 8, 8);
    let feed = 2 * product(TOKENS, 32, 48);
    let expected = 2 * (own + feed) + 2 * (2 * own + feed) + product(TOKENS, 32, 96);
    assert_eq!(figures("t5").flops, expected as f64);
}

#[test]
fn operations_do_not_depend_on_the_form_of_a_scan() {
    // The last chunk of `mamba2`, of six steps, is full and not; `nemotron_h` has chunks of eight, and shorter sequences.
    for (name, length) in [("mamba2", 12), ("mamba2", 13), ("nemotron_h", 24), ("nemotron_h", 5)] {
        let [written_out, kernel] =
            [ScanForm::WrittenOut, ScanForm::Kernel].map(|scan| with_scans(name, scan, length));
        assert_eq!(kernel.flops, written_out.flops, "{name}, {length}");
        assert_eq!(kernel.attention_flops, written_out.attention_flops, "{name}, {length}");
        assert_eq!(kernel.blocks, written_out.blocks, "{name}, {length}");
        assert_eq!(kernel.parameters, written_out.parameters, "{name}, {length}");
        assert_eq!(kernel.cache_bytes_per_sequence, written_out.cache_bytes_per_sequence, "{name}, {length}");
    }
}
