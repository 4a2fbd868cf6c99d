//! The meshes behind GSPMD's lists of devices, where no single one is behind all of them.
//!
//! Input: the tilings of a program. Output: as few meshes as a greedy search finds, each with the tilings that fit it:
//! `{devices=[2,4]<=[8]}` and `{devices=[4,2]7,3,6,2,5,1,4,0}` follow axes of two, the second of which lists its
//! devices in an order of its own.

use super::axes::{Layout, Tiles};
use super::text::Tiling;
use meshwright_ir::mesh::Mesh;

/// Among more different tilings no second mesh is looked for.
const MOST_TILINGS: usize = 64;

/// Meshes that together fit all tilings.
pub(super) struct Layouts {
    /// Each with the tilings that it is for; the first is for all others too.
    layouts: Vec<(Layout, Vec<Tiling>)>,
}

impl Layouts {
    /// Meshes of `num_devices` that all tilings fit. Errors: there are none.
    pub(super) fn of(tilings: &[Tiling], num_devices: usize) -> Result<Self, String> {
        let problem = match Layout::of(tilings, num_devices, 0) {
            Ok(layout) => return Ok(Self { layouts: vec![(layout, Vec::new())] }),
            Err(problem) => problem,
        };
        // Manual axes outside and inside of a boundary are those of one mesh.
        if tilings.iter().any(Tiling::is_manual) {
            return Err(problem);
        }
        let mut layouts: Vec<(Layout, Vec<Tiling>)> = Vec::new();
        let mut known: Vec<&Tiling> = Vec::new();
        for tiling in tilings {
            if known.contains(&tiling) {
                continue;
            }
            known.push(tiling);
            if known.len() > MOST_TILINGS {
                return Err(problem);
            }
            let joined = layouts.iter().enumerate().find_map(|(index, (_, members))| {
                let mut members = members.clone();
                members.push(tiling.clone());
                Some((index, Layout::of(&members, num_devices, index).ok()?, members))
            });
            match joined {
                Some((index, layout, members)) => layouts[index] = (layout, members),
                None => {
                    let members = vec![tiling.clone()];
                    layouts.push((Layout::of(&members, num_devices, layouts.len())?, members));
                }
            }
        }
        Ok(Self { layouts })
    }

    /// What a tiling of a tensor with `rank` dims is over its mesh. Errors: it has another number of dims.
    pub(super) fn tiles(&self, tiling: &Tiling, rank: usize) -> Result<Tiles, String> {
        let own = self.layouts.iter().find(|(_, members)| members.contains(tiling));
        match own.or(self.layouts.first()) {
            Some((layout, _)) => layout.tiles(tiling, rank),
            None => Err("the sharding is over no known devices".to_owned()),
        }
    }

    /// All meshes.
    pub(super) fn into_meshes(self) -> impl Iterator<Item = Mesh> {
        self.layouts.into_iter().map(|(layout, _)| layout.mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::read;
    use super::*;

    fn meshes(texts: &[&str], num_devices: usize) -> Vec<String> {
        let tilings: Vec<Tiling> = texts.iter().map(|text| read(text).unwrap().remove(0)).collect();
        let meshes = Layouts::of(&tilings, num_devices).unwrap().into_meshes();
        meshes.map(|mesh| format!("{} {mesh} {:?}", mesh.name, mesh.device_ids())).collect()
    }

    #[test]
    fn lists_that_follow_no_common_axes_have_meshes_of_their_own() {
        assert_eq!(
            meshes(&["{devices=[2,2]<=[4]}", "{devices=[4,1]3,1,2,0}", "{devices=[4,1]<=[4]}"], 4),
            ["mesh x=2,y=2 []", "mesh_1 x=4 [3, 1, 2, 0]"]
        );
        assert_eq!(
            meshes(&["{devices=[2,3]<=[6]}", "{devices=[3,2]<=[6]}"], 6),
            ["mesh x=2,y=3 []", "mesh_1 x=3,y=2 []"]
        );
    }
}
