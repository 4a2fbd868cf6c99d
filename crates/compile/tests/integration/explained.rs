//! Explanations of plans tell what the user annotated from what the search chose.

use meshwright_compile::explanation::{Question, Root};
use meshwright_compile::{Options, Search, compile, explain, read};
use meshwright_ir::control::{Control, View};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use std::sync::Mutex;

/// Keeps the program behind the search.
#[derive(Default)]
struct Searched(Mutex<Option<Program>>);

impl Control for Searched {
    fn after_pass(&self, name: &str, view: View<'_>) {
        if name == "search" {
            *self.0.lock().unwrap() = view.program();
        }
    }
}

#[test]
fn what_the_search_chose_is_not_called_annotated() {
    let source = Source::new(
        "two.mlir",
        r#"
        sdy.mesh @mesh = <["x"=2, "y"=4]>
        func.func @main(%a: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                        %b: tensor<512x4096xf32>) -> tensor<512x4096xf32> {
          %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
            : (tensor<512x512xf32>, tensor<512x4096xf32>) -> tensor<512x4096xf32>
          return %0 : tensor<512x4096xf32>
        }"#,
    );
    let program = read(&source).unwrap();
    let machine = Machine::from_spec("cpu8").unwrap();
    let options = Options { search: Some(Search::Rest), ..Options::default() };
    let searched = Searched::default();
    compile(&program, &source, &machine, &options, &searched).unwrap();
    let annotated = searched.0.into_inner().unwrap().unwrap();
    for (argument, root) in [(0, Root::Annotation), (1, Root::Search)] {
        let found = explain(&annotated, &program, Question::Argument(argument)).unwrap().unwrap();
        let roots: Vec<Root> = found.origins.iter().map(|origin| origin.root).collect();
        assert_eq!(roots, [root], "argument {argument}: {found:?}");
    }
}
