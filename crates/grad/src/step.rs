//! Training steps: a loss, differentiated, and an optimizer that changes the parameters.
//!
//! The arguments of a step are the parameters, what the optimizer keeps of them slot by slot, the number of steps so far,
//! the loss scale if there is one, and the loss's other arguments. The results take the places of the first, which are
//! donated to them (`tf.aliasing_output`, as JAX writes it); the last one is the loss.
//!
//! ```text
//! (w, b, m w, m b, v w, v b, step, x, y) -> (w, b, m w, m b, v w, v b, step, loss)
//! ```

use crate::optimizers::{Decay, Optimizer, Parameter, Place, kept_element, square_sum};
use crate::{DERIVATIVE, grad};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::ValueId;
use meshwright_ir::location::Location;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::vjp::Indices;
use meshwright_tensor::names;
use meshwright_tensor::types::{ElementKind, ElementType, TensorType};

mod scaling;

use scaling::Scale;

/// Parameters, loss and optimizer of a training step.
pub struct Training<'a> {
    /// Positions of the parameters among the loss's arguments.
    pub parameters: Vec<usize>,
    /// Those of them whose weights do not decay.
    pub undecayed: Vec<usize>,
    /// Those of them that are factors of products between hidden values.
    pub hidden: Vec<usize>,
    /// The result that is the loss.
    pub loss: usize,
    /// The optimizer.
    pub optimizer: &'a dyn Optimizer,
    /// The largest norm of all gradients together; longer ones are shortened.
    pub clip: Option<f64>,
    /// Scaling of the loss.
    pub scaling: LossScaling,
    /// What is known of indices.
    pub indices: Indices,
}

/// Scaling of the loss, so that small gradients are not lost in a narrow type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossScaling {
    /// None.
    None,
    /// By a scale that is halved when a gradient is not finite, in which case the step is left out, and doubled after so
    /// many steps that were not.
    Dynamic {
        /// Steps until it is doubled.
        interval: u32,
    },
}

/// An argument that a result takes the place of.
struct State {
    argument: ValueId,
    name: String,
    attributes: Attributes,
}

/// The training step of a function that computes a loss.
///
/// # Errors
/// As those of [`grad`]; there is no parameter, or one has complex elements.
pub fn training_step(function: &Function, training: &Training<'_>) -> Result<Function, Diagnostics> {
    real_parameters(function, training)?;
    let (function, scale) = scaling::scaled(function, training);
    let of = if scale.is_some() { function.returned().len() - 1 } else { training.loss };
    let loss = function.returned().get(training.loss).copied();
    let mut gradients = grad(&function, &training.parameters, of, training.indices)?;
    let entry = gradients.body.entry();
    let end = gradients.body.regions[entry].insts.pop().expect("a function returns");
    let returned = gradients.body.insts[end].operands.clone();
    let loss = loss.unwrap_or(returned[0]);
    let mut step = Step { function: gradients, states: Vec::new(), results: Vec::new() };
    step.update(training, returned[1..].to_vec(), scale);
    Ok(step.finish(loss, training))
}

/// Checks that there are parameters, which an optimizer can change.
fn real_parameters(function: &Function, training: &Training<'_>) -> Result<(), Diagnostics> {
    let mut problems = Diagnostics::new();
    if training.parameters.is_empty() {
        let message = format!("`@{}` has no argument of a float type that could be trained", function.name);
        problems.push(Diagnostic::error(DERIVATIVE, function.span, message).hint("leave the optimizer out"));
    }
    let names = argument_names(function);
    for index in &training.parameters {
        let Some(argument) = function.args().get(*index) else { continue };
        let is_complex = function
            .body
            .ty(*argument)
            .as_tensor()
            .is_some_and(|ty| ty.element.kind() == ElementKind::Complex);
        if is_complex {
            let message =
                format!("`{}` has complex elements, which no optimizer here changes", names[*index]);
            let span = function.body.values[*argument].span;
            let hint = "hand over its real and imaginary parts as parameters";
            problems.push(Diagnostic::error(DERIVATIVE, span, message).hint(hint));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// A step that is being written behind a loss and its gradients.
struct Step {
    function: Function,
    states: Vec<State>,
    /// What takes the place of each state.
    results: Vec<ValueId>,
}

impl Step {
    fn builder(&mut self) -> BodyBuilder<'_> {
        builder(&mut self.function.body)
    }

    /// The updates of all parameters, and of what is kept beside them.
    fn update(&mut self, training: &Training<'_>, mut gradients: Vec<ValueId>, scale: Option<Scale>) {
        let names = argument_names(&self.function);
        let count = self.argument(TensorType::scalar(ElementType::I32));
        for gradient in &mut gradients {
            *gradient = self.widened(*gradient);
        }
        let finite = scale.map(|scale| scaling::unscale(&mut self.builder(), scale, &mut gradients));
        if let Some(largest) = training.clip {
            clip(&mut self.builder(), &mut gradients, largest);
        }
        let next = self.builder().with_number(Binary::Add, count, 1);
        let mut slots = Vec::new();
        for (index, gradient) in training.parameters.iter().zip(gradients) {
            slots.push(self.update_parameter(training, *index, &names[*index], gradient, next));
        }
        self.push_slots(slots);
        self.states.push(State { argument: count, name: "step".to_owned(), attributes: Attributes::new() });
        self.results.push(next);
        if let (Some(scale), Some(finite)) = (scale, finite) {
            self.keep_unless(finite);
            self.push_scale(training, scale, finite);
        }
    }

    /// Updates a parameter, and returns what is kept beside it with what takes its place.
    fn update_parameter(
        &mut self,
        training: &Training<'_>,
        index: usize,
        name: &str,
        gradient: ValueId,
        step: ValueId,
    ) -> Vec<(State, ValueId)> {
        let argument = self.function.args()[index];
        let attributes = self.function.arg_attributes.get(index).map(sharding_of).unwrap_or_default();
        let own = self.function.body.tensor(argument).clone();
        let element = self.function.body.tensor(gradient).element;
        let stacks = stacks(name).min(own.rank());
        let place = if training.hidden.contains(&index) { Place::Hidden } else { Place::Other };
        let mut states = Vec::new();
        for slot in training.optimizer.slots(&own.shape, stacks, place) {
            // What is kept in the parameter's shape is sharded as that is.
            let attributes = if slot.shape == own.shape { attributes.clone() } else { Attributes::new() };
            let argument = self.argument(TensorType::new(slot.shape, element));
            states.push(State { argument, name: beside(name, slot.name), attributes });
        }
        let is_undecayed = training.undecayed.contains(&index);
        let parameter = Parameter {
            value: self.widened(argument),
            gradient,
            slots: states.iter().map(|state| state.argument).collect(),
            decay: if is_undecayed { Decay::LeftOut } else { Decay::Applied },
            stacks,
            place,
        };
        let mut builder = self.builder();
        let step = builder.convert(step, element);
        let updated = training.optimizer.update(&mut builder, step, &parameter);
        let value = builder.convert(updated.value, own.element);
        self.states.push(State { argument, name: name.to_owned(), attributes });
        self.results.push(value);
        states.into_iter().zip(updated.slots).collect()
    }

    /// One more argument.
    fn argument(&mut self, ty: TensorType) -> ValueId {
        let body = &mut self.function.body;
        body.add_arg(body.entry(), ty.into(), Span::NONE)
    }

    /// What is kept beside all parameters, slot by slot.
    fn push_slots(&mut self, slots: Vec<Vec<(State, ValueId)>>) {
        let mut columns: Vec<_> = slots.into_iter().map(Vec::into_iter).collect();
        loop {
            let row: Vec<(State, ValueId)> = columns.iter_mut().filter_map(Iterator::next).collect();
            if row.is_empty() {
                return;
            }
            for (state, value) in row {
                self.states.push(state);
                self.results.push(value);
            }
        }
    }

    /// Leaves all states as they were, unless a predicate holds.
    fn keep_unless(&mut self, holds: ValueId) {
        for at in 0..self.results.len() {
            let (before, after) = (self.states[at].argument, self.results[at]);
            self.results[at] = self.builder().choose(holds, after, before);
        }
    }

    fn push_scale(&mut self, training: &Training<'_>, scale: Scale, finite: ValueId) {
        let LossScaling::Dynamic { interval } = training.scaling else { return };
        let next = scaling::next(&mut self.builder(), scale, finite, interval);
        for ((argument, name), result) in
            [(scale.argument, "loss_scale"), (scale.good_steps, "good_steps")].into_iter().zip(next)
        {
            self.states.push(State { argument, name: name.to_owned(), attributes: Attributes::new() });
            self.results.push(result);
        }
    }

    fn widened(&mut self, value: ValueId) -> ValueId {
        let element = kept_element(self.function.body.tensor(value).element);
        self.builder().convert(value, element)
    }

    /// The function: states first among the arguments, and their successors among the results.
    fn finish(mut self, loss: ValueId, training: &Training<'_>) -> Function {
        let names = argument_names(&self.function);
        let rest: Vec<usize> = (0..names.len().min(self.function.arg_attributes.len()))
            .filter(|index| !training.parameters.contains(index))
            .filter(|index| !self.states.iter().any(|state| state.argument == self.function.args()[*index]))
            .collect();
        for index in rest {
            let attributes = self.function.arg_attributes[index].clone();
            let argument = self.function.args()[index];
            self.states.push(State { argument, name: names[index].clone(), attributes });
        }
        let mut results = std::mem::take(&mut self.results);
        let num_states = results.len();
        let result_attributes = self.states[..num_states]
            .iter()
            .map(|state| sharding_of(&state.attributes).with("jax.result_info", Attr::string(&state.name)));
        let loss_attributes = Attributes::new().with("jax.result_info", Attr::string("loss"));
        let result_attributes: Vec<Attributes> = result_attributes.chain([loss_attributes]).collect();
        results.push(loss);
        self.builder().emit_all(Return::Func, &results, Vec::new(), Vec::new());
        let body = &mut self.function.body;
        let entry = body.entry();
        body.regions[entry].args = self.states.iter().map(|state| state.argument).collect();
        for (index, state) in self.states.iter().enumerate() {
            body.values[state.argument].def = Def::Argument(entry, index);
        }
        let location =
            |state: &State| Some(Location::Name { name: state.name.as_str().into(), child: None }.into());
        body.regions[entry].arg_locations = self.states.iter().map(location).collect();
        let donated = |(index, state): (usize, State)| match index < num_states {
            true => state.attributes.with("tf.aliasing_output", Attr::i32(index as i32)),
            false => state.attributes,
        };
        let result_types = results.iter().map(|value| body.ty(*value).clone()).collect();
        let arg_attributes = self.states.into_iter().enumerate().map(donated).collect();
        Function { arg_attributes, result_types, result_attributes, ..self.function }
    }
}

/// Shortens gradients so that all together are no longer than `largest`, as PyTorch does it. Squares are added up in f32, in f64
/// if there is a gradient of it.
fn clip(b: &mut BodyBuilder<'_>, gradients: &mut [ValueId], largest: f64) {
    let is_long = gradients.iter().any(|gradient| b.ty(*gradient).element == ElementType::F64);
    let element = if is_long { ElementType::F64 } else { ElementType::F32 };
    let squares: Vec<ValueId> = gradients
        .iter()
        .map(|gradient| {
            let square = square_sum(b, *gradient);
            b.convert(square, element)
        })
        .collect();
    let Some(sum) = squares.into_iter().reduce(|sum, square| b.plus(sum, square)) else { return };
    let norm = b.unary(Unary::Sqrt, sum);
    let epsilon = b.number_like(norm, 1e-6);
    let norm = b.plus(norm, epsilon);
    let (largest, one) = (b.number_like(norm, largest), b.number_like(norm, 1.0));
    let share = b.over(largest, norm);
    let share = b.binary(Binary::Minimum, share, one);
    for gradient in gradients {
        *gradient = scaling::times_scalar(b, *gradient, share);
    }
}

fn builder(body: &mut Body) -> BodyBuilder<'_> {
    let region = body.entry();
    BodyBuilder { body, region, span: Span::NONE, location: None }
}

/// The name of each argument, as its location says it.
fn argument_names(function: &Function) -> Vec<String> {
    let region = &function.body.regions[function.body.entry()];
    let name = |index: usize| match region.arg_locations.get(index).and_then(|location| location.as_deref()) {
        Some(Location::Name { name, .. }) if !name.is_empty() => name.to_string(),
        _ => format!("arg{index}"),
    };
    (0..region.args.len()).map(name).collect()
}

/// The number of dims that count tensors, as the name of a stack of them says it: one in `layers.{0..31}.norm.weight`.
fn stacks(name: &str) -> usize {
    names::stacked(name).len()
}

/// `m['w']` beside `params['w']`, and `m.arg0` beside `arg0`.
fn beside(name: &str, slot: &str) -> String {
    match name.find('[') {
        Some(at) => format!("{slot}{}", &name[at..]),
        None => format!("{slot}.{name}"),
    }
}

/// What an argument's attributes say of its sharding.
fn sharding_of(attributes: &Attributes) -> Attributes {
    const NAMES: [&str; 2] = ["sdy.sharding", "mhlo.sharding"];
    NAMES.iter().filter_map(|name| Some(((*name).to_owned(), attributes.get(name)?.clone()))).collect()
}
