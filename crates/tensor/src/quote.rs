//! Names and strings as MLIR writes them.

use std::fmt;

/// Writes `text` quoted and escaped as MLIR does.
pub fn write_quoted(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for byte in text.bytes() {
        match byte {
            b'"' => f.write_str("\\22")?,
            b'\\' => f.write_str("\\\\")?,
            0x20..=0x7e => f.write_char(byte as char)?,
            _ => write!(f, "\\{byte:02X}")?,
        }
    }
    f.write_char('"')
}

/// Returns whether `name` needs no quotes as an attribute or symbol name.
pub fn is_bare(name: &str) -> bool {
    let mut chars = name.bytes();
    chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && chars.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$'))
}

/// Writes an attribute name, quoted where needed.
pub fn write_name(f: &mut impl fmt::Write, name: &str) -> fmt::Result {
    if is_bare(name) { f.write_str(name) } else { write_quoted(f, name) }
}
