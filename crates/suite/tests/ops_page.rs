//! `docs/ops.md` says of every op what the compiler does with it. It is made from the op files: what a file implements
//! of `OpDef` is what is supported.
//!
//!     BLESS=1 cargo test -p meshwright-suite --test ops_page    # writes the page

// Whoever runs the test says by the environment that the page is to be written.
#![allow(clippy::disallowed_methods)]

use meshwright_ir::op::READERS;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# Ops

Every op that is read is printed in both forms and verified.
The rest is in this table, which is made from the op files in `crates/ir/src/ops` (`BLESS=1 cargo test -p meshwright-suite --test ops_page`).

| column | entry | meaning |
| --- | --- | --- |
| evaluated | yes | by its own code |
| | expanded | as the ops that it stands for |
| | no | only read, printed and verified |
| rule | yes | a sharding rule of its own |
| | expanded | those of the ops that it stands for; it is written out before a program is sharded |
| | inlined | what is in it is sharded as if it stood alone |
| | whole | every device needs all operands and has all results |
| partitioned | same op | the same op on the local parts, with padding masked |
| | own form | its file says what the local form is |
| | expanded, inlined | as under *rule* |
| | on every device | the same on all devices |
| derivative | yes | what it passes back is in its file |
| | expanded, inlined | as under *rule* |
| | regions | that of what is in it |
| | no | its results are taken as constants if they are not floats, else it is refused |

Dims of unknown size (and the ops `dynamic_*` but `dynamic_slice` and `dynamic_update_slice`, `real_dynamic_slice`, `set_dimension_size`) and quantized types (`uniform_quantize`, `uniform_dequantize`) are not read.
Of floats of eight bits and fewer one NaN is kept, whatever its bits were; their sums and those of f16 and bf16 are made in a wider type and rounded once.
Known targets of `custom_call` are those of LAPACK and cuSOLVER for Cholesky, LU, QR and symmetric eigenvalues and for triangular systems, and cuDNN's attention; others are partitioned by the rule that they are given, and not evaluated.
Collectives and numbers of devices are of the program of one device; a whole program holds them in manual computations only.

";

fn ops_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ir/src/ops")
}

/// The op files in the order of the list `ops!`.
fn modules() -> Vec<String> {
    let list = std::fs::read_to_string(ops_folder().join("mod.rs")).expect("the list of ops");
    let (_, list) = list.split_once("\nops! {\n").expect("the list of ops");
    let (list, _) = list.split_once("\n}").expect("the end of the list");
    let entries = list.lines().filter_map(|line| line.trim().split_once("::"));
    entries.map(|(module, _)| module.to_owned()).collect()
}

/// What a file implements of `OpDef`.
struct File {
    source: String,
}

impl File {
    fn of(module: &str) -> Self {
        let text = std::fs::read_to_string(ops_folder().join(format!("{module}.rs"))).expect("an op file");
        let (_, source) = text.split_once("\nimpl OpDef for ").expect("an op");
        let source = source.split_once("\n}\n").map_or(source, |(source, _)| source).to_owned();
        Self { source }
    }

    fn has(&self, function: &str) -> bool {
        self.source.contains(&format!("    fn {function}("))
    }

    fn evaluated(&self) -> &'static str {
        match (self.has("evaluate"), self.has("expand")) {
            (true, _) => "yes",
            (false, true) => "expanded",
            (false, false) => "no",
        }
    }

    fn is_inlined(&self) -> bool {
        self.source.contains("OpTraits::CALL") || self.source.contains("refusal: ")
    }

    fn is_short_form(&self) -> bool {
        self.source.contains("OpTraits::SHORT_FORM") || self.source.contains("is_short_form: true")
    }

    fn rule(&self) -> &'static str {
        match () {
            () if self.is_inlined() => "inlined",
            () if self.is_short_form() => "expanded",
            () if self.has("rule") => "yes",
            () => "whole",
        }
    }

    /// Whether the file says of an op that it has no derivative, as others in it have.
    fn refuses_derivative_of(&self, op: &str) -> bool {
        let list =
            self.source.split_once("const WITHOUT_DERIVATIVE").and_then(|(_, rest)| rest.split_once(';'));
        list.is_some_and(|(list, _)| list.contains(&format!("{op:?}")))
    }

    fn derivative(&self, op: &str) -> &'static str {
        match self.rule() {
            _ if self.refuses_derivative_of(op) => "no",
            "expanded" if !self.source.contains("has_own_derivative: true") => "expanded",
            _ if self.has("vjp") => "yes",
            _ if ["DataFlow::Loop", "DataFlow::Branches"].iter().any(|flow| self.source.contains(flow)) => {
                "regions"
            }
            "inlined" if self.source.contains("OpTraits::CALL") => "inlined",
            _ => "no",
        }
    }

    fn partitioned(&self) -> &'static str {
        match self.rule() {
            "inlined" => "inlined",
            "expanded" => "expanded",
            _ if self.has("localize") => "own form",
            "yes" => "same op",
            _ => "on every device",
        }
    }
}

fn page() -> String {
    let modules = modules();
    assert_eq!(modules.len(), READERS.len(), "a list of names per file");
    let mut rows = Vec::new();
    for (module, readers) in modules.iter().zip(READERS) {
        let file = File::of(module);
        for reader in *readers {
            rows.push(format!(
                "| `{}` | {} | {} | {} | {} | `{module}.rs` |",
                reader.name,
                file.evaluated(),
                file.rule(),
                file.partitioned(),
                file.derivative(reader.name),
            ));
        }
    }
    rows.sort();
    let mut page = HEAD.to_owned();
    let _ = writeln!(
        page,
        "| op | evaluated | rule | partitioned | derivative | file |\n| --- | --- | --- | --- | --- | --- |"
    );
    rows.iter().for_each(|row| page += &format!("{row}\n"));
    page
}

#[test]
fn the_page_of_ops_says_what_the_files_do() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ops.md");
    let page = page();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/ops.md is out of date; BLESS=1 writes it anew");
}
