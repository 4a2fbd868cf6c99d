//! Where the axes of a mesh lie on a machine, in words.

use meshwright_machine::Level;
use meshwright_plan::Placement;

/// `data over infiniband, model over nvlink; device = 8*data + model`.
pub(crate) fn ranks(placement: &Placement) -> String {
    let mesh = &placement.mesh;
    let axes = || mesh.axes().iter().enumerate().filter(|(_, axis)| axis.size > 1);
    let lies = axes().map(|(number, axis)| {
        let crossings = placement.crossings(&mesh.pieces(number));
        let levels: Vec<&str> = crossings.iter().rev().map(|crossing| name(crossing.level)).collect();
        format!("{} over {}", axis.name, levels.join(" and "))
    });
    let lies: Vec<String> = lies.collect();
    if lies.is_empty() {
        return "one device".to_owned();
    }
    let number = match mesh.device_ids().is_empty() {
        true => {
            let stride =
                |number: usize| -> usize { mesh.axes()[number + 1..].iter().map(|axis| axis.size).product() };
            let terms = axes().map(|(number, axis)| match stride(number) {
                1 => axis.name.clone(),
                stride => format!("{stride}*{}", axis.name),
            });
            format!("device = {}", terms.collect::<Vec<_>>().join(" + "))
        }
        false => "devices in the order of the mesh's `device_ids`".to_owned(),
    };
    format!("{}; {number}", lies.join(", "))
}

fn name(level: &Level) -> &str {
    &level.name
}
