//! Stages of a pipeline, as arguments of Megatron-LM say them.
//!
//! Input: the arguments of a launch and the ranks of its pipeline. Output: the stages of each rank, with the layers of each
//! where they are not equal.

use super::Problem;
use super::arguments::Arguments;

/// Stages of each rank of a pipeline, and what is in each stage where they are not equal.
pub(super) struct Stages {
    pub(super) vp: usize,
    pub(super) layers: Option<Vec<usize>>,
}

/// Stages as one of the three ways says them, which exclude each other, and as the first and last rank have their own numbers
/// of layers.
pub(super) fn stages(arguments: &Arguments, pp: usize) -> Result<Stages, Problem> {
    let number = |name: &str| -> Result<Option<usize>, String> {
        let Some(value) = arguments.get(name) else { return Ok(None) };
        let number = value.parse().map_err(|_| format!("`--{name} {value}` is no number"))?;
        Ok(Some(number))
    };
    const LAYOUT: &str = "pipeline-model-parallel-layout";
    const VIRTUAL: &str = "num-virtual-stages-per-pipeline-rank";
    const PER_STAGE: &str = "num-layers-per-virtual-pipeline-stage";
    let said: Vec<&str> =
        [LAYOUT, VIRTUAL, PER_STAGE].into_iter().filter(|name| arguments.has(name)).collect();
    if let [first, second, ..] = said[..] {
        return Err(format!(
            "`--{first}` and `--{second}` both say the stages: Megatron-LM takes one of them"
        )
        .into());
    }
    if let Some(layout) = arguments.get(LAYOUT) {
        let layers = layout_layers(layout)?;
        if layers.len() % pp != 0 {
            let count = layers.len();
            return Err(
                format!("`--{LAYOUT}` has {count} stages, which {pp} ranks do not share equally").into()
            );
        }
        return Ok(Stages { vp: layers.len() / pp, layers: unequal(layers) });
    }
    let all = number("num-layers")?;
    let [first, last] =
        [number("decoder-first-pipeline-num-layers")?, number("decoder-last-pipeline-num-layers")?];
    let vp = match number(PER_STAGE)? {
        None => number(VIRTUAL)?.unwrap_or(1),
        Some(each) => {
            let all = all.ok_or_else(|| format!("`--{PER_STAGE}` needs `--num-layers`"))?;
            let stages = each.checked_mul(pp).filter(|step| *step > 0 && all % step == 0);
            let step = stages.ok_or_else(|| {
                format!("`--{PER_STAGE} {each}`: {all} layers on {pp} ranks are not such stages")
            })?;
            all / step
        }
    };
    if vp == 0 {
        return Err(format!("`--{VIRTUAL}` is 0").into());
    }
    let layers = match (all, first, last) {
        (Some(all), first, last) if pp > 1 && (first.is_some() || last.is_some()) => {
            let own = [first, last].into_iter().flatten();
            let inner = own.clone().try_fold(all, usize::checked_sub);
            let ranks = pp.saturating_sub(own.count());
            let each = inner.filter(|inner| if ranks == 0 { *inner == 0 } else { inner % ranks == 0 });
            let Some(each) = each.map(|inner| inner / ranks.max(1)) else {
                return Err(format!("{all} layers are not such stages on {pp} ranks").into());
            };
            let mut of_ranks = vec![each; pp];
            of_ranks[0] = first.unwrap_or(each);
            of_ranks[pp - 1] = last.unwrap_or(each);
            if of_ranks.iter().any(|layers| layers % vp != 0) {
                return Err(format!("the layers of each rank are not {vp} equal stages").into());
            }
            unequal((0..pp * vp).map(|stage| of_ranks[stage % pp] / vp).collect())
        }
        _ => None,
    };
    Ok(Stages { vp, layers })
}

fn unequal(layers: Vec<usize>) -> Option<Vec<usize>> {
    layers.iter().any(|own| *own != layers[0]).then_some(layers)
}

/// Layers of each stage of a layout: `Et*3|(tt|)*2tL` are stages of 3, 2, 2 and 1.
fn layout_layers(layout: &str) -> Result<Vec<usize>, String> {
    /// More layers than any model has.
    const MOST: usize = 1 << 16;
    let wrong =
        || format!("`--pipeline-model-parallel-layout {layout}` is no layout, such as `Et*3|(tt|)*2tL`");
    let text: String = layout.chars().filter(|letter| *letter != ',').collect();
    let mut letters = String::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let (piece, behind) = match rest.strip_prefix('(') {
            Some(inner) => inner.split_once(')').ok_or_else(wrong)?,
            None => rest.split_at(first.len_utf8()),
        };
        let (piece, behind) = repeated(piece, behind).ok_or_else(wrong)?;
        let mut inner = piece.0;
        let mut times = String::new();
        // In parentheses single letters may be repeated too.
        while let Some(letter) = inner.chars().next() {
            let ((own, count), left) =
                repeated(&inner[..letter.len_utf8()], &inner[letter.len_utf8()..]).ok_or_else(wrong)?;
            if count.saturating_mul(own.len()) > MOST {
                return Err(wrong());
            }
            times += &own.repeat(count);
            inner = left;
        }
        if times.len().saturating_mul(piece.1) + letters.len() > MOST {
            return Err(wrong());
        }
        letters += &times.repeat(piece.1);
        rest = behind;
    }
    if letters.chars().any(|letter| !"Etm|L".contains(letter)) {
        return Err(wrong());
    }
    Ok(letters.split('|').map(|stage| stage.matches('t').count()).collect())
}

/// A piece with how often it stands there by the `*N` behind it, and what is behind that.
fn repeated<'a>(piece: &'a str, behind: &'a str) -> Option<((&'a str, usize), &'a str)> {
    let Some(number) = behind.strip_prefix('*') else { return Some(((piece, 1), behind)) };
    let end = number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(number.len());
    Some(((piece, number[..end].parse().ok()?), &number[end..]))
}
