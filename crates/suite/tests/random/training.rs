//! Random training steps in microbatches, with values made again, in tiles and on the host, on several devices: what devices
//! compute together is what the undistributed step does, also when the plan is given back.
//!
//! A step is a small network, of which gradients are made by reverse mode: layers of products with weights, elementwise
//! ops, softmax along features or tokens, attention, normalization of features or by the batch and residuals, and a loss that
//! may be masked. Statistics of the batch are those of each microbatch: devices then compute what that step does, and, where
//! all microbatches hold the same examples, what the step as it is written does.

use super::pipeline::caught;
use super::rng::Rng;
use meshwright_compile::{
    CompileError, Compiled, Indices, MeshChoice, Microbatches, Offload, Options, Recompute, Search,
    Statistics, Tiles, Trained, compile, grad, read,
};
use meshwright_execute::check::{CheckOptions, OutputCheck, Verdict, check, replaced};
use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print};
use meshwright_machine::{Bytes, BytesPerSecond, Machine, Tier};
use meshwright_plan::plan_file::PlanMicrobatches;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::Type;
use meshwright_tensor::{Precision, Tensor};
use std::fmt::Write as _;

/// Sizes of a step.
struct Sizes {
    batch: usize,
    tokens: usize,
    features: usize,
}

/// Gradients that saturated exponentials leave: zero in exact numbers, beside what they are summed from.
const NOTHING: f64 = 1e-18;

/// A network that is being written down.
struct Network {
    sizes: Sizes,
    args: Vec<String>,
    text: String,
    next: usize,
}

/// The text of a loss of parameters `w...` and of data, of about so many layers.
pub(crate) fn loss(seed: u64, layers: usize) -> String {
    let rng = &mut Rng::new(seed ^ 0x7217);
    let sizes =
        Sizes { batch: rng.pick(&[4, 8, 12]), tokens: rng.pick(&[2, 4, 6]), features: rng.pick(&[4, 6, 8]) };
    let mut network = Network { sizes, args: Vec::new(), text: String::new(), next: 0 };
    let wide = network.wide();
    network.args.push(format!("%x: {wide}"));
    let mut value = "%x".to_owned();
    for _ in 0..1 + layers.min(4) {
        value = network.layer(rng, &value);
    }
    let loss = network.loss(rng, &value);
    let Network { args, text, .. } = network;
    format!(
        "func.func @main({}) -> tensor<f32> {{\n  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n  \
         %low = stablehlo.constant dense<0xFF800000> : tensor<f32>\n{text}  return {loss} : tensor<f32>\n}}\n",
        args.join(", ")
    )
}

impl Network {
    /// Type of activations.
    fn wide(&self) -> String {
        let Sizes { batch, tokens, features } = self.sizes;
        format!("tensor<{batch}x{tokens}x{features}xf32>")
    }

    /// Adds an instruction; the name of its result.
    fn add(&mut self, instruction: &str) -> String {
        let name = format!("%v{}", self.next);
        self.next += 1;
        let _ = writeln!(self.text, "  {name} = {instruction}");
        name
    }

    fn parameter(&mut self, ty: &str) -> String {
        let name = format!("%w{}", self.args.len());
        self.args.push(format!("{name}: {ty}"));
        name
    }

    fn elementwise(&mut self, op: &str, ty: &str, operands: &[&str]) -> String {
        self.add(&format!("stablehlo.{op} {} : {ty}", operands.join(", ")))
    }

    fn layer(&mut self, rng: &mut Rng, x: &str) -> String {
        let wide = self.wide();
        let made = match rng.below(7) {
            0 => self.product(x),
            1 => {
                let inner = self.product(x);
                let inner = self.elementwise("tanh", &wide, &[&inner]);
                self.product(&inner)
            }
            2 => self.attention(x),
            3 => self.normalized(x, 2),
            4 => self.normalized(x, 0),
            5 => {
                let inner = self.product(x);
                let gate = self.elementwise("logistic", &wide, &[&inner]);
                self.elementwise("multiply", &wide, &[x, &gate])
            }
            _ => {
                let inner = self.product(x);
                let shape = [self.sizes.batch, self.sizes.tokens, self.sizes.features];
                self.softmax(&inner, shape, 2)
            }
        };
        if rng.chance(60) { self.elementwise("add", &wide, &[x, &made]) } else { made }
    }

    /// `x @ w`.
    fn product(&mut self, x: &str) -> String {
        let (wide, features) = (self.wide(), self.sizes.features);
        let square = format!("tensor<{features}x{features}xf32>");
        let weight = self.parameter(&square);
        self.add(&format!(
            "stablehlo.dot_general {x}, {weight}, contracting_dims = [2] x [0] : ({wide}, {square}) -> {wide}"
        ))
    }

    fn reduce(&mut self, op: &str, x: &str, shape: [usize; 3], dim: usize) -> String {
        let init = if op == "maximum" { "%low" } else { "%zero" };
        let [a, b, c] = shape;
        let left: Vec<String> = (0..3).filter(|at| *at != dim).map(|at| shape[at].to_string()).collect();
        self.add(&format!(
            "stablehlo.reduce({x} init: {init}) applies stablehlo.{op} across dimensions = [{dim}] : \
             (tensor<{a}x{b}x{c}xf32>, tensor<f32>) -> tensor<{}xf32>",
            left.join("x")
        ))
    }

    fn spread(&mut self, x: &str, shape: [usize; 3], dim: usize) -> String {
        let [a, b, c] = shape;
        let dims: Vec<usize> = (0..3).filter(|at| *at != dim).collect();
        let left: Vec<String> = dims.iter().map(|at| shape[*at].to_string()).collect();
        self.add(&format!(
            "stablehlo.broadcast_in_dim {x}, dims = {dims:?} : (tensor<{}xf32>) -> tensor<{a}x{b}x{c}xf32>",
            left.join("x")
        ))
    }

    fn softmax(&mut self, x: &str, shape: [usize; 3], dim: usize) -> String {
        let [a, b, c] = shape;
        let ty = format!("tensor<{a}x{b}x{c}xf32>");
        let most = self.reduce("maximum", x, shape, dim);
        let most = self.spread(&most, shape, dim);
        let less = self.elementwise("subtract", &ty, &[x, &most]);
        let powers = self.elementwise("exponential", &ty, &[&less]);
        let sum = self.reduce("add", &powers, shape, dim);
        let sum = self.spread(&sum, shape, dim);
        self.elementwise("divide", &ty, &[&powers, &sum])
    }

    fn attention(&mut self, x: &str) -> String {
        let Sizes { batch, tokens, .. } = self.sizes;
        let wide = self.wide();
        let [q, k, v] = [self.product(x), self.product(x), self.product(x)];
        let scores = format!("tensor<{batch}x{tokens}x{tokens}xf32>");
        let score = self.add(&format!(
            "stablehlo.dot_general {q}, {k}, batching_dims = [0] x [0], contracting_dims = [2] x [2] : ({wide}, {wide}) -> {scores}"
        ));
        let weight = self.softmax(&score, [batch, tokens, tokens], 2);
        self.add(&format!(
            "stablehlo.dot_general {weight}, {v}, batching_dims = [0] x [0], contracting_dims = [2] x [1] : ({scores}, {wide}) -> {wide}"
        ))
    }

    /// `x` less its mean over a dim, times a parameter.
    fn normalized(&mut self, x: &str, dim: usize) -> String {
        let Sizes { batch, tokens, features } = self.sizes;
        let (wide, shape) = (self.wide(), [batch, tokens, features]);
        let sum = self.reduce("add", x, shape, dim);
        let left: Vec<String> = (0..3).filter(|at| *at != dim).map(|at| shape[at].to_string()).collect();
        let narrow = format!("tensor<{}xf32>", left.join("x"));
        let count = self.add(&format!("stablehlo.constant dense<{}.0> : {narrow}", shape[dim]));
        let mean = self.elementwise("divide", &narrow, &[&sum, &count]);
        let mean = self.spread(&mean, shape, dim);
        let less = self.elementwise("subtract", &wide, &[x, &mean]);
        let row = format!("tensor<{features}xf32>");
        let scale = self.parameter(&row);
        let scale = self.add(&format!("stablehlo.broadcast_in_dim {scale}, dims = [2] : ({row}) -> {wide}"));
        self.elementwise("multiply", &wide, &[&less, &scale])
    }

    /// The mean of squares, or of what a mask leaves of them.
    fn loss(&mut self, rng: &mut Rng, x: &str) -> String {
        let Sizes { batch, tokens, features } = self.sizes;
        let wide = self.wide();
        self.args.push(format!("%y: {wide}"));
        let error = self.elementwise("subtract", &wide, &[x, "%y"]);
        let mut square = self.elementwise("multiply", &wide, &[&error, &error]);
        let all = |network: &mut Self, value: &str, ty: &str, dims: &str| {
            network.add(&format!(
                "stablehlo.reduce({value} init: %zero) applies stablehlo.add across dimensions = {dims} : ({ty}, tensor<f32>) -> tensor<f32>"
            ))
        };
        let count = if rng.chance(50) {
            let narrow = format!("tensor<{batch}x{tokens}xf32>");
            self.args.push(format!("%m: {narrow}"));
            let mask = self.elementwise("abs", &narrow, &["%m"]);
            let spread = self.spread(&mask, [batch, tokens, features], 2);
            square = self.elementwise("multiply", &wide, &[&square, &spread]);
            all(self, &mask, &narrow, "[0, 1]")
        } else {
            self.add(&format!("stablehlo.constant dense<{}.0> : tensor<f32>", batch * tokens))
        };
        let sum = all(self, &square, &wide, "[0, 1, 2]");
        self.elementwise("divide", "tensor<f32>", &[&sum, &count])
    }
}

/// Numbers of plans of a step that were run, of those with statistics of each microbatch, and of those with values on the
/// host.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ran {
    pub(crate) plans: usize,
    pub(crate) local: usize,
    pub(crate) hosted: usize,
}

/// What goes wrong with a step, if anything does.
pub(crate) fn problem(seed: u64, text: &str) -> Option<String> {
    caught(|| run(seed, text).map(|_| ()))
}

/// The plans of a step that are run.
pub(crate) fn ran(seed: u64, text: &str) -> Ran {
    run(seed, text).unwrap_or_default()
}

fn run(seed: u64, text: &str) -> Result<Ran, String> {
    let rng = &mut Rng::new(seed ^ 0x5ead);
    let source = Source::new("random.mlir", text);
    let program = read(&source).map_err(|error| format!("{error:?}"))?;
    // Parameters come behind the first argument.
    let parameters = text.lines().next().map_or(0, |line| line.matches("%w").count());
    let trained: Vec<String> = (1..=parameters).map(|index| format!("arg{index}")).collect();
    if trained.is_empty() {
        return Ok(Ran::default());
    }
    let step = grad(&program, &Trained::Named(trained), 0, Indices::Any)
        .map_err(|error| format!("message: {error}"))?;
    let mut ran = Ran::default();
    for _ in 0..3 {
        let mesh = rng.pick(&[vec![1], vec![2], vec![2, 2], vec![4]]);
        let devices: usize = mesh.iter().product();
        let machine = with_host(devices)?;
        let options = chosen(rng, mesh);
        let compiled = match compile(&step, &source, &machine, &options, &Quiet) {
            Ok(compiled) => compiled,
            // A number that does not divide, or nothing that could run in tiles or lie on the host.
            Err(CompileError::Options(_)) => continue,
            Err(CompileError::Diagnostics(found)) if found.iter().all(|one| one.check.0 == "tiles") => {
                continue;
            }
            Err(error) => return Err(format!("message: {error}\n{options:?}")),
        };
        let told = |problem: String| format!("{problem}\n{options:?}\n{}", print(&step, Form::Pretty));
        let inputs = inputs(seed, &step)?;
        agree(compiled.whole(), &compiled, &inputs).map_err(told)?;
        ran.plans += 1;
        if compiled.plan.memory.host.is_some() {
            let again = given_back(&step, &source, &machine, &compiled).map_err(told)?;
            agree(again.whole(), &again, &inputs)
                .map_err(|problem| told(format!("{problem}, given back")))?;
            ran.hosted += 1;
        }
        if let Some(cut) = compiled.plan.microbatches.as_ref().filter(|_| compiled.local.is_some()) {
            let inputs = in_each(inputs, parameters, cut).map_err(|error| format!("{error:?}"))?;
            agree(&step, &compiled, &inputs)
                .map_err(|problem| told(format!("{problem}, of repeated examples")))?;
            ran.local += 1;
        }
    }
    Ok(ran)
}

/// Devices of a CPU whose host has memory of its own.
fn with_host(devices: usize) -> Result<Machine, String> {
    let spec = format!("cpu8:{devices}");
    let mut machine = Machine::from_spec(&spec).map_err(|error| format!("{error:?}"))?;
    let bandwidth = BytesPerSecond(1e9);
    machine.device.host = Some(Tier { memory: Bytes(1 << 30), bandwidth, efficiency: 1.0 });
    Ok(machine)
}

/// The step as its plan, read from what is written of it, makes it.
fn given_back(
    step: &Program,
    source: &Source,
    machine: &Machine,
    compiled: &Compiled,
) -> Result<Compiled, String> {
    let options = Options { plan: Some(compiled.plan.clone()), ..Options::default() };
    let again = compile(step, source, machine, &options, &Quiet);
    let again = again.map_err(|error| format!("message: given back: {error}"))?;
    let host = |compiled: &Compiled| compiled.plan.memory.host.clone();
    match host(&again) == host(compiled) {
        true => Ok(again),
        false => Err(format!("message: on the host {:?}, given back {:?}", host(compiled), host(&again))),
    }
}

/// Microbatches, what is made again, tiles and what lies on the host, on a mesh of these sizes.
fn chosen(rng: &mut Rng, mesh: Vec<usize>) -> Options {
    let recompute = rng.pick(&["none", "selective", "full"]).parse::<Recompute>();
    let tiles = rng.pick(&[Tiles::None, Tiles::Number(2), Tiles::Most]);
    let offload = rng.pick(&["none", "none", "activations", "parameters"]).parse::<Offload>();
    Options {
        mesh: Some(MeshChoice::Sizes(mesh)),
        search: Some(if rng.chance(70) { Search::Rest } else { Search::None }),
        microbatches: Some(Microbatches::Number(1 + rng.below(4))),
        microbatch_statistics: Some(Statistics::Local),
        recompute: recompute.ok(),
        tiles: Some(tiles),
        offload: offload.ok(),
        ..Options::default()
    }
}

fn inputs(seed: u64, step: &Program) -> Result<Vec<Tensor>, String> {
    let main = step.main().ok_or("no entry")?;
    let types: Vec<Type> = main.args().iter().map(|arg| main.body.ty(*arg).clone()).collect();
    draw(&types, &DrawOptions { seed, int_range: 0..4 }).map_err(|error| format!("{error:?}"))
}

/// Inputs of which all microbatches hold the same: data repeats along dims of the batch's size.
fn in_each(
    mut inputs: Vec<Tensor>,
    parameters: usize,
    cut: &PlanMicrobatches,
) -> Result<Vec<Tensor>, EvalError> {
    let is_data = |index: usize| index == 0 || index > parameters;
    for (_, input) in inputs.iter_mut().enumerate().filter(|(index, _)| is_data(*index)) {
        for dim in 0..input.shape().len() {
            if input.shape()[dim] == cut.batch {
                *input = repeated(input, dim, cut.count)?;
            }
        }
    }
    Ok(inputs)
}

/// The tensor whose rows `m + n * e` along a dim are those of `m` = 0.
fn repeated(tensor: &Tensor, dim: usize, count: usize) -> Result<Tensor, EvalError> {
    let shape = tensor.shape().to_vec();
    let mut strides = vec![1; shape.len()];
    strides[dim] = count;
    let first = tensor.slice(&vec![0; shape.len()], &shape, &strides)?;
    // Each example `count` times, one behind the other along a dim of their own.
    let mut apart = first.shape().to_vec();
    apart.insert(dim + 1, 1);
    let mut spread = apart.clone();
    spread[dim + 1] = count;
    let dims: Vec<usize> = (0..apart.len()).collect();
    first.reshape(&apart)?.broadcast(&spread, &dims)?.reshape(&shape)
}

fn agree(whole: &Program, compiled: &Compiled, inputs: &[Tensor]) -> Result<(), String> {
    let replaced = replaced(&compiled.function);
    let options = CheckOptions { replaced, ..CheckOptions::new(Precision::Wide, whole) };
    let outputs = check(whole, &compiled.programs, inputs, &options, &Quiet);
    let outputs = outputs.map_err(|error| format!("message: {error}"))?;
    let is_nothing =
        |output: &OutputCheck| output.verdict == Verdict::Differs && output.difference.max_abs <= NOTHING;
    let differs = |output: &OutputCheck| !output.verdict.passes() && !is_nothing(output);
    match outputs.iter().position(differs) {
        Some(index) => Err(format!("message: output {index} differs: {:?}", outputs[index])),
        None => Ok(()),
    }
}
