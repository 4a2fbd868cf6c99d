//! Short forms with a derivative of their own as `stablehlo.composite`, so that other tools read and run a program that
//! reverse mode can still take as it is meant.
//!
//! [`with_composites`]: input, a program of one function; output, the same with a composite in place of each such short
//! form, and a private function for what each kind of them computes. [`short_form`]: the op that such a composite is.

use crate::attribute::Attributes;
use crate::expand::written_out;
use crate::ids::RegionId;
use crate::op::Op;
use crate::ops::composite::Composite;
use crate::program::{Function, InstView, Program};
use crate::rewrite::{Rewriter, each};
use meshwright_tensor::types::Type;

/// The op that a composite stands for, if it is a short form of ours.
///
/// # Errors
/// What is wrong with its attributes.
pub fn short_form(composite: &Composite) -> Result<Option<Op>, String> {
    if !composite.name.starts_with("meshwright.") {
        return Ok(None);
    }
    let op = Op::from_attributes(&composite.name, composite.attributes.clone().unwrap_or_default())?;
    Ok(Some(op).filter(|op| op.traits().has_own_derivative))
}

/// A program of one function, its short forms with a derivative of their own as composites.
pub fn with_composites(program: &Program) -> Program {
    let Some(main) = program.main() else { return program.clone() };
    let mut kinds: Vec<(Op, Vec<Type>)> = Vec::new();
    let mut functions: Vec<Function> = Vec::new();
    let body = each(&main.body, |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId| {
        if !view.inst.op.traits().has_own_derivative {
            return false;
        }
        let kind = (view.inst.op.clone(), view.operand_types().cloned().collect());
        let number = match kinds.iter().position(|known| *known == kind) {
            Some(known) => known,
            None => {
                let Some(function) = decomposition(view, kinds.len()) else { return false };
                kinds.push(kind);
                functions.push(function);
                kinds.len() - 1
            }
        };
        let composite = Composite {
            name: view.inst.op.name().to_owned(),
            decomposition: functions[number].name.clone(),
            attributes: Some(view.inst.op.attributes(view)),
            version: None,
        };
        let operands = rewriter.values(&view.inst.operands);
        let types = view.result_types().cloned().collect();
        let made = rewriter.append_for(view.id, composite.into(), operands, types, to);
        for (old, new) in view.inst.results.iter().zip(made) {
            rewriter.stand_for_own(*old, new);
        }
        true
    });
    let mut made = program.with_only(main.with_body(body));
    made.functions.extend(functions);
    made
}

/// The function that computes what a short form stands for.
fn decomposition(view: &InstView<'_>, number: usize) -> Option<Function> {
    let body = written_out(view)?;
    let short = view.inst.op.name().rsplit('.').next().unwrap_or_default();
    let result_types: Vec<Type> = view.result_types().cloned().collect();
    Some(Function {
        name: if number == 0 { short.to_owned() } else { format!("{short}_{number}") },
        visibility: Some("private".to_owned()),
        arg_attributes: vec![Attributes::new(); view.num_operands()],
        result_attributes: vec![Attributes::new(); result_types.len()],
        result_spans: Vec::new(),
        result_types,
        attributes: Attributes::new(),
        body,
        is_declaration: false,
        span: view.inst.span,
        location: None,
    })
}
