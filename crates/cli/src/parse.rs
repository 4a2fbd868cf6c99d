//! Values of flags: from the text of one argument to what it means, or to what is wrong with it.

use crate::args::{Dump, MeshAxes};
use meshwright_machine::Bytes;
use std::ops::Range;

/// `STAGE` or `STAGE=FILE`.
pub(crate) fn dump(text: &str) -> Result<Dump, String> {
    let (stage, file) = match text.split_once('=') {
        Some((_, "")) => return Err("the file's name is missing behind `=`".into()),
        Some((stage, file)) => (stage, Some(file.into())),
        None => (text, None),
    };
    Ok(Dump { stage: stage.to_owned(), file })
}

/// Names for axes that are given by size alone.
const AXIS_NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// `data=2,model=4`, or sizes alone: `2x4` is `x=2,y=4`.
pub(crate) fn mesh(text: &str) -> Result<MeshAxes, String> {
    let size = |digits: &str| -> Result<usize, String> {
        match digits.trim().parse() {
            Ok(0) => Err("a size is 0; every axis has at least 1 device".into()),
            Ok(size) => Ok(size),
            Err(_) => Err(format!("`{digits}` is not a size; write axes as `data=2,model=4` or `2x4`")),
        }
    };
    if !text.contains('=') {
        let sizes = text.split('x').map(size).collect::<Result<Vec<usize>, String>>()?;
        if sizes.len() > AXIS_NAMES.len() {
            return Err("more than four axes need names: write them as `a=2,b=2,...`".into());
        }
        return Ok(MeshAxes(AXIS_NAMES.map(str::to_owned).into_iter().zip(sizes).collect()));
    }
    let axis = |part: &str| -> Result<(String, usize), String> {
        let (name, digits) = part
            .split_once('=')
            .ok_or_else(|| format!("`{part}` has no size; write axes as `data=2,model=4`"))?;
        Ok((name.trim().to_owned(), size(digits)?))
    };
    text.split(',').map(axis).collect::<Result<_, _>>().map(MeshAxes)
}

/// `16GiB`.
pub(crate) fn bytes(text: &str) -> Result<Bytes, String> {
    text.parse()
}

/// `0..100`: not empty.
pub(crate) fn range(text: &str) -> Result<Range<i64>, String> {
    let wrong = || format!("`{text}` is not a range such as `0..100`");
    let (start, end) = text.split_once("..").ok_or_else(wrong)?;
    let (start, end) = (start.trim().parse().map_err(|_| wrong())?, end.trim().parse().map_err(|_| wrong())?);
    if start < end { Ok(start..end) } else { Err(format!("`{text}` holds no number: the end is not in it")) }
}

/// A number that is not negative.
pub(crate) fn tolerance(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|value: &f64| *value >= 0.0).ok_or_else(|| format!("`{text}` is no error bound"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_are_named_or_sized() {
        let axes = |text: &str| mesh(text).unwrap().0;
        assert_eq!(axes("data=2,model=4"), [("data".to_owned(), 2), ("model".to_owned(), 4)]);
        assert_eq!(axes("2x4"), [("x".to_owned(), 2), ("y".to_owned(), 4)]);
        assert_eq!(axes("8"), [("x".to_owned(), 8)]);
        for wrong in ["", "data=", "data=0", "data=2,model", "2xx", "1x1x1x1x2", "data=-2"] {
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
    }

    #[test]
    fn dumps_go_to_a_file_or_to_stderr() {
        assert_eq!(dump("read"), Ok(Dump { stage: "read".into(), file: None }));
        assert_eq!(dump("read=a=b"), Ok(Dump { stage: "read".into(), file: Some("a=b".into()) }));
        assert!(dump("read=").is_err());
    }
}
