//! Attributes of the StableHLO dialects in the form in which MLIR prints them: fields in order, those that say nothing
//! left out, and single spaces.
//!
//! ```text
//! #stablehlo.gather<index_vector_dim = 1,     becomes     #stablehlo.gather<offset_dims = [2], index_vector_dim = 1>
//!   offset_dims = [2]>
//! ```

use std::borrow::Cow;

use super::attributes::DialectFields;
use super::lexer::{TokenKind, next_token};
use crate::attribute::Attr;
use crate::ops::conv_dims::ConvDims;
use meshwright_tensor::literal::float_text;
use meshwright_tensor::types::ElementType;

/// The attributes that are lists of dims under names, with their fields in order. A field whose name ends in `dim` is
/// a single number.
const DIMS: [(&str, &[&str]); 4] = [
    (
        "stablehlo.scatter",
        &[
            "update_window_dims",
            "inserted_window_dims",
            "input_batching_dims",
            "scatter_indices_batching_dims",
            "scatter_dims_to_operand_dims",
            "index_vector_dim",
        ],
    ),
    (
        "stablehlo.gather",
        &[
            "offset_dims",
            "collapsed_slice_dims",
            "operand_batching_dims",
            "start_indices_batching_dims",
            "start_index_map",
            "index_vector_dim",
        ],
    ),
    (
        "stablehlo.dot",
        &[
            "lhs_batching_dimensions",
            "rhs_batching_dimensions",
            "lhs_contracting_dimensions",
            "rhs_contracting_dimensions",
        ],
    ),
    (
        "chlo.ragged_dot",
        &[
            "lhs_batching_dimensions",
            "rhs_batching_dimensions",
            "lhs_contracting_dimensions",
            "rhs_contracting_dimensions",
            "lhs_ragged_dimensions",
            "rhs_group_dimensions",
        ],
    ),
];

/// `text` (from `#` to its end) as MLIR prints it. Errors: fields that the attribute does not have, or has twice.
pub(super) fn canonical(text: &str) -> Result<String, String> {
    let text: &str = &without_comments(text);
    let name_end = text.find(['<', ' ', '\n', '\t', '\r']).unwrap_or(text.len());
    let name = text[..name_end].trim_start_matches('#');
    if !["stablehlo", "chlo", "mhlo"].contains(&name.split('.').next().unwrap_or_default()) {
        return Ok(text.to_owned());
    }
    let inside = || text[name_end..].trim().strip_prefix('<')?.strip_suffix('>').map(str::trim);
    let attribute = || Attr::Dialect(text.into());
    if let Some((_, fields)) = DIMS.iter().find(|(known, _)| *known == name) {
        return dims(&attribute(), name, fields);
    }
    match (name, inside()) {
        ("stablehlo.conv", Some(dims)) => Ok(format!("#stablehlo.conv<{}>", ConvDims::read(dims)?)),
        ("stablehlo.result_accuracy", _) => result_accuracy(&attribute()),
        _ => Ok(spaced(text)),
    }
}

/// The text with a space for every stretch between tokens that holds a comment.
fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") {
        return text.into();
    }
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    loop {
        let token = next_token(text, at);
        if token.kind == TokenKind::Eof {
            return out.into();
        }
        let gap = &text[at..token.start];
        out.push_str(if gap.contains("//") { " " } else { gap });
        out.push_str(&text[token.start..token.end]);
        at = token.end;
    }
}

fn dims(attribute: &Attr, name: &str, names: &[&str]) -> Result<String, String> {
    let mut fields = DialectFields::of(attribute, name)?;
    let mut written = Vec::new();
    for field in names {
        if field.ends_with("dim") {
            let value = fields.int_or(field, 0)?;
            if value != 0 {
                written.push(format!("{field} = {value}"));
            }
        } else {
            let dims = fields.dims(field)?;
            if !dims.is_empty() {
                written.push(format!("{field} = {dims:?}"));
            }
        }
    }
    fields.finish()?;
    Ok(format!("#{name}<{}>", written.join(", ")))
}

/// `#stablehlo.result_accuracy<atol = 1.0, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>`.
fn result_accuracy(attribute: &Attr) -> Result<String, String> {
    let mut fields = DialectFields::of(attribute, "stablehlo.result_accuracy")?;
    let mut written = Vec::new();
    for name in ["atol", "rtol"] {
        let text = fields.take(name).unwrap_or_else(|| "0.0".into());
        let value: f64 = text.parse().map_err(|_| format!("`{name}` should be a number, found `{text}`"))?;
        if value < 0.0 {
            return Err(format!("`{name}` is negative"));
        }
        if value != 0.0 {
            written.push(format!("{name} = {}", float_text(value, ElementType::F64)));
        }
    }
    let ulps = fields.int_or("ulps", 0)?;
    if ulps < 0 {
        return Err("`ulps` is negative".into());
    }
    if ulps != 0 {
        written.push(format!("ulps = {ulps}"));
    }
    let mode = fields.take("mode").ok_or("the field `mode` is missing")?;
    let word = mode.strip_prefix("#stablehlo.result_accuracy_mode<").and_then(|rest| rest.strip_suffix('>'));
    match word.map(str::trim) {
        Some("TOLERANCE") => {}
        Some("DEFAULT" | "HIGHEST") if written.is_empty() => {}
        Some(word @ ("DEFAULT" | "HIGHEST")) => return Err(format!("{word} goes with no tolerances")),
        _ => return Err(format!("`{mode}` is not a mode of accuracy")),
    }
    fields.finish()?;
    written.push(format!("mode = {mode}"));
    Ok(format!("#stablehlo.result_accuracy<{}>", written.join(", ")))
}

/// The tokens of a text with single spaces where MLIR writes them: behind commas, around `=` (but `axes=[` and
/// `device_ids=`), and between words that were apart. The axes of a mesh go without their name.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut at, mut before) = (0, None);
    // For each `<` that is open, whether it belongs to a mesh.
    let mut meshes = Vec::new();
    loop {
        let token = next_token(text, at);
        if token.kind == TokenKind::Eof {
            return out;
        }
        let word = &text[token.start..token.end];
        let apart = token.start > at;
        let space = match (before, token.kind) {
            (None, _) => false,
            (Some(","), _) => true,
            (Some("="), _) => !out.ends_with("axes=") && !out.ends_with("device_ids="),
            (_, TokenKind::Punct(b'=')) => {
                let next = next_token(text, token.end).kind;
                let is_list =
                    next == TokenKind::Punct(b'[') && out.ends_with("axes") && meshes.last() == Some(&true);
                !is_list && !out.ends_with("device_ids")
            }
            (Some(":"), _) | (_, TokenKind::Punct(b':')) => apart,
            (Some("<" | "[" | "(" | "-"), _) => false,
            (_, TokenKind::Bare | TokenKind::Int | TokenKind::Float | TokenKind::String) => apart,
            (Some(word), TokenKind::Hash) => apart && !word.ends_with(['<', '[', '(']),
            _ => false,
        };
        if space {
            out.push(' ');
        }
        match word {
            "<" => meshes.push(out.ends_with(".mesh")),
            ">" => drop(meshes.pop()),
            _ => {}
        }
        let is_known = word == "#stablehlo.mesh_axis" && meshes.last() == Some(&true);
        if !is_known {
            out.push_str(word);
        }
        before = Some(word);
        at = token.end;
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn fields_are_put_in_order() {
        let gather = "#stablehlo.gather<\n  index_vector_dim = 1,\n  offset_dims = [2, 3],\n  start_index_map = [],\n>";
        let expected = "#stablehlo.gather<offset_dims = [2, 3], index_vector_dim = 1>";
        assert_eq!(canonical(gather).as_deref(), Ok(expected));
        let commented = "#stablehlo.gather<offset_dims = [2, 3], // the slices\n  index_vector_dim = 1>";
        assert_eq!(canonical(commented).as_deref(), Ok(expected));
        assert!(canonical("#stablehlo.dot<rhs_batching_dims = [1]>").is_err());
        assert!(
            canonical("#stablehlo.dot<lhs_batching_dimensions = [1], lhs_batching_dimensions = [1]>")
                .is_err()
        );
    }

    #[test]
    fn accuracies_go_with_their_mode() {
        let accuracy = |fields: &str| canonical(&format!("#stablehlo.result_accuracy<{fields}>"));
        let mode = "mode = #stablehlo.result_accuracy_mode";
        assert_eq!(
            accuracy(&format!("atol = 1.0, rtol = 0.0,\n ulps = 5, {mode}<TOLERANCE>")),
            Ok(format!("#stablehlo.result_accuracy<atol = 1.000000e+00, ulps = 5, {mode}<TOLERANCE>>"))
        );
        assert!(accuracy(&format!("{mode}<DEFAULT>")).is_ok());
        assert!(accuracy(&format!("ulps = 1, {mode}<HIGHEST>")).is_err());
        assert!(accuracy(&format!("atol = -1.0, {mode}<TOLERANCE>")).is_err());
        assert!(accuracy(&format!("{mode}<BEST>")).is_err());
    }

    #[test]
    fn spaces_are_single() {
        let same = [
            "#stablehlo<precision DEFAULT>",
            "#stablehlo.channel_handle<handle = 1, type = 0>",
            "#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = \"x y\">]>",
            "#stablehlo.mesh<axes=[<name = \"x\", size = 2>, <name = \"y\", size = 1>], device_ids=dense<[1, 0]> : tensor<2xi64>>",
            "#stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[]>, axes = []>",
            "#other.attribute<  kept\n as  it is >",
        ];
        for text in same {
            assert_eq!(canonical(text).as_deref(), Ok(text));
        }
        assert_eq!(
            canonical("#stablehlo.dot_algorithm<\n  lhs_precision_type = tf32,\n rhs_precision_type=f32 >")
                .unwrap(),
            "#stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = f32>"
        );
        assert_eq!(
            canonical("#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = \"x\",size=2>]>").unwrap(),
            "#stablehlo.mesh<axes=[<name = \"x\", size = 2>]>"
        );
        let raw = "#stablehlo.conv<[ b,0,f]x[0, i,o]->[b, 0,f] >";
        assert_eq!(canonical(raw).unwrap(), "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>");
    }
}
