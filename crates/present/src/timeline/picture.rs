//! Timelines as pictures: a row for each group, a box for each run with its microbatch, as papers print schedules.
//! Stages of a group are told apart by how dark their boxes are.

use meshwright_plan::timeline::Run;
use meshwright_plan::{Phase, Timeline};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Sizes in pixels: of all boxes together, of a row, of what stands before the rows and above them.
const WIDTH: f64 = 1200.0;
const ROW: f64 = 24.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 30.0;

/// Pixels of a digit.
const DIGIT: f64 = 7.0;

/// Phases with their colors, as the legend lists them.
const COLORS: [(Phase, &str, &str); 8] = [
    (Phase::Copies, "copies", "#ffcc80"),
    (Phase::Prepass, "pre-pass", "#b39ddb"),
    (Phase::Forward, "forward", "#6ea8fe"),
    (Phase::Backward, "backward", "#63c5a3"),
    (Phase::InputGradient, "input gradient", "#4db6ac"),
    (Phase::WeightGradient, "weight gradient", "#9ccc65"),
    (Phase::Update(0), "update", "#bdbdbd"),
    (Phase::Optimistic, "optimistic update", "#d7ccc8"),
];

/// The picture as SVG.
pub fn picture(timeline: &Timeline) -> String {
    let scale = WIDTH / timeline.makespan().max(f64::MIN_POSITIVE);
    let height = TOP + ROW * timeline.groups.len() as f64 + 10.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{height}\" viewBox=\"0 0 {0} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        LEFT + WIDTH + 10.0
    );
    svg.push_str(&legend(timeline));
    for (group, runs) in timeline.groups.iter().enumerate() {
        let y = TOP + ROW * group as f64;
        let _ = writeln!(svg, "<text x=\"6\" y=\"{}\">group {group}</text>", y + 15.0);
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{}\" fill=\"#f2f2f2\"/>",
            ROW - 2.0
        );
        let stages: BTreeSet<usize> = runs.iter().map(|run| run.action.program.stage).collect();
        for run in runs {
            let rank = stages.range(..run.action.program.stage).count();
            let shade = 1.0 - 0.5 * rank as f64 / stages.len() as f64;
            svg.push_str(&run_box(run, LEFT + scale * run.start, y, scale * (run.end - run.start), shade));
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The box of a run; its title, which viewers show beside the pointer, has the numbers.
fn run_box(run: &Run, x: f64, y: f64, width: f64, shade: f64) -> String {
    let color = COLORS.iter().find(|(phase, _, _)| phase.letter() == run.action.program.phase.letter());
    let color = color.map_or("#bdbdbd", |(_, _, color)| color);
    let height = ROW - 2.0;
    let title = format!("{}: {:.6} s to {:.6} s", run.action, run.start, run.end);
    let mut text = format!(
        "<rect x=\"{x:.2}\" y=\"{y}\" width=\"{width:.2}\" height=\"{height}\" fill=\"{color}\" \
         fill-opacity=\"{shade:.2}\" stroke=\"#ffffff\" stroke-width=\"0.5\"><title>{title}</title></rect>\n"
    );
    let label = run.action.microbatch.map(|microbatch| microbatch.to_string()).unwrap_or_default();
    if width > DIGIT * label.len() as f64 {
        let _ = writeln!(
            text,
            "<text x=\"{:.2}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            x + width / 2.0,
            y + 15.0
        );
    }
    text
}

/// The phases that there are.
fn legend(timeline: &Timeline) -> String {
    let used = |letter: char| {
        timeline.groups.iter().flatten().any(|run| run.action.program.phase.letter() == letter)
    };
    let mut text = String::new();
    let mut x = LEFT;
    for (_, name, color) in COLORS.iter().filter(|(phase, _, _)| used(phase.letter())) {
        let _ = writeln!(text, "<rect x=\"{x}\" y=\"8\" width=\"12\" height=\"12\" fill=\"{color}\"/>");
        let _ = writeln!(text, "<text x=\"{}\" y=\"18\">{name}</text>", x + 17.0);
        x += 35.0 + DIGIT * name.len() as f64;
    }
    text
}
