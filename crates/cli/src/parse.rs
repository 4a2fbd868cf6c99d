//! Values of flags: from the text of one argument to what it means, or to what is wrong with it.

use crate::args::{Dump, MemoryLimits, PhaseCosts, SearchScope};
use crate::args::{GroupMeshes, LayersOfStages};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use meshwright_compile::{
    BASELINES, Baseline, GroupHosts, MOST_PASSES, MeshChoice, Microbatches, StageLoops, Weights,
};
use meshwright_machine::Bytes;
use meshwright_plan::plan_file::MeshAxis;
use std::ops::Range;

/// The names of passes, each with what it does in the help.
pub(crate) fn passes() -> PossibleValuesParser {
    let value = |(name, summary): (&'static str, &'static str)| PossibleValue::new(name).help(summary);
    PossibleValuesParser::new(meshwright_compile::passes().into_iter().map(value))
}

/// The names of optimizers, each with what it does in the help.
pub(crate) fn optimizers() -> PossibleValuesParser {
    let value = |known: &meshwright_compile::Optimizer| PossibleValue::new(known.name).help(known.summary);
    PossibleValuesParser::new(meshwright_compile::OPTIMIZERS.iter().map(value))
}

/// The word that lists the targets of `export`.
const LIST: &str = "list";

/// The names of the targets of `export`, and the word that lists them.
pub(crate) fn export_targets() -> PossibleValuesParser {
    let value = |target: &&meshwright_export::Target| PossibleValue::new(target.name).help(target.form);
    let list = PossibleValue::new(LIST).help("all of these, with their versions");
    PossibleValuesParser::new(meshwright_export::TARGETS.iter().map(value).chain([list]))
}

/// The same, and `none`.
pub(crate) fn optimizers_or_none() -> PossibleValuesParser {
    let value = |known: &meshwright_compile::Optimizer| PossibleValue::new(known.name).help(known.summary);
    let none = PossibleValue::new(meshwright_compile::NO_OPTIMIZER).help("the loss alone");
    PossibleValuesParser::new(meshwright_compile::OPTIMIZERS.iter().map(value).chain([none]))
}

/// What is searched, or the name of a planner whose procedure is followed, each with what it does in the help.
pub(crate) fn searches() -> impl TypedValueParser<Value = SearchScope> {
    let own = [
        ("none", "nothing: what propagation leaves open is replicated", SearchScope::None),
        ("rest", "everything that annotations leave open", SearchScope::Rest),
    ];
    let planner = |known: &'static Baseline| (known.name, known.summary, SearchScope::Baseline(known.name));
    let all = own.into_iter().chain(BASELINES.iter().map(planner));
    let value = |(name, summary, _): (&'static str, &'static str, SearchScope)| {
        PossibleValue::new(name).help(summary)
    };
    PossibleValuesParser::new(all.clone().map(value)).map(move |given| {
        let found = all.clone().find(|(name, ..)| *name == given);
        found.map_or(SearchScope::Rest, |(.., scope)| scope)
    })
}

/// The names of schedules, each with what it is in the help.
pub(crate) fn schedules() -> PossibleValuesParser {
    let named = meshwright_schedule::SCHEDULES.map(|known| (known.name, known.summary));
    let search = (crate::schedule::SEARCH, "the best table that is found for these costs and this memory");
    let value = |(name, summary)| PossibleValue::new(name).help(summary);
    PossibleValuesParser::new(named.into_iter().chain([search]).map(value))
}

/// `1,1,1` or `1,1,1,0.1`: seconds of phases and of a transfer.
pub(crate) fn phase_costs(text: &str) -> Result<PhaseCosts, String> {
    let form = "give seconds such as `1,1,1` or, with transfers, `1,1,1,0.1`";
    let seconds = |part: &str| match part.trim().parse::<f64>() {
        Ok(value) if (0.0..=1e9).contains(&value) => Ok(value),
        _ => Err(format!("`{part}` is no time: {form}")),
    };
    let parts = text.split(',').map(seconds).collect::<Result<Vec<_>, _>>()?;
    let (phases, transfer) = match parts.as_slice() {
        [forward, input, weight] => ([*forward, *input, *weight], 0.0),
        [forward, input, weight, transfer] => ([*forward, *input, *weight], *transfer),
        _ => return Err(form.to_owned()),
    };
    if phases.iter().sum::<f64>() == 0.0 {
        return Err("nothing takes any time; one of the phases has to".to_owned());
    }
    Ok(PhaseCosts { phases, transfer })
}

/// `0.5x`, more than nothing.
pub(crate) fn factor(text: &str) -> Result<f64, String> {
    match text.trim().trim_end_matches('x').parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor <= 1e9 => Ok(factor),
        _ => Err(format!("`{text}` is no factor such as `0.5x`")),
    }
}

/// `3=1.5x`: a group and how much slower it is.
pub(crate) fn slow_group(text: &str) -> Result<(usize, f64), String> {
    let form = || format!("`{text}` is no group with its factor, such as `3=1.5x`");
    let (group, by) = text.split_once('=').ok_or_else(form)?;
    Ok((group.trim().parse().map_err(|_| form())?, factor(by)?))
}

/// `STAGE` or `STAGE=FILE`.
pub(crate) fn dump(text: &str) -> Result<Dump, String> {
    let (stage, file) = match text.split_once('=') {
        Some((_, "")) => return Err("the file's name is missing behind `=`".into()),
        Some((stage, file)) => (stage, Some(file.into())),
        None => (text, None),
    };
    Ok(Dump { stage: stage.to_owned(), file })
}

/// Passes over the batch, no more than can be allowed.
pub(crate) fn microbatch_passes(text: &str) -> Result<usize, String> {
    match count(text)? {
        passes @ ..=MOST_PASSES => Ok(passes),
        _ => Err(format!(
            "at most {MOST_PASSES} passes over the batch can be allowed; what needs more can be taken of each microbatch by \
             itself, which changes the step: `--microbatch-statistics local`"
        )),
    }
}

/// A number of at least 1.
pub(crate) fn count(text: &str) -> Result<usize, String> {
    match text.trim().parse() {
        Ok(0) => Err("there has to be at least 1".into()),
        Ok(count) => Ok(count),
        Err(_) => Err(format!("`{text}` is not a number, such as 4")),
    }
}

/// A size of microbatches, or `search`.
pub(crate) fn microbatch_size(text: &str) -> Result<Microbatches, String> {
    match text.trim() {
        "search" => Ok(Microbatches::Search),
        "0" => Err("a microbatch has at least 1 example".into()),
        number => number
            .parse()
            .map(Microbatches::Number)
            .map_err(|_| format!("`{text}` is no size of microbatches; write 4, or `search`")),
    }
}

/// `data=2,model=4`, or sizes alone: `2x4`. A mesh: no name twice, no size of 0.
pub(crate) fn mesh(text: &str) -> Result<MeshChoice, String> {
    let size = |digits: &str| -> Result<usize, String> {
        match digits.trim().parse() {
            Ok(0) => Err("a size is 0; every axis has at least 1 device".into()),
            Ok(size) => Ok(size),
            Err(_) => Err(format!("`{digits}` is not a size; write axes as `data=2,model=4` or `2x4`")),
        }
    };
    if !text.contains('=') {
        return text.split('x').map(size).collect::<Result<_, _>>().map(MeshChoice::Sizes);
    }
    let axis = |part: &str| -> Result<MeshAxis, String> {
        let (name, digits) = part
            .split_once('=')
            .ok_or_else(|| format!("`{part}` has no size; write axes as `data=2,model=4`"))?;
        Ok(MeshAxis { name: name.trim().to_owned(), size: size(digits)? })
    };
    let axes = text.split(',').map(axis).collect::<Result<Vec<_>, _>>()?;
    meshwright_plan::axes::to_mesh(&axes)?;
    Ok(MeshChoice::Axes(axes))
}

/// Meshes of groups, behind one another: `data=2,model=2; data=4`.
pub(crate) fn meshes(text: &str) -> Result<GroupMeshes, String> {
    text.split(';').map(|own| mesh(own.trim())).collect::<Result<_, _>>().map(GroupMeshes)
}

/// The name of weights that stages read.
pub(crate) fn weights(text: &str) -> Result<Weights, String> {
    let names = Weights::ALL.map(Weights::name).join(", ");
    let known = Weights::ALL.into_iter().find(|weights| weights.name() == text);
    known.ok_or_else(|| format!("there are no weights `{text}`; the names are {names}"))
}

/// Layers of stages that become loops.
pub(crate) fn stage_loops(text: &str) -> Result<StageLoops, String> {
    text.parse()
}

/// Layers of stages: `9,8,8,7`.
pub(crate) fn stage_layers(text: &str) -> Result<LayersOfStages, String> {
    let layers = text.split(',').map(|one| one.trim().parse()).collect::<Result<Vec<usize>, _>>();
    let layers = layers.map_err(|_| format!("`{text}` are no numbers of layers, such as `9,8,8,7`"))?;
    match layers.len() {
        0 | 1 => Err("give the layers of each stage, such as `9,8,8,7`".to_owned()),
        _ => Ok(LayersOfStages(layers)),
    }
}

/// Hosts of a group: `4`, or `search`.
pub(crate) fn group_hosts(text: &str) -> Result<GroupHosts, String> {
    match text.trim() {
        "search" => Ok(GroupHosts::Search),
        number => count(number).map(GroupHosts::Number),
    }
}

/// `16GiB`, `16GiB,32GiB` or `sweep`.
pub(crate) fn memory_limits(text: &str) -> Result<MemoryLimits, String> {
    if text == "sweep" {
        return Ok(MemoryLimits::Sweep);
    }
    let mut limits: Vec<Bytes> = Vec::new();
    for one in text.split(',') {
        let limit: Bytes = one.trim().parse()?;
        if limit == Bytes(0) {
            return Err("nothing fits into 0 bytes: give a limit such as `60GiB`".to_owned());
        }
        if !limits.contains(&limit) {
            limits.push(limit);
        }
    }
    Ok(MemoryLimits::Each(limits))
}

/// `3%`, as a share.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end().parse::<f64>();
    match number {
        Ok(percent) if percent.is_finite() && percent >= 0.0 => Ok(percent / 100.0),
        Ok(percent) if percent < 0.0 => {
            Err("a plan cannot be faster than the best: give a share such as `3%`".to_owned())
        }
        _ => Err(format!("`{text}` is not a share such as `3%`")),
    }
}

/// `7`.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// `0..100`: not empty.
pub(crate) fn range(text: &str) -> Result<Range<i64>, String> {
    let wrong = || format!("`{text}` is not a range such as `0..100`");
    let (start, end) = text.split_once("..").ok_or_else(wrong)?;
    let (start, end) = (start.trim().parse().map_err(|_| wrong())?, end.trim().parse().map_err(|_| wrong())?);
    if start < end { Ok(start..end) } else { Err(format!("`{text}` holds no number: the end is not in it")) }
}

/// Microbatches that a group may keep at once, which need not be whole.
pub(crate) fn kept(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(count) if count >= 0.0 && count.is_finite() => Ok(count),
        _ => Err(format!("`{text}` is no number of microbatches, such as `4` or `2.5`")),
    }
}

/// A number that is not negative.
pub(crate) fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 => Ok(value),
        Ok(value) if value < 0.0 => Err("an error is never negative".into()),
        _ => Err(format!("`{text}` is not a number such as `1e-4`")),
    }
}

/// A capacity of experts, as a multiple of the even share.
pub(crate) fn capacity(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor <= 1e6 => Ok(factor),
        _ => Err(format!("`{text}` is no factor: give a positive number, such as `1.25`")),
    }
}

/// A rate or a norm of a training step, more than none.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err(format!("`{text}` is no positive number, such as `0.01`")),
    }
}

/// A weight decay.
pub(crate) fn decay(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err(format!("`{text}` is no weight decay: give a number from 0 on, such as `0.01`")),
    }
}

/// A time in seconds, more than none.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        _ => Err(format!("`{text}` is no time: give seconds, such as `60`")),
    }
}

/// `15T`, `300B`, `2.5M`, `40000`: powers of a thousand, more than none.
pub(crate) fn amount(text: &str) -> Result<f64, String> {
    let powers = [("k", 1e3), ("M", 1e6), ("B", 1e9), ("T", 1e12)];
    let power = powers.into_iter().find_map(|(unit, power)| Some((text.strip_suffix(unit)?, power)));
    let (number, power) = power.unwrap_or((text, 1.0));
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 && number * power <= 1e18 => Ok(number * power),
        _ => Err(format!("`{text}` is no amount; write `40000`, `2.5M`, `300B` or `15T`")),
    }
}

/// `30d`, `12h`, `90m`, `45s`, in seconds.
pub(crate) fn duration(text: &str) -> Result<f64, String> {
    let units = [("d", 86_400.0), ("h", 3600.0), ("m", 60.0), ("s", 1.0)];
    let found = units.into_iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    match found.and_then(|(number, unit)| Some(number.parse::<f64>().ok()? * unit)) {
        Some(seconds) if seconds > 0.0 && seconds <= 1e12 => Ok(seconds),
        _ => Err(format!("`{text}` is no time; write `30d`, `12h`, `90m` or `45s`")),
    }
}

/// Names between commas; one in parentheses is of a name, as in `c_attn.weight(:,0:64)`.
pub fn between_commas(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let is_between = |letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    };
    list.split(is_between).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_are_named_or_sized() {
        let axis = |name: &str, size| MeshAxis { name: name.into(), size };
        assert_eq!(mesh("data=2,model=4"), Ok(MeshChoice::Axes(vec![axis("data", 2), axis("model", 4)])));
        assert_eq!(mesh("2x4"), Ok(MeshChoice::Sizes(vec![2, 4])));
        assert_eq!(mesh("8"), Ok(MeshChoice::Sizes(vec![8])));
        for wrong in ["", "data=", "data=0", "data=2,model", "2xx", "data=-2", "data=2,data=4", "=2"] {
            assert!(mesh(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranges_hold_something() {
        assert_eq!(range("-3..4"), Ok(-3..4));
        for wrong in ["3", "4..4", "5..4", "a..b"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
        assert!(tolerance("nan").is_err());
        assert!(tolerance("-1").is_err());
        assert_eq!(tolerance("1e-9"), Ok(1e-9));
        assert!(seed("-1").is_err());
        assert_eq!(seed("7"), Ok(7));
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert!(seconds("0").is_err() && seconds("nan").is_err());
        assert_eq!(amount("15T"), Ok(15e12));
        assert_eq!(amount("40000"), Ok(40000.0));
        assert_eq!(duration("12h"), Ok(43200.0));
        for wrong in ["", "T", "-1", "0", "nan", "1e300", "3x"] {
            assert!(amount(wrong).is_err() && duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn dumps_go_to_a_file_or_to_stderr() {
        assert_eq!(dump("read"), Ok(Dump { stage: "read".into(), file: None }));
        assert_eq!(dump("read=a=b"), Ok(Dump { stage: "read".into(), file: Some("a=b".into()) }));
        assert!(dump("read=").is_err());
    }
}
