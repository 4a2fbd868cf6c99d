//! `meshwright model`: a config.json as the program of its forward pass and loss, and the figures of the field.

use crate::args::{ModelArguments, Output};
use crate::failure::{Failure, Outcome, warn, warn_all};
use crate::model_sharded::{Sharded, sharded};
use crate::table::{Lean, render};
use crate::terminal::Terminal;
use crate::{input, output, program};
use meshwright_compile::{CallingKernels, Kernels, scan_form, with_kernels};
use meshwright_ir::composites::with_composites;
use meshwright_ir::diagnostic::{Check, Source};
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print_with_locations};
use meshwright_models::{Data, Figures, Model, Options, Parameter, read};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Attentions that no kernel takes.
const KERNELS: Check = Check("kernels");

/// The machine whose kernels a program calls if nothing is said.
pub const KERNELS_OF: &str = "h100";

pub(crate) fn run(arguments: &ModelArguments, out: Output) -> Outcome {
    let source = program::config_text(&arguments.config)?;
    if let Some(path) = arguments.output.as_deref().filter(|path| *path != Path::new("-")) {
        output::has_place(path)?;
    }
    if arguments.kernels == Kernels::On && arguments.output.is_none() {
        return Err(Failure::usage("`--kernels on` is for the program that is written: give `-o FILE`"));
    }
    let options = options(arguments);
    let mut model = read_model(&source, &options)?;
    warn_all(&source, std::mem::take(&mut model.warnings), out);
    let sharded = sharded(&source, arguments, &options)?;
    if let Some(path) = &arguments.output {
        let program = written(&source, &model.program, arguments, &options, out)?;
        output::write(path, print_with_locations(&with_composites(&program), Form::Pretty).as_bytes())?;
        if path == Path::new("-") {
            return Ok(());
        }
    }
    output::print(&match out.json {
        true => output::json(&ModelFigures::of(&model, sharded.as_ref())),
        false => ModelFigures::text(&model, sharded.as_ref()),
    })
}

/// The model of a configuration.
fn read_model(config: &Source, options: &Options) -> Outcome<Model> {
    let model = Terminal::plain().during("model", || read(config, options));
    model.map_err(|fault| Failure::input(config, vec![fault]))
}

/// The program that is written: as it is, or with calls of the machine's kernels.
fn written<'a>(
    config: &Source,
    program: &'a Program,
    arguments: &ModelArguments,
    options: &Options,
    out: Output,
) -> Outcome<Cow<'a, Program>> {
    if arguments.kernels == Kernels::Off {
        return Ok(Cow::Borrowed(program));
    }
    let name = arguments.machine.as_deref().unwrap_or(KERNELS_OF);
    let machine = input::machine(name)?;
    let options = Options { scan: scan_form(&machine, Kernels::On), ..options.clone() };
    let model = read_model(config, &options)?;
    let Some(CallingKernels { program, left }) = with_kernels(&model.program, &machine) else {
        let message =
            format!("`{name}` has no kernel for attention or scans; write them out: `--kernels off`");
        return Err(Failure::usage(message));
    };
    for warning in left_written_out(&left) {
        warn(KERNELS, warning, None, out);
    }
    Ok(Cow::Owned(program))
}

/// Says why attentions stay written out, each reason once.
pub fn left_written_out(left: &[String]) -> impl Iterator<Item = String> {
    let reasons: BTreeSet<&String> = left.iter().collect();
    reasons.into_iter().map(|reason| format!("attentions stay written out: {reason}"))
}

/// Figures of a model: parameters, operations and bytes, and with degrees what a device has of them, block by block.
#[derive(Serialize)]
pub struct ModelFigures<'a> {
    #[serde(flatten)]
    record: Record<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sharded: Option<serde_json::Value>,
}

impl<'a> ModelFigures<'a> {
    /// For programs.
    pub fn of(model: &'a Model, sharded: Option<&Sharded>) -> Self {
        Self { record: record(model, &model.figures()), sharded: sharded.map(Sharded::json) }
    }

    /// For people.
    pub fn text(model: &Model, sharded: Option<&Sharded>) -> String {
        table(model, &model.figures()) + &sharded.map(Sharded::text).unwrap_or_default()
    }
}

fn options(arguments: &ModelArguments) -> Options {
    Options {
        sequence: arguments.seq,
        batch: arguments.global_batch,
        recipe: arguments.precision_recipe.into(),
        layers: arguments.layers.into(),
        capacity_factor: arguments.capacity_factor,
        ..Options::default()
    }
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn table(model: &Model, figures: &Figures) -> String {
    let [sequences, length] = model.shape;
    let tokens = (sequences * length) as f64;
    let share = |flops: f64| format!("{:.1}%", 100.0 * flops / figures.flops.max(1.0));
    let mut rows = vec![
        ["model".into(), model.model_type.clone(), format!("{} layers", model.depth)],
        ["batch".into(), grouped((sequences * length) as u64), format!("tokens, {sequences} x {length}")],
        ["parameters".into(), grouped(figures.parameters), String::new()],
        ["active".into(), grouped(figures.active), "parameters that a token uses".into()],
        ["forward".into(), format!("{:.4e}", figures.flops), "flops".into()],
        ["forward and backward".into(), format!("{:.4e}", 3.0 * figures.flops), "flops".into()],
        [
            "a token".into(),
            format!("{:.4e}", 3.0 * figures.flops / tokens),
            "flops, forward and backward".into(),
        ],
    ];
    for block in &figures.blocks {
        rows.push([format!("  {}", block.block), format!("{:.4e}", 3.0 * block.flops), share(block.flops)]);
    }
    let of_attention = format!("{:.4e}", 3.0 * figures.attention_flops);
    rows.push(["  between tokens".into(), of_attention, share(figures.attention_flops)]);
    rows.push(["cache".into(), grouped(figures.cache_bytes_per_token), "bytes a token".into()]);
    if figures.cache_bytes_per_sequence > 0 {
        rows.push(["".into(), grouped(figures.cache_bytes_per_sequence), "bytes a sequence".into()]);
    }
    let kept = figures.activation_bytes_per_layer / tokens;
    rows.push([
        "activations".into(),
        grouped(kept as u64),
        "bytes a token and layer, read by products".into(),
    ]);
    rows.push(["intensity".into(), format!("{:.1}", figures.intensity), "flops a byte, of products".into()]);
    let head = [("figure", Lean::Left), ("value", Lean::Right), ("", Lean::Left)];
    let rows: Vec<Vec<String>> = rows.into_iter().map(Vec::from).collect();
    let mut text = render(&head, &rows);
    if !model.defaults.is_empty() {
        let list: Vec<String> =
            model.defaults.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        text.push_str(&format!(
            "\nNot given, so as documented ({}): {}.\n",
            model.documented,
            list.join(", ")
        ));
    }
    text
}

#[derive(Serialize)]
struct Record<'a> {
    model_type: &'a str,
    layers: usize,
    sequences: usize,
    tokens_per_sequence: usize,
    parameters: u64,
    active_parameters: u64,
    forward_flops: f64,
    step_flops: f64,
    attention_forward_flops: f64,
    forward_flops_by_block: BTreeMap<String, f64>,
    cache_bytes_per_token: u64,
    cache_bytes_per_sequence: u64,
    activation_bytes_per_layer: f64,
    intensity_flops_per_byte: f64,
    defaults: BTreeMap<&'a str, &'a str>,
    parameter_arguments: Vec<Argument<'a>>,
    data_arguments: Vec<Argument<'a>>,
}

/// An argument of the program.
#[derive(Serialize)]
struct Argument<'a> {
    name: &'a str,
    shape: &'a [usize],
    element: &'static str,
    /// Whole numbers are less than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<usize>,
}

fn record<'a>(model: &'a Model, figures: &Figures) -> Record<'a> {
    let element = model.recipe.masters().name();
    let parameter =
        |one: &'a Parameter| Argument { name: &one.name, shape: &one.shape, element, below: None };
    let data = |one: &'a Data| Argument {
        name: one.name,
        shape: &one.ty.shape,
        element: one.ty.element.name(),
        below: one.below,
    };
    Record {
        model_type: &model.model_type,
        layers: model.depth,
        sequences: model.shape[0],
        tokens_per_sequence: model.shape[1],
        parameters: figures.parameters,
        active_parameters: figures.active,
        forward_flops: figures.flops,
        step_flops: 3.0 * figures.flops,
        attention_forward_flops: figures.attention_flops,
        forward_flops_by_block: figures
            .blocks
            .iter()
            .map(|block| (block.block.clone(), block.flops))
            .collect(),
        cache_bytes_per_token: figures.cache_bytes_per_token,
        cache_bytes_per_sequence: figures.cache_bytes_per_sequence,
        activation_bytes_per_layer: figures.activation_bytes_per_layer,
        intensity_flops_per_byte: figures.intensity,
        defaults: model.defaults.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        parameter_arguments: model.parameters.iter().map(parameter).collect(),
        data_arguments: model.data.iter().map(data).collect(),
    }
}
