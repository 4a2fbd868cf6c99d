//! Gradients of tiny models of each family beside those of their authors' own implementation, which
//! `bench/models_vs_transformers.py` recorded with the same weights: of each argument the norm, and some elements.

use crate::losses::{data, inputs, model, scans, with_scans};
use meshwright_execute::run_single_device;
use meshwright_grad::grad;
use meshwright_ir::control::Quiet;
use meshwright_ir::expand::{expand, expand_for_derivative};
use meshwright_ir::verify::verify;
use meshwright_ir::vjp::Indices;
use meshwright_models::{LayerForm, Model, Recipe};
use meshwright_tensor::Precision;
use meshwright_transform::inline::inline_entry;
use serde_json::Value;

/// Both implementations round each step to f32: relative to the norm of a gradient.
const TOLERANCE: f64 = 1e-4;

/// Twice of what rounding changed of gradients of three layers where this was written. bf16 rounds every number by up to 2^-9: of the
/// largest difference, in parts of the largest element (0.041). 8-bit floats round what linear layers multiply by up to 2^-4 and,
/// of gradients, 2^-3, which evens out over a whole tensor alone: of the norm of the difference, in parts of the norm (0.25).
const ROUNDED: [f64; 2] = [0.082, 0.5];

fn recorded(file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(data().join(file)).unwrap()).unwrap()
}

#[test]
fn gradients_are_those_of_the_authors_implementations() {
    let (losses, gradients) = (recorded("losses.json"), recorded("gradients.json"));
    for (name, of) in losses.as_object().unwrap() {
        let recorded = gradients[name].as_object().unwrap_or_else(|| panic!("{name} has recorded gradients"));
        for scan in scans(name) {
            let sequence = of["sequence"].as_u64().unwrap() as usize;
            compare(&with_scans(name, sequence, LayerForm::Loop, Recipe::F32, *scan), recorded);
        }
    }
}

#[test]
fn gradients_in_fewer_bits_are_close_to_them() {
    let of = |recipe| gradients(&model("llama", 16, LayerForm::Loop, recipe));
    let [exact, sixteen, eight] = [Recipe::F32, Recipe::Bf16, Recipe::Fp8].map(of);
    let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for (index, parameter) in model("llama", 16, LayerForm::Loop, Recipe::F32).parameters.iter().enumerate() {
        let expected = &exact[index];
        let off = |found: &[Vec<f64>]| -> Vec<f64> {
            found[index].iter().zip(expected).map(|(found, expected)| found - expected).collect()
        };
        let shares = [largest(&off(&sixteen)) / largest(expected), norm(&off(&eight)) / norm(expected)];
        assert!(
            shares[0] > 0.0 && shares[0] < ROUNDED[0] && shares[1] > 0.0 && shares[1] < ROUNDED[1],
            "{}: {shares:?}",
            parameter.name
        );
        assert_ne!(sixteen[index], eight[index], "{}", parameter.name);
    }
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The gradient of each parameter of a model.
fn gradients(model: &Model) -> Vec<Vec<f64>> {
    let name = &model.model_type;
    let function = expand_for_derivative(inline_entry(&model.program).unwrap());
    let wrt: Vec<usize> = (0..model.parameters.len()).collect();
    let made =
        grad(&function, &wrt, 0, Indices::InBounds).unwrap_or_else(|found| panic!("{name}: {found:?}"));
    let program = model.program.with_only(expand(made));
    assert_eq!(verify(&program), Ok(()), "{name}");
    let results = run_single_device(&program, "main", inputs(model), Precision::Declared, &Quiet);
    let results = results.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    results[1..].iter().map(|gradient| gradient.to_f64_vec()).collect()
}

fn compare(model: &Model, recorded: &serde_json::Map<String, Value>) {
    let name = &model.model_type;
    let largest = recorded.values().map(|of| of["norm"].as_f64().unwrap()).fold(0.0, f64::max);
    for (parameter, found) in model.parameters.iter().zip(gradients(model)) {
        let of = &recorded[&parameter.name];
        let norm = norm(&found);
        let expected = of["norm"].as_f64().unwrap();
        // What is nothing but rounding has a norm without digits.
        let near = (TOLERANCE * expected).max(1e-6 * largest);
        assert!((norm - expected).abs() <= near, "{name}, {}: {norm}, not {expected}", parameter.name);
        for (place, expected) in of["elements"].as_object().unwrap() {
            let (found, expected) = (found[place.parse::<usize>().unwrap()], expected.as_f64().unwrap());
            assert!(
                (found - expected).abs() <= near,
                "{name}, {} at {place}: {found}, not {expected}",
                parameter.name
            );
        }
    }
}
