//! From the files of a checkpoint to the parameters of a program.

use crate::names::{Place, expanded, place, stacked};
use crate::rows::Rows;
use crate::safetensors::{Entry, header};
use crate::spelling::Spelling;
use meshwright_tensor::types::TensorType;
use meshwright_tensor::{Precision, Tensor, convert};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

/// A parameter that is to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name, with braces for what is stacked.
    pub name: String,
    /// Its type.
    pub ty: TensorType,
}

/// A file of a checkpoint.
pub struct File<R> {
    /// What messages call it.
    pub name: String,
    /// Its bytes.
    pub reader: R,
}

/// Ends of the names of what files have beside the parameters of a program: positions and masks of older releases of
/// `transformers`, which a program makes itself, a table of T5 that nothing reads, and heads of other tasks than its own.
const UNREAD: &[&str] = &[
    ".rotary_emb.inv_freq",
    ".attn.bias",
    ".attn.masked_bias",
    ".attention.bias",
    ".attention.masked_bias",
    ".crossattention.bias",
    ".position_ids",
    ".EncDecAttention.relative_attention_bias.weight",
    "pooler.dense.weight",
    "pooler.dense.bias",
    "cls.seq_relationship.weight",
    "cls.seq_relationship.bias",
];

/// What a layer that predicts further tokens (DeepSeek V3, section 2.2 of its report) has and no other: where there is one in
/// files, the whole layer is of a training that a program does not do.
const FURTHER_PREDICTION: &str = "eh_proj.weight";

/// Ends of the names of matrices that models tie to an embedding: heads, and embeddings of encoders and decoders.
const TIED: &[&str] = &[
    "lm_head.weight",
    "embed_out.weight",
    "proj_out.weight",
    "predictions.decoder.weight",
    "embed_tokens.weight",
];

/// Parts of the names of embeddings of tokens.
const EMBEDDINGS: &[&str] = &["embed", "shared", "wte"];

/// Names that a message lists before it only counts.
const SHOWN: usize = 4;

/// Reads parameters. Floats of another type are converted; names may be spelled as a checkpoint of the base alone, or of a
/// model around it, spells them. A tensor that is wanted by none is refused, as it says that the model is another one; but
/// buffers and heads of other tasks are passed over, layers that predict further tokens, and copies of tensors that are
/// wanted, such as the head of a model whose embedding is that.
///
/// # Errors
/// All that is wrong, one message each: a file that cannot be read or is cut off, a tensor that is missing, left over, twice
/// there, or of another shape or kind.
pub fn read<R: Read + Seek>(wanted: &[Wanted], files: &mut [File<R>]) -> Result<Vec<Tensor>, Vec<String>> {
    let mut problems = Vec::new();
    let mut found: BTreeMap<String, (usize, Entry)> = BTreeMap::new();
    for (index, file) in files.iter_mut().enumerate() {
        match header(&mut file.reader) {
            Ok(entries) => {
                for (name, entry) in entries {
                    if let Some((other, _)) = found.insert(name.clone(), (index, entry)) {
                        problems.push(format!("{}: file {} has `{name}` too", file.name, other + 1));
                    }
                }
            }
            Err(problem) => problems.push(format!("{}: {problem}", file.name)),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut parts = parts(wanted, &mut problems);
    let asked: BTreeSet<String> = parts.iter().flat_map(|part| part.names.iter().cloned()).collect();
    let spelling = Spelling::of(&asked, &found);
    for name in parts.iter_mut().flat_map(|part| &mut part.names) {
        *name = spelling.spell(name, &found);
    }
    let left = compare(&parts, &found, &mut problems);
    let mut left = without_copies(left, &parts, &found, files)?;
    left.retain(|name| {
        let other = tied_to(name, &parts, &found);
        problems.extend(other.map(|other| {
            format!(
                "`{name}` is in the checkpoint, but no parameter of the program: it differs from `{other}`, to which it \
                 would be tied"
            )
        }));
        other.is_none()
    });
    problems.extend(listed(&left, "in the checkpoint, but no parameter of the program"));
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut tensors = Vec::with_capacity(wanted.len());
    for part in &parts {
        match one(part, &found, files) {
            Ok(tensor) => tensors.push(tensor),
            Err(problem) => problems.push(format!("`{}`: {problem}", part.parameter.name)),
        }
    }
    if problems.is_empty() { Ok(tensors) } else { Err(problems) }
}

/// A parameter, and the tensors that it is put together from.
struct Part<'a> {
    parameter: &'a Wanted,
    /// What the tensors are called in the files.
    names: Vec<String>,
    /// Whether they are several by their pattern.
    is_stacked: bool,
    /// The type of each.
    ty: TensorType,
    /// What the parameter has of each, if not all.
    place: Option<Place>,
}

/// What each parameter is made of. A tensor of which several have parts is as large as these together.
fn parts<'a>(wanted: &'a [Wanted], problems: &mut Vec<String>) -> Vec<Part<'a>> {
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for (pattern, place) in wanted.iter().map(|parameter| place(&parameter.name)) {
        let end = place.map_or(0, |place| place.range.end);
        ends.entry(pattern).and_modify(|known| *known = end.max(*known)).or_insert(end);
    }
    let mut all = Vec::new();
    for parameter in wanted {
        let (name, shape) = (&parameter.name, &parameter.ty.shape);
        let (pattern, place) = place(name);
        let stacked = stacked(pattern);
        let Some(own) = shape.strip_prefix(stacked.as_slice()) else {
            problems
                .push(format!("`{name}` names stacks of {stacked:?}, but the program's shape is {shape:?}"));
            continue;
        };
        let mut own = own.to_vec();
        if let Some(place) = &place {
            match own.get_mut(place.dim).filter(|size| **size == place.positions().len()) {
                Some(size) => *size = ends[pattern],
                None => {
                    problems.push(format!(
                        "`{name}` names another part of a tensor than the program's shape {shape:?} has"
                    ));
                    continue;
                }
            }
        }
        let ty = TensorType::new(own, parameter.ty.element);
        all.push(Part { parameter, names: expanded(pattern), is_stacked: !stacked.is_empty(), ty, place });
    }
    all
}

/// What names and shapes say; what is left is returned.
fn compare(
    parts: &[Part<'_>],
    found: &BTreeMap<String, (usize, Entry)>,
    problems: &mut Vec<String>,
) -> Vec<String> {
    let (mut known, mut missing) = (BTreeSet::new(), Vec::new());
    for Part { names, ty: part, .. } in parts {
        for name in names {
            if known.contains(name) {
                continue;
            }
            match found.get(name).map(|(_, entry)| &entry.ty) {
                None => missing.push(name.clone()),
                Some(ty) if ty.shape != part.shape => problems.push(format!(
                    "`{name}` has shape {:?}, but the program's is {:?}",
                    ty.shape, part.shape
                )),
                Some(ty)
                    if ty.element != part.element && !(ty.element.is_float() && part.element.is_float()) =>
                {
                    problems
                        .push(format!("`{name}` holds {}, but the program's {}", ty.element, part.element));
                }
                Some(_) => {}
            }
            known.insert(name);
        }
    }
    let further: Vec<&str> = found.keys().filter_map(|name| name.strip_suffix(FURTHER_PREDICTION)).collect();
    let is_unread = |name: &String| {
        UNREAD.iter().any(|end| name.ends_with(end)) || further.iter().any(|layer| name.starts_with(layer))
    };
    problems.extend(listed(&missing, "missing from the checkpoint"));
    found.keys().filter(|name| !known.contains(*name) && !is_unread(name)).cloned().collect()
}

/// What is left without copies, bit for bit, of tensors that are wanted and are no part of a stack: a head that is the
/// embedding, or an embedding that encoder and decoder share.
fn without_copies<R: Read + Seek>(
    left: Vec<String>,
    parts: &[Part<'_>],
    found: &BTreeMap<String, (usize, Entry)>,
    files: &mut [File<R>],
) -> Result<Vec<String>, Vec<String>> {
    let mut bytes = |name: &str| {
        let (file, entry) = &found[name];
        let read = entry.bytes(&mut files[*file].reader);
        read.map_err(|problem| vec![format!("`{name}`: {problem}")])
    };
    let single = parts.iter().filter(|part| !part.is_stacked).flat_map(|part| &part.names);
    let single: BTreeSet<&String> = single.filter(|name| found.contains_key(*name)).collect();
    let mut others = Vec::new();
    for name in left {
        let alike = single.iter().filter(|other| found[**other].1.ty == found[&name].1.ty);
        let mut is_copy = false;
        for other in alike {
            is_copy = is_copy || bytes(&name)? == bytes(other)?;
        }
        if !is_copy {
            others.push(name);
        }
    }
    Ok(others)
}

/// The embedding in files to which models of a program without this matrix tie it, if it is one that is tied.
fn tied_to<'a>(
    name: &str,
    parts: &'a [Part<'_>],
    found: &BTreeMap<String, (usize, Entry)>,
) -> Option<&'a String> {
    if !TIED.iter().any(|end| name.ends_with(end)) {
        return None;
    }
    let is_alike =
        |other: &str| found.get(other).is_some_and(|(_, entry)| entry.ty.shape == found[name].1.ty.shape);
    let is_embedding =
        |other: &str| EMBEDDINGS.iter().any(|part| other.contains(part)) && !other.contains("position");
    let mut single = parts.iter().filter(|part| !part.is_stacked).flat_map(|part| &part.names);
    single.find(|other| is_embedding(other) && is_alike(other))
}

fn listed(names: &[String], what: &str) -> Option<String> {
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let are = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| format!("{}{more} {are} {what}", shown.join(", ")))
}

/// A parameter, put together.
fn one<R: Read + Seek>(
    part: &Part<'_>,
    found: &BTreeMap<String, (usize, Entry)>,
    files: &mut [File<R>],
) -> Result<Tensor, String> {
    let Part { parameter, names, ty, place, .. } = part;
    let mut bytes = Vec::new();
    for name in names {
        let (file, entry) = &found[name];
        let mut own = entry.bytes(&mut files[*file].reader)?;
        if entry.ty.element != ty.element {
            let tensor = Tensor::from_le_bytes(&entry.ty, &own, Precision::Declared);
            let converted = tensor.and_then(|tensor| convert(&tensor, ty.element, Precision::Declared));
            own = converted.and_then(|tensor| tensor.to_le_bytes()).map_err(|error| error.to_string())?;
        }
        match place {
            None => bytes.extend(own),
            Some(place) => {
                let size = ty.shape[place.dim];
                let positions: usize = ty.shape[..=place.dim].iter().product();
                Rows { place, size, row: own.len() / positions.max(1) }.take(&own, &mut bytes);
            }
        }
    }
    Tensor::from_le_bytes(&parameter.ty, &bytes, Precision::Declared).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::safetensors::file;
    use meshwright_tensor::types::ElementType;
    use std::io::Cursor;

    fn tensor(name: &str, shape: &[usize], values: &[f32]) -> (String, TensorType, Vec<u8>) {
        let ty = TensorType::new(shape, ElementType::F32);
        (name.to_owned(), ty, values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    fn wanted(list: &[(&str, &[usize])]) -> Vec<Wanted> {
        let one = |(name, shape): &(&str, &[usize])| Wanted {
            name: (*name).to_owned(),
            ty: TensorType::new(*shape, ElementType::F32),
        };
        list.iter().map(one).collect()
    }

    fn read_of(list: &[(&str, &[usize])], files: &[Vec<u8>]) -> Result<Vec<Vec<f64>>, Vec<String>> {
        let mut files: Vec<File<Cursor<&Vec<u8>>>> = files
            .iter()
            .enumerate()
            .map(|(index, bytes)| File { name: format!("file{index}"), reader: Cursor::new(bytes) })
            .collect();
        let tensors = read(&wanted(list), &mut files)?;
        Ok(tensors.iter().map(Tensor::to_f64_vec).collect())
    }

    #[test]
    fn what_others_load_is_read_too() {
        let list: &[(&str, &[usize])] =
            &[("base.wte.weight", &[2, 1]), ("base.h.{0..1}.w", &[2, 1]), ("base.h.{0..1}.b", &[2, 1])];
        let all = |front: &str, more: &[(&str, &[f32])]| {
            let own = ["wte.weight", "h.0.w", "h.1.w", "h.0.b", "h.1.b"].into_iter().enumerate();
            let named = own.map(|(at, name)| {
                let at = at as f32;
                let values: &[f32] = if name == "wte.weight" { &[7.0, 8.0] } else { &[at] };
                let shape: &[usize] = if name == "wte.weight" { &[2, 1] } else { &[1] };
                tensor(&format!("{front}{name}"), shape, values)
            });
            let more = more.iter().map(|(name, values)| tensor(name, &[2, 1], values));
            file(&named.chain(more).collect::<Vec<_>>())
        };
        let read = |front: &str, more: &[(&str, &[f32])]| read_of(list, &[all(front, more)]);
        let expected = Ok(vec![vec![7.0, 8.0], vec![1.0, 2.0], vec![3.0, 4.0]]);
        assert_eq!(read("base.", &[]), expected);
        assert_eq!(read("", &[]), expected);
        assert_eq!(read("module.base.", &[]), expected);
        assert_eq!(read("base.", &[("lm_head.weight", &[7.0, 8.0])]), expected);
        assert_eq!(read("base.", &[("gpt_neox.layers.0.attention.bias", &[1.0, 0.0])]), expected);
        assert_eq!(read("base.", &[("base.pooler.dense.weight", &[1.0, 0.0])]), expected);
        let further: [(&str, &[f32]); 2] =
            [("base.h.2.eh_proj.weight", &[1.0, 0.0]), ("base.h.2.w", &[3.0, 0.0])];
        assert_eq!(read("base.", &further), expected);
        assert_eq!(
            read("", &[("lm_head.weight", &[7.0, 9.0])]),
            Err(vec![
                "`lm_head.weight` is in the checkpoint, but no parameter of the program: it differs from `wte.weight`, \
                 to which it would be tied"
                    .to_owned()
            ])
        );
    }

    #[test]
    fn norms_of_older_files_are_found() {
        let one =
            file(&[tensor("e.LayerNorm.gamma", &[1], &[2.0]), tensor("e.LayerNorm.beta", &[1], &[3.0])]);
        let list: &[(&str, &[usize])] = &[("e.LayerNorm.weight", &[1]), ("e.LayerNorm.bias", &[1])];
        assert_eq!(read_of(list, &[one]), Ok(vec![vec![2.0], vec![3.0]]));
    }

    #[test]
    fn stacks_are_put_together_from_several_files() {
        let first = file(&[tensor("l.1.w", &[2], &[3.0, 4.0]), tensor("n", &[1], &[7.0])]);
        let second =
            file(&[tensor("l.0.w", &[2], &[1.0, 2.0]), tensor("l.0.rotary_emb.inv_freq", &[1], &[0.0])]);
        let found = read_of(&[("n", &[1]), ("l.{0..1}.w", &[2, 2])], &[first, second]).unwrap();
        assert_eq!(found, [vec![7.0], vec![1.0, 2.0, 3.0, 4.0]]);
    }

    #[test]
    fn parts_are_taken_out_of_the_tensor_that_has_them() {
        let one = file(&[
            tensor("l.0.w", &[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            tensor("l.1.w", &[3, 2], &[7.0, 8.0, 9.0, 10.0, 11.0, 12.0]),
        ]);
        let rows = [("l.{0..1}.w(0:1)", [2, 1, 2].as_slice()), ("l.{0..1}.w(1:3)", &[2, 2, 2])];
        let found = read_of(&rows, std::slice::from_ref(&one)).unwrap();
        let second = vec![3.0, 4.0, 5.0, 6.0, 9.0, 10.0, 11.0, 12.0];
        assert_eq!(found, [vec![1.0, 2.0, 7.0, 8.0], second]);
        let columns = [("l.{0..1}.w(:,0:1)", [2, 3, 1].as_slice()), ("l.{0..1}.w(:,1:2)", &[2, 3, 1])];
        let found = read_of(&columns, std::slice::from_ref(&one)).unwrap();
        assert_eq!(found[1], [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
        let turns = [("w(:,0:4:2)", [2, 2].as_slice()), ("w(:,1:4:2)", &[2, 2])];
        let whole = file(&[tensor("w", &[2, 4], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])]);
        let found = read_of(&turns, &[whole]).unwrap();
        assert_eq!(found, [vec![1.0, 3.0, 5.0, 7.0], vec![2.0, 4.0, 6.0, 8.0]]);
        let short = read_of(&[("l.{0..1}.w(0:2)", &[2, 2, 2])], std::slice::from_ref(&one)).unwrap_err();
        assert!(short[0].contains("`l.0.w` has shape [3, 2], but the program's is [2, 2]"), "{short:?}");
        let other = read_of(&[("l.{0..1}.w(0:2)", &[2, 3, 2])], &[one]).unwrap_err();
        assert!(other[0].contains("another part"), "{other:?}");
    }

    #[test]
    fn narrow_floats_become_wide_ones() {
        let ty = TensorType::new([2], ElementType::Bf16);
        let one = file(&[("w".to_owned(), ty, vec![0x80, 0x3f, 0x00, 0xc0])]);
        assert_eq!(read_of(&[("w", &[2])], &[one]).unwrap(), [[1.0, -2.0]]);
    }

    #[test]
    fn everything_that_is_wrong_is_named() {
        let one = file(&[
            tensor("l.0.w", &[2], &[1.0, 2.0]),
            tensor("extra", &[1], &[7.0]),
            tensor("b", &[2], &[0.0; 2]),
        ]);
        let problems = read_of(&[("l.{0..2}.w", &[3, 2]), ("b", &[1])], std::slice::from_ref(&one))
            .unwrap_err()
            .join("\n");
        for said in [
            "`l.1.w`, `l.2.w` are missing",
            "`extra` is in the checkpoint, but no parameter",
            "`b` has shape [2], but the program's is [1]",
        ] {
            assert!(problems.contains(said), "{problems}");
        }
        let cut = one[..one.len() - 1].to_vec();
        assert!(read_of(&[], &[cut]).unwrap_err()[0].starts_with("file0: the file is cut off"));
        let ints = TensorType::new([1], ElementType::I32);
        let ints = file(&[("w".to_owned(), ints, vec![0; 4])]);
        assert!(read_of(&[("w", &[1])], &[ints]).unwrap_err()[0].contains("`w` holds i32"));
    }
}
