//! How a long piece of work talks to whoever started it, without clocks, printing or the environment.

use crate::diagnostic::Diagnostic;
use crate::program::Program;
use crate::text::{Form, print};

/// View of what a stage or pass left behind, made when somebody looks at it.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// One program.
    Program(&'a dyn Fn() -> Program),
    /// Several programs, each with its name, such as `stage-0-forward`.
    Programs(&'a dyn Fn() -> Vec<(String, Program)>),
    /// What is no program, such as a schedule, as text.
    Text(&'a dyn Fn() -> String),
}

impl View<'_> {
    /// The program, if it is one.
    pub fn program(&self) -> Option<Program> {
        match self {
            Self::Program(program) => Some(program()),
            Self::Programs(_) | Self::Text(_) => None,
        }
    }

    /// Its text; of several programs, each under its name, in one file that lines of `// -----` split.
    pub fn text(&self) -> String {
        match self {
            Self::Program(program) => print(&program(), Form::Pretty),
            Self::Programs(programs) => {
                let named = |(name, program): (String, Program)| {
                    format!("// {name}\n{}", print(&program, Form::Pretty))
                };
                programs().into_iter().map(named).collect::<Vec<_>>().join("// -----\n")
            }
            Self::Text(text) => text(),
        }
    }
}

/// Implemented by the doors, which own clocks, signals and files.
pub trait Control: Sync {
    /// Whether to stop as soon as possible with the best so far.
    fn should_stop(&self) -> bool {
        false
    }

    /// `done` of `total` units of the stage are finished; 0 of 0 where a stage begins of which nobody knows how long it is.
    fn progress(&self, stage: &str, done: usize, total: usize) {
        let _ = (stage, done, total);
    }

    /// Something that the user should know and that does not keep the work from being done.
    fn warn(&self, warning: &Diagnostic) {
        let _ = warning;
    }

    /// A stage or pass has finished; `view` is what it left behind.
    fn after_pass(&self, name: &str, view: View<'_>) {
        let _ = (name, view);
    }

    /// Whether somebody looks at what [`Control::after_pass`] is told: nothing is compiled beside something else then, so that it
    /// comes in the same order every time.
    fn is_watched(&self) -> bool {
        false
    }
}

/// Control of work that is short beside what led to it: it goes on to its end, so that what was found is not lost.
pub struct ToTheEnd<'a>(pub &'a dyn Control);

impl Control for ToTheEnd<'_> {
    fn progress(&self, stage: &str, done: usize, total: usize) {
        self.0.progress(stage, done, total);
    }

    fn warn(&self, warning: &Diagnostic) {
        self.0.warn(warning);
    }

    fn after_pass(&self, name: &str, view: View<'_>) {
        self.0.after_pass(name, view);
    }

    fn is_watched(&self) -> bool {
        self.0.is_watched()
    }
}

/// Runs to the end in silence.
pub struct Quiet;

impl Control for Quiet {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;

    #[test]
    fn several_programs_are_one_text_that_is_read_again() {
        let program = |name: &str| {
            let text = format!("func.func @{name}() {{\n  return\n}}\n");
            crate::text::read(&Source::new("test", text)).unwrap()
        };
        let programs =
            || vec![("stage-0-forward".to_owned(), program("a")), ("stage-1-step".to_owned(), program("b"))];
        let view = View::Programs(&programs);
        assert!(view.program().is_none());
        let text = view.text();
        assert!(
            text.starts_with("// stage-0-forward\n") && text.contains("// -----\n// stage-1-step\n"),
            "{text}"
        );
        let read = crate::text::read_all(&Source::new("test", text)).unwrap();
        assert_eq!(
            read.iter().map(|program| program.functions[0].name.as_str()).collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert_eq!(View::Text(&|| "0S0\n".to_owned()).text(), "0S0\n");
    }
}
