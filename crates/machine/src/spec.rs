//! Parses `name[:SIZESxOF]`, as in `h100`, `h100:8`, `h100:32x8`, `tpu_v5e:16x16`, into a machine.
//!
//! Sizes run from the outermost level to the innermost; levels that are left out on the outside have size 1.
//! A torus wants all its axes, since 16 chips of a 2D torus may be 4x4 or 2x8.
//! A bare name is the machine as its file has it: one host, as a rule.

use crate::catalog;
use crate::error::MachineError;
use crate::machine::{Level, LinkKind, Machine};

impl Machine {
    /// The built-in machine of a spec such as `h100:32x8`. Names are case-insensitive; `-` and `_` are the same.
    ///
    /// # Errors
    /// An unknown name (the message lists the known ones and suggests the nearest), a malformed or empty size, too
    /// many or too few sizes, a size that the hardware does not have, or too many devices.
    pub fn from_spec(spec: &str) -> Result<Machine, MachineError> {
        let spec = spec.trim();
        let (name, sizes) = match spec.split_once(':') {
            Some((name, sizes)) => (name.trim(), Some(sizes)),
            None => (spec, None),
        };
        let machine = catalog::find(name)?;
        match sizes {
            None => Ok(machine),
            Some(sizes) => machine.resized(sizes),
        }
    }

    /// The same hardware with levels of other sizes, outermost first: `4x8`, as behind the colon of a name.
    ///
    /// # Errors
    /// Sizes that are none, more of them than levels, or one that the hardware does not have.
    pub fn resized(self, sizes: &str) -> Result<Machine, MachineError> {
        let sizes = parse_sizes(&format!("{}:{sizes}", self.name), sizes, &self)?;
        resize(self, &sizes)
    }
}

/// A name of a file and the sizes behind its colon: `cluster.toml:4x8`; none of them if nothing like that ends it.
pub fn file_and_sizes(name: &str) -> (&str, Option<&str>) {
    let is_size = |end: &str| end.starts_with(|first: char| first.is_ascii_digit());
    match name.rsplit_once(':') {
        Some((file, sizes)) if file.to_ascii_lowercase().ends_with(".toml") && is_size(sizes) => {
            (file, Some(sizes))
        }
        _ => (name, None),
    }
}

impl Machine {
    /// A machine like so many neighboring devices of this one, innermost links first; none if no whole units of a level
    /// are so many.
    pub fn part(&self, count: usize) -> Option<Machine> {
        let mut levels = self.levels().to_vec();
        let mut open = count;
        for level in &mut levels {
            let taken = if open >= level.size { level.size } else { open };
            if taken == 0 || !open.is_multiple_of(taken) || !level.size.is_multiple_of(taken) {
                return None;
            }
            level.size = taken;
            open /= taken;
        }
        if open == 1 { self.clone().with_levels(levels).ok() } else { None }
    }

    /// A machine like `count` neighboring devices of this one from `start` on; none if they are neither inside of one unit of
    /// a level nor whole units of it.
    pub fn block(&self, start: usize, count: usize) -> Option<Machine> {
        let mut levels = self.levels().to_vec();
        let (mut begin, mut open) = (start, count);
        for level in &mut levels {
            let size = level.size;
            let is_inside = begin % size + open <= size;
            let is_whole = begin.is_multiple_of(size) && open.is_multiple_of(size);
            if open == 0 || !is_inside && !is_whole {
                return None;
            }
            level.size = open.min(size);
            (begin, open) = (begin / size, open.div_ceil(size));
        }
        let is_there = begin == 0 && open == 1;
        if is_there { self.clone().with_levels(levels).ok() } else { None }
    }

    /// A machine with levels of these sizes, innermost first; none if they are not as many, or sizes that the hardware does not
    /// have.
    pub fn with_sizes(&self, sizes: &[usize]) -> Option<Machine> {
        let mut levels = self.levels().to_vec();
        levels.iter_mut().zip(sizes).for_each(|(level, size)| level.size = *size);
        let is_whole = levels.len() == sizes.len();
        if is_whole { self.clone().with_levels(levels).ok() } else { None }
    }
}

fn parse_sizes(spec: &str, text: &str, machine: &Machine) -> Result<Vec<usize>, MachineError> {
    let parse_size = |part: &str| -> Result<usize, MachineError> {
        let problem = match part.trim() {
            "" => "a size is missing".to_string(),
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => match digits.parse::<usize>() {
                Ok(0) => "a size is 0".to_string(),
                Ok(size) => return Ok(size),
                Err(_) => format!("`{digits}` is too large"),
            },
            other => format!("`{other}` is not a whole number"),
        };
        Err(MachineError::new(format!("in machine `{spec}`: {problem}")).hint(syntax(machine)))
    };
    text.split(['x', 'X']).map(parse_size).collect()
}

/// How to write the sizes of this machine.
fn syntax(machine: &Machine) -> String {
    let name = &machine.name;
    let levels: Vec<String> =
        machine.levels().iter().rev().map(|level| format!("`{}`", level.name)).collect();
    let num_torus = num_torus_levels(machine.levels());
    let example = match (num_torus, levels.len()) {
        (0, 1) => format!("`{name}:4` is 4 devices"),
        (0, _) => format!("`{name}:2x4` is 2 hosts of 4 devices each, `{name}:4` one host of 4"),
        (torus, _) => format!("`{name}:{}` is one torus", vec!["4"; torus].join("x")),
    };
    let sizes = match levels.as_slice() {
        [only] => format!("the size of {only}"),
        [before @ .., last] => format!("the sizes of {} and {last}, joined by x", before.join(", ")),
        [] => "sizes".to_owned(),
    };
    format!("behind the colon stand {sizes}: {example}")
}

fn num_torus_levels(levels: &[Level]) -> usize {
    levels.iter().filter(|level| matches!(level.kind, LinkKind::Torus { .. })).count()
}

fn resize(machine: Machine, sizes: &[usize]) -> Result<Machine, MachineError> {
    let mut levels = machine.levels().to_vec();
    let written: Vec<String> = sizes.iter().map(usize::to_string).collect();
    let spec = format!("{}:{}", machine.name, written.join("x"));
    let num_torus = num_torus_levels(&levels);
    if sizes.len() > levels.len() {
        let message = format!("machine `{spec}` has {} sizes for {} levels", sizes.len(), levels.len());
        return Err(MachineError::new(message).hint(syntax(&machine)));
    }
    if sizes.len() < num_torus {
        let message = format!("machine `{spec}` does not give the shape of the {num_torus}D torus");
        return Err(MachineError::new(message).hint(syntax(&machine)));
    }
    for (index, level) in levels.iter_mut().enumerate() {
        // Written outermost first, held innermost first.
        level.size = if index < sizes.len() { sizes[sizes.len() - 1 - index] } else { 1 };
    }
    let innermost = &levels[0];
    let (size, max_size) = (innermost.size, innermost.max_size.unwrap_or(usize::MAX));
    let hint =
        (sizes.len() == 1 && num_torus == 0 && levels.len() > 1 && size > max_size && size % max_size == 0)
            .then(|| format!("write {}:{}x{max_size} for {size} devices", machine.name, size / max_size));
    let resized = machine.with_levels(levels);
    match hint {
        Some(hint) => resized.map_err(|error| error.hint(hint)),
        None => resized,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(spec: &str) -> String {
        Machine::from_spec(spec).unwrap().spec()
    }

    fn error(spec: &str) -> String {
        Machine::from_spec(spec).unwrap_err().to_string()
    }

    #[test]
    fn a_part_has_whole_units_of_each_level() {
        let part = |spec: &str, count: usize| Some(Machine::from_spec(spec).unwrap().part(count)?.spec());
        assert_eq!(part("h100:8x8", 4), Some("h100:1x4".to_owned()));
        assert_eq!(part("h100:8x8", 16), Some("h100:2x8".to_owned()));
        assert_eq!(part("h100:8x8", 12), None);
        assert_eq!(part("h100:8x8", 0), None);
        assert_eq!(part("h100:8x8", 128), None);
    }

    #[test]
    fn a_block_lies_inside_of_a_unit_or_has_whole_ones() {
        let machine = Machine::from_spec("h100:4x8").unwrap();
        let block = |start: usize, count: usize| Some(machine.block(start, count)?.spec());
        assert_eq!(block(4, 4), Some("h100:1x4".to_owned()));
        assert_eq!(block(8, 3), Some("h100:1x3".to_owned()));
        assert_eq!(block(8, 24), Some("h100:3x8".to_owned()));
        assert_eq!([block(4, 8), block(24, 16), block(0, 0)], [None, None, None]);
        assert_eq!(machine.with_sizes(&[2, 4]).map(|machine| machine.spec()), Some("h100:4x2".to_owned()));
        assert_eq!(machine.with_sizes(&[2]), None);
    }

    #[test]
    fn sizes_run_from_the_outermost_level_to_the_innermost() {
        assert_eq!(shape("h100:32x8"), "h100:32x8");
        assert_eq!(shape("h100:8"), "h100:1x8");
        assert_eq!(shape("h100"), "h100:1x8");
        assert_eq!(shape("tpu_v5e:8x16"), "tpu_v5e:1x8x16");
        assert_eq!(shape("tpu_v5e:4x16x16"), "tpu_v5e:4x16x16");
        let torus = Machine::from_spec("tpu_v4:4x4x8").unwrap();
        assert_eq!(torus.levels()[0].size, 8);
        assert_eq!(torus.num_devices(), 128);
    }

    #[test]
    fn names_have_aliases_and_no_case() {
        assert_eq!(shape("A100:2x8"), "a100-80:2x8");
        assert_eq!(shape("a100_40"), "a100-40:1x8");
        assert_eq!(shape("TPU-v6e:2x4"), "tpu_v6e:1x2x4");
        assert_eq!(shape("Trillium:2x4"), "tpu_v6e:1x2x4");
        assert_eq!(shape(" cpu8 "), "cpu8:8");
    }

    #[test]
    fn an_unknown_name_lists_the_known_and_suggests_the_nearest() {
        let text = error("h10:8");
        assert!(text.starts_with("unknown machine `h10`\n"), "{text}");
        assert!(text.contains("did you mean `h100`?"), "{text}");
        assert!(text.contains("known machines: a100-40, a100-80, "), "{text}");
        assert!(error("").starts_with("the machine has no name"));
        assert!(!error("something-else").contains("did you mean"));
        for (name, said) in [("cpu6", "`cpu:6`"), ("H100-16", "`h100:16`")] {
            let text = error(name);
            assert!(text.contains(&format!("a number of devices stands behind a colon: {said}")), "{text}");
        }
    }

    #[test]
    fn malformed_sizes_explain_the_syntax() {
        assert_eq!(
            error("h100:3x"),
            "in machine `h100:3x`: a size is missing\n  hint: behind the colon stand the sizes of `infiniband` and \
             `nvlink`, joined by x: `h100:2x4` is 2 hosts of 4 devices each, `h100:4` one host of 4"
        );
        assert!(error("h100:").starts_with("in machine `h100:`: a size is missing"));
        assert!(error("h100:0x8").starts_with("in machine `h100:0x8`: a size is 0"));
        assert!(error("h100:-1x8").starts_with("in machine `h100:-1x8`: `-1` is not a whole number"));
        assert!(error("h100:2.5").starts_with("in machine `h100:2.5`: `2.5` is not a whole number"));
        assert!(error("h100:99999999999999999999x8").contains("is too large"));
        assert!(error("h100:1x2x8").starts_with("machine `h100:1x2x8` has 3 sizes for 2 levels"));
        assert!(
            error("tpu_v5e:16").starts_with("machine `tpu_v5e:16` does not give the shape of the 2D torus")
        );
    }

    #[test]
    fn sizes_that_the_hardware_lacks_are_refused() {
        assert_eq!(
            error("h100:64"),
            "level `nvlink` of `h100` joins at most 8 units, not 64\n  hint: write h100:8x8 for 64 devices"
        );
        assert!(error("h100:200000x8").contains("200000x8 devices is too large: at most 1048576"));
        assert!(error("h100:9223372036854775807x8").contains("too large"));
    }
}
