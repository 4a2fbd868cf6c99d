//! What commands say of computed values: type and range of each result.

use crate::table::{Lean, render};
use meshwright_ir::tensor::Tensor;
use serde::Serialize;

/// One result of a run. Ranges are of the finite elements.
#[derive(Serialize)]
pub(crate) struct ValueRecord {
    name: String,
    shape: Vec<usize>,
    element: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
    num_nonfinite: usize,
}

impl ValueRecord {
    /// Of result number `index`.
    pub(crate) fn of((index, tensor): (usize, &Tensor)) -> Self {
        let values = tensor.to_f64_vec();
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        Self {
            name: format!("out{index}"),
            shape: tensor.shape().to_vec(),
            element: tensor.element().to_string(),
            min: finite().reduce(f64::min),
            max: finite().reduce(f64::max),
            num_nonfinite: values.len() - finite().count(),
        }
    }

    /// All of them, for people.
    pub(crate) fn table(records: &[Self]) -> String {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.6e}"));
        let row = |record: &Self| {
            vec![
                record.name.clone(),
                shape(&record.shape),
                record.element.clone(),
                number(record.min),
                number(record.max),
                if record.num_nonfinite == 0 { String::new() } else { record.num_nonfinite.to_string() },
            ]
        };
        let head = [
            ("result", Lean::Left),
            ("shape", Lean::Left),
            ("element", Lean::Left),
            ("least", Lean::Right),
            ("largest", Lean::Right),
            ("not finite", Lean::Right),
        ];
        render(&head, &records.iter().map(row).collect::<Vec<_>>())
    }
}

/// `8x4`; a value without dims is `scalar`.
pub(crate) fn shape(sizes: &[usize]) -> String {
    match sizes {
        [] => "scalar".to_owned(),
        _ => sizes.iter().map(usize::to_string).collect::<Vec<_>>().join("x"),
    }
}
