//! Figures.
use meshwright_analyze::{Phases, Roles, Phase};
use meshwright_cost::*;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::text::{Form, print};
use meshwright_machine::Machine;
use meshwright_search::recompute::{Named, Recomputation, uses};
use meshwright_transform::flatten;
use meshwright_ir::mesh::{Axis, Mesh};
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let program = meshwright_ir::text::read(&Source::new("x", text)).unwrap();
    let flat = flatten(&program).unwrap();
    let f = &flat.function;
    let t = Instant::now(); let roles = Roles::new(f); eprintln!("roles {:?}", t.elapsed());
    let t = Instant::now(); let phases = Phases::new(f, &roles).unwrap(); eprintln!("phases {:?}", t.elapsed());
    let mut counts = std::collections::BTreeMap::new();
    for i in &f.body.regions[f.body.entry()].insts { *counts.entry(phases.of[*i]).or_insert(0) += 1; }
    let products = |p: Phase| f.body.regions[f.body.entry()].insts.iter().filter(|i| phases.of[**i] == p && f.body.insts[**i].op.name().contains("dot_general")).count();
    println!("{counts:?} products F {} T {} B {} U {}; gradients {}", products(Phase::Forward), products(Phase::Turning), products(Phase::Backward), products(Phase::Update), phases.gradients.len());
    println!("places {:?}", phases.forward.places);
    println!("segments {} layers {:?}", phases.forward.segments().len(), phases.forward.layers(&f.body));
    let t = Instant::now(); let analysis = Analysis::new(f); eprintln!("analysis {:?}", t.elapsed());
    let machine = Machine::from_spec(&args[2]).unwrap();
    let t = Instant::now(); let of = Recomputation::new(&analysis, &roles, &phases, &machine.device); eprintln!("segments {:?}", t.elapsed());
    let t = Instant::now(); let hull = of.hull(); eprintln!("hull {:?}", t.elapsed());
    println!("pinned {:.1} MB", of.pinned().0 as f64 / 1e6);
    for p in &hull.points { println!("{:12.3} MB {:9.3} us  {}", p.kept.0 as f64 / 1e6, p.seconds.0 * 1e6, of.in_words(&of.again(&hull, p))); }
    let peak = |f: &meshwright_ir::program::Function| {
        let a = Analysis::new(f);
        let mesh = Mesh::new("mesh", vec![Axis { name: "x".into(), size: 1 }]).unwrap();
        let s = meshwright_plan::Shardings::replicated(f, mesh);
        memory(&Lowering::new(&a, &s)).peak
    };
    println!("peak as written {}", peak(f));
    for named in Named::ALL {
        let again = of.named(named);
        let t = Instant::now(); let u = uses(&of, &again); let new = flat.recomputed(&u); let took = t.elapsed();
        let p2 = program.with_only(new.function.clone());
        meshwright_ir::verify::verify(&p2).unwrap();
        let seconds: f64 = again.len() as f64;
        println!("{} again {} of uses {} peak {} ({took:?}) {seconds}", named.name(), again.len(), u.len(), peak(&new.function));
        if let Some(out) = args.get(3) { std::fs::write(format!("{out}_{}.mlir", named.name()), print(&p2, Form::Pretty)).unwrap(); }
    }
    if args.len() > 4 { for (n, p) in hull.points.iter().enumerate() {
        let new = flat.recomputed(&uses(&of, &of.again(&hull, p)));
        println!("point {n}: kept {:.3} MB peak {}", p.kept.0 as f64 / 1e6, peak(&new.function));
    } }
}
