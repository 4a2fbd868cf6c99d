//! Sharding groups of one function, as partitioning reads them: values that are spread alike.
//!
//! Input: a program with `sdy.sharding_group`. [`joined`] numbers its groups so that those that share a value are one,
//! and [`synced`] gives all members, in the function with all calls inlined, the sharding of those that have one, or
//! reads them through open constraints where two differ. After that the members of a group share one slot
//! (`prepared`), so nothing can tell them apart.

use crate::propagation::groups::{import, members, sync};
use meshwright_ir::diagnostic::Diagnostics;
use meshwright_ir::ids::ValueId;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Function, Program};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The program with groups that share a value joined.
///
/// # Errors
/// A group of values that cannot be sharded alike.
pub fn joined(program: &Program) -> Result<Cow<'_, Program>, Diagnostics> {
    if !program.functions.iter().any(|function| has_groups(&function.body)) {
        return Ok(Cow::Borrowed(program));
    }
    let mut joined = program.clone();
    import(&mut joined)?;
    Ok(Cow::Owned(joined))
}

/// The function with the members of each group annotated alike.
pub fn synced(mut function: Function) -> Function {
    if has_groups(&function.body) {
        sync(std::slice::from_mut(&mut function));
    }
    function
}

fn has_groups(body: &Body) -> bool {
    body.insts.values().any(|inst| matches!(inst.op, Op::ShardingGroup(_)))
}

/// The members of each group of a body.
pub(crate) fn groups(body: &Body) -> Vec<Vec<ValueId>> {
    if !has_groups(body) {
        return Vec::new();
    }
    let mut groups: BTreeMap<i64, Vec<ValueId>> = BTreeMap::new();
    for (id, _, value) in members(body) {
        let group = groups.entry(id).or_default();
        if group.first().is_none_or(|first| body.ty(*first) == body.ty(value)) {
            group.push(value);
        }
    }
    groups.into_values().collect()
}
