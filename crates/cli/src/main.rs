//! The `meshwright` command. Here it only dispatches: flags are in [`args`], each subcommand is a file of its own.

mod args;
mod diagnostics;
mod failure;
mod input;
mod machines;
mod output;
mod parse;
mod table;

use args::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let out = arguments.output;
    let outcome = match &arguments.command {
        Command::Machines(arguments) => machines::run(arguments, out),
        _ => Ok(()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report(out);
            ExitCode::from(failure.exit_code())
        }
    }
}
