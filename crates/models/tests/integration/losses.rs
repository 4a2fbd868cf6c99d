//! Losses of tiny models of each family beside those of their authors' own implementation, which
//! `bench/models_vs_transformers.py` recorded with the same weights: drawn from the names of tensors in the checkpoint, so
//! that a stack holds what the single tensors hold.

use meshwright_execute::run_single_device;
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::verify::verify;
use meshwright_models::{Batch, LayerForm, Model, Options, Recipe, ScanForm, read};
use meshwright_tensor::names::{expanded, place, stacked};
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{Precision, Tensor};
use std::path::PathBuf;

/// Both implementations round each step to f32.
const TOLERANCE: f64 = 1e-5;

/// 8-bit floats keep three bits of mantissa, bf16 seven; these models are narrow, so that little of it evens out.
const ROUNDED: [f64; 2] = [0.1, 0.02];

pub(crate) fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models")
}

/// Numbers in -0.5..0.5 that follow from a name.
pub(crate) fn drawn(name: &str, count: usize) -> Vec<f64> {
    let mix = |seed: u32, byte: u8| (seed ^ u32::from(byte)).wrapping_mul(16_777_619);
    let seed = name.bytes().fold(2_166_136_261_u32, mix);
    let number = |position: usize| {
        let mut x = (position as u32).wrapping_mul(2_654_435_761).wrapping_add(seed);
        x ^= x >> 16;
        x = x.wrapping_mul(2_246_822_519);
        x ^= x >> 13;
        f64::from(x) / 4_294_967_296.0 - 0.5
    };
    (0..count).map(number).collect()
}

fn weight(name: &str, shape: &[usize]) -> Vec<f32> {
    let values = drawn(name, shape.iter().product()).into_iter();
    let scaled = |x: f64| match () {
        () if shape.len() > 1 => 0.6 * x,
        () if name.ends_with("bias") => 0.2 * x,
        () => 1.0 + 0.4 * x,
    };
    values.map(|x| scaled(x) as f32).collect()
}

fn f32s(shape: &[usize], values: impl Iterator<Item = f32>) -> Tensor {
    let bytes: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
    Tensor::from_le_bytes(&TensorType::new(shape, ElementType::F32), &bytes, Precision::Declared).unwrap()
}

pub(crate) fn inputs(model: &Model) -> Vec<Tensor> {
    let end = |name: &str| {
        let all = model.parameters.iter().map(|parameter| place(&parameter.name));
        all.filter(|(tensor, _)| *tensor == name).filter_map(|(_, place)| Some(place?.range.end)).max()
    };
    let parameters = model.parameters.iter().map(|parameter| {
        let (pattern, part) = place(&parameter.name);
        let mut shape = parameter.shape[stacked(pattern).len()..].to_vec();
        let Some(part) = part else {
            let tensors = expanded(pattern).into_iter();
            return f32s(&parameter.shape, tensors.flat_map(|name| weight(&name, &shape)));
        };
        shape[part.dim] = end(pattern).unwrap();
        let inner: usize = shape[part.dim + 1..].iter().product();
        let cut = |name: String| {
            let whole = weight(&name, &shape);
            let rows = whole.chunks(inner * shape[part.dim]);
            let part = |row: &[f32]| {
                part.positions().flat_map(|at| row[inner * at..inner * (at + 1)].to_vec()).collect::<Vec<_>>()
            };
            rows.flat_map(part).collect::<Vec<_>>()
        };
        f32s(&parameter.shape, expanded(pattern).into_iter().flat_map(cut))
    });
    let data = model.data.iter().map(|data| {
        let values = drawn(data.name, data.ty.num_elements()).into_iter();
        let Some(below) = data.below else {
            return f32s(&data.ty.shape, values.map(|x| x as f32));
        };
        let number = |x: f64| ((x + 0.5) * below as f64).floor() as i32;
        let bytes: Vec<u8> = values.flat_map(|x| number(x).to_le_bytes()).collect();
        Tensor::from_le_bytes(&data.ty, &bytes, Precision::Declared).unwrap()
    });
    parameters.chain(data).collect()
}

/// A tiny model.
pub(crate) fn model(name: &str, sequence: usize, layers: LayerForm, recipe: Recipe) -> Model {
    with_scans(name, sequence, layers, recipe, ScanForm::WrittenOut)
}

/// Forms in which a model has its scans, if it has any.
pub(crate) fn scans(name: &str) -> &'static [ScanForm] {
    let has_scans = matches!(name, "mamba2" | "nemotron_h");
    if has_scans { &[ScanForm::WrittenOut, ScanForm::Kernel] } else { &[ScanForm::WrittenOut] }
}

/// A tiny model with its scans in a form.
pub(crate) fn with_scans(
    name: &str,
    sequence: usize,
    layers: LayerForm,
    recipe: Recipe,
    scan: ScanForm,
) -> Model {
    let path = data().join("tiny").join(format!("{name}.json"));
    let source = Source::new(format!("{name}.json"), std::fs::read_to_string(path).unwrap());
    let options = Options {
        sequence: Some(sequence),
        batch: Batch::Sequences(2),
        layers,
        recipe,
        scan,
        // Every expert has a place for every token, as the authors' modules drop none.
        capacity_factor: 1000.0,
    };
    let model = read(&source, &options).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    assert_eq!(verify(&model.program), Ok(()), "{name}");
    model
}

fn loss(name: &str, sequence: usize, layers: LayerForm, recipe: Recipe, scan: ScanForm) -> f64 {
    let model = with_scans(name, sequence, layers, recipe, scan);
    let results = run_single_device(&model.program, "main", inputs(&model), Precision::Declared, &Quiet);
    results.unwrap_or_else(|error| panic!("{name}: {error:?}"))[0].to_f64_vec()[0]
}

#[test]
fn losses_are_those_of_the_authors_implementations() {
    let text = std::fs::read_to_string(data().join("losses.json")).unwrap();
    let recorded: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut count = 0;
    for (name, of) in recorded.as_object().unwrap() {
        let sequence = of["sequence"].as_u64().unwrap() as usize;
        let expected = of["loss"].as_f64().unwrap();
        let forms =
            scans(name).iter().flat_map(|scan| [(LayerForm::Loop, *scan), (LayerForm::WrittenOut, *scan)]);
        for (layers, scan) in forms {
            let found = loss(name, sequence, layers, Recipe::F32, scan);
            assert!(
                (found / expected - 1.0).abs() < TOLERANCE,
                "{name}, {layers:?}, {scan:?}: {found}, not {expected}"
            );
        }
        count += 1;
    }
    let tiny = std::fs::read_dir(data().join("tiny")).unwrap().count();
    assert_eq!(count, tiny, "each tiny configuration has a recorded loss");
}

#[test]
fn losses_in_fewer_bits_are_close_to_them() {
    let text = std::fs::read_to_string(data().join("losses.json")).unwrap();
    let recorded: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (name, of) in recorded.as_object().unwrap() {
        let sequence = of["sequence"].as_u64().unwrap() as usize;
        let expected = of["loss"].as_f64().unwrap();
        for scan in scans(name) {
            let [eight, sixteen] = [Recipe::Fp8, Recipe::Bf16]
                .map(|recipe| loss(name, sequence, LayerForm::Loop, recipe, *scan));
            let shares = [eight, sixteen].map(|found| (found / expected - 1.0).abs());
            assert!(
                shares[0] < ROUNDED[0] && shares[1] < ROUNDED[1],
                "{name}, {scan:?}: {eight} and {sixteen}, not {expected}"
            );
            assert_ne!(eight, sixteen, "{name}, {scan:?}");
        }
    }
}
