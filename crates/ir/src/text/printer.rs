//! Writing programs as MLIR's own printer does.

use super::location_aliases::{Aliases, Locations};
use super::names::{Name, Names, names};
use super::resources::write_resources;
use crate::attribute::{Attr, Attributes, write_symbol};
use crate::ids::{Id, InstId, RegionId, ValueId};
use crate::location::LocationRef;
use crate::program::{Body, Function, InstView, MeshDecl, Program};
use meshwright_tensor::types::Type;
use std::cell::RefCell;
use std::fmt::Write as _;

/// Forms in which ops are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Each op's own syntax, where it has one.
    Pretty,
    /// `"op"(operands) <{...}> ({...}) : types` throughout.
    Generic,
}

/// The text of a program, without locations.
pub fn print(program: &Program, form: Form) -> String {
    let mut out = String::new();
    print_module(&mut out, program, form, &names(program, form), Locations::Hidden);
    write_resources(&mut out, program);
    out
}

/// The text of a program with where everything says that it comes from (`loc(...)`), as MLIR prints it with debug
/// information.
pub fn print_with_locations(program: &Program, form: Form) -> String {
    let names = names(program, form);
    let noted = RefCell::new(Aliases::default());
    print_module(&mut String::new(), program, form, &names, Locations::Collect(&noted));
    let mut aliases = noted.into_inner();
    aliases.number();
    let mut out = String::new();
    aliases.write_definitions(&mut out, false);
    print_module(&mut out, program, form, &names, Locations::Shown(&aliases));
    aliases.write_definitions(&mut out, true);
    write_resources(&mut out, program);
    out
}

fn print_module(out: &mut String, program: &Program, form: Form, names: &[Names], locations: Locations<'_>) {
    visit(locations, program.location.as_ref());
    match form {
        Form::Pretty => module_head(out, program),
        Form::Generic => generic_module_head(out, program),
    }
    // Meshes stand where they stood among the functions.
    let mut meshes = program.meshes.iter().peekable();
    for (position, (function, names)) in program.functions.iter().zip(names).enumerate() {
        while let Some(decl) = meshes.next_if(|decl| decl.position <= position) {
            print_mesh(out, decl, form, locations);
        }
        print_function(out, function, names, form, locations);
    }
    meshes.for_each(|decl| print_mesh(out, decl, form, locations));
    match form {
        Form::Pretty => out.push('}'),
        Form::Generic => {
            out.push_str("})");
            if !program.attributes.is_empty() {
                let _ = write!(out, " {}", program.attributes);
            }
            out.push_str(" : () -> ()");
        }
    }
    write_location(out, locations, program.location.as_ref());
    out.push('\n');
}

/// Notes where an op comes from, before anything of it is printed.
fn visit(locations: Locations<'_>, location: Option<&LocationRef>) {
    if let Locations::Collect(aliases) = locations {
        aliases.borrow_mut().visit(location, true);
    }
}

/// Writes where an op comes from, behind it.
fn write_location(out: &mut String, locations: Locations<'_>, location: Option<&LocationRef>) {
    if let Locations::Shown(aliases) = locations {
        aliases.write_short(out, location);
    }
}

/// Writes where an argument comes from, behind it.
fn argument_location(out: &mut String, locations: Locations<'_>, location: Option<&LocationRef>) {
    match locations {
        Locations::Hidden => {}
        Locations::Collect(aliases) => {
            aliases.borrow_mut().visit(location, false);
        }
        Locations::Shown(aliases) => aliases.write_long(out, location),
    }
}

fn module_head(out: &mut String, program: &Program) {
    out.push_str("module");
    if let Some(name) = &program.name {
        out.push(' ');
        let _ = write_symbol(out, name);
    }
    if !program.attributes.is_empty() {
        let _ = write!(out, " attributes {}", program.attributes);
    }
    out.push_str(" {\n");
}

fn generic_module_head(out: &mut String, program: &Program) {
    out.push_str("\"builtin.module\"()");
    if let Some(name) = &program.name {
        let _ = write!(out, " <{{sym_name = {}}}>", Attr::string(name));
    }
    out.push_str(" ({\n");
    if program.functions.is_empty() && program.meshes.is_empty() {
        out.push_str("^bb0:\n");
    }
}

fn print_mesh(out: &mut String, decl: &MeshDecl, form: Form, locations: Locations<'_>) {
    visit(locations, decl.location.as_ref());
    let mesh = decl.mesh.attr();
    match form {
        Form::Pretty => {
            out.push_str("  sdy.mesh ");
            let _ = write_symbol(out, &decl.mesh.name);
            let _ = write!(out, " = {mesh}");
        }
        Form::Generic => {
            let name = Attr::string(&decl.mesh.name);
            let _ = write!(out, "  \"sdy.mesh\"() <{{mesh = #sdy.mesh{mesh}, sym_name = {name}}}>");
        }
    }
    if !decl.attributes.is_empty() {
        let _ = write!(out, " {}", decl.attributes);
    }
    out.push_str(if form == Form::Generic { " : () -> ()" } else { "" });
    write_location(out, locations, decl.location.as_ref());
    out.push('\n');
}

fn print_function(
    out: &mut String,
    function: &Function,
    names: &Names,
    form: Form,
    locations: Locations<'_>,
) {
    visit(locations, function.location.as_ref());
    let is_generic = form == Form::Generic;
    if is_generic {
        generic_function_head(out, function);
    } else {
        function_head(out, function, names, locations);
    }
    let body = &function.body;
    let inst = Id::from_index(0);
    let mut printer =
        OpPrinter { out, body, names, locations, indent: 2, form, inst, is_in_func: !is_generic };
    if is_generic {
        printer.text(" (");
        let header = if function.is_declaration { RegionHeader::None } else { RegionHeader::Block };
        printer.region_body(body.entry(), header);
        printer.text(")");
        let own = |name: &str| FUNCTION_PROPERTIES.contains(&name);
        let rest = function.attributes.iter().filter(|(name, _)| !own(name));
        let rest: Attributes = rest.map(|(name, value)| (name.to_owned(), value.clone())).collect();
        printer.dictionary(&rest);
        printer.text(" : () -> ()");
    } else if !function.is_declaration {
        printer.text(" ");
        printer.region_body(body.entry(), RegionHeader::None);
    }
    write_location(out, locations, function.location.as_ref());
    out.push('\n');
}

/// The attributes of a function that are its op's own, besides those that its head spells.
const FUNCTION_PROPERTIES: [&str; 1] = ["no_inline"];

fn function_head(out: &mut String, function: &Function, names: &Names, locations: Locations<'_>) {
    out.push_str("  func.func ");
    if let Some(visibility) = &function.visibility {
        let _ = write!(out, "{visibility} ");
    }
    let _ = write_symbol(out, &function.name);
    out.push('(');
    for (index, (arg, attributes)) in function.args().iter().zip(&function.arg_attributes).enumerate() {
        out.push_str(if index == 0 { "" } else { ", " });
        if !function.is_declaration {
            let _ = write!(out, "{}: ", names[*arg]);
        }
        let _ = write!(out, "{}", function.body.ty(*arg));
        if !attributes.is_empty() {
            let _ = write!(out, " {attributes}");
        }
        if !function.is_declaration {
            argument_location(out, locations, function.body.arg_location(*arg));
        }
    }
    out.push(')');
    let has_attributes = function.result_attributes.iter().any(|attributes| !attributes.is_empty());
    match function.result_types.as_slice() {
        [] => {}
        [only] if !has_attributes => {
            let _ = write!(out, " -> {only}");
        }
        types => {
            out.push_str(" -> (");
            for (index, (ty, attributes)) in types.iter().zip(&function.result_attributes).enumerate() {
                let _ = write!(out, "{}{ty}", if index == 0 { "" } else { ", " });
                if !attributes.is_empty() {
                    let _ = write!(out, " {attributes}");
                }
            }
            out.push(')');
        }
    }
    if !function.attributes.is_empty() {
        let _ = write!(out, " attributes {}", function.attributes);
    }
}

fn generic_function_head(out: &mut String, function: &Function) {
    let mut own = Attributes::new();
    let types = |values: &[ValueId]| values.iter().map(|value| function.body.ty(*value).clone()).collect();
    own.set("function_type", Attr::FunctionType(types(function.args()), function.result_types.clone()));
    own.set("sym_name", Attr::string(&function.name));
    if let Some(visibility) = &function.visibility {
        own.set("sym_visibility", Attr::string(visibility));
    }
    for (name, lists) in [("arg_attrs", &function.arg_attributes), ("res_attrs", &function.result_attributes)]
    {
        if lists.iter().any(|attributes| !attributes.is_empty()) {
            own.set(name, Attr::Array(lists.iter().cloned().map(Attr::Dict).collect()));
        }
    }
    for name in FUNCTION_PROPERTIES {
        if let Some(value) = function.attributes.get(name) {
            own.set(name, value.clone());
        }
    }
    let _ = write!(out, "  \"func.func\"() <{own}>");
}

/// Writes one instruction at a time; op files call the small methods from their `print`.
pub struct OpPrinter<'a> {
    out: &'a mut String,
    body: &'a Body,
    names: &'a Names,
    locations: Locations<'a>,
    indent: usize,
    form: Form,
    inst: InstId,
    /// Whether the region is a function's own, where `func.` may be left out.
    is_in_func: bool,
}

impl OpPrinter<'_> {
    /// Writes `text`.
    pub fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes a value's name.
    pub fn value(&mut self, value: ValueId) {
        let _ = write!(self.out, "{}", self.names[value]);
    }

    /// Writes names separated by commas.
    pub fn values(&mut self, values: &[ValueId]) {
        for (index, value) in values.iter().enumerate() {
            self.text(if index == 0 { "" } else { ", " });
            self.value(*value);
        }
    }

    /// Writes ` %a, %b`: the operands of the instruction, if it has any.
    pub fn operands(&mut self) {
        let operands = &self.body.insts[self.inst].operands;
        if !operands.is_empty() {
            self.text(" ");
            self.values(operands);
        }
    }

    /// Writes ` : ` and a type.
    pub fn colon_type(&mut self, ty: &Type) {
        let _ = write!(self.out, " : {ty}");
    }

    /// Writes a type.
    pub fn ty(&mut self, ty: &Type) {
        let _ = write!(self.out, "{ty}");
    }

    /// Writes types separated by commas.
    pub fn types<'t>(&mut self, types: impl IntoIterator<Item = &'t Type>) {
        for (index, ty) in types.into_iter().enumerate() {
            self.text(if index == 0 { "" } else { ", " });
            self.ty(ty);
        }
    }

    /// Writes ` : (operand types) -> result types` of the instruction.
    pub fn signature(&mut self) {
        let view = self.body.view(self.inst);
        self.text(" : (");
        self.types(view.operand_types());
        self.text(") -> ");
        let results: Vec<&Type> = view.result_types().collect();
        match results.as_slice() {
            [only] => self.ty(only),
            _ => {
                self.text("(");
                self.types(results);
                self.text(")");
            }
        }
    }

    /// Writes ` : type` if all operands and results have one type, else the signature.
    pub fn same_type_or_signature(&mut self) {
        let view = self.body.view(self.inst);
        let mut types = view.operand_types().chain(view.result_types());
        let first = types.next();
        match first {
            Some(first) if types.all(|ty| ty == first) && view.result_types().len() == 1 => {
                self.colon_type(first)
            }
            _ => self.signature(),
        }
    }

    /// Writes ` : types` of the results.
    pub fn types_of_results(&mut self, view: &InstView<'_>) {
        self.text(" : ");
        self.types(view.result_types());
    }

    /// Writes `[1, 2]`.
    pub fn list<T: std::fmt::Display>(&mut self, items: &[T]) {
        self.text("[");
        for (index, item) in items.iter().enumerate() {
            let _ = write!(self.out, "{}{item}", if index == 0 { "" } else { ", " });
        }
        self.text("]");
    }

    /// Writes ` {...}` of the instruction's further attributes and those given, if there are any.
    pub fn attributes_and(&mut self, own: Attributes) {
        if own.is_empty() {
            return self.attributes();
        }
        let mut all = own;
        for (name, value) in self.body.insts[self.inst].attributes.iter() {
            all.set(name, value.clone());
        }
        self.dictionary(&all);
    }

    /// Writes ` {...}` of the instruction's further attributes, if there are any.
    pub fn attributes(&mut self) {
        self.attributes_without(&[]);
    }

    /// Writes ` {...}` of the instruction's further attributes but those under `names`, if there are any.
    pub fn attributes_without(&mut self, names: &[&str]) {
        let attributes = &self.body.insts[self.inst].attributes;
        if attributes.iter().any(|(name, _)| names.contains(&name)) {
            let rest = attributes.iter().filter(|(name, _)| !names.contains(name));
            let rest: Attributes = rest.map(|(name, value)| (name.to_owned(), value.clone())).collect();
            self.dictionary(&rest);
        } else {
            self.dictionary(attributes);
        }
    }

    fn dictionary(&mut self, attributes: &Attributes) {
        if !attributes.is_empty() {
            let _ = write!(self.out, " {attributes}");
        }
    }

    /// Starts a new line at the instruction's own indentation.
    pub fn newline(&mut self) {
        self.out.push('\n');
        self.spaces();
    }

    /// Writes `{ instructions }`, block arguments as `^bb0(...)` if `with_header`.
    pub fn region(&mut self, region: RegionId, with_header: RegionHeader) {
        let (inst, is_in_func) = (self.inst, std::mem::replace(&mut self.is_in_func, false));
        self.region_body(region, with_header);
        self.inst = inst;
        self.is_in_func = is_in_func;
    }

    fn region_body(&mut self, region: RegionId, with_header: RegionHeader) {
        self.out.push_str("{\n");
        let region = &self.body.regions[region];
        if with_header == RegionHeader::Block && !region.args.is_empty() {
            self.spaces();
            self.text("^bb0(");
            for (index, arg) in region.args.iter().enumerate() {
                self.text(if index == 0 { "" } else { ", " });
                self.argument(*arg);
            }
            self.text("):\n");
        }
        self.indent += 2;
        for inner in &region.insts {
            self.inst(*inner);
        }
        self.indent -= 2;
        self.spaces();
        self.text("}");
    }

    /// Writes `(%arg: type) { instructions }`.
    pub fn region_behind_arguments(&mut self, region: RegionId) {
        self.text("(");
        for (index, arg) in self.body.regions[region].args.iter().enumerate() {
            self.text(if index == 0 { "" } else { ", " });
            self.argument(*arg);
        }
        self.text(") ");
        self.region(region, RegionHeader::None);
    }

    /// Writes `%arg0: type` of a region's argument.
    pub fn argument(&mut self, arg: ValueId) {
        let _ = write!(self.out, "{}: {}", self.names[arg], self.body.ty(arg));
        argument_location(self.out, self.locations, self.body.arg_location(arg));
    }

    fn spaces(&mut self) {
        self.out.extend(std::iter::repeat_n(' ', self.indent));
    }

    /// Writes one instruction as a line (or more, if it has regions).
    fn inst(&mut self, id: InstId) {
        self.inst = id;
        let view = self.body.view(id);
        visit(self.locations, view.inst.location.as_ref());
        self.spaces();
        let results = &view.inst.results;
        match results.first().map(|first| self.names[*first]) {
            None => {}
            Some(Name::Part(number, _)) => {
                let _ = write!(self.out, "%{number}:{} = ", results.len());
            }
            Some(_) => {
                self.values(results);
                self.text(" = ");
            }
        }
        let name = view.inst.op.name();
        let written = self.form == Form::Pretty && {
            let length = self.out.len();
            self.text(if self.is_in_func { name.strip_prefix("func.").unwrap_or(name) } else { name });
            let written = view.inst.op.print(&view, self);
            if !written {
                self.out.truncate(length);
            }
            written
        };
        if !written {
            self.generic(id);
        }
        write_location(self.out, self.locations, view.inst.location.as_ref());
        self.out.push('\n');
    }

    fn generic(&mut self, id: InstId) {
        let view = self.body.view(id);
        let _ = write!(self.out, "\"{}\"(", view.inst.op.name());
        self.values(&view.inst.operands);
        self.text(")");
        let own = view.inst.op.attributes(&view);
        if !own.is_empty() {
            let _ = write!(self.out, " <{own}>");
        }
        if !view.inst.regions.is_empty() {
            self.text(" (");
            for (index, region) in view.inst.regions.iter().enumerate() {
                self.text(if index == 0 { "" } else { ", " });
                self.region(*region, RegionHeader::Block);
                self.inst = id;
            }
            self.text(")");
        }
        let own: Vec<&str> = own.iter().map(|(name, _)| name).collect();
        self.attributes_without(&own);
        self.signature();
    }
}

/// Places in which a region's arguments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionHeader {
    /// As `^bb0(%arg0: type):`.
    Block,
    /// The op has written them before the brace, or they do not exist.
    None,
}
