//! Gradients of tiny models of each family beside those of their authors' own implementation, which
//! `bench/models_vs_transformers.py` recorded with the same weights: of each argument the norm, and some elements.

use crate::losses::{data, inputs, scans, with_scans};
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

fn compare(model: &Model, recorded: &serde_json::Map<String, Value>) {
    let name = &model.model_type;
    let function = expand_for_derivative(inline_entry(&model.program).unwrap());
    let wrt: Vec<usize> = (0..model.parameters.len()).collect();
    let made =
        grad(&function, &wrt, 0, Indices::InBounds).unwrap_or_else(|found| panic!("{name}: {found:?}"));
    let program = model.program.with_only(expand(made));
    assert_eq!(verify(&program), Ok(()), "{name}");
    let results = run_single_device(&program, "main", inputs(model), Precision::Declared, &Quiet);
    let results = results.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let largest = recorded.values().map(|of| of["norm"].as_f64().unwrap()).fold(0.0, f64::max);
    for (parameter, gradient) in model.parameters.iter().zip(&results[1..]) {
        let of = &recorded[&parameter.name];
        let found = gradient.to_f64_vec();
        let norm = found.iter().map(|x| x * x).sum::<f64>().sqrt();
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
