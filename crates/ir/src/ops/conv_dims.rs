//! The dimension numbers of a convolution: `[b, 0, f]x[0, i, o]->[b, 0, f]`.

use crate::attribute::Attr;
use crate::text::{DialectFields, Parsed, Parser, SYNTAX, TokenKind};
use std::fmt;

/// Dimension numbers of a convolution's tensors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConvDims {
    /// The left operand: batch, feature and spatial dims.
    pub input: TensorDims,
    /// The right operand: input feature, output feature and spatial dims.
    pub kernel: TensorDims,
    /// The result: batch, feature and spatial dims.
    pub output: TensorDims,
}

/// The dims of one tensor: two with letters, and the spatial ones in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorDims {
    /// Batch (`b`), in the kernel input feature (`i`).
    pub first: usize,
    /// Feature (`f`), in the kernel output feature (`o`).
    pub second: usize,
    /// Dim of each spatial number.
    pub spatial: Vec<usize>,
}

impl TensorDims {
    /// Number of dims.
    pub fn rank(&self) -> usize {
        self.spatial.len() + 2
    }

    /// From the names of a tensor's dims, in order.
    fn from_names(names: &[&str], letters: [&str; 2]) -> Result<Self, String> {
        let find = |name: &str| {
            let mut found = (0..names.len()).filter(|dim| names[*dim] == name);
            match (found.next(), found.next()) {
                (Some(dim), None) => Ok(dim),
                _ => Err(format!("[{}] should name dim `{name}` once", names.join(", "))),
            }
        };
        let num_spatial = names.len().saturating_sub(2);
        Ok(Self {
            first: find(letters[0])?,
            second: find(letters[1])?,
            spatial: (0..num_spatial).map(|spatial| find(&spatial.to_string())).collect::<Result<_, _>>()?,
        })
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, letters: [&str; 2]) -> fmt::Result {
        f.write_str("[")?;
        for dim in 0..self.rank() {
            f.write_str(if dim == 0 { "" } else { ", " })?;
            match self.spatial.iter().position(|other| *other == dim) {
                Some(spatial) => write!(f, "{spatial}")?,
                None => f.write_str(letters[usize::from(dim == self.second)])?,
            }
        }
        f.write_str("]")
    }
}

impl ConvDims {
    /// Reads `[b, 0, f]x[0, i, o]->[b, 0, f]`, or the same as fields behind the word `raw`.
    pub fn read(text: &str) -> Result<Self, String> {
        if let Some(fields) = text.trim().strip_prefix("raw") {
            return Self::read_fields(fields);
        }
        let wrong = || format!("expected dims such as `[b, 0, f]x[0, i, o]->[b, 0, f]`, found `{text}`");
        let (operands, output) = text.split_once("->").ok_or_else(wrong)?;
        let (input, kernel) = operands.split_once('x').ok_or_else(wrong)?;
        let names = |list: &str| -> Option<Vec<String>> {
            let inner = list.trim().strip_prefix('[')?.strip_suffix(']')?;
            Some(inner.split(',').map(|name| name.trim().to_owned()).collect())
        };
        let dims = |list: &str, letters: [&str; 2]| {
            let names = names(list).ok_or_else(wrong)?;
            TensorDims::from_names(&names.iter().map(String::as_str).collect::<Vec<_>>(), letters)
        };
        let dims = Self {
            input: dims(input, ["b", "f"])?,
            kernel: dims(kernel, ["i", "o"])?,
            output: dims(output, ["b", "f"])?,
        };
        dims.of_one_rank(text)
    }

    /// Reads `input_batch_dimension = 0, input_feature_dimension = 2, ...`.
    fn read_fields(text: &str) -> Result<Self, String> {
        let attribute = Attr::Dialect(format!("#conv<{text}>").into());
        let mut fields = DialectFields::of(&attribute, "conv")?;
        let mut tensor = |spatial: &str, first: &str, second: &str| {
            let mut position = |name: &str| -> Result<usize, String> {
                let value = fields.int_or(name, -1)?;
                usize::try_from(value).map_err(|_| format!("`{name}` is missing or negative"))
            };
            let (first, second) = (position(first)?, position(second)?);
            let dims = TensorDims { first, second, spatial: fields.dims(spatial)? };
            let mut all = [dims.spatial.as_slice(), &[first, second]].concat();
            all.sort_unstable();
            let fits = all.iter().copied().eq(0..dims.rank());
            if fits {
                Ok(dims)
            } else {
                Err(format!("`{spatial}` and the other dims should be all dims, once each"))
            }
        };
        let input = tensor("input_spatial_dimensions", "input_batch_dimension", "input_feature_dimension")?;
        let kernel = tensor(
            "kernel_spatial_dimensions",
            "kernel_input_feature_dimension",
            "kernel_output_feature_dimension",
        )?;
        let output =
            tensor("output_spatial_dimensions", "output_batch_dimension", "output_feature_dimension")?;
        fields.finish()?;
        Self { input, kernel, output }.of_one_rank(text)
    }

    fn of_one_rank(self, text: &str) -> Result<Self, String> {
        let rank = self.input.rank();
        if self.kernel.rank() == rank && self.output.rank() == rank {
            return Ok(self);
        }
        Err(format!("`{text}` gives the three tensors different ranks"))
    }

    /// Reads the same in the pretty form.
    pub fn parse(p: &mut Parser<'_>) -> Parsed<Self> {
        let span = p.here();
        let list = |p: &mut Parser<'_>, text: &mut String| -> Parsed<()> {
            let names = p.list(b'[', b']', |p| {
                if p.next_is(TokenKind::Bare) {
                    Ok(p.word("a dim")?.to_owned())
                } else {
                    Ok(p.size()?.to_string())
                }
            })?;
            text.push_str(&format!("[{}]", names.join(", ")));
            Ok(())
        };
        let mut text = String::new();
        list(p, &mut text)?;
        p.expect_word("x")?;
        text.push('x');
        list(p, &mut text)?;
        p.arrow()?;
        text.push_str("->");
        list(p, &mut text)?;
        Self::read(&text).or_else(|message| p.fail(SYNTAX, span, message, ""))
    }
}

impl fmt::Display for ConvDims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.input.write(f, ["b", "f"])?;
        f.write_str("x")?;
        self.kernel.write(f, ["i", "o"])?;
        f.write_str("->")?;
        self.output.write(f, ["b", "f"])
    }
}
