//! The program: functions of instructions over values, with single-block regions.
//!
//! A [`Body`] owns the values, instructions and regions of one function; ids are indices into its tables, so
//! side tables stay valid as long as the body is not rebuilt. Instructions stand in execution order in their
//! region; the last one of a region is its terminator ([`crate::op::Op::Return`]). A value is defined before it is used,
//! in its own region or in one around it.

use crate::attribute::Attributes;
use crate::diagnostic::Span;
use crate::ids::{Id as _, InstId, RegionId, Table, ValueId};
use crate::location::LocationRef;
use crate::mesh::Mesh;
use crate::op::Op;
use crate::sharding::MeshRef;
use meshwright_tensor::types::{TensorType, Type};
use std::collections::BTreeSet;

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Symbol name of the module, without `@`.
    pub name: Option<String>,
    /// Module attributes, such as `mhlo.num_replicas`.
    pub attributes: Attributes,
    /// `sdy.mesh` declarations with their remaining attributes.
    pub meshes: Vec<MeshDecl>,
    /// Functions, in source order.
    pub functions: Vec<Function>,
    /// Where it says that it comes from.
    pub location: Option<LocationRef>,
}

/// An `sdy.mesh` at module level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshDecl {
    /// The mesh.
    pub mesh: Mesh,
    /// Other attributes on the declaration.
    pub attributes: Attributes,
    /// How many functions stand before it.
    pub position: usize,
    /// Where it says that it comes from.
    pub location: Option<LocationRef>,
    /// Where it stands.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Symbol name, without `@`.
    pub name: String,
    /// `public`, `private`, `nested` or nothing.
    pub visibility: Option<String>,
    /// Attributes of each argument.
    pub arg_attributes: Vec<Attributes>,
    /// Type of each result.
    pub result_types: Vec<Type>,
    /// Attributes of each result.
    pub result_attributes: Vec<Attributes>,
    /// Where each result's type stands; those behind the end of the list have no place of their own.
    pub result_spans: Vec<Span>,
    /// Attributes of the function itself.
    pub attributes: Attributes,
    /// Its code.
    pub body: Body,
    /// Whether it has no code here; its body has only the arguments then.
    pub is_declaration: bool,
    /// Its name in the source.
    pub span: Span,
    /// Where it says that it comes from.
    pub location: Option<LocationRef>,
}

/// Values, instructions and regions of one function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// All values.
    pub values: Table<ValueId, Value>,
    /// All instructions, in no particular order; regions hold the order.
    pub insts: Table<InstId, Inst>,
    /// All regions. The first is the function's own.
    pub regions: Table<RegionId, Region>,
}

/// What a body holds at some moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    region: RegionId,
    num_in_region: usize,
    /// Values, instructions and regions.
    counts: [usize; 3],
}

impl Mark {
    /// Whether a value was made later.
    pub(crate) fn is_before(self, value: ValueId) -> bool {
        value.index() >= self.counts[0]
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its type.
    pub ty: Type,
    /// What defines it.
    pub def: Def,
    /// The source text that names it (`%arg0`), if it comes from a file.
    pub span: Span,
}

/// Definition of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    /// Argument number of a region.
    Argument(RegionId, usize),
    /// Result number of an instruction.
    Result(InstId, usize),
}

/// A single-block region.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Region {
    /// Its arguments.
    pub args: Vec<ValueId>,
    /// Where they say that they come from; those behind the end of the list do not.
    pub arg_locations: Vec<Option<LocationRef>>,
    /// Its instructions in execution order; the last is the terminator.
    pub insts: Vec<InstId>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// What it reads.
    pub operands: Vec<ValueId>,
    /// What it defines.
    pub results: Vec<ValueId>,
    /// Its regions.
    pub regions: Vec<RegionId>,
    /// Attributes that are not part of the op, such as `mhlo.frontend_attributes`.
    pub attributes: Attributes,
    /// Where it stands.
    pub span: Span,
    /// Where it says that it comes from.
    pub location: Option<LocationRef>,
}

impl Program {
    /// The function called `name`.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The entry: `main`, or the only function with a body.
    pub fn main(&self) -> Option<&Function> {
        let mut bodies = self.functions.iter().filter(|function| !function.is_declaration);
        match (bodies.next(), bodies.next()) {
            (Some(only), None) => Some(only),
            _ => self.function("main").filter(|main| !main.is_declaration),
        }
    }

    /// The program with this function in place of all of its own.
    #[must_use]
    pub fn with_only(&self, function: Function) -> Self {
        let Self { name, attributes, meshes, functions: _, location } = self;
        let (name, attributes, meshes) = (name.clone(), attributes.clone(), meshes.clone());
        Self { name, attributes, meshes, functions: vec![function], location: location.clone() }
    }

    /// The mesh that `mesh` refers to, if it is declared or written out.
    pub fn resolve_mesh<'a>(&'a self, mesh: &'a MeshRef) -> Option<&'a Mesh> {
        match mesh {
            MeshRef::Symbol(name) => self.mesh(name),
            MeshRef::Inline(mesh) => Some(mesh),
        }
    }

    /// The mesh called `name`.
    pub fn mesh(&self, name: &str) -> Option<&Mesh> {
        self.meshes.iter().map(|decl| &decl.mesh).find(|mesh| mesh.name == name)
    }
}

impl Function {
    /// The same with another body, of the same arguments and results; its own is not copied.
    pub fn with_body(&self, body: Body) -> Self {
        Self {
            name: self.name.clone(),
            visibility: self.visibility.clone(),
            arg_attributes: self.arg_attributes.clone(),
            result_types: self.result_types.clone(),
            result_attributes: self.result_attributes.clone(),
            result_spans: self.result_spans.clone(),
            attributes: self.attributes.clone(),
            body,
            is_declaration: self.is_declaration,
            span: self.span,
            location: self.location.clone(),
        }
    }

    /// Place of the type of a result, else of its own name.
    pub fn result_span(&self, index: usize) -> Span {
        self.result_spans.get(index).copied().filter(|span| span.is_some()).unwrap_or(self.span)
    }

    /// Its arguments.
    pub fn args(&self) -> &[ValueId] {
        &self.body.regions[self.body.entry()].args
    }

    /// Position of a value among its arguments, if it is one.
    pub fn argument_index(&self, value: ValueId) -> Option<usize> {
        match self.body.values[value].def {
            Def::Argument(region, index) if region == self.body.entry() => Some(index),
            _ => None,
        }
    }

    /// The values it returns.
    pub fn returned(&self) -> &[ValueId] {
        self.body.terminator(self.body.entry()).map_or(&[], |inst| &inst.operands)
    }
}

impl Body {
    /// A body whose entry region has no arguments yet.
    pub fn new() -> Self {
        let mut body = Self::default();
        body.regions.push(Region::default());
        body
    }

    /// The function's own region.
    pub fn entry(&self) -> RegionId {
        crate::ids::Id::from_index(0)
    }

    /// Appends an argument to a region.
    pub fn add_arg(&mut self, region: RegionId, ty: Type, span: Span) -> ValueId {
        let index = self.regions[region].args.len();
        let value = self.values.push(Value { ty, def: Def::Argument(region, index), span });
        self.regions[region].args.push(value);
        value
    }

    /// Location of an argument, as the program says it.
    pub fn arg_location(&self, value: ValueId) -> Option<&LocationRef> {
        match self.values[value].def {
            Def::Argument(region, index) => self.regions[region].arg_locations.get(index)?.as_ref(),
            Def::Result(..) => None,
        }
    }

    /// Makes an instruction at the end of `region`.
    pub fn append(
        &mut self,
        region: RegionId,
        op: Op,
        operands: Vec<ValueId>,
        regions: Vec<RegionId>,
        result_types: Vec<Type>,
        span: Span,
    ) -> InstId {
        let id: InstId = crate::ids::Id::from_index(self.insts.len());
        let results = result_types
            .into_iter()
            .enumerate()
            .map(|(index, ty)| self.values.push(Value { ty, def: Def::Result(id, index), span: Span::NONE }))
            .collect();
        let attributes = Attributes::new();
        self.insts.push(Inst { op, operands, results, regions, attributes, span, location: None });
        self.regions[region].insts.push(id);
        id
    }

    /// What there is now; `region` is where instructions will be appended.
    pub(crate) fn mark(&self, region: RegionId) -> Mark {
        let num_in_region = self.regions[region].insts.len();
        let counts = [self.values.len(), self.insts.len(), self.regions.len()];
        Mark { region, num_in_region, counts }
    }

    /// Takes away all that was made since.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        let [values, insts, regions] = mark.counts;
        self.regions[mark.region].insts.truncate(mark.num_in_region);
        self.values.truncate(values);
        self.insts.truncate(insts);
        self.regions.truncate(regions);
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> &Type {
        &self.values[value].ty
    }

    /// The tensor type of a value that is known to be a tensor. Panics otherwise.
    pub fn tensor(&self, value: ValueId) -> &TensorType {
        match &self.values[value].ty {
            Type::Tensor(tensor) => tensor,
            other => panic!("{value:?} is a {other}, not a tensor"),
        }
    }

    /// The last instruction of a region.
    pub fn terminator(&self, region: RegionId) -> Option<&Inst> {
        self.regions[region].insts.last().map(|inst| &self.insts[*inst])
    }

    /// A look at one instruction together with its body.
    pub fn view(&self, inst: InstId) -> InstView<'_> {
        InstView { body: self, id: inst, inst: &self.insts[inst] }
    }

    /// All instructions of a region and of the regions inside it, in execution order, an instruction before what is
    /// inside it.
    pub fn walk(&self, region: RegionId) -> Vec<InstId> {
        let mut order = Vec::new();
        self.walk_into(region, &mut order);
        order
    }

    fn walk_into(&self, region: RegionId, order: &mut Vec<InstId>) {
        for inst in &self.regions[region].insts {
            order.push(*inst);
            for inner in &self.insts[*inst].regions {
                self.walk_into(*inner, order);
            }
        }
    }

    /// The instruction with side effects that runs where one does: itself, or the first of those inside of it.
    pub fn effect_in(&self, inst: InstId) -> Option<InstId> {
        let inside = self.insts[inst].regions.iter().flat_map(|region| self.walk(*region));
        std::iter::once(inst).chain(inside).find(|inst| self.insts[*inst].op.has_side_effects())
    }

    /// The region that each instruction stands in.
    pub fn region_of(&self) -> Table<InstId, RegionId> {
        let mut region_of = Table::filled(self.entry(), self.insts.len());
        for (region, content) in self.regions.iter() {
            content.insts.iter().for_each(|inst| region_of[*inst] = region);
        }
        region_of
    }

    /// For every value, the instructions that read it with the operand's position.
    pub fn uses(&self) -> Table<ValueId, Vec<(InstId, usize)>> {
        let mut uses = Table::filled(Vec::new(), self.values.len());
        for inst in self.walk(self.entry()) {
            for (position, operand) in self.insts[inst].operands.iter().enumerate() {
                uses[*operand].push((inst, position));
            }
        }
        uses
    }
}

/// Kinds of regions of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Regions {
    /// Parts of a loop, which carries whole values.
    Loop,
    /// Branches, one of which runs: programs of their own that take no arguments.
    Branches,
    /// Functions of single elements, or none.
    OfElements,
}

/// One instruction with the body it stands in.
#[derive(Clone, Copy, Debug)]
pub struct InstView<'a> {
    /// The body.
    pub body: &'a Body,
    /// Which instruction.
    pub id: InstId,
    /// The instruction.
    pub inst: &'a Inst,
}

impl<'a> InstView<'a> {
    /// Types of all operands.
    pub fn operand_types(&self) -> impl ExactSizeIterator<Item = &'a Type> + Clone + use<'a> {
        let body = self.body;
        self.inst.operands.iter().map(move |value| body.ty(*value))
    }

    /// Types of all results.
    pub fn result_types(&self) -> impl ExactSizeIterator<Item = &'a Type> + Clone + use<'a> {
        let body = self.body;
        self.inst.results.iter().map(move |value| body.ty(*value))
    }

    /// Tensor type of an operand of a verified instruction.
    pub fn operand(&self, index: usize) -> &'a TensorType {
        self.body.tensor(self.inst.operands[index])
    }

    /// Tensor type of a result of a verified instruction.
    pub fn result(&self, index: usize) -> &'a TensorType {
        self.body.tensor(self.inst.results[index])
    }

    /// Number of operands.
    pub fn num_operands(&self) -> usize {
        self.inst.operands.len()
    }

    /// Kind of its regions.
    pub fn regions(&self) -> Regions {
        let regions = &self.inst.regions;
        if self.inst.op.carries_values() {
            Regions::Loop
        } else if !regions.is_empty()
            && regions.iter().all(|region| self.body.regions[*region].args.is_empty())
        {
            Regions::Branches
        } else {
            Regions::OfElements
        }
    }

    /// Values that one of its regions returns.
    pub fn returned(&self, index: usize) -> &'a [ValueId] {
        let region = self.inst.regions.get(index);
        region.and_then(|region| self.body.terminator(*region)).map_or(&[], |last| &last.operands)
    }

    /// One of its regions.
    pub fn region(&self, index: usize) -> &'a Region {
        &self.body.regions[self.inst.regions[index]]
    }

    /// The values that its regions read from around it, in order.
    pub fn captured(&self) -> Vec<ValueId> {
        let body = self.body;
        let (mut read, mut inside) = (BTreeSet::new(), BTreeSet::new());
        for region in &self.inst.regions {
            inside.extend(&body.regions[*region].args);
            for inst in body.walk(*region) {
                let inst = &body.insts[inst];
                read.extend(&inst.operands);
                inside.extend(&inst.results);
                inside.extend(inst.regions.iter().flat_map(|region| &body.regions[*region].args));
            }
        }
        read.difference(&inside).copied().collect()
    }
}
