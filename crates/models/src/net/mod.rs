//! A network under construction: a [`Builder`] that also knows parameters by their names in the checkpoint.
//!
//! Blocks ask for parameters where they use them ([`Net::param`]). In a loop over layers that is a slice of a stack, the
//! name of which says all layers (`model.layers.{0..31}.self_attn.q_proj.weight`). Input: blocks. Output: a program, of
//! which the arguments are the parameters in the order in which they are first used, and then the data.

mod arithmetic;
mod einsum;
mod layers;

pub use arithmetic::Arithmetic;
pub use layers::{Run, runs};

use crate::options::Options;
use meshwright_ir::build::{At, Builder, FunctionBuilder};
use meshwright_ir::ids::ValueId;
use meshwright_ir::location::{Location, LocationRef};
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_ir::program::{Def, Function, Program};
use meshwright_tensor::types::{ElementType, TensorType};
use std::collections::BTreeMap;

/// A parameter of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in the checkpoint; a stack names all of which it is made, by braces.
    pub name: String,
    /// Its shape, with the dims of stacks in front.
    pub shape: Vec<usize>,
    /// The share of it that one token uses: of a stack of experts, those that it is sent to.
    pub active: Share,
    /// Whether the loss is a constant in it, so that only what balances experts sets it.
    pub is_balance: bool,
}

impl Parameter {
    /// Number of elements.
    pub fn num_elements(&self) -> u64 {
        self.shape.iter().map(|size| *size as u64).product()
    }

    /// Number of elements that one token uses.
    pub fn num_active(&self) -> u64 {
        self.num_elements() / self.active.of as u64 * self.active.parts as u64
    }
}

/// A part of a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// How many parts.
    pub parts: usize,
    /// Of how many.
    pub of: usize,
}

impl Share {
    /// All of it.
    pub const WHOLE: Self = Self { parts: 1, of: 1 };
}

/// An argument of data.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub ty: TensorType,
    /// Of whole numbers, how many there are: each is less.
    pub below: Option<usize>,
}

/// Elements that decoding keeps for the tokens to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cached {
    /// Elements for each token.
    pub per_token: u64,
    /// Elements for each sequence, however long it is.
    pub per_sequence: u64,
}

/// A loop that is being written: the layers of one place of its body.
#[derive(Clone, Debug)]
struct Turn {
    counter: ValueId,
    count: usize,
}

/// A network under construction.
pub struct Net {
    function: FunctionBuilder,
    /// All that is asked of the model.
    pub options: Options,
    /// Parameters so far.
    pub params: Vec<Parameter>,
    /// What decoding keeps, of all layers.
    pub cached: Cached,
    /// Number of layers.
    pub depth: usize,
    values: BTreeMap<String, ValueId>,
    /// Arguments of data so far.
    pub data: Vec<Data>,
    data_values: Vec<ValueId>,
    prefix: Vec<String>,
    scope: Vec<&'static str>,
    location: Option<LocationRef>,
    turn: Option<Turn>,
}

impl Net {
    /// A network without anything in it.
    pub fn new(options: Options) -> Self {
        Self {
            function: FunctionBuilder::new("main"),
            options,
            params: Vec::new(),
            cached: Cached { per_token: 0, per_sequence: 0 },
            depth: 0,
            values: BTreeMap::new(),
            data: Vec::new(),
            data_values: Vec::new(),
            prefix: Vec::new(),
            scope: Vec::new(),
            location: None,
            turn: None,
        }
    }

    /// The type that products are computed in.
    pub fn compute(&self) -> ElementType {
        self.options.recipe.compute()
    }

    /// An argument of whole numbers, each less than `below`.
    pub fn indices(&mut self, name: &'static str, shape: &[usize], below: usize) -> ValueId {
        self.argument(Data { name, ty: TensorType::new(shape, ElementType::I32), below: Some(below) })
    }

    /// An argument of numbers, in the type of products.
    pub fn signal(&mut self, name: &'static str, shape: &[usize]) -> ValueId {
        let value = self.argument(Data { name, ty: TensorType::new(shape, ElementType::F32), below: None });
        let element = self.compute();
        self.convert(value, element)
    }

    fn argument(&mut self, data: Data) -> ValueId {
        let value = self.function.argument(data.name, data.ty.clone().into());
        self.data.push(data);
        self.data_values.push(value);
        value
    }

    /// A parameter in the type of products, or its part of this layer.
    pub fn param(&mut self, name: &str, shape: &[usize]) -> ValueId {
        let value = self.master(name, shape, Share::WHOLE);
        let element = self.compute();
        self.convert(value, element)
    }

    /// A parameter in f32, or its part of this layer.
    pub fn param_f32(&mut self, name: &str, shape: &[usize]) -> ValueId {
        let value = self.master(name, shape, Share::WHOLE);
        self.convert(value, ElementType::F32)
    }

    /// A parameter in f32 by which experts are chosen and nothing else, or its part of this layer.
    pub fn balance_param(&mut self, name: &str, shape: &[usize]) -> ValueId {
        let count = self.params.len();
        let value = self.param_f32(name, shape);
        self.params.iter_mut().skip(count).for_each(|parameter| parameter.is_balance = true);
        value
    }

    /// The parts of these sizes, one behind the other along a dim, of a tensor that the checkpoint keeps in one piece, in the type
    /// of products. Each is a parameter of its own, so that devices may share every one of them evenly; its name says where it
    /// lies: `in_proj.weight(0:64)`, `c_attn.weight(:,0:64)`.
    pub fn param_parts(&mut self, name: &str, shape: &[usize], dim: usize, sizes: &[usize]) -> Vec<ValueId> {
        let mut start = 0;
        let mut part = |size: &usize| {
            let at = format!("{}{start}:{}", ":,".repeat(dim), start + size);
            start += size;
            let own = [&shape[..dim], &[*size], &shape[dim + 1..]].concat();
            self.param(&format!("{name}({at})"), &own)
        };
        sizes.iter().map(&mut part).collect()
    }

    /// A stack of the parameters of experts, of which a token is sent to some: the type of products.
    pub fn expert_param(&mut self, name: &str, shape: &[usize], active: Share) -> ValueId {
        let value = self.master(name, shape, active);
        let element = self.compute();
        self.convert(value, element)
    }

    fn master(&mut self, name: &str, shape: &[usize], active: Share) -> ValueId {
        let parts = self.prefix.iter().map(String::as_str).chain([name]);
        let full = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        let turn = self.turn.clone();
        let whole = match &turn {
            Some(turn) => [&[turn.count], shape].concat(),
            None => shape.to_vec(),
        };
        let value = match self.values.get(&full) {
            Some(value) => *value,
            None => {
                let ty = TensorType::new(whole.clone(), self.options.recipe.masters());
                let value = self.function.argument(&full, ty.into());
                self.params.push(Parameter { name: full.clone(), shape: whole, active, is_balance: false });
                self.values.insert(full, value);
                value
            }
        };
        let Some(turn) = turn else { return value };
        let zero = self.splat(TensorType::scalar(ElementType::I32), 0.0);
        let starts = std::iter::repeat_n(zero, shape.len());
        let operands: Vec<ValueId> = [value, turn.counter].into_iter().chain(starts).collect();
        let part = self.add(DynamicSlice { sizes: [&[1], shape].concat() }, &operands);
        let ty = TensorType::new(shape, self.options.recipe.masters());
        self.emit(Reshape, &[part], ty)
    }

    /// Writes a part of the network whose parameters have names that begin with `prefix`, and whose instructions say
    /// that they come from `scope`.
    pub fn within<T>(&mut self, prefix: &str, scope: &'static str, write: impl FnOnce(&mut Self) -> T) -> T {
        self.prefix.push(prefix.to_owned());
        let result = self.scoped(scope, write);
        self.prefix.pop();
        result
    }

    /// Writes a part of the network whose instructions say that they come from `scope`.
    pub fn scoped<T>(&mut self, scope: &'static str, write: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.location.clone();
        self.scope.push(scope);
        let name = self.scope.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
        self.location = Some(Location::Name { name: name.into(), child: None }.into());
        let result = write(self);
        self.scope.pop();
        self.location = before;
        result
    }

    /// Remembers that decoding keeps so many elements for each token, in each layer that is being written.
    pub fn caches_per_token(&mut self, elements: usize) {
        self.cached.per_token += (elements * self.turns()) as u64;
    }

    /// Remembers that decoding keeps so many elements for each sequence, in each layer that is being written.
    pub fn caches_per_sequence(&mut self, elements: usize) {
        self.cached.per_sequence += (elements * self.turns()) as u64;
    }

    fn turns(&self) -> usize {
        self.turn.as_ref().map_or(1, |turn| turn.count)
    }

    /// The program, which returns these values.
    pub fn finish(self, name: &str, results: &[ValueId]) -> Program {
        let function = data_last(self.function.finish(results), &self.data_values);
        let program = Program { name: Some(name.to_owned()), ..Program::default() };
        program.with_only(function)
    }
}

impl Builder for Net {
    fn at(&mut self) -> At<'_> {
        let At { body, region, span, .. } = self.function.at();
        At { body, region, span, location: self.location.clone() }
    }
}

/// The function with some arguments behind all others.
fn data_last(mut function: Function, data: &[ValueId]) -> Function {
    let entry = function.body.entry();
    let args = function.body.regions[entry].args.clone();
    let is_data = |index: &usize| data.contains(&args[*index]);
    let (last, first): (Vec<usize>, Vec<usize>) = (0..args.len()).partition(is_data);
    let order: Vec<usize> = first.into_iter().chain(last).collect();
    let locations = function.body.regions[entry].arg_locations.clone();
    let attributes = function.arg_attributes.clone();
    for (index, old) in order.into_iter().enumerate() {
        function.body.values[args[old]].def = Def::Argument(entry, index);
        function.body.regions[entry].args[index] = args[old];
        function.body.regions[entry].arg_locations[index] = locations[old].clone();
        function.arg_attributes[index] = attributes[old].clone();
    }
    function
}
