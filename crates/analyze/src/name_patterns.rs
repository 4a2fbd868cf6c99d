//! Patterns that name arguments, and the layers that names are of.
//!
//! ```text
//! params['layers'][3]['w1']            w1, layers.*.w1, layers[3]['w1'], arg7; layer 3
//! model.layers.{0..31}.norm.weight     layers 0 to 31, of which its rows are
//! ```

/// Returns whether a pattern stands for an argument: for its whole name, for its last parts, or for its number.
pub fn is_named(name: &str, argument: usize, pattern: &str) -> bool {
    let pattern = pattern.strip_prefix('%').unwrap_or(pattern);
    if fits(name, pattern) || format!("arg{argument}") == pattern {
        return true;
    }
    // A tensor that is several arguments has one name, unless the pattern says which of its parts.
    let name = if pattern.ends_with(')') { name } else { whole(name) };
    let (name, pattern) = (parts(name), parts(pattern).join("."));
    (0..name.len()).any(|first| fits(&name[first..].join("."), &pattern))
}

/// The name of the tensor of which an argument is a part, `w1` of `w1(0:64)`; of others their own.
fn whole(name: &str) -> &str {
    let part = name.strip_suffix(')').and_then(|name| name.rsplit_once('('));
    part.map_or(name, |(tensor, _)| tensor)
}

/// `params['layers'][3]['w1']` as `params`, `layers`, `3`, `w1`.
fn parts(name: &str) -> Vec<&str> {
    name.split(['.', '[', ']', '\'', '"']).filter(|part| !part.is_empty()).collect()
}

/// Returns whether a text is of the form of a pattern with `*` and `?`.
pub fn fits(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    // Which first parts of the pattern stand for the text read so far.
    let mut open = vec![false; pattern.len() + 1];
    open[0] = true;
    let skip = |open: &mut Vec<bool>| {
        (0..pattern.len()).for_each(|at| open[at + 1] |= open[at] && pattern[at] == '*');
    };
    skip(&mut open);
    for char in text {
        let mut next = vec![false; pattern.len() + 1];
        for at in (0..pattern.len()).filter(|at| open[*at] || (open[at + 1] && pattern[*at] == '*')) {
            match pattern[at] {
                '*' => next[at + 1] = true,
                own => next[at + 1] |= open[at] && (own == '?' || own == char),
            }
        }
        skip(&mut next);
        open = next;
    }
    open[pattern.len()]
}

/// No model has more layers.
const MOST_LAYERS: usize = 1 << 16;

/// Layers that an argument is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers<'a> {
    /// What stands in front of their numbers in its name.
    pub prefix: &'a str,
    /// Their numbers; those of a stack in the order of its rows.
    pub numbers: Vec<usize>,
}

/// The layers that an argument of a name is of: the numbers, or numbers in braces, behind what is called `layers` or the like,
/// or else the first ones.
pub fn layers(name: &str) -> Option<Layers<'_>> {
    let (mut at, mut before) = (0, "");
    let mut found: Option<Layers<'_>> = None;
    for part in name.split(['[', ']', '\'', '"']).flat_map(outside_of_braces) {
        let prefix = &name[..at];
        at += part.len() + 1;
        let written = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        let numbers = match written {
            Some(written) => expanded(written),
            None => part.parse().ok().map(|number| vec![number]),
        };
        if let Some(numbers) = numbers {
            let is_of_layers = is_list_of_layers(before);
            if is_of_layers || found.is_none() {
                found = Some(Layers { prefix, numbers });
            }
            if is_of_layers {
                break;
            }
        } else if !part.is_empty() {
            before = part;
        }
    }
    found
}

/// What models call the list of their layers.
fn is_list_of_layers(part: &str) -> bool {
    part.contains("layer") || part.contains("block") || part == "h"
}

/// The parts of a text between dots that are in no braces.
fn outside_of_braces(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            '.' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The numbers of `0..31`, `1..25..2` or `0,2,5`.
fn expanded(written: &str) -> Option<Vec<usize>> {
    let mut parts = written.split("..");
    let (first, last) = (parts.next()?, parts.next());
    let Some(last) = last else { return first.split(',').map(|number| number.parse().ok()).collect() };
    let stride: usize =
        parts.next().map_or(Some(1), |stride| stride.parse().ok()).filter(|stride| *stride > 0)?;
    let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
    (last.saturating_sub(first) < MOST_LAYERS).then(|| (first..=last).step_by(stride).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (text, pattern, wanted) in [
            ("w1", "w*", true),
            ("w1", "w?", true),
            ("w12", "w?", false),
            ("layers.3.w1", "layers.*.w1", true),
            ("layers.3.w1", "*", true),
            ("layers.3.w1", "*.w2", false),
            ("abab", "*ab", true),
            ("", "*", true),
            ("a", "", false),
        ] {
            assert_eq!(fits(text, pattern), wanted, "{text} {pattern}");
        }
    }

    #[test]
    fn last_parts_name_an_argument() {
        let name = "params['layers'][3]['w1']";
        for pattern in ["w1", "w*", "layers.*.w1", "layers[3]['w1']", name, "arg7", "%arg7"] {
            assert!(is_named(name, 7, pattern), "{pattern}");
        }
        for pattern in ["layers", "w2", "arg8", "ayers.3.w1"] {
            assert!(!is_named(name, 7, pattern), "{pattern}");
        }
        let part = "h.{0..3}.attn.c_attn.weight(:,0:64)";
        for pattern in ["c_attn.weight", "attn.*", "c_attn.weight(:,0:64)", part] {
            assert!(is_named(part, 7, pattern), "{pattern}");
        }
        assert!(!is_named(part, 7, "c_attn.weight(:,64:128)"));
    }

    #[test]
    fn names_say_their_layers() {
        let of = |name: &str| layers(name).map(|found| (found.prefix.to_owned(), found.numbers));
        let said = |prefix: &str, numbers: &[usize]| Some((prefix.to_owned(), numbers.to_vec()));
        assert_eq!(of("model.layers.7.norm.weight"), said("model.layers.", &[7]));
        assert_eq!(of("params['layers'][3]['w1']"), said("params['layers'][", &[3]));
        assert_eq!(of("model.layers.{0..3}.norm.weight"), said("model.layers.", &[0, 1, 2, 3]));
        assert_eq!(of("model.layers.{1..5..2}.mlp.weight"), said("model.layers.", &[1, 3, 5]));
        assert_eq!(of("layers.{0..1}.experts.{0..7}.weight"), said("layers.", &[0, 1]));
        assert_eq!(of("result[0]['layers'][3]['experts'][1]"), said("result[0]['layers'][", &[3]));
        assert_eq!(of("h.{0..2}.attn.weight"), said("h.", &[0, 1, 2]));
        assert_eq!(of("model.norm.weight"), None);
    }
}
