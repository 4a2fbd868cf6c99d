//! Which array of an archive is which argument of a program.
//!
//! Input: names of arrays, and what is wanted. Output: the name for each argument, or all that is missing and unexpected.

use super::{NpzError, error};
use meshwright_tensor::types::Type;

/// An argument that is read from an archive.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its place among the program's arguments: `arg3` is the fourth.
    pub number: usize,
    /// What the program calls it, if anything.
    pub name: Option<String>,
    /// Its type.
    pub ty: Type,
}

impl Wanted {
    /// `arg0`, `arg1`, ... of these types, without names of their own.
    pub fn numbered(types: &[Type]) -> Vec<Self> {
        let each = types.iter().enumerate();
        each.map(|(number, ty)| Self { number, name: None, ty: ty.clone() }).collect()
    }

    /// `arg3`.
    pub fn numbered_name(&self) -> String {
        format!("arg{}", self.number)
    }
}

/// Names that a message holds before it only counts.
const SHOWN: usize = 8;

/// Names of arrays that say nothing but a place, in front of their numbers: those of `np.savez`, and results.
const POSITIONAL: [&str; 2] = ["arr_", "out"];

/// The array of each argument: the one called `arg3`, or as the program calls it; or, of arrays that `np.savez` numbered
/// itself (`arr_0`, `arr_1`, ...) or that are results (`out0`, `out1`, ...), the one at its place.
///
/// Errors: an argument without an array, or with two; an array that is no argument.
pub(super) fn choose(names: &[String], wanted: &[Wanted]) -> Result<Vec<String>, NpzError> {
    for prefix in POSITIONAL {
        let positional: Vec<String> = (0..wanted.len()).map(|index| format!("{prefix}{index}")).collect();
        let is_whole = names.len() == positional.len() && positional.iter().all(|name| names.contains(name));
        if is_whole && !names.is_empty() {
            return Ok(positional);
        }
    }
    let own = |at: usize| {
        let name = wanted[at].name.as_ref()?;
        let is_alone = wanted.iter().filter(|other| other.name.as_ref() == Some(name)).count() == 1;
        is_alone.then_some(name)
    };
    let (mut chosen, mut missing) = (Vec::new(), Vec::new());
    for at in 0..wanted.len() {
        let numbered = wanted[at].numbered_name();
        match own(at) {
            _ if names.contains(&numbered) => chosen.push(numbered),
            Some(name) if names.contains(name) => chosen.push(name.clone()),
            Some(name) => missing.push(format!("{numbered} or {name}")),
            None => missing.push(numbered),
        }
    }
    let unexpected: Vec<String> = names.iter().filter(|name| !chosen.contains(name)).cloned().collect();
    if missing.is_empty() && unexpected.is_empty() {
        return Ok(chosen);
    }
    let needed = match wanted.len() {
        1 => "1 array is needed".to_owned(),
        count => format!("{count} arrays are needed"),
    };
    let mut parts = vec![format!("{needed}, {} are there", names.len())];
    for (what, list) in [("missing", missing), ("unexpected", unexpected)] {
        if !list.is_empty() {
            let more = list.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            parts.push(format!("{what}: {}{more}", list[..list.len().min(SHOWN)].join(", ")));
        }
    }
    Err(error(parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_tensor::types::{ElementType, TensorType};

    fn chosen(names: &[&str], own: &[Option<&str>]) -> Result<Vec<String>, String> {
        let ty: Type = TensorType::new([], ElementType::F32).into();
        let wanted = |(number, name): (usize, &Option<&str>)| Wanted {
            number: number + 3,
            name: name.map(str::to_owned),
            ty: ty.clone(),
        };
        let wanted: Vec<Wanted> = own.iter().enumerate().map(wanted).collect();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        choose(&names, &wanted).map_err(|error| error.0)
    }

    #[test]
    fn arrays_are_found_by_number_and_by_name() {
        let own = [Some("tokens"), Some("labels")];
        assert_eq!(chosen(&["labels", "tokens"], &own).unwrap(), ["tokens", "labels"]);
        assert_eq!(chosen(&["arg3", "arg4"], &own).unwrap(), ["arg3", "arg4"]);
        assert_eq!(chosen(&["arg4", "tokens"], &own).unwrap(), ["tokens", "arg4"]);
        assert_eq!(chosen(&["arr_0", "arr_1"], &own).unwrap(), ["arr_0", "arr_1"]);
        assert_eq!(chosen(&["out0", "out1"], &own).unwrap(), ["out0", "out1"]);
    }

    #[test]
    fn other_names_are_refused() {
        let own = [Some("tokens"), None];
        assert_eq!(
            chosen(&["a", "b"], &own).unwrap_err(),
            "2 arrays are needed, 2 are there; missing: arg3 or tokens, arg4; unexpected: a, b"
        );
        // Names that two arguments have say nothing.
        assert_eq!(
            chosen(&["x", "arg4"], &[Some("x"), Some("x")]).unwrap_err(),
            "2 arrays are needed, 2 are there; missing: arg3; unexpected: x"
        );
        assert_eq!(
            chosen(&["arg3", "tokens"], &own[..1]).unwrap_err(),
            "1 array is needed, 2 are there; unexpected: tokens"
        );
        assert_eq!(
            chosen(&["arr_0", "arr_2"], &[None, None]).unwrap_err(),
            "2 arrays are needed, 2 are there; missing: arg3, arg4; unexpected: arr_0, arr_2"
        );
    }
}
