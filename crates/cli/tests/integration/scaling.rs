//! Machines of several sizes, and the smallest that is good enough.

use crate::common::{Ran, Scratch};
use serde_json::Value;

/// A step of a small model, on machines.
fn step(machine: &str, more: &str) -> String {
    let config = format!("{}/../../tests/data/models/tiny/llama.json", env!("CARGO_MANIFEST_DIR"));
    format!("plan {config} --machine {machine} --seq 16 --global-batch 16 --tp 1,2 --allow cp=1 {more}")
}

fn done(scratch: &Scratch, line: &str) -> Ran {
    let ran = scratch.line(line);
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    ran
}

fn points(curve: &Value) -> &Vec<Value> {
    curve["points"].as_array().expect("a list")
}

#[test]
fn a_point_is_the_best_row_of_its_grid() {
    let scratch = Scratch::new("scaling-points");
    let curve = done(&scratch, &step("h100:{1..2}x2", "--json")).json();
    let sizes: Vec<&Value> = points(&curve).iter().map(|point| &point["devices"]).collect();
    assert_eq!(sizes, [2, 4]);
    assert_eq!(curve["smallest"], Value::Null);
    for (point, hosts) in points(&curve).iter().zip([1, 2]) {
        let grid = done(&scratch, &step(&format!("h100:{hosts}x2"), "--grid --json")).json();
        let best = &grid["rows"][0];
        for key in ["degrees", "step_seconds", "units_per_second", "peak_bytes"] {
            assert_eq!(point[key], best[key], "{key} of {hosts} hosts");
        }
    }
    assert_eq!(points(&curve)[0]["efficiency"], 1.0);
    // Of listed sizes of microbatches, too.
    let sizes = "--microbatch-size 1,2 --pp 1 --zero 0 --sp 1";
    let curve = done(&scratch, &step("h100:{1,2}x2", &format!("{sizes} --json"))).json();
    for (point, hosts) in points(&curve).iter().zip([1, 2]) {
        let grid =
            done(&scratch, &step(&format!("h100:{hosts}x2"), &format!("{sizes} --grid --json"))).json();
        let rows = grid["rows"].as_array().expect("a list").iter().filter(|row| row["fits"] == true);
        let best =
            rows.map(|row| row["step_seconds"].as_f64().expect("a time")).fold(f64::INFINITY, f64::min);
        assert_eq!(point["step_seconds"], best, "of {hosts} hosts");
    }
    let said = done(&scratch, &step("h100:{1,2}x2", "-o curve.csv")).out;
    assert!(said.contains("efficiency") && said.contains("h100:2x2"), "{said}");
    let written = std::fs::read_to_string(scratch.path("curve.csv")).expect("a file");
    assert_eq!(written.lines().count(), 3, "{written}");
    assert!(written.contains(",unit,units_per_second,") && written.contains(",tokens,"), "{written}");
    // Where no way is a plan, what is in the way is said, of each machine and of all.
    let none = scratch.line(&step("h100:{1,2}x2", "").replace("--allow cp=1", "--allow cp=7"));
    let none = none.fails(3, &["none of the machines", "not allowed by `cp=7`"]);
    assert!(none.out.contains("no plan: not allowed by `cp=7`"), "{}", none.out);
}

#[test]
fn what_fits_in_microbatches_alone_is_priced_in_the_fewest() {
    let scratch = Scratch::new("scaling-fewest");
    let step =
        |machine: &str, more: &str| step(machine, more).replace("--global-batch 16", "--global-batch 32");
    let limit = "--memory-limit 400KiB --pp 1,2 --zero 0,3 --sp 1";
    let curve = done(&scratch, &step("h100:{1,2}x2", &format!("{limit} --json"))).json();
    for (point, hosts) in points(&curve).iter().zip([1, 2]) {
        let machine = format!("h100:{hosts}x2");
        let whole = scratch.line(&step(&machine, &format!("{limit} --grid --json -o grid.json")));
        assert_eq!(whole.code, Some(3), "nothing fits in one: {}", whole.out);
        let rows: Value =
            serde_json::from_str(&std::fs::read_to_string(scratch.path("grid.json")).expect("a file"))
                .expect("a grid");
        let counts = rows["rows"].as_array().expect("a list").iter();
        let count = counts.filter_map(|row| row["fits_with_microbatches"].as_u64()).min().expect("a number");
        assert!(count > 1);
        // What makes values again fits in fewer.
        let counts = [count / 4, count / 2, count].into_iter().filter(|fewer| *fewer > 0);
        let best = counts.filter_map(|count| {
            let cut = format!("{limit} --microbatches {count} --recompute search --grid --json -o cut.json");
            scratch.line(&step(&machine, &cut));
            let cut = std::fs::read_to_string(scratch.path("cut.json")).expect("a file");
            std::fs::remove_file(scratch.path("cut.json")).expect("it is there");
            let cut: Value = serde_json::from_str(&cut).expect("a grid");
            let row = cut["rows"].as_array().expect("a list").first().filter(|row| row["fits"] == true)?;
            Some((row["step_seconds"].as_f64().expect("a time"), count))
        });
        let (seconds, count) = best.min_by(|a, b| a.0.total_cmp(&b.0)).expect("one fits");
        assert_eq!(point["step_seconds"], seconds, "{machine}");
        let degrees = point["degrees"].as_str().expect("words");
        let words = if count == 1 { "1 microbatch".to_owned() } else { format!("{count} microbatches") };
        assert!(degrees.ends_with(&format!(", {words}")), "{degrees}");
    }
}

#[test]
fn a_size_that_there_is_not_is_a_row() {
    let scratch = Scratch::new("scaling-sizes");
    let curve = done(&scratch, &step("h100:1x{4,8,16}", "--json")).json();
    let reason = points(&curve)[2]["reason"].as_str().expect("a reason");
    assert!(reason.contains("joins at most 8 units") && points(&curve)[2]["devices"] == 16, "{reason}");
    assert!(points(&curve)[1]["step_seconds"].as_f64().is_some(), "{curve}");
    // A curve is no grid, which is said.
    let said = ["joins at most 8 units, not 12", "of machines of several sizes the best on each is shown"];
    scratch.line(&step("h100:1x{12,16}", "--grid")).fails(2, &said);
    // Values of other flags that are wrong leave those that are not.
    done(&scratch, &step("h100:{1,2}x8", "--optimizer none --recompute none,full")).says(&["recompute none"]);
}

#[test]
fn the_smallest_that_is_good_enough_is_named_or_the_nearest() {
    let scratch = Scratch::new("scaling-wanted");
    // Goals are met by whatever plans there are.
    let step = |machine: &str, more: &str| step(machine, &format!("--pp 1 {more}"));
    let curve = done(&scratch, &step("h100:{1..2}x2", "--json")).json();
    let rate = |index: usize| points(&curve)[index]["units_per_second"].as_f64().expect("a rate");
    // Whatever is fastest, it is fast enough for half of its rate.
    let fastest = (0..2).map(rate).fold(0.0, f64::max);
    let wanted = format!("--target-tokens-per-s {:.0} --json", fastest / 2.0);
    let found = done(&scratch, &step("h100:{1..2}x2", &wanted)).json();
    let first = (0..2).find(|index| rate(*index) >= fastest / 2.0).expect("the fastest");
    assert_eq!(found["smallest"], points(&curve)[first]["machine"]);
    let unreachable = format!("--target-tokens-per-s {:.0}", 100.0 * fastest);
    scratch.line(&step("h100:{1..2}x2", &unreachable)).fails(3, &["nearest is h100:", "tokens/s"]);
    // What misses by little may be met by a plan that shards each tensor by itself.
    let searched = "a plan shards each tensor by itself";
    let near = scratch.line(&step("h100:{1..2}x2", &format!("--target-tokens-per-s {:.0}", 1.2 * fastest)));
    near.fails(3, &[searched]);
    let far = scratch.line(&step("h100:{1..2}x2", &format!("--target-tokens-per-s {:.0}", 1.3 * fastest)));
    assert!(!far.fails(3, &["nearest is"]).err.contains(searched));
    // One machine is a curve of one point.
    scratch.line(&step("h100:1x2", &unreachable)).fails(3, &["nearest is h100:1x2"]);
    let days = 1e12 / fastest / 86_400.0;
    done(&scratch, &step("h100:{1..2}x2", &format!("--tokens 1T --deadline {}d", 1.01 * days)));
    scratch
        .line(&step("h100:{1..2}x2", &format!("--tokens 1T --deadline {}d", 0.99 * days)))
        .fails(3, &["days in place of"]);
    scratch
        .line(&step("h100:{1..2}x2", "--tokens 1T --deadline 1s"))
        .fails(3, &["days in place of 1.0 seconds"]);
}

#[test]
fn money_needs_a_price_and_tokens() {
    let scratch = Scratch::new("scaling-money");
    scratch.line(&step("h100:1x2", "--budget 1M")).fails(2, &["--tokens"]);
    scratch.line(&step("h100:1x2", "--budget 1M --tokens 1B")).fails(2, &["h100:1x2 has no price"]);
    scratch.line(&step("h100:{4..1}x8", "")).fails(2, &["is no machine"]);
    scratch.line(&step("h100:{1,2}x{4,8}", "")).fails(2, &["one of its numbers alone can be several"]);
    scratch.line(&step("h100:{1..100000}x8", "")).fails(2, &["has 800,000 devices", "up to 131,072"]);
    scratch.line(&step("h100:{1..2}x8", "--search none")).fails(2, &["`--search` is for one plan"]);
    let shown = done(&scratch, "machines h100:1x2").out;
    std::fs::write(scratch.path("priced.toml"), format!("price_per_device_hour = 2.5\n{shown}"))
        .expect("a file");
    let priced = |more: &str| scratch.line(&step("./priced.toml", more));
    let curve = priced("--tokens 1B --budget 1B --json");
    assert_eq!(curve.code, Some(0), "{}", curve.err);
    let dollars = points(&curve.json())[0]["total_dollars"].as_f64().expect("dollars");
    assert!(dollars > 0.0);
    priced(&format!("--tokens 1B --budget {}", dollars / 2.0)).fails(3, &["dollars in place of"]);
    // A file has the price of machines of all sizes.
    let sizes = scratch.line(&step("./priced.toml:{1..2}x2", "--tokens 1B --budget 1B --json"));
    assert_eq!(sizes.code, Some(0), "{}", sizes.err);
    let found = sizes.json();
    let found = points(&found);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0]["total_dollars"].as_f64(), Some(dollars));
    scratch.line(&step("./priced.toml:1x9", "--tokens 1B --budget 1B")).fails(2, &["9"]);
}

/// A convolution of images, and the gradient of its weights.
const IMAGES: &str = r#"
func.func @main(%w: tensor<3x3x16x16xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<64x32x32x16xf32>) -> tensor<3x3x16x16xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<64x32x32x16xf32>, tensor<3x3x16x16xf32>) -> tensor<64x32x32x16xf32>
  %1 = stablehlo.convolution(%x, %0) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<64x32x32x16xf32>, tensor<64x32x32x16xf32>) -> tensor<3x3x16x16xf32>
  %2 = stablehlo.subtract %w, %1 : tensor<3x3x16x16xf32>
  return %2 : tensor<3x3x16x16xf32>
}
"#;

#[test]
fn tokens_alone_are_a_curve_of_one_machine_and_samples_are_no_tokens() {
    let scratch = Scratch::new("scaling-tokens");
    let curve = done(&scratch, &step("h100:1x2", "--grid --tokens 1T")).says(&["days", "dollars"]);
    let said = "warning[best-alone]: `--grid` shows all ways, and `--tokens` is about the best of them";
    assert!(curve.err.starts_with(said), "{}", curve.err);
    scratch
        .line(&step("h100:{1,2}x8", "--dump-after inline=inlined.mlir"))
        .fails(2, &["`--dump-after` is for one plan"]);
    std::fs::write(scratch.path("images.mlir"), IMAGES).expect("a file");
    let images = |goal: &str| scratch.line(&format!("plan images.mlir --machine h100:1x2 --tp 1 {goal}"));
    images("--target-tokens-per-s 1").fails(2, &["`--target-tokens-per-s` counts tokens", "samples"]);
    images("--tokens 1T").fails(2, &["`--tokens` counts tokens", "samples"]);
}
