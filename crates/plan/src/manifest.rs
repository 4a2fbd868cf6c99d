//! The manifest of a compiled folder with one program: what a runner must know to feed the local program and to put its
//! results together. Input and output: a [`Manifest`] and its text (`manifest.json` of version 1); folders of several
//! programs are [`crate::bundle`]'s.
//!
//! Devices are numbered row-major over the mesh's axes, unless `device_ids` lists them. The shard of a dim on a device is the device's row-major
//! position along the axes listed for that dim. A dim of size s in n shards is cut every ceil(s/n) elements; what is
//! missing at its end is padding, which may hold anything on the way in and does on the way out.

use crate::axes;
use crate::device_program::Orders;
use crate::json;
use crate::plan_file::MeshAxis;
use meshwright_ir::diagnostic::{Check, Diagnostic};
use meshwright_ir::mesh::{Axis, Mesh};
use meshwright_ir::sharding::{Reduction, Sharding, ShardingError};
use meshwright_tensor::types::{ElementType, TensorType, Type};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A manifest does not follow the format, or does not fit together.
pub const MANIFEST: Check = Check("manifest");

/// The version of the format that this program writes and reads.
pub const VERSION: u32 = 1;

/// Contents of a compiled folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the format.
    pub version: u32,
    /// Devices that run the program.
    pub num_devices: usize,
    /// Axes of the mesh, major first.
    pub mesh: Vec<MeshAxis>,
    /// The devices in mesh order, if they are not numbered so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub device_ids: Vec<usize>,
    /// Fingerprint of the program before it was partitioned, see [`crate::fingerprint()`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// How many tokens one step takes, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The program's arguments.
    pub arguments: Vec<ManifestTensor>,
    /// The program's results.
    pub results: Vec<ManifestTensor>,
}

/// One argument or result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestTensor {
    /// What the program calls it, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Global shape.
    pub shape: Vec<usize>,
    /// Element type, such as `bf16`.
    pub element: String,
    /// For each dim the axes that shard it, major first; part of an axis is written `model:(1)2`.
    pub sharding: Vec<Vec<String>>,
    /// Axes over which each device has a contribution to a sum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreduced: Vec<String>,
    /// The devices in the order in which its shards stand on them, if that is not the mesh's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub device_ids: Vec<usize>,
    /// Of an argument: the memory in which the program has it, if that is not the device's: `pinned_host`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// Of an argument: the result that takes its place in the next step, if it is state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
}

impl ManifestTensor {
    /// A tensor on a mesh, without a name; its shards stand on the devices in this order, if that is not the mesh's.
    pub(crate) fn of((ty, sharding): &(Type, Sharding), mesh: &Mesh, order: Option<&Mesh>) -> Self {
        let (shape, element) = shape_and_element(ty);
        Self {
            name: None,
            shape,
            element,
            sharding: axes::names(sharding, mesh),
            unreduced: mesh.describe(&sharding.partial_axes().iter().collect::<Vec<_>>()),
            device_ids: order.map_or_else(Vec::new, |order| order.device_ids().to_vec()),
            memory: None,
            next: None,
        }
    }
}

/// A type as files say it.
pub(crate) fn shape_and_element(ty: &Type) -> (Vec<usize>, String) {
    match ty.as_tensor() {
        Some(tensor) => (tensor.shape.clone(), tensor.element.to_string()),
        None => (Vec::new(), ty.to_string()),
    }
}

impl Manifest {
    /// No program, only so many devices on one axis.
    pub fn of_devices(num_devices: usize) -> Self {
        Self {
            version: VERSION,
            num_devices,
            mesh: vec![MeshAxis { name: "device".into(), size: num_devices }],
            device_ids: Vec::new(),
            program: String::new(),
            tokens: None,
            arguments: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// Text that is no JSON, an unknown or missing field, a value of the wrong type (each with its place), or a
    /// manifest of another version.
    pub fn from_text(text: &str) -> Result<Self, Box<Diagnostic>> {
        let manifest: Self = json::read(MANIFEST, text).map_err(Box::new)?;
        if manifest.version == VERSION {
            return Ok(manifest);
        }
        let message =
            format!("the folder has version {}, but this program reads version {VERSION}", manifest.version);
        let span = json::find(text, "\"version\"");
        Err(Box::new(
            Diagnostic::error(MANIFEST, span, message).hint("compile it again with `meshwright compile`"),
        ))
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        json::lines(self)
    }

    /// The mesh, and the global type and sharding of each argument and result.
    ///
    /// # Errors
    /// A mesh that is none or has another number of devices, an unknown element type, a sharding that does not fit.
    pub fn resolve(&self) -> Result<ResolvedManifest, Box<Diagnostic>> {
        let fail = |message: String| Box::new(Diagnostic::error(MANIFEST, Default::default(), message));
        let axes: Vec<Axis> =
            self.mesh.iter().map(|axis| Axis { name: axis.name.clone(), size: axis.size }).collect();
        let named = axes::to_mesh(&self.mesh).map_err(fail)?;
        let mesh = Mesh::with_device_ids(named.name, axes, self.device_ids.clone()).map_err(fail)?;
        if mesh.num_devices() != self.num_devices {
            let message =
                format!("the mesh {mesh} has {} devices, not {}", mesh.num_devices(), self.num_devices);
            return Err(fail(message));
        }
        let resolve = |kind: &str,
                       tensors: &[ManifestTensor]|
         -> Result<Vec<(Type, Sharding)>, Box<Diagnostic>> {
            let resolve_one = |(index, tensor): (usize, &ManifestTensor)| {
                let element = ElementType::from_name(&tensor.element).ok_or_else(|| {
                    fail(format!("{kind} {index} has the unknown element type `{}`", tensor.element))
                })?;
                let wrong = |error: ShardingError| {
                    Box::new((*fail(format!("{kind} {index}: {}", error.message))).hint(error.hint))
                };
                let mut sharding = axes::resolve(&tensor.sharding, &mesh, &tensor.shape).map_err(wrong)?;
                let unreduced = axes::resolve(std::slice::from_ref(&tensor.unreduced), &mesh, &[1]);
                let unreduced = unreduced.map_err(wrong)?.sharded_axes();
                sharding.partial = (!unreduced.is_empty()).then_some((Reduction::Sum, unreduced));
                Ok((Type::Tensor(TensorType::new(tensor.shape.clone(), element)), sharding))
            };
            tensors.iter().enumerate().map(resolve_one).collect()
        };
        let arguments = resolve("argument", &self.arguments)?;
        let results = resolve("result", &self.results)?;
        let orders = Orders {
            arguments: orders(&mesh, &self.arguments).map_err(fail)?,
            results: orders(&mesh, &self.results).map_err(fail)?,
        };
        Ok(ResolvedManifest { mesh, arguments, results, orders })
    }
}

/// A manifest's content as the compiler's own types.
#[derive(Clone, Debug)]
pub struct ResolvedManifest {
    /// The mesh.
    pub mesh: Mesh,
    /// Each argument's global type and sharding.
    pub arguments: Vec<(Type, Sharding)>,
    /// Each result's global type and sharding.
    pub results: Vec<(Type, Sharding)>,
    /// Those whose shards stand on the devices in another order.
    pub orders: Orders,
}

/// The mesh of each tensor that lists its devices.
fn orders(mesh: &Mesh, tensors: &[ManifestTensor]) -> Result<BTreeMap<usize, Mesh>, String> {
    let listed = tensors.iter().enumerate().filter(|(_, tensor)| !tensor.device_ids.is_empty());
    let order = |(index, tensor): (usize, &ManifestTensor)| {
        let ids = tensor.device_ids.clone();
        Ok((index, Mesh::with_device_ids(mesh.name.clone(), mesh.axes().to_vec(), ids)?))
    };
    listed.map(order).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let mesh = Mesh::new("mesh", vec![Axis { name: "x".into(), size: 8 }]).unwrap();
        let pieces = mesh.pieces(0);
        let ty = Type::Tensor(TensorType::new([8, 4], ElementType::Bf16));
        let sharding = Sharding::of([vec![], pieces[1..].to_vec()]);
        let tensor = ManifestTensor::of(&(ty, sharding), &mesh, None);
        Manifest {
            arguments: vec![ManifestTensor { name: Some("w".into()), ..tensor.clone() }],
            results: vec![tensor],
            mesh: axes::of_mesh(&mesh),
            ..Manifest::of_devices(8)
        }
    }

    #[test]
    fn what_it_describes_comes_back() {
        let manifest = manifest();
        assert_eq!(manifest.arguments[0].sharding, [vec![], vec!["x:(2)4".to_owned()]]);
        let again = Manifest::from_text(&manifest.to_text()).unwrap();
        assert_eq!(again, manifest);
        let resolved = again.resolve().unwrap();
        assert_eq!(resolved.arguments[0].1.num_shards(1, &resolved.mesh), 4);
        assert!(
            manifest.to_text().contains("\n    {\"name\": \"w\", \"shape\": [8, 4], \"element\": \"bf16\", ")
        );
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let broken = |change: fn(&mut Manifest)| {
            let mut manifest = manifest();
            change(&mut manifest);
            manifest.resolve().unwrap_err().message
        };
        assert!(broken(|manifest| manifest.num_devices = 4).contains("8 devices, not 4"));
        assert!(broken(|manifest| manifest.results[0].element = "f33".into()).contains("f33"));
        assert!(
            broken(|manifest| manifest.arguments[0].sharding[0].push("y".into())).contains("no axis \"y\"")
        );
        assert!(
            broken(|manifest| manifest.mesh.push(MeshAxis { name: "x".into(), size: 1 })).contains("twice")
        );
        let mut newer = manifest();
        newer.version = 2;
        assert!(Manifest::from_text(&newer.to_text()).unwrap_err().message.contains("version 2"));
    }
}
