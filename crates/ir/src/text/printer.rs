//! Writing programs as MLIR's own printer does, names included.
//!
//! Names follow MLIR's `AsmPrinter`: all values of a region are named before those of the regions inside it, nested
//! regions go on counting where the region around them stopped, and an op may ask for names (`%cst`), made unique by
//! `_N`.

use crate::attribute::{Attributes, write_symbol};
use crate::ids::{Id, InstId, RegionId, Table, ValueId};
use crate::program::{Body, Function, InstView, MeshDecl, Program};
use crate::types::Type;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Which form ops are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Each op's own syntax, where it has one.
    Pretty,
    /// `"op"(operands) <{...}> ({...}) : types` throughout function bodies.
    Generic,
}

/// The text of a program.
pub fn print(program: &Program, form: Form) -> String {
    let mut out = String::from("module");
    if let Some(name) = &program.name {
        out.push(' ');
        let _ = write_symbol(&mut out, name);
    }
    if !program.attributes.is_empty() {
        let _ = write!(out, " attributes {}", program.attributes);
    }
    out.push_str(" {\n");
    // Meshes stand where they stood among the functions.
    let mut meshes = program.meshes.iter().peekable();
    for (position, function) in program.functions.iter().enumerate() {
        while let Some(decl) = meshes.next_if(|decl| decl.position <= position) {
            print_mesh(&mut out, decl);
        }
        print_function(&mut out, function, form);
    }
    meshes.for_each(|decl| print_mesh(&mut out, decl));
    out.push_str("}\n");
    out
}

fn print_mesh(out: &mut String, decl: &MeshDecl) {
    out.push_str("  sdy.mesh ");
    let _ = write_symbol(out, &decl.mesh.name);
    let _ = write!(out, " = {}", decl.mesh.attr());
    if !decl.attributes.is_empty() {
        let _ = write!(out, " {}", decl.attributes);
    }
    out.push('\n');
}

fn print_function(out: &mut String, function: &Function, form: Form) {
    let names = Names::of(&function.body);
    out.push_str("  func.func ");
    if let Some(visibility) = &function.visibility {
        let _ = write!(out, "{visibility} ");
    }
    let _ = write_symbol(out, &function.name);
    out.push('(');
    for (index, (arg, attributes)) in function.args().iter().zip(&function.arg_attributes).enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let _ = write!(out, "{separator}{}: {}", names.name(*arg), function.body.ty(*arg));
        if !attributes.is_empty() {
            let _ = write!(out, " {attributes}");
        }
    }
    out.push(')');
    let has_attributes = function.result_attributes.iter().any(|attributes| !attributes.is_empty());
    match function.result_types.as_slice() {
        [] => {}
        [only] if !has_attributes && !matches!(only, Type::Tuple(_)) => {
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
    out.push_str(" {\n");
    let body = &function.body;
    let mut printer =
        OpPrinter { out, body, names: &names, indent: 4, form, inst: Id::from_index(0), is_in_func: true };
    for inst in &body.regions[body.entry()].insts {
        printer.inst(*inst);
    }
    out.push_str("  }\n");
}

/// Names of all values of one body.
struct Names {
    names: Table<ValueId, String>,
}

#[derive(Clone, Copy)]
struct Counters {
    value: usize,
    arg: usize,
    conflict: usize,
}

impl Names {
    fn of(body: &Body) -> Self {
        let mut names = Self { names: Table::filled(String::new(), body.values.len()) };
        let mut used = BTreeSet::new();
        names.region(body, body.entry(), &[], Counters { value: 0, arg: 0, conflict: 0 }, &mut used);
        names
    }

    fn name(&self, value: ValueId) -> &str {
        &self.names[value]
    }

    /// Names the values of `region`, whose arguments ask for `arg_hints`, then those of the regions inside.
    fn region(
        &mut self,
        body: &Body,
        region: RegionId,
        arg_hints: &[&'static str],
        mut counters: Counters,
        used: &mut BTreeSet<String>,
    ) {
        let mut added = Vec::new();
        let mut unique = |hint: &str, counters: &mut Counters, added: &mut Vec<String>| {
            let mut name = hint.to_owned();
            while used.contains(&name) {
                name = format!("{hint}_{}", counters.conflict);
                counters.conflict += 1;
            }
            used.insert(name.clone());
            added.push(name.clone());
            format!("%{name}")
        };
        for (index, arg) in body.regions[region].args.iter().enumerate() {
            self.names[*arg] = match arg_hints.get(index.min(arg_hints.len().saturating_sub(1))) {
                Some(hint) => unique(hint, &mut counters, &mut added),
                None => {
                    counters.arg += 1;
                    format!("%arg{}", counters.arg - 1)
                }
            };
        }
        for inst in &body.regions[region].insts {
            let view = body.view(*inst);
            let results = &view.inst.results;
            match view.inst.op.result_names(&view) {
                [] if results.is_empty() => {}
                [] => {
                    for (index, result) in results.iter().enumerate() {
                        self.names[*result] = match results.len() {
                            1 => format!("%{}", counters.value),
                            _ => format!("%{}#{index}", counters.value),
                        };
                    }
                    counters.value += 1;
                }
                hints => {
                    for (result, hint) in results.iter().zip(hints) {
                        self.names[*result] = unique(hint, &mut counters, &mut added);
                    }
                }
            }
        }
        for inst in &body.regions[region].insts {
            let view = body.view(*inst);
            let hints: &[&str] = if view.inst.op.name() == "stablehlo.while" { &["iterArg"] } else { &[] };
            for inner in &view.inst.regions {
                self.region(body, *inner, hints, counters, used);
            }
        }
        for name in added {
            used.remove(&name);
        }
    }
}

/// Writes one instruction at a time; op files call the small methods from their `print`.
pub struct OpPrinter<'a> {
    out: &'a mut String,
    body: &'a Body,
    names: &'a Names,
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
        self.out.push_str(self.names.name(value));
    }

    /// Writes names separated by commas.
    pub fn values(&mut self, values: &[ValueId]) {
        for (index, value) in values.iter().enumerate() {
            self.text(if index == 0 { "" } else { ", " });
            self.value(*value);
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
            [Type::Tuple(_)] => {
                self.text("(");
                self.types(results);
                self.text(")");
            }
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
        let mut all = own;
        for (name, value) in self.body.insts[self.inst].attributes.iter() {
            all.set(name, value.clone());
        }
        if !all.is_empty() {
            let _ = write!(self.out, " {all}");
        }
    }

    /// Writes ` {...}` of the instruction's further attributes, if there are any.
    pub fn attributes(&mut self) {
        self.attributes_and(Attributes::new());
    }

    /// Starts a new line at the instruction's own indentation.
    pub fn newline(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', self.indent));
    }

    /// Writes `{ instructions }`, block arguments as `^bb0(...)` if `with_header`.
    pub fn region(&mut self, region: RegionId, with_header: RegionHeader) {
        self.out.push_str("{\n");
        if with_header == RegionHeader::Block && !self.body.regions[region].args.is_empty() {
            self.out.extend(std::iter::repeat_n(' ', self.indent));
            self.text("^bb0(");
            for (index, arg) in self.body.regions[region].args.iter().enumerate() {
                let _ = write!(
                    self.out,
                    "{}{}: {}",
                    if index == 0 { "" } else { ", " },
                    self.names.name(*arg),
                    self.body.ty(*arg)
                );
            }
            self.text("):\n");
        }
        let (inst, is_in_func) = (self.inst, std::mem::replace(&mut self.is_in_func, false));
        self.indent += 2;
        for inner in &self.body.regions[region].insts {
            self.inst(*inner);
        }
        self.indent -= 2;
        self.inst = inst;
        self.is_in_func = is_in_func;
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        self.text("}");
    }

    /// Writes `(%arg: type) { instructions }`.
    pub fn region_behind_arguments(&mut self, region: RegionId) {
        self.text("(");
        for (index, arg) in self.body.regions[region].args.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            let _ = write!(self.out, "{separator}{}: {}", self.names.name(*arg), self.body.ty(*arg));
        }
        self.text(") ");
        self.region(region, RegionHeader::None);
    }

    /// Writes one instruction as a line (or more, if it has regions).
    fn inst(&mut self, id: InstId) {
        self.inst = id;
        let view = self.body.view(id);
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        let results = &view.inst.results;
        match results.as_slice() {
            [] => {}
            [first, .., _] if self.names.name(*first).contains('#') => {
                let group = self.names.name(*first).trim_end_matches("#0");
                let _ = write!(self.out, "{group}:{} = ", results.len());
            }
            _ => {
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
        self.attributes();
        self.signature();
    }

    /// The name of a value, such as `%arg0`.
    pub fn name_of(&self, value: ValueId) -> &str {
        self.names.name(value)
    }
}

/// Whether a region's arguments are written inside its braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionHeader {
    /// As `^bb0(%arg0: type):`.
    Block,
    /// The op has written them before the brace, or they do not exist.
    None,
}
