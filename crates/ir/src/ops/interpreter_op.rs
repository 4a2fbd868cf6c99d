//! The ops of the `interpreter` dialect, which StableHLO's own interpreter has for tests: `interpreter.print`,
//! `interpreter.probe`, `interpreter.run_parallel`.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Context, DeviceCode, DeviceRun, Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::scope::Scope;
use crate::text::{OpPrinter, Parsed, Parser};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::Type;

/// Ops of the interpreter's dialect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InterpreterOp {
    /// Shows a value.
    Print,
    /// Keeps a value under a name, and gives it back.
    Probe(String),
    /// Runs functions on a grid of devices.
    RunParallel {
        /// Functions that give the values of infeeds, if given.
        infeed: Option<Vec<String>>,
        /// The function of each device: rows are replicas, columns partitions.
        programs: Vec<Vec<String>>,
    },
}

impl OpDef for InterpreterOp {
    const NAMES: &'static [&'static str] =
        &["interpreter.print", "interpreter.probe", "interpreter.run_parallel"];

    fn name(&self) -> &'static str {
        match self {
            Self::Print => "interpreter.print",
            Self::Probe(_) => "interpreter.probe",
            Self::RunParallel { .. } => "interpreter.run_parallel",
        }
    }

    /// `%a : type` or `%a, probe_id = "name" : type`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        if name == "interpreter.run_parallel" {
            return p.only_generic(name);
        }
        let operand = p.operand()?;
        let mut op = Self::Print;
        if name == "interpreter.probe" {
            p.expect(b',')?;
            p.field("probe_id")?;
            op = Self::Probe(p.string()?);
        }
        let attributes = p.attr_dict_opt()?;
        let ty = p.colon_type()?;
        let results = if op == Self::Print { Vec::new() } else { vec![ty.clone()] };
        Ok(ParsedInst::new(op, vec![operand], results).typed(vec![ty]).with(attributes))
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        match name {
            "interpreter.print" => Ok(Self::Print),
            "interpreter.probe" => Ok(Self::Probe(attributes.string("probe_id")?)),
            _ => {
                let infeed = attributes.take("infeed").map(|value| symbols("infeed", &value)).transpose()?;
                let programs = match attributes.required("programs")? {
                    Attr::Array(rows) => rows.iter().map(|row| symbols("programs", row)).collect(),
                    other => Err(format!("`programs` should be [[@f, ...], ...], found `{other}`")),
                };
                Ok(Self::RunParallel { infeed, programs: programs? })
            }
        }
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let list = |names: &Vec<String>| {
            Attr::Array(names.iter().map(|name| Attr::Symbol(name.as_str().into())).collect())
        };
        let mut attributes = Attributes::new();
        match self {
            Self::Print => {}
            Self::Probe(name) => attributes.set("probe_id", Attr::string(name)),
            Self::RunParallel { infeed, programs } => {
                if let Some(infeed) = infeed {
                    attributes.set("infeed", list(infeed));
                }
                attributes.set("programs", Attr::Array(programs.iter().map(list).collect()));
            }
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        let probe = match self {
            Self::RunParallel { .. } => return false,
            Self::Print => String::new(),
            Self::Probe(name) => format!(", probe_id = {}", Attr::string(name)),
        };
        p.operands();
        p.text(&probe);
        p.attributes();
        p.text(" : ");
        p.types(view.operand_types());
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        match self {
            Self::Print => {
                violations.shape(view, 1, 0, 0);
            }
            Self::Probe(_) => violations.identity(view),
            Self::RunParallel { programs, .. } => {
                violations.num_regions(view, 0);
                let width = programs.first().map_or(0, Vec::len);
                violations.require(width > 0, || "`programs` should name a function per device".into());
                violations.require(programs.iter().all(|row| row.len() == width), || {
                    "the rows of `programs` differ in length".into()
                });
            }
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        match self {
            Self::Print => Some(Vec::new()),
            Self::Probe(_) => given.same_as(0),
            Self::RunParallel { .. } => None,
        }
    }

    /// Every program exists; together they take the operands and give the results.
    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        let Self::RunParallel { infeed, programs } = self else {
            return;
        };
        let (mut takes, mut gives): (Vec<&Type>, Vec<&Type>) = (Vec::new(), Vec::new());
        for name in programs.iter().flatten() {
            let Some(function) = scope.program.function(name) else {
                violations.messages.push(format!("there is no function `@{name}`"));
                return;
            };
            takes.extend(function.args().iter().map(|arg| function.body.ty(*arg)));
            gives.extend(&function.result_types);
        }
        violations.require(view.operand_types().eq(takes.iter().copied()), || {
            format!("the operands are not of the types that the programs take, {} in all", takes.len())
        });
        violations.require(view.result_types().eq(gives.iter().copied()), || {
            format!("the results are not of the types that the programs return, {} in all", gives.len())
        });
        violations.require(infeed.as_ref().is_none_or(|names| !names.is_empty()), || {
            "`infeed` should name functions if it is given".into()
        });
        for name in infeed.iter().flatten() {
            let function = scope.program.function(name);
            let feeds = function.is_some_and(|function| {
                let gives = &function.result_types;
                function.args().is_empty()
                    && !gives.is_empty()
                    && gives.iter().all(|ty| ty.as_tensor().is_some())
            });
            violations.require(feeds, || {
                format!("`@{name}` should be a function that takes nothing and returns tensors")
            });
        }
    }

    fn callees(&self) -> Vec<&str> {
        match self {
            Self::RunParallel { infeed, programs } => {
                infeed.iter().flatten().chain(programs.iter().flatten()).map(String::as_str).collect()
            }
            _ => Vec::new(),
        }
    }

    fn traits(&self) -> OpTraits {
        OpTraits { has_side_effects: true, ..OpTraits::NONE }
    }

    fn evaluate(&self, Evaluation { inputs, cx, .. }: Evaluation<'_>) -> Evaluated {
        match self {
            // Nothing but the doors prints.
            Self::Print => Ok(Vec::new()),
            Self::Probe(name) => {
                cx.probe(name, inputs[0].clone());
                Ok(inputs)
            }
            Self::RunParallel { infeed, programs } => {
                run_parallel(programs, infeed.as_deref().unwrap_or_default(), inputs, cx)
            }
        }
    }
}

/// Gives every program its arguments, every device its own queue of what it is fed, and returns all results one after the other.
fn run_parallel(
    programs: &[Vec<String>],
    infeed: &[String],
    inputs: Vec<Tensor>,
    cx: &mut dyn Context,
) -> Result<Vec<Tensor>, EvalError> {
    let partitions = programs.first().map_or(1, Vec::len);
    let mut inputs = inputs.into_iter();
    let run = |name: &String| {
        let count = cx.num_arguments(name).unwrap_or(0);
        DeviceRun { code: DeviceCode::Function(name.clone()), args: inputs.by_ref().take(count).collect() }
    };
    let runs = programs.iter().flatten().map(run).collect();
    Ok(cx.run_devices(runs, partitions, infeed)?.into_iter().flatten().collect())
}

fn symbols(name: &str, value: &Attr) -> Result<Vec<String>, String> {
    let wrong = || format!("`{name}` should list functions, found `{value}`");
    let Attr::Array(items) = value else {
        return Err(wrong());
    };
    let symbol = |item: &Attr| match item {
        Attr::Symbol(name) => Ok(name.to_string()),
        _ => Err(wrong()),
    };
    items.iter().map(symbol).collect()
}
