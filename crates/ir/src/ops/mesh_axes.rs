//! `#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [...]>` (specification, "Collective ops"): the replica groups
//! of a collective as axes of a mesh, which is declared or written out.

use crate::attribute::Attr;
use crate::mesh::{Axis, Mesh};
use crate::program::Program;
use crate::sharding::{AxisRefAttr, resolve_axis};
use crate::text::DialectFields;
use std::sync::Arc;

/// More devices than any machine has.
const MAX_DEVICES: usize = 1 << 20;

/// Groups along axes of a mesh.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MeshAxes {
    /// The attribute as it is printed.
    pub text: Arc<str>,
    mesh: AxesOf,
    axes: Vec<AxisRefAttr>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum AxesOf {
    /// A declared mesh.
    Symbol(String),
    /// A mesh that is written out.
    Inline(Mesh),
}

impl MeshAxes {
    /// Reads the attribute; `None` if it is another.
    pub fn read(attribute: &Attr) -> Result<Option<Self>, String> {
        const NAME: &str = "stablehlo.replica_group_mesh_axes";
        let Attr::Dialect(text) = attribute else { return Ok(None) };
        if !text.trim_start_matches('#').starts_with(NAME) {
            return Ok(None);
        }
        let mut fields = DialectFields::of(attribute, NAME)?;
        let mesh = fields.take("mesh").ok_or("the field `mesh` is missing")?;
        let mesh = match mesh.strip_prefix('@') {
            Some(symbol) => AxesOf::Symbol(symbol.trim_matches('"').to_owned()),
            None => AxesOf::Inline(inline_mesh(mesh)?),
        };
        let axes = items(&fields.take("axes").ok_or("the field `axes` is missing")?)?;
        let axes = axes.into_iter().map(axis_ref).collect::<Result<_, _>>()?;
        fields.finish()?;
        Ok(Some(Self { text: text.clone(), mesh, axes }))
    }

    /// The groups, by the meshes of a program. `None` if the mesh is not declared there. Errors: axes that the mesh
    /// does not have.
    pub fn groups(&self, program: &Program) -> Result<Option<Vec<Vec<usize>>>, String> {
        let mesh = match &self.mesh {
            AxesOf::Inline(mesh) => mesh,
            AxesOf::Symbol(name) => match program.mesh(name) {
                Some(mesh) => mesh,
                None => return Ok(None),
            },
        };
        let sizes = mesh.axes().iter().try_fold(1usize, |product, axis| product.checked_mul(axis.size));
        if sizes.is_none_or(|devices| devices > MAX_DEVICES) {
            return Err(format!("the mesh has more than {MAX_DEVICES} devices"));
        }
        let mut axes = Vec::new();
        for axis in &self.axes {
            if mesh.axis_named(&axis.name).is_none() {
                return Err(format!("the mesh has no axis \"{}\"", axis.name));
            }
            for piece in resolve_axis(axis, mesh).map_err(|error| error.message)? {
                if axes.contains(&piece) {
                    return Err(format!("the axis {axis} is named twice"));
                }
                axes.push(piece);
            }
        }
        let ids = mesh.device_ids();
        let mut groups = mesh.groups(&axes);
        groups.iter_mut().flatten().for_each(|device| *device = ids.get(*device).copied().unwrap_or(*device));
        Ok(Some(groups))
    }

    /// The name of the mesh, if it should be declared.
    pub fn symbol(&self) -> Option<&str> {
        match &self.mesh {
            AxesOf::Symbol(name) => Some(name),
            AxesOf::Inline(_) => None,
        }
    }
}

/// `#stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>`.
fn inline_mesh(text: String) -> Result<Mesh, String> {
    let mut fields = DialectFields::of(&Attr::Dialect(text.into()), "stablehlo.mesh")?;
    let mut axes = Vec::new();
    for item in items(&fields.take("axes").ok_or("the field `axes` is missing")?)? {
        let mut axis = fields_of(&item, "stablehlo.mesh_axis")?;
        let name = name_of(&mut axis)?;
        let size = usize::try_from(axis.int_or("size", 0)?).unwrap_or(0);
        axis.finish()?;
        if size == 0 {
            return Err(format!("the axis \"{name}\" has no devices"));
        }
        axes.push(Axis { name, size });
    }
    let ids = match fields.take("device_ids") {
        None => Vec::new(),
        Some(text) => {
            let list = text.strip_prefix("dense<").and_then(|rest| rest.split_once('>'));
            let (list, _) =
                list.ok_or_else(|| format!("`device_ids` should be dense<...>, found `{text}`"))?;
            let numbers = list.split(['[', ']', ',', ' ']).filter(|word| !word.is_empty());
            let number =
                |word: &str| word.parse().map_err(|_| format!("`{word}` is not the number of a device"));
            numbers.map(number).collect::<Result<Vec<usize>, String>>()?
        }
    };
    fields.finish()?;
    Mesh::with_device_ids("", axes, ids)
}

/// The fields of an item of a list, which may leave its name out: `<name = "x", size = 2>`.
fn fields_of(item: &str, name: &str) -> Result<DialectFields, String> {
    let text = if item.starts_with('<') { format!("#{name}{item}") } else { item.to_owned() };
    DialectFields::of(&Attr::Dialect(text.into()), name)
}

/// `#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>`.
fn axis_ref(text: String) -> Result<AxisRefAttr, String> {
    let mut fields = fields_of(&text, "stablehlo.axis_ref")?;
    let name = name_of(&mut fields)?;
    let sub_axis = match fields.take("sub_axis_info") {
        None => None,
        Some(text) => {
            let parts = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
            let numbers =
                parts.and_then(|(pre, size)| Some((pre.trim().parse().ok()?, size.trim().parse().ok()?)));
            Some(numbers.ok_or_else(|| format!("`sub_axis_info` should be (1)2, found `{text}`"))?)
        }
    };
    fields.finish()?;
    Ok(AxisRefAttr { name, sub_axis })
}

fn name_of(fields: &mut DialectFields) -> Result<String, String> {
    let text = fields.take("name").ok_or("the field `name` is missing")?;
    let name = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    name.map(str::to_owned).ok_or_else(|| format!("`name` should be a string, found `{text}`"))
}

/// The items of `[a<...>, b<...>]`.
fn items(list: &str) -> Result<Vec<String>, String> {
    let inner = list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inner = inner.ok_or_else(|| format!("expected a list, found `{list}`"))?;
    let (mut items, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'<' | b'[' | b'(' => depth += 1,
            b'>' | b']' | b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                items.push(inner[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(inner[start..].trim().to_owned());
    items.retain(|item| !item.is_empty());
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(text: &str) -> Result<Option<Vec<Vec<usize>>>, String> {
        let text = format!("#stablehlo.replica_group_mesh_axes<{text}>");
        MeshAxes::read(&Attr::Dialect(text.into()))?.unwrap().groups(&Program::default())
    }

    #[test]
    fn groups_run_along_the_axes() {
        let mesh = "mesh = #stablehlo.mesh<axes=[<name = \"x\", size = 2>, \
                    #stablehlo.mesh_axis<name = \"y\", size = 4>]>";
        let along = |axes: &str| groups(&format!("{mesh}, axes = [{axes}]"));
        assert_eq!(
            along("#stablehlo.axis_ref<name = \"y\">"),
            Ok(Some(vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]]))
        );
        let half = "#stablehlo.axis_ref<name = \"y\", sub_axis_info = (1)2>";
        assert_eq!(along(half), Ok(Some(vec![vec![0, 2], vec![1, 3], vec![4, 6], vec![5, 7]])));
        assert!(along("#stablehlo.axis_ref<name = \"z\">").is_err());
        assert!(along(&format!("{half}, {half}")).is_err());
        assert_eq!(groups("mesh = @m, axes = []"), Ok(None));
        let permuted = "mesh = #stablehlo.mesh<axes=[#stablehlo.mesh_axis<name = \"x\", size = 2>], \
                        device_ids=dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = \"x\">]";
        assert_eq!(groups(permuted), Ok(Some(vec![vec![1, 0]])));
    }
}
