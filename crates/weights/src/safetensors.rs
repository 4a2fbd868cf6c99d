//! The format of safetensors: eight bytes that say how long the header is, the header as JSON, and the tensors' bytes, one
//! behind the other, each from and to where the header says. Elements are little-endian.

use meshwright_tensor::types::{ElementType, TensorType};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};

/// Headers are no longer than this: more are no header.
const LONGEST_HEADER: u64 = 100 << 20;

/// The entry of a header that is about the file.
const METADATA: &str = "__metadata__";

/// Types of elements, by their names in headers.
const TYPES: &[(&str, ElementType)] = &[
    ("BOOL", ElementType::I1),
    ("I8", ElementType::I8),
    ("I16", ElementType::I16),
    ("I32", ElementType::I32),
    ("I64", ElementType::I64),
    ("U8", ElementType::Ui8),
    ("U16", ElementType::Ui16),
    ("U32", ElementType::Ui32),
    ("U64", ElementType::Ui64),
    ("F16", ElementType::F16),
    ("BF16", ElementType::Bf16),
    ("F32", ElementType::F32),
    ("F64", ElementType::F64),
    ("F8_E4M3", ElementType::F8E4M3Fn),
    ("F8_E5M2", ElementType::F8E5M2),
];

/// A tensor in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its type.
    pub ty: TensorType,
    /// Where its bytes begin, counted from the file's first.
    pub start: u64,
}

impl Entry {
    /// Its bytes.
    ///
    /// # Errors
    /// What the reader says.
    pub fn bytes(&self, reader: &mut (impl Read + Seek)) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; bytes_of(&self.ty) as usize];
        let read = reader.seek(SeekFrom::Start(self.start)).and_then(|_| reader.read_exact(&mut bytes));
        read.map(|()| bytes).map_err(|error| format!("the file cannot be read: {error}"))
    }
}

/// Bytes that a tensor takes in a file.
fn bytes_of(ty: &TensorType) -> u64 {
    let element = if ty.element == ElementType::I1 { 1 } else { ty.element.bits() as u64 / 8 };
    ty.shape.iter().fold(element, |product, size| product.saturating_mul(*size as u64))
}

/// The tensors of a file, by name.
///
/// # Errors
/// A file that is no safetensors, or that is cut off.
pub fn header(reader: &mut (impl Read + Seek)) -> Result<BTreeMap<String, Entry>, String> {
    let unreadable = |error: std::io::Error| format!("the file cannot be read: {error}");
    let end = reader.seek(SeekFrom::End(0)).map_err(unreadable)?;
    reader.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let mut length = [0; 8];
    if end < 8 {
        return Err(format!(
            "the file is cut off: it has {end} bytes, fewer than the 8 that a header begins with"
        ));
    }
    reader.read_exact(&mut length).map_err(unreadable)?;
    let length = u64::from_le_bytes(length);
    if length > LONGEST_HEADER {
        return Err("the file is no safetensors: it does not begin with the length of a header".to_owned());
    }
    if 8 + length > end {
        return Err(format!("the file is cut off: its header has {length} bytes, but the file {end} in all"));
    }
    let mut text = vec![0; length as usize];
    reader.read_exact(&mut text).map_err(unreadable)?;
    let entries: Map<String, Value> =
        serde_json::from_slice(&text).map_err(|error| format!("the header is no JSON object: {error}"))?;
    let start = 8 + length;
    let of_tensor = |(name, value): (&String, &Value)| {
        let entry = entry(value, start).map_err(|problem| format!("`{name}`: {problem}"))?;
        let last = entry.start.saturating_add(bytes_of(&entry.ty));
        match last > end {
            true => Err(format!(
                "the file is cut off: `{name}` reaches to byte {last}, but the file ends at {end}"
            )),
            false => Ok((name.clone(), entry)),
        }
    };
    let found: BTreeMap<String, Entry> =
        entries.iter().filter(|(name, _)| *name != METADATA).map(of_tensor).collect::<Result<_, _>>()?;
    without_gaps(&found, start, end)?;
    Ok(found)
}

/// Refuses tensors that share bytes, and bytes that belong to none: the format has no holes.
fn without_gaps(found: &BTreeMap<String, Entry>, start: u64, end: u64) -> Result<(), String> {
    let mut ranges: Vec<(u64, u64, &str)> = found
        .iter()
        .map(|(name, entry)| (entry.start, entry.start + bytes_of(&entry.ty), name.as_str()))
        .collect();
    ranges.sort_unstable();
    let (mut reached, mut before) = (start, None);
    for (first, last, name) in ranges {
        if first < reached {
            return Err(format!(
                "the header is wrong: `{name}` begins within `{}`",
                before.unwrap_or_default()
            ));
        }
        if first > reached {
            return Err(format!(
                "the header is wrong: a hole of {} bytes in front of `{name}`",
                first - reached
            ));
        }
        (reached, before) = (last, Some(name));
    }
    match end - reached {
        0 => Ok(()),
        rest => Err(format!("the header is wrong: the last {rest} bytes of the file belong to no tensor")),
    }
}

fn entry(value: &Value, start: u64) -> Result<Entry, String> {
    let field = |name: &str| value.get(name).ok_or_else(|| format!("the header does not say its `{name}`"));
    let name = field("dtype")?.as_str().unwrap_or_default();
    let element = TYPES.iter().find(|(own, _)| *own == name).map(|(_, element)| *element);
    let element = element.ok_or_else(|| format!("elements of type `{name}` are not read"))?;
    let sizes = |name: &str| -> Result<Vec<u64>, String> {
        let list = field(name)?.as_array().and_then(|list| list.iter().map(Value::as_u64).collect());
        list.ok_or_else(|| format!("`{name}` is no list of sizes"))
    };
    let shape: Vec<usize> =
        sizes("shape")?.iter().map(|size| usize::try_from(*size).unwrap_or(usize::MAX)).collect();
    let ty = TensorType::new(shape, element);
    match sizes("data_offsets")?.as_slice() {
        [first, last] if first <= last && last - first == bytes_of(&ty) => {
            Ok(Entry { ty, start: start.saturating_add(*first) })
        }
        offsets => Err(format!("a {ty} takes {} bytes, but `data_offsets` are {offsets:?}", bytes_of(&ty))),
    }
}

/// A file of these tensors, which are given with their bytes.
pub fn file(tensors: &[(String, TensorType, Vec<u8>)]) -> Vec<u8> {
    let mut header = Map::new();
    // What `from_pretrained` of PyTorch asks for.
    header.insert(METADATA.to_owned(), json!({ "format": "pt" }));
    let mut offset = 0;
    for (name, ty, bytes) in tensors {
        let dtype =
            TYPES.iter().find(|(_, element)| *element == ty.element).map_or("F32", |(dtype, _)| dtype);
        let end = offset + bytes.len();
        header.insert(
            name.clone(),
            json!({ "dtype": dtype, "shape": ty.shape, "data_offsets": [offset, end] }),
        );
        offset = end;
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    // Tensors begin at a multiple of eight bytes.
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header);
    tensors.iter().for_each(|(_, _, bytes)| file.extend(bytes));
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn tensors() -> Vec<(String, TensorType, Vec<u8>)> {
        let w = TensorType::new([2, 2], ElementType::Bf16);
        let b = TensorType::new([3], ElementType::F32);
        vec![("w".to_owned(), w, (0..8).collect()), ("b".to_owned(), b, (8..20).collect())]
    }

    #[test]
    fn what_is_written_is_read() {
        let file = file(&tensors());
        let header = header(&mut Cursor::new(&file)).unwrap();
        for (name, ty, bytes) in tensors() {
            assert_eq!(header[&name].ty, ty);
            assert_eq!(header[&name].bytes(&mut Cursor::new(&file)).unwrap(), bytes);
        }
    }

    #[test]
    fn every_cut_is_noticed() {
        let file = file(&tensors());
        for length in 0..file.len() {
            let problem = header(&mut Cursor::new(&file[..length])).unwrap_err();
            assert!(problem.contains("cut off"), "{length}: {problem}");
        }
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        let of_header = |header: &str| {
            let mut file = (header.len() as u64).to_le_bytes().to_vec();
            file.extend(header.as_bytes());
            super::header(&mut Cursor::new(&file)).unwrap_err()
        };
        assert!(
            header(&mut Cursor::new(b"PK\x03\x04 a zip archive")).unwrap_err().contains("no safetensors")
        );
        assert!(of_header("[1]").contains("no JSON object"));
        assert!(
            of_header(r#"{"w": {"dtype": "F7", "shape": [1], "data_offsets": [0, 4]}}"#).contains("`F7`")
        );
        assert!(
            of_header(r#"{"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}"#)
                .contains("takes 8 bytes")
        );
        let of_offsets = |first: [u32; 2], second: [u32; 2]| {
            let entry = |[from, to]: [u32; 2]| json!({ "dtype": "U8", "shape": [to - from], "data_offsets": [from, to] });
            let header = json!({ "a": entry(first), "b": entry(second) }).to_string();
            let mut file = (header.len() as u64).to_le_bytes().to_vec();
            file.extend(header.as_bytes());
            file.extend([0; 8]);
            super::header(&mut Cursor::new(&file))
        };
        assert!(of_offsets([0, 4], [4, 8]).is_ok());
        assert!(of_offsets([4, 8], [0, 4]).is_ok());
        assert!(of_offsets([0, 5], [4, 8]).unwrap_err().contains("`b` begins within `a`"));
        assert!(of_offsets([0, 3], [4, 8]).unwrap_err().contains("a hole of 1 bytes in front of `b`"));
        assert!(of_offsets([0, 3], [3, 6]).unwrap_err().contains("the last 2 bytes"));
        let huge = r#"{"w": {"dtype": "F32", "shape": [18446744073709551615, 9], "data_offsets": [0, 4]}}"#;
        assert!(of_header(huge).contains("data_offsets"));
    }
}
