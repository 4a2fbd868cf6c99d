//! Programs of one function that says how it is sharded, as the stages on annotations take them.

use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_plan::Decisions;
use meshwright_plan::attributes::{self, annotated_mesh};
use meshwright_shard::{Options, Prepared, Sharder, prepare};
use meshwright_suite::{Finding, Input};
use meshwright_transform::inline::inline_calls;

use super::{findings, read_program};

/// A function with all calls inlined, and what its annotations fix.
pub(crate) struct Annotated {
    pub(crate) source: Source,
    pub(crate) function: Function,
    pub(crate) mesh: Mesh,
    pub(crate) fixed: Decisions,
    prepared: Prepared,
    options: Options,
}

impl Annotated {
    /// Reads the program of a test.
    pub(crate) fn read(input: &Input) -> Result<Self, Vec<Finding>> {
        let source = Source::new(input.name.as_str(), input.text.as_str());
        let program = read_program(&source)?;
        let name = &program.main().expect("a test has one function or a main").name;
        let function = inline_calls(&program, name).expect("the function is there");
        let wrong = |problems| findings(&source, problems);
        let mesh = annotated_mesh(&program, &function).map_err(wrong)?.expect("a test has a mesh");
        let fixed = attributes::read(&program, &function, &mesh).map_err(wrong)?;
        let prepared = prepare(&function);
        Ok(Self { source, function, mesh, fixed, prepared, options: Options::default() })
    }

    /// What shards the function.
    pub(crate) fn sharder(&self) -> Sharder<'_> {
        let Self { function, mesh, prepared, options, .. } = self;
        Sharder { function, prepared, mesh, options, control: &Quiet }
    }
}
