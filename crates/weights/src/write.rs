//! From the parameters of a program to the files of a checkpoint.

use crate::index::{self, INDEX, SINGLE};
use crate::names::{Place, expanded, place, stacked};
use crate::rows::Rows;
use crate::safetensors::file;
use meshwright_tensor::Tensor;
use meshwright_tensor::types::{ElementType, TensorType};

/// A file of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// A checkpoint of parameters, of which stacks are taken apart; in several files and an index if one would hold more
/// than so many bytes.
///
/// # Errors
/// A tensor that has no bytes, or is no such stack.
pub fn write(parameters: &[(String, Tensor)], most: usize) -> Result<Vec<Written>, String> {
    let mut files: Vec<Vec<(String, TensorType, Vec<u8>)>> = vec![Vec::new()];
    let (mut held, mut total) = (0, 0);
    for Whole { pattern, shape, bytes, element } in whole(parameters)? {
        let stacked = stacked(pattern);
        let Some(own) = shape.strip_prefix(stacked.as_slice()) else {
            return Err(format!("`{pattern}` names stacks of {stacked:?}, but its shape is {shape:?}"));
        };
        let ty = TensorType::new(own, element);
        let names = expanded(pattern);
        let size = bytes.len() / names.len().max(1);
        for (index, name) in names.into_iter().enumerate() {
            if held > 0 && held + size > most {
                files.push(Vec::new());
                held = 0;
            }
            held += size;
            total += size;
            let part = bytes[index * size..(index + 1) * size].to_vec();
            files.last_mut().expect("there is a file").push((name, ty.clone(), part));
        }
    }
    if let [one] = files.as_slice() {
        return Ok(vec![Written { name: SINGLE.to_owned(), bytes: file(one) }]);
    }
    let count = files.len();
    let (mut written, mut places) = (Vec::new(), Vec::new());
    for (index, tensors) in files.iter().enumerate() {
        let name = format!("model-{:05}-of-{count:05}.safetensors", index + 1);
        places.extend(tensors.iter().map(|(tensor, ..)| (tensor.clone(), name.clone())));
        written.push(Written { name, bytes: file(tensors) });
    }
    written.push(Written { name: INDEX.to_owned(), bytes: index::text(&places, total).into_bytes() });
    Ok(written)
}

/// A stack or a tensor, of which no part is missing.
struct Whole<'a> {
    pattern: &'a str,
    shape: Vec<usize>,
    bytes: Vec<u8>,
    element: ElementType,
}

/// Parameters with the parts of tensors put together, where the first of them stands.
fn whole(parameters: &[(String, Tensor)]) -> Result<Vec<Whole<'_>>, String> {
    let mut all: Vec<(&str, Vec<(Option<Place>, &Tensor)>)> = Vec::new();
    for (name, tensor) in parameters {
        let (pattern, place) = place(name);
        match all
            .iter_mut()
            .find(|(known, parts)| *known == pattern && place.is_some() && parts[0].0.is_some())
        {
            Some((_, parts)) => parts.push((place, tensor)),
            None => all.push((pattern, vec![(place, tensor)])),
        }
    }
    all.into_iter().map(|(pattern, parts)| together(pattern, parts)).collect()
}

/// The parts of a tensor, or all of it, as one.
fn together<'a>(pattern: &'a str, parts: Vec<(Option<Place>, &Tensor)>) -> Result<Whole<'a>, String> {
    let (first, tensor) = parts[0].clone();
    let (mut shape, element) = (tensor.shape().to_vec(), tensor.element());
    let bytes = |tensor: &Tensor| tensor.to_le_bytes().map_err(|error| format!("`{pattern}`: {error}"));
    let Some(first) = first else { return Ok(Whole { pattern, shape, bytes: bytes(tensor)?, element }) };
    let along = stacked(pattern).len() + first.dim;
    let broken = || format!("the parts of `{pattern}` do not make a tensor");
    let mut places: Vec<Place> = Vec::with_capacity(parts.len());
    for (place, tensor) in &parts {
        let place = place.as_ref().filter(|place| place.dim == first.dim).ok_or_else(broken)?;
        let mut own = tensor.shape().to_vec();
        if own.get(along) != Some(&place.positions().len()) || tensor.element() != element {
            return Err(broken());
        }
        own[along] = shape[along];
        if own != shape {
            return Err(broken());
        }
        places.push(place.clone());
    }
    let size = places.iter().map(|place| place.positions().len()).sum();
    let mut is_there = vec![false; size];
    for at in places.iter().flat_map(Place::positions) {
        match is_there.get_mut(at) {
            Some(known) if !*known => *known = true,
            _ => return Err(broken()),
        }
    }
    shape[along] = size;
    let each = parts.iter().map(|(_, tensor)| bytes(tensor)).collect::<Result<Vec<_>, _>>()?;
    let mut bytes = vec![0; each.iter().map(Vec::len).sum()];
    let positions: usize = shape[..=along].iter().product();
    let row = bytes.len() / positions.max(1);
    for (place, own) in places.iter().zip(&each) {
        Rows { place, size, row }.put(own, &mut bytes);
    }
    Ok(Whole { pattern, shape, bytes, element })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{File, Wanted, files_of, read};
    use meshwright_tensor::Precision;
    use std::io::Cursor;

    #[test]
    fn parts_are_put_together_again() {
        let part = |shape: &[usize], values: &[f32]| {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            Tensor::from_le_bytes(&TensorType::new(shape, ElementType::F32), &bytes, Precision::Declared)
                .unwrap()
        };
        let values = [part(&[2, 2, 1], &[1.0, 2.0, 3.0, 4.0]), part(&[2, 2, 2], &[5.0; 8])];
        let [first, second] = values;
        let name = |at: &str| format!("l.{{0..1}}.w(:,{at})");
        let parameters = [(name("1:3"), second.clone()), (name("0:1"), first.clone())];
        let written = write(&parameters, 1 << 20).unwrap();
        let wanted = |names: &[&str], shape: &[usize]| -> Vec<Wanted> {
            let ty = TensorType::new(shape, ElementType::F32);
            names.iter().map(|name| Wanted { name: (*name).to_owned(), ty: ty.clone() }).collect()
        };
        let file = || [File { name: SINGLE.to_owned(), reader: Cursor::new(&written[0].bytes) }];
        let back = read(&wanted(&["l.{0..1}.w"], &[2, 2, 3]), &mut file()).unwrap();
        let row = |own: f64| [own, 5.0, 5.0];
        assert_eq!(back[0].to_f64_vec(), [row(1.0), row(2.0), row(3.0), row(4.0)].concat());
        for wrong in [vec![(name("1:3"), second.clone())], vec![(name("0:1"), first), (name("2:4"), second)]]
        {
            assert!(write(&wrong, 1 << 20).unwrap_err().contains("do not make a tensor"));
        }
    }

    #[test]
    fn a_checkpoint_comes_back_from_one_file_and_from_several() {
        let ty = TensorType::new([3, 2], ElementType::F32);
        let bytes: Vec<u8> = (0..6).flat_map(|value| (value as f32).to_le_bytes()).collect();
        let tensor = Tensor::from_le_bytes(&ty, &bytes, Precision::Declared).unwrap();
        let parameters = [("l.{0..2}.w".to_owned(), tensor.clone()), ("v".to_owned(), tensor)];
        for (most, count) in [(1 << 20, 1), (24, 2), (1, 4)] {
            let written = write(&parameters, most).unwrap();
            let files: Vec<&Written> = written.iter().filter(|file| file.name != INDEX).collect();
            // A tensor that is larger than a file should be has one of its own.
            assert_eq!(files.len(), count, "{most}");
            if count > 1 {
                let index = written.last().unwrap();
                let listed = files_of(std::str::from_utf8(&index.bytes).unwrap()).unwrap();
                assert_eq!(listed, files.iter().map(|file| file.name.clone()).collect::<Vec<_>>());
            }
            let mut files: Vec<_> = files
                .iter()
                .map(|file| File { name: file.name.clone(), reader: Cursor::new(&file.bytes) })
                .collect();
            let wanted: Vec<Wanted> =
                parameters.iter().map(|(name, _)| Wanted { name: name.clone(), ty: ty.clone() }).collect();
            let back = read(&wanted, &mut files).unwrap();
            assert!(back.iter().all(|tensor| tensor.to_le_bytes().unwrap() == bytes));
        }
    }
}
