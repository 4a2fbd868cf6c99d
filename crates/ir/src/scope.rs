//! Where an instruction stands: its program, its function and the instructions around it. Input of the checks that one
//! instruction alone does not allow: symbols, meshes, shardings of operands.

use crate::attribute::Attr;
use crate::calls::Functions;
use crate::ids::{InstId, Table, ValueId};
use crate::mesh::Mesh;
use crate::program::{Def, Function};
use crate::sdy::check_sharding;
use crate::sharding::{MeshRef, ShardingAttr, ShardingError};
use meshwright_tensor::types::Type;
use std::borrow::Cow;
use std::cell::OnceCell;

/// The surroundings of an instruction.
pub struct Scope<'a> {
    /// The program.
    pub program: &'a Functions<'a>,
    /// The function.
    pub function: &'a Function,
    /// The instructions in whose regions it stands, outermost first.
    pub around: Vec<InstId>,
    num_uses: OnceCell<Table<ValueId, u32>>,
}

impl<'a> Scope<'a> {
    /// The scope of the instructions of the function's own region.
    pub fn new(program: &'a Functions<'a>, function: &'a Function) -> Self {
        Self { program, function, around: Vec::new(), num_uses: OnceCell::new() }
    }

    /// The axes that are manual here.
    pub fn manual_axes(&self) -> impl Iterator<Item = &'a str> {
        let body = &self.function.body;
        self.around.iter().flat_map(|inst| body.insts[*inst].op.manual_axes()).map(String::as_str)
    }

    /// The mesh that `mesh` refers to. Errors: it is not declared.
    pub fn mesh<'m>(&self, mesh: &'m MeshRef) -> Result<&'m Mesh, ShardingError>
    where
        'a: 'm,
    {
        self.program.resolve_mesh(mesh).ok_or_else(|| ShardingError {
            message: format!("the mesh `{mesh}` is not declared"),
            hint: "declare it at the top of the module: sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>".into(),
        })
    }

    /// Checks a sharding written here for a value of type `ty`; `None` for what has no result.
    pub fn check_sharding(&self, sharding: &ShardingAttr, ty: Option<&Type>) -> Result<(), ShardingError> {
        check_sharding(sharding, self.mesh(&sharding.mesh)?, ty, self.manual_axes())
    }

    /// The sharding that the program gives to `value`, if any.
    pub fn sharding(&self, value: ValueId) -> Option<Cow<'a, ShardingAttr>> {
        let body = &self.function.body;
        match body.values[value].def {
            Def::Argument(region, index) if region == body.entry() => {
                match self.function.arg_attributes.get(index)?.get("sdy.sharding")? {
                    Attr::Sharding(sharding) => Some(Cow::Borrowed(sharding)),
                    _ => None,
                }
            }
            Def::Argument(region, index) => {
                let owner = self.around.iter().find(|inst| body.insts[**inst].regions.contains(&region))?;
                body.insts[*owner].op.argument_sharding(index).map(Cow::Owned)
            }
            Def::Result(inst, index) => {
                let inst = &body.insts[inst];
                let own = inst.op.result_sharding(index);
                let sharding = own.or_else(|| match inst.attributes.get("sdy.sharding")? {
                    Attr::ShardingPerValue(shardings) => shardings.get(index),
                    _ => None,
                });
                sharding.map(Cow::Borrowed)
            }
        }
    }

    /// Number of operands in the function that are `value`.
    pub fn num_uses(&self, value: ValueId) -> usize {
        let body = &self.function.body;
        let counts = self.num_uses.get_or_init(|| {
            let mut counts = Table::filled(0, body.values.len());
            for operand in body.insts.values().flat_map(|inst| &inst.operands) {
                counts[*operand] += 1;
            }
            counts
        });
        counts[value] as usize
    }
}
