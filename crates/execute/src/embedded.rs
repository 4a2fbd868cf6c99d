//! The embedded engine: N devices as threads of this process, with real collectives between them.
//!
//! Input: a local program (one that every device runs, with explicit collectives) and each device's own inputs.
//! Output: each device's own results. What goes wrong on one device ends the run on all, with the reason; see
//! [`crate::rendezvous`].

use std::borrow::Cow;

use meshwright_ir::attribute::Attr;
use meshwright_ir::control::Control;
use meshwright_ir::eval::{DeviceCode, DeviceRun};
use meshwright_ir::program::Program;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::DeviceProgram;
use meshwright_tensor::types::{TensorType, Type};
use meshwright_tensor::{Precision, Tensor};

use crate::devices::Devices;
use crate::interpreter::Prepared;
use crate::run_error::RunError;
use crate::shards::{Assembled, Copies, assemble, split};

/// Runs the entry function of a verified local program on `inputs.len()` devices, device `d` on `inputs[d]`.
///
/// Errors: inputs that do not fit; see [`crate::RunErrorKind`] for the others. All devices have ended when it returns.
pub fn run_local(
    program: &Program,
    inputs: Vec<Vec<Tensor>>,
    precision: Precision,
    control: &dyn Control,
) -> Result<Vec<Vec<Tensor>>, RunError> {
    let num_devices = inputs.len();
    let main = program.main().ok_or_else(|| RunError::inputs("the program has no function `@main`"))?;
    let partitions = num_partitions(program, num_devices)?;
    let prepared = Prepared::new(program);
    let devices =
        Devices { prepared: &prepared, precision, function: 0, partitions, infeed: &[], num_around: 1 };
    let main = DeviceCode::Function(main.name.clone());
    let runs = inputs.into_iter().map(|args| DeviceRun { code: main.clone(), args }).collect();
    let mut num_before = 0;
    devices.run(runs, &mut |num_ended| {
        if num_ended > num_before {
            control.progress("run", num_ended, num_devices);
        }
        num_before = num_ended;
        control.should_stop()
    })
}

/// Splits global inputs, runs the device program, and puts its results together again.
///
/// Errors: as [`run_local`], and inputs or results that do not fit their shardings.
pub fn run(
    program: &DeviceProgram,
    inputs: &[Tensor],
    precision: Precision,
    control: &dyn Control,
) -> Result<Vec<Assembled>, RunError> {
    if inputs.len() != program.arguments.len() {
        let (expected, found) = (program.arguments.len(), inputs.len());
        return Err(RunError::inputs(format!("the program takes {expected} inputs, but {found} are given")));
    }
    let mut per_device: Vec<Vec<Tensor>> = vec![Vec::new(); program.mesh.num_devices()];
    for (index, (input, (ty, sharding))) in inputs.iter().zip(&program.arguments).enumerate() {
        let shards = split(input, ty, sharding, program.argument_mesh(index))
            .map_err(|error| RunError::inputs(error.message))?;
        for (device, shard) in shards.into_iter().enumerate() {
            per_device[device].push(shard);
        }
    }
    let mut results = run_local(&program.program, per_device, precision, control)?;
    let kinds: Vec<Kind<'_>> = program.results.iter().enumerate().flat_map(kinds).collect();
    let mut assembled = Vec::with_capacity(kinds.len());
    // From the back, so that each device's copy of a result can be given away as it is used.
    for (index, kind) in kinds.iter().enumerate().rev() {
        let mut shards = Vec::with_capacity(results.len());
        for device in &mut results {
            device.truncate(index + 1);
            let shard = device.pop();
            shards.push(shard.ok_or_else(|| RunError::inputs(format!("the program has no result {index}")))?);
        }
        assembled.push(match kind.ty {
            Type::Token => Assembled { tensor: shards.swap_remove(0), copies: Copies::default() },
            ty => assemble(shards, ty, &kind.sharding, program.result_mesh(kind.result))?,
        });
    }
    assembled.reverse();
    Ok(assembled)
}

/// What a device returns: a result, or a member of a result that is a tuple.
struct Kind<'a> {
    /// Which result.
    result: usize,
    ty: &'a Type,
    sharding: Cow<'a, Sharding>,
}

/// What devices return for a result, as `Interpreter::run` does. Every device has all of a tuple.
fn kinds<'a>((result, (ty, sharding)): (usize, &'a (Type, Sharding))) -> Vec<Kind<'a>> {
    fn add<'a>(ty: &'a Type, kinds: &mut Vec<(&'a Type, Sharding)>) {
        match ty {
            Type::Tuple(members) => members.iter().for_each(|member| add(member, kinds)),
            ty => kinds.push((ty, Sharding::replicated(ty.as_tensor().map_or(0, TensorType::rank)))),
        }
    }
    if !matches!(ty, Type::Tuple(_)) {
        return vec![Kind { result, ty, sharding: Cow::Borrowed(sharding) }];
    }
    let mut members = Vec::new();
    add(ty, &mut members);
    members.into_iter().map(|(ty, sharding)| Kind { result, ty, sharding: Cow::Owned(sharding) }).collect()
}

/// The number of partitions of each replica. Errors: the program says that it was made for another number of devices.
pub(crate) fn num_partitions(program: &Program, num_devices: usize) -> Result<usize, RunError> {
    let count = |name: &str| match program.attributes.get(name) {
        Some(Attr::Int(count, _)) => usize::try_from(*count).ok().filter(|count| *count > 0),
        _ => None,
    };
    let partitions = count("mhlo.num_partitions").unwrap_or(1);
    match count("mhlo.num_replicas").map(|replicas| replicas.saturating_mul(partitions)) {
        Some(expected) if expected != num_devices => {
            Err(RunError::inputs(format!("the program is made for {expected} devices, not {num_devices}")))
        }
        _ => Ok(partitions),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_error::RunErrorKind;
    use meshwright_ir::control::Quiet;
    use meshwright_ir::diagnostic::Source;
    use meshwright_tensor::types::ElementType;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn read(text: &str) -> Program {
        meshwright_ir::text::read(&Source::new("test", text)).unwrap()
    }

    /// Counts up to `%limit`, with a collective in every turn.
    const COUNTING: &str = r#"func.func @main(%limit: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
   cond {
    %1 = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %3 = stablehlo.maximum %a, %b : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }
  return %0 : tensor<i32>
}"#;

    fn count(limits: [i32; 4], control: &dyn Control) -> Result<Vec<i64>, RunError> {
        let inputs = limits.iter().map(|limit| vec![Tensor::scalar_i32(*limit)]).collect();
        let results = run_local(&read(COUNTING), inputs, Precision::Declared, control)?;
        Ok(results.iter().map(|results| results[0].scalar_as_i64().unwrap()).collect())
    }

    #[test]
    fn devices_meet_every_time() {
        assert_eq!(count([300; 4], &Quiet), Ok(vec![300; 4]));
    }

    /// Two sums in flight at once, waited for in the other order, one of them behind a loop that exchanges too.
    #[test]
    fn devices_go_on_while_collectives_are_in_flight() {
        let start = |name: &str, value: &str| {
            format!(
                r#"  %{name} = "stablehlo.async_start"(%{value}) ({{
  ^bb0(%x: tensor<i32>):
    %2 = "stablehlo.all_reduce"(%x) <{{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}}> ({{
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %3 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }}) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }}) : (tensor<i32>) -> !stablehlo.future<tensor<i32>>
"#
            )
        };
        let done = |name: &str, future: &str| {
            format!(
                "  %{name} = \"stablehlo.async_done\"(%{future}) : (!stablehlo.future<tensor<i32>>) -> tensor<i32>\n"
            )
        };
        let (head, rest) = COUNTING.split_once("  %0 =").unwrap();
        let (middle, _) = rest.split_once("  return").unwrap();
        let text = format!(
            "{head}{}{}  %0 ={middle}{}{}  %5 = stablehlo.add %d, %e : tensor<i32>\n  return %5 : tensor<i32>\n}}",
            start("f", "limit"),
            start("g", "one"),
            done("d", "g"),
            done("e", "f"),
        );
        let program = read(&text);
        meshwright_ir::verify::verify(&program).unwrap();
        let inputs = vec![vec![Tensor::scalar_i32(30)]; 4];
        let results = run_local(&program, inputs, Precision::Declared, &Quiet).unwrap();
        assert!(results.iter().all(|results| results[0].scalar_as_i64() == Ok(124)), "{results:?}");
        let twice = text.replace("\"stablehlo.async_done\"(%f)", "\"stablehlo.async_done\"(%g)");
        let inputs = vec![vec![Tensor::scalar_i32(30)]; 4];
        let error = run_local(&read(&twice), inputs, Precision::Declared, &Quiet).unwrap_err();
        assert!(error.to_string().contains("has been waited for before"), "{error}");
    }

    #[test]
    fn the_reason_does_not_depend_on_the_schedule() {
        let first = count([20, 20, 3, 20], &Quiet).unwrap_err();
        assert_eq!(first.kind, RunErrorKind::Deadlock);
        assert_eq!(first.device, Some(0));
        for _ in 0..50 {
            assert_eq!(count([20, 20, 3, 20], &Quiet).unwrap_err(), first);
        }
        assert!(
            first
                .message
                .ends_with("device 3 waits at `stablehlo.all_reduce` for device 2, which has finished")
        );
    }

    #[test]
    fn a_run_without_end_can_be_stopped() {
        struct StopLater(AtomicUsize);
        impl Control for StopLater {
            fn should_stop(&self) -> bool {
                self.0.fetch_add(1, Ordering::Relaxed) >= 10
            }
        }
        let error = count([i32::MAX; 4], &StopLater(AtomicUsize::new(0))).unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (RunErrorKind::Stopped, "the run was stopped"));
    }

    #[test]
    fn a_panic_on_one_device_ends_the_run() {
        // Not verified: the function has no terminator, which the interpreter may rely on.
        let broken = read("func.func @main() {\n}");
        let inputs = vec![Vec::new(); 3];
        let error = run_local(&broken, inputs, Precision::Declared, &Quiet).unwrap_err();
        assert_eq!((error.kind, error.device), (RunErrorKind::Panic, Some(0)));
    }

    #[test]
    fn inputs_that_do_not_fit() {
        let program = read(
            "module attributes {mhlo.num_replicas = 2 : i32} {\n  func.func @main() {\n    return\n  }\n}",
        );
        let run =
            |num_devices| run_local(&program, vec![Vec::new(); num_devices], Precision::Declared, &Quiet);
        assert_eq!(run(2).unwrap().len(), 2);
        assert_eq!(run(3).unwrap_err().to_string(), "the program is made for 2 devices, not 3");
        let wrong = vec![vec![Tensor::from_vec(ElementType::F32, [], vec![0f32])]; 4];
        let error = run_local(&read(COUNTING), wrong, Precision::Declared, &Quiet).unwrap_err();
        assert!(
            error.to_string().starts_with("on device 0: argument 0 of `@main` is a tensor<i32>"),
            "{error}"
        );
    }
}
