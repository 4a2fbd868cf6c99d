//! Tensors from and to numpy's `.npz` files (zip archives of `.npy` arrays, compressed or not).
//!
//! An array fits an argument if its shape is the same and its type is the argument's, element for element: `f4` for
//! `f32`, `V2` for `bf16` (which numpy does not know and keeps as two bytes), `V1` for floats of eight bits and fewer,
//! `b1` for `i1`. Nothing is converted:
//! a wrong type is nearly always a mistake upstream. Bytes are read here, not by the `npyz` crate, which reads
//! element by element; headers and archives are its work.

mod names;

pub use names::Wanted;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Seek, Write};

use meshwright_tensor::types::{ElementKind, ElementType, TensorType, Type};
use meshwright_tensor::{Precision, Tensor};
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, TypeStr, WriterBuilder};
use zip::{ZipArchive, ZipWriter};

/// What file names of arrays in an archive end with.
const SUFFIX: &str = ".npy";

/// Failure to read or write arrays: one sentence or more, without a trailing period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NpzError(pub String);

impl fmt::Display for NpzError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NpzError {}

fn error(message: impl Into<String>) -> NpzError {
    NpzError(message.into())
}

/// Reads the array of each argument ([`Wanted`] says what it may be called).
///
/// Errors: not an archive; arrays missing or unexpected; every array of another shape or type.
pub fn read(reader: impl Read + Seek, wanted: &[Wanted]) -> Result<Vec<Tensor>, NpzError> {
    read_some(reader, wanted, &|_| true)
}

/// The same of an archive that has all of these arguments, of which only some are read.
///
/// Errors: those of [`read`]; of arrays that are not read, those of their names alone.
pub fn read_some(
    reader: impl Read + Seek,
    wanted: &[Wanted],
    is_read: &dyn Fn(&Wanted) -> bool,
) -> Result<Vec<Tensor>, NpzError> {
    let mut archive = open(reader)?;
    let chosen = names::choose(&names(&archive)?, wanted)?;
    let mut problems = Vec::new();
    let mut tensors = Vec::with_capacity(wanted.len());
    let chosen = chosen.iter().zip(wanted).filter(|(_, wanted)| is_read(wanted));
    for (name, Wanted { ty, .. }) in chosen {
        match read_array(&mut archive, name, ty) {
            Ok(tensor) => tensors.push(tensor),
            Err(problem) => problems.push(problem.0),
        }
    }
    if problems.is_empty() { Ok(tensors) } else { Err(error(problems.join("\n"))) }
}

/// What the archive calls an array.
fn file_name(array: &str) -> String {
    format!("{array}{SUFFIX}")
}

/// A name with its runs of digits as numbers.
fn natural_key(name: &str) -> Vec<(String, u64)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, tail) = rest.split_at(digits);
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let (number, tail) = tail.split_at(end);
        key.push((text.to_owned(), number.parse().unwrap_or(u64::MAX)));
        rest = tail;
    }
    key
}

fn read_array(archive: &mut ZipArchive<impl Read + Seek>, name: &str, ty: &Type) -> Result<Tensor, NpzError> {
    let located = |problem: &dyn fmt::Display| error(format!("array `{name}`: {problem}"));
    let Type::Tensor(ty) = ty else {
        return Err(located(&format!("a {ty} cannot be read from an array")));
    };
    let mut member = archive.by_name(&file_name(name)).map_err(|problem| located(&problem))?;
    read_npy(&mut member, ty).map_err(|problem| located(&problem))
}

/// Reads one array from a `.npy` file's bytes.
///
/// Errors: it is not of type `ty`; it is cut off.
pub fn read_npy(mut reader: impl Read, ty: &TensorType) -> Result<Tensor, NpzError> {
    let header = header(&mut reader).map_err(|problem| error(problem.to_string()))?;
    fits(&header, ty)?;
    let reversed = header.order() == Order::Fortran;
    let mut stored = ty.clone();
    if reversed {
        stored.shape.reverse();
    }
    // A hostile archive may unpack to far more than the array's size.
    let limit = (ty.num_elements() as u64).saturating_mul(16).saturating_add(1);
    let mut bytes = Vec::new();
    reader.take(limit).read_to_end(&mut bytes).map_err(|problem| error(problem.to_string()))?;
    if let Some(number) = out_of_range(&bytes, ty.element) {
        return Err(error(format!("it holds {number}, which is no {}", ty.element)));
    }
    let tensor = Tensor::from_le_bytes(&stored, &bytes, Precision::Declared);
    let order: Vec<usize> = (0..ty.rank()).rev().collect();
    let tensor = if reversed { tensor.and_then(|tensor| tensor.transpose(&order)) } else { tensor };
    tensor.map_err(|problem| error(problem.to_string()))
}

/// A number that an integer of less than a byte cannot be; arrays have such integers in bytes.
fn out_of_range(bytes: &[u8], element: ElementType) -> Option<i16> {
    let (bits, is_signed) = (element.bits(), element.kind() == ElementKind::Signed);
    if bits >= 8 || !element.is_integer() {
        return None;
    }
    let number = |byte: &u8| if is_signed { i16::from(byte.cast_signed()) } else { i16::from(*byte) };
    let (low, high) =
        if is_signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    bytes.iter().map(number).find(|number| !(low..=high).contains(number))
}

fn fits(header: &NpyHeader, ty: &TensorType) -> Result<(), NpzError> {
    let dtype = header.dtype();
    if !holds(&dtype, ty.element) {
        return Err(error(wrong_type(&dtype, ty)));
    }
    let shape: Vec<usize> = header.shape().iter().map(|size| *size as usize).collect();
    if shape != ty.shape {
        return Err(error(format!("it has shape {shape:?}, but {:?} is needed for a {ty}", ty.shape)));
    }
    Ok(())
}

/// Names in an archive of the arrays that [`read`] would read, without reading them.
///
/// Errors: those of [`read`] that do not need the elements.
pub fn names_for(reader: impl Read + Seek, wanted: &[Wanted]) -> Result<Vec<String>, NpzError> {
    let mut archive = open(reader)?;
    let chosen = names::choose(&names(&archive)?, wanted)?;
    let mut problems = Vec::new();
    for (name, Wanted { ty, .. }) in chosen.iter().zip(wanted) {
        let Type::Tensor(ty) = ty else { continue };
        let checked = member_header(&mut archive, name).and_then(|header| fits(&header, ty));
        problems.extend(checked.err().map(|problem| format!("array `{name}`: {problem}")));
    }
    if problems.is_empty() { Ok(chosen) } else { Err(error(problems.join("; "))) }
}

/// The shape of every array in an archive, by name.
///
/// Errors: it is no archive; a header cannot be read.
pub fn shapes(reader: impl Read + Seek) -> Result<BTreeMap<String, Vec<usize>>, NpzError> {
    let mut archive = open(reader)?;
    let mut shapes = BTreeMap::new();
    for name in names(&archive)? {
        let header = member_header(&mut archive, &name)?;
        shapes.insert(name, header.shape().iter().map(|size| *size as usize).collect());
    }
    Ok(shapes)
}

fn member_header(archive: &mut ZipArchive<impl Read + Seek>, name: &str) -> Result<NpyHeader, NpzError> {
    let mut member = archive.by_name(&file_name(name)).map_err(|problem| error(problem.to_string()))?;
    header(&mut member).map_err(|problem| error(problem.to_string()))
}

fn open<R: Read + Seek>(reader: R) -> Result<ZipArchive<R>, NpzError> {
    ZipArchive::new(reader).map_err(|problem| error(format!("this is no .npz file: {problem}")))
}

/// What the arrays of an archive are called, numbers in names by value.
fn names(archive: &ZipArchive<impl Read + Seek>) -> Result<Vec<String>, NpzError> {
    let mut names: Vec<String> = Vec::new();
    for file in archive.file_names() {
        let file = file.map_err(|problem| error(format!("this is no .npz file: {problem}")))?;
        names.extend(file.strip_suffix(SUFFIX).map(str::to_owned));
    }
    names.sort_by_key(|name| natural_key(name));
    Ok(names)
}

/// Longer than the header of any array.
const LONGEST_HEADER: usize = 1 << 20;

/// Reads what stands before an array's elements. numpy writes `float8_e5m2` as floats of one byte, which it has not.
fn header(reader: &mut impl Read) -> io::Result<NpyHeader> {
    let mut text = vec![0; 10];
    reader.read_exact(&mut text)?;
    let mut len = usize::from(u16::from_le_bytes([text[8], text[9]]));
    if text[6] > 1 {
        let mut high = [0; 2];
        reader.read_exact(&mut high)?;
        text.extend(high);
        len |= usize::from(u16::from_le_bytes(high)) << 16;
    }
    if len > LONGEST_HEADER {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("a header of {len} bytes is none of numpy's"),
        ));
    }
    let start = text.len();
    reader.take(len as u64).read_to_end(&mut text)?;
    let raw = |at: usize| text[at..].starts_with(b"'<f1'") || text[at..].starts_with(b"'|f1'");
    if let Some(at) = (start..text.len()).find(|at| raw(*at)) {
        text[at..at + 5].copy_from_slice(b"'|V1'");
    }
    NpyHeader::from_reader(text.as_slice())
}

/// The kind and size in bytes of the array type that holds an element type.
fn array_type(element: ElementType) -> (TypeChar, u64) {
    let kind = match element.kind() {
        // Floats that numpy does not know.
        ElementKind::Float if element == ElementType::Bf16 || element.bits() <= 8 => TypeChar::RawData,
        ElementKind::Boolean => TypeChar::Bool,
        ElementKind::Signed => TypeChar::Int,
        ElementKind::Unsigned => TypeChar::Uint,
        ElementKind::Float => TypeChar::Float,
        ElementKind::Complex => TypeChar::Complex,
    };
    (kind, element.bits().div_ceil(8) as u64)
}

fn holds(dtype: &DType, element: ElementType) -> bool {
    let (kind, size) = array_type(element);
    match dtype {
        DType::Plain(found) => {
            let order_fits = found.endianness() != Endianness::Big || size == 1;
            // Types of `ml_dtypes` are raw bytes.
            let found_kind = match found.type_char() {
                TypeChar::RawData if element.bits() < 8 => kind,
                found => found,
            };
            found_kind == kind && found.size_field() == size && order_fits
        }
        _ => false,
    }
}

fn wrong_type(dtype: &DType, ty: &TensorType) -> String {
    let found = dtype.descr();
    let message = format!("its type is {found}, but a {ty} needs '{}'", array_type_text(ty.element));
    match dtype {
        DType::Plain(plain) if plain.endianness() == Endianness::Big => {
            format!("{message}; it is big-endian, save it in little-endian order")
        }
        DType::Plain(plain) if plain.type_char() == TypeChar::Float && ty.element.is_float() => {
            let float = |bits| format!("f{bits}");
            let from = float(plain.size_field().saturating_mul(8));
            format!("{message}; {from} is not rounded to {} silently, convert it before saving", ty.element)
        }
        _ => message,
    }
}

fn array_type_text(element: ElementType) -> String {
    let (kind, size) = array_type(element);
    let order = if size == 1 || kind == TypeChar::RawData { '|' } else { '<' };
    format!("{order}{}{size}", kind.to_str())
}

/// Writes named tensors as an archive, in the order of their names; the same tensors give the same bytes. Floats of
/// wider storage are rounded to their declared type.
pub fn write_to(writer: impl Write + Seek, arrays: &BTreeMap<String, Tensor>) -> Result<(), NpzError> {
    let mut names: Vec<&String> = arrays.keys().collect();
    names.sort_by_key(|name| natural_key(name));
    let mut archive = ZipWriter::new(writer);
    for name in names {
        write_array(&mut archive, name, &arrays[name])
            .map_err(|problem| error(format!("array `{name}`: {problem}")))?;
    }
    let finished = archive.finish().map_err(io::Error::from);
    finished.and_then(|mut writer| writer.flush()).map_err(|problem| error(problem.to_string()))
}

fn write_array(
    archive: &mut ZipWriter<impl Write + Seek>,
    name: &str,
    tensor: &Tensor,
) -> Result<(), NpzError> {
    let failed = |problem: io::Error| error(problem.to_string());
    let size = tensor.ty().num_bytes() as u64;
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .large_file(size >= u64::from(u32::MAX) / 2)
        // The archive format wants a time; a fixed one keeps the bytes the same.
        .last_modified_time(zip::DateTime::default());
    archive.start_file(file_name(name), options).map_err(|problem| failed(problem.into()))?;
    write_npy(archive, tensor)
}

/// Writes one tensor as a `.npy` file.
///
/// Errors: the tensor cannot be read, or the file not be written.
pub fn write_npy(writer: impl Write, tensor: &Tensor) -> Result<(), NpzError> {
    let failed = |problem: io::Error| error(problem.to_string());
    let bytes = tensor.to_le_bytes().map_err(|problem| error(problem.message))?;
    let text = array_type_text(tensor.element());
    let ty: TypeStr = text.parse().map_err(|_| error(format!("numpy has no type {text}")))?;
    let shape: Vec<u64> = tensor.shape().iter().map(|size| *size as u64).collect();
    let mut member = npyz::WriteOptions::new_header_only()
        .shape(&shape)
        .dtype(DType::new_scalar(ty))
        .writer(writer)
        .write_header_only()
        .map_err(failed)?;
    member.write_all(&bytes).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_tensor::bf16;
    use std::io::Cursor;

    /// A `.npy` array as numpy writes it.
    fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
        let order = if fortran { "True" } else { "False" };
        let text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        let padded = (text.len() + 11).next_multiple_of(64) - 10;
        bytes.extend((padded as u16).to_le_bytes());
        bytes.extend(format!("{text:<width$}\n", width = padded - 1).bytes());
        bytes.extend(data);
        bytes
    }

    fn archive(members: &[(&str, Vec<u8>)], method: zip::CompressionMethod) -> Cursor<Vec<u8>> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in members {
            let options = zip::write::SimpleFileOptions::default().compression_method(method);
            writer.start_file(format!("{name}.npy"), options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap()
    }

    fn types(types: &[(&[usize], ElementType)]) -> Vec<Type> {
        types.iter().map(|(shape, element)| TensorType::new(*shape, *element).into()).collect()
    }

    fn floats(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    #[test]
    fn arrays_as_numpy_writes_them() {
        let half = bf16::from_f32(1.5).to_le_bytes();
        let members = [
            ("arg1", npy("|V2", false, "(1,)", &half)),
            ("arg0", npy("<f4", false, "(2, 2)", &floats(&[1.0, 2.0, 3.0, 4.0]))),
            ("arg2", npy("|b1", false, "()", &[1])),
            ("arg3", npy("<f4", true, "(2, 3)", &floats(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0]))),
            ("arg4", npy("<i8", false, "(0, 3)", &[])),
        ];
        let wanted = types(&[
            (&[2, 2], ElementType::F32),
            (&[1], ElementType::Bf16),
            (&[], ElementType::I1),
            (&[2, 3], ElementType::F32),
            (&[0, 3], ElementType::I64),
        ]);
        for method in [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated] {
            let read = read(archive(&members, method), &Wanted::numbered(&wanted)).unwrap();
            let values: Vec<Vec<f64>> = read.iter().map(Tensor::to_f64_vec).collect();
            let counting: Vec<f64> = (0..6).map(f64::from).collect();
            assert_eq!(values, [vec![1.0, 2.0, 3.0, 4.0], vec![1.5], vec![1.0], counting, vec![]]);
        }
    }

    #[test]
    fn arrays_that_do_not_fit() {
        let message = |array: Vec<u8>, shape: &[usize], element| {
            let archive = archive(&[("arg0", array)], zip::CompressionMethod::Stored);
            read(archive, &Wanted::numbered(&types(&[(shape, element)]))).unwrap_err().0
        };
        assert_eq!(
            message(npy("<f8", false, "(1,)", &[0; 8]), &[1], ElementType::F32),
            "array `arg0`: its type is '<f8', but a tensor<1xf32> needs '<f4'; f64 is not rounded to f32 silently, \
             convert it before saving"
        );
        assert_eq!(
            message(npy("<i4", false, "(1,)", &[0; 4]), &[1], ElementType::Bf16),
            "array `arg0`: its type is '<i4', but a tensor<1xbf16> needs '|V2'"
        );
        assert_eq!(
            message(npy(">f4", false, "(1,)", &[0; 4]), &[1], ElementType::F32),
            "array `arg0`: its type is '>f4', but a tensor<1xf32> needs '<f4'; it is big-endian, save it in \
             little-endian order"
        );
        assert_eq!(
            message(npy("<f4", false, "(2, 1)", &[0; 8]), &[2], ElementType::F32),
            "array `arg0`: it has shape [2, 1], but [2] is needed for a tensor<2xf32>"
        );
        assert_eq!(
            message(npy("<f4", false, "(2,)", &[0; 7]), &[2], ElementType::F32),
            "array `arg0`: tensor<2xf32> takes 8 bytes of data but has 7"
        );
        assert!(message(b"junk".to_vec(), &[2], ElementType::F32).starts_with("array `arg0`: "));
        assert!(
            message(npy("<f4", false, "(18446744073709551615, 2)", &[]), &[2], ElementType::F32)
                .contains("arg0")
        );
        let junk = read(Cursor::new(vec![0; 100]), &[]).unwrap_err().0;
        assert!(junk.starts_with("this is no .npz file"), "{junk}");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let halves = Tensor::from_vec(ElementType::Bf16, [2], vec![bf16::from_f32(0.5), bf16::NAN]);
        let wide = Tensor::from_vec(ElementType::F32, [2, 2], vec![0.1f64, 1.0, 2.0, 3.0]);
        let arrays: BTreeMap<String, Tensor> = [
            ("out0".to_owned(), halves.clone()),
            ("out1".to_owned(), wide.transpose(&[1, 0]).unwrap()),
            ("out2".to_owned(), Tensor::scalar_i1(true)),
        ]
        .into();
        let write = || {
            let mut bytes = Cursor::new(Vec::new());
            write_to(&mut bytes, &arrays).unwrap();
            bytes.into_inner()
        };
        assert_eq!(write(), write());
        let each = arrays.iter().enumerate();
        let wanted = each.map(|(number, (name, tensor))| Wanted {
            number,
            name: Some(name.clone()),
            ty: tensor.ty().into(),
        });
        let wanted: Vec<Wanted> = wanted.collect();
        let read = read(Cursor::new(write()), &wanted).unwrap();
        assert_eq!(read[0].to_le_bytes().unwrap(), halves.to_le_bytes().unwrap());
        assert_eq!(read[1].to_f64_vec(), [f64::from(0.1f32), 2.0, 1.0, 3.0]);
        assert_eq!(read[2].scalar_bool(), Ok(true));
    }
}
