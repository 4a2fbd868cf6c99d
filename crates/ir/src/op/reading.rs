//! How an op comes out of text: its reader, what it read, and the attributes of the generic form taken out by name.

use super::{Op, READERS};
use crate::attribute::{Attr, Attributes};
use crate::ids::{RegionId, ValueId};
use crate::text::{Parsed, Parser};
use meshwright_tensor::types::Type;

/// Reads one op's text; one entry per name in [`READERS`].
#[derive(Clone, Copy)]
pub struct OpReader {
    /// The full name.
    pub name: &'static str,
    /// Reads the pretty form.
    pub parse: fn(&mut Parser<'_>, &'static str) -> Parsed<ParsedInst>,
    /// Reads the generic form's attributes.
    pub from_attributes: fn(&'static str, &mut AttrReader<'_>) -> Result<Op, String>,
}

/// Instruction as its op's text says it.
pub struct ParsedInst {
    /// The op.
    pub op: Op,
    /// Its operands.
    pub operands: Vec<ValueId>,
    /// The operand types as written, if they are; checked against the operands' own.
    pub operand_types: Option<Vec<Type>>,
    /// The result types, written or inferred.
    pub result_types: Vec<Type>,
    /// Its regions, already in the body.
    pub regions: Vec<RegionId>,
    /// Attributes that are not the op's own.
    pub attributes: Attributes,
}

impl ParsedInst {
    /// An instruction without regions and further attributes.
    pub fn new(op: impl Into<Op>, operands: Vec<ValueId>, result_types: Vec<Type>) -> Self {
        Self {
            op: op.into(),
            operands,
            operand_types: None,
            result_types,
            regions: Vec::new(),
            attributes: Attributes::new(),
        }
    }

    /// With operand types as written.
    pub fn typed(mut self, operand_types: Vec<Type>) -> Self {
        self.operand_types = Some(operand_types);
        self
    }

    /// With further attributes.
    pub fn with(mut self, attributes: Attributes) -> Self {
        self.attributes = attributes;
        self
    }
}

/// Takes attributes out by name; what is left belongs to the instruction, not to the op.
pub struct AttrReader<'a> {
    /// What has not been taken yet.
    pub rest: &'a mut Attributes,
}

impl AttrReader<'_> {
    /// The attribute under `name`, if there is one.
    pub fn take(&mut self, name: &str) -> Option<Attr> {
        self.rest.remove(name)
    }

    /// The attribute under `name`.
    pub fn required(&mut self, name: &str) -> Result<Attr, String> {
        self.take(name).ok_or_else(|| format!("attribute `{name}` is missing"))
    }

    /// A required integer.
    pub fn int(&mut self, name: &str) -> Result<i64, String> {
        self.required(name)?.as_int().ok_or_else(|| format!("attribute `{name}` is not an integer"))
    }

    /// An integer with a default.
    pub fn int_or(&mut self, name: &str, default: i64) -> Result<i64, String> {
        match self.take(name) {
            None => Ok(default),
            Some(value) => value.as_int().ok_or_else(|| format!("attribute `{name}` is not an integer")),
        }
    }

    /// A boolean that is false when missing; a unit attribute is true.
    pub fn bool(&mut self, name: &str) -> Result<bool, String> {
        Ok(self.bool_opt(name)?.unwrap_or(false))
    }

    /// A boolean, where one that is missing prints differently from one that is false.
    pub fn bool_opt(&mut self, name: &str) -> Result<Option<bool>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Attr::Unit) => Ok(Some(true)),
            Some(Attr::Bool(value)) => Ok(Some(value)),
            Some(_) => Err(format!("attribute `{name}` is not a boolean")),
        }
    }

    /// Integers in any of MLIR's spellings (`array<i64: ...>`, `dense<...>`, `[1, 2]`); `None` when missing.
    pub fn ints_opt(&mut self, name: &str) -> Result<Option<Vec<i64>>, String> {
        let wrong = || format!("attribute `{name}` is not a list of integers");
        match self.take(name) {
            None => Ok(None),
            Some(Attr::DenseArray(_, values)) => Ok(Some(values)),
            Some(Attr::Dense(literal)) => literal.to_ints().map(Some).ok_or_else(wrong),
            Some(Attr::Array(items)) => {
                items.iter().map(Attr::as_int).collect::<Option<Vec<i64>>>().map(Some).ok_or_else(wrong)
            }
            Some(_) => Err(wrong()),
        }
    }

    /// `dense<[[low, high], ...]>`, a pair per dim, as low, high, low, ...; `None` when missing.
    pub fn padding_opt(&mut self, name: &str) -> Result<Option<Vec<i64>>, String> {
        let Some(attribute) = self.take(name) else { return Ok(None) };
        let pairs = match &attribute {
            Attr::Dense(literal) if matches!(literal.ty.shape[..], [_, 2] | [0] | [0, 0]) => {
                literal.to_ints()
            }
            _ => None,
        };
        let wrong = || {
            format!("`{name}` should be dense<[[low, high], ...]> with a pair per dim, found `{attribute}`")
        };
        pairs.map(Some).ok_or_else(wrong)
    }

    /// `precision_config`: one word per operand; empty when missing.
    pub fn precision(&mut self) -> Result<Vec<String>, String> {
        Ok(self.precision_opt("stablehlo")?.unwrap_or_default())
    }

    /// `precision_config` of a dialect; `None` when missing.
    pub fn precision_opt(&mut self, dialect: &str) -> Result<Option<Vec<String>>, String> {
        let Some(value) = self.take("precision_config") else {
            return Ok(None);
        };
        let wrong = || format!("`precision_config` should list #{dialect}<precision ...>, found `{value}`");
        let Attr::Array(items) = &value else {
            return Err(wrong());
        };
        let word = |item: &Attr| {
            let word = dialect_word(item, dialect, "precision").ok_or_else(wrong)?;
            let is_known = matches!(word, "DEFAULT" | "HIGH" | "HIGHEST");
            if is_known { Ok(word.to_owned()) } else { Err(wrong()) }
        };
        items.iter().map(word).collect::<Result<Vec<String>, String>>().map(Some)
    }

    /// A word in `#dialect<kind WORD>`; `None` when missing.
    pub fn word_opt(&mut self, name: &str, dialect: &str, kind: &str) -> Result<Option<String>, String> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match dialect_word(&value, dialect, kind) {
            Some(word) => Ok(Some(word.to_owned())),
            None => Err(format!("`{name}` should be #{dialect}<{kind} ...>, found `{value}`")),
        }
    }

    /// A required word in `#dialect<kind WORD>`, one of `words`. Returns its position.
    pub fn word(&mut self, name: &str, dialect: &str, kind: &str, words: &[&str]) -> Result<usize, String> {
        let found = self.word_opt(name, dialect, kind)?;
        let found = found.ok_or_else(|| format!("attribute `{name}` is missing"))?;
        let position = words.iter().position(|word| *word == found);
        position.ok_or_else(|| format!("`{name}` should be one of {}, found `{found}`", words.join(", ")))
    }

    /// A string; `None` when missing.
    pub fn string_opt(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Attr::String(text)) => Ok(Some(text.to_string())),
            Some(other) => Err(format!("`{name}` should be a string, found `{other}`")),
        }
    }

    /// A required string.
    pub fn string(&mut self, name: &str) -> Result<String, String> {
        self.string_opt(name)?.ok_or_else(|| format!("attribute `{name}` is missing"))
    }

    /// A required position: an integer that is not negative.
    pub fn position(&mut self, name: &str) -> Result<usize, String> {
        let value = self.int(name)?;
        usize::try_from(value).map_err(|_| format!("`{name}` is the negative number {value}"))
    }

    /// Required integers.
    pub fn ints(&mut self, name: &str) -> Result<Vec<i64>, String> {
        self.ints_opt(name)?.ok_or_else(|| format!("attribute `{name}` is missing"))
    }

    /// Required positions or sizes: integers that are not negative.
    pub fn dims(&mut self, name: &str) -> Result<Vec<usize>, String> {
        to_dims(name, self.ints(name)?)
    }

    /// Positions or sizes; `None` when missing.
    pub fn dims_opt(&mut self, name: &str) -> Result<Option<Vec<usize>>, String> {
        self.ints_opt(name)?.map(|values| to_dims(name, values)).transpose()
    }
}

/// The word in `#dialect<kind WORD>` or `#dialect.kind<WORD>`.
fn dialect_word<'a>(attribute: &'a Attr, dialect: &str, kind: &str) -> Option<&'a str> {
    let Attr::Dialect(text) = attribute else {
        return None;
    };
    let rest = text.strip_prefix('#')?.strip_prefix(dialect)?;
    let word = match rest.strip_prefix('.') {
        Some(rest) => rest.strip_prefix(kind)?.trim_start().strip_prefix('<')?,
        None => rest.trim_start().strip_prefix('<')?.trim_start().strip_prefix(kind)?,
    };
    Some(word.strip_suffix('>')?.trim())
}

fn to_dims(name: &str, values: Vec<i64>) -> Result<Vec<usize>, String> {
    values
        .into_iter()
        .map(|value| {
            usize::try_from(value).map_err(|_| format!("`{name}` holds the negative number {value}"))
        })
        .collect()
}

impl Op {
    /// The op called `name`, made from the attributes of its generic form. Errors: an unknown name, attributes that
    /// do not fit.
    pub fn from_attributes(name: &str, mut attributes: Attributes) -> Result<Self, String> {
        let reader = READERS
            .iter()
            .flat_map(|readers| readers.iter())
            .find(|reader| reader.name == name)
            .ok_or_else(|| format!("the operation `{name}` is not known"))?;
        (reader.from_attributes)(reader.name, &mut AttrReader { rest: &mut attributes })
    }
}
