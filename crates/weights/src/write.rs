//! From the parameters of a program to the files of a checkpoint.

use crate::index::{self, INDEX, SINGLE};
use crate::names::{expanded, stacked};
use crate::safetensors::file;
use meshwright_tensor::Tensor;
use meshwright_tensor::types::TensorType;

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
    for (pattern, tensor) in parameters {
        let bytes = tensor.to_le_bytes().map_err(|error| format!("`{pattern}`: {error}"))?;
        let stacked = stacked(pattern);
        let Some(own) = tensor.shape().strip_prefix(stacked.as_slice()) else {
            return Err(format!(
                "`{pattern}` names stacks of {stacked:?}, but its shape is {:?}",
                tensor.shape()
            ));
        };
        let ty = TensorType::new(own, tensor.element());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{File, Wanted, files_of, read};
    use meshwright_tensor::Precision;
    use meshwright_tensor::types::ElementType;
    use std::io::Cursor;

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
