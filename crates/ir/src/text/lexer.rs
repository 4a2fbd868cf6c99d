//! Tokens of MLIR's syntax (MLIR language reference, "Notation").

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name such as `stablehlo.add` or `tensor`.
    Bare,
    /// `%name`.
    Value,
    /// `@name` or `@"name"`.
    Symbol,
    /// `^name`.
    Block,
    /// `#name`.
    Hash,
    /// `!name`.
    Bang,
    /// Digits.
    Int,
    /// Digits with a point or exponent.
    Float,
    /// `0x` and digits.
    Hex,
    /// `"text"`.
    String,
    /// `->`.
    Arrow,
    /// `::`.
    ColonColon,
    /// One other character.
    Punct(u8),
    /// A string without an end, or a character that MLIR does not use.
    Bad,
    /// The end of the text.
    Eof,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// The first position at or after `at` that is neither white space nor in a comment or file metadata.
fn skip_blank(text: &[u8], mut at: usize) -> usize {
    loop {
        match text.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
            // The byte order mark that some editors write first.
            Some(0xEF) if at == 0 && text.starts_with(b"\xEF\xBB\xBF") => at += 3,
            Some(b'/') if text.get(at + 1) == Some(&b'/') => {
                at += text[at..].iter().position(|byte| *byte == b'\n').unwrap_or(text.len() - at);
            }
            Some(b'{') if text[at..].starts_with(b"{-#") => {
                let end = text[at..].windows(3).position(|window| window == b"#-}");
                at = end.map_or(text.len(), |end| at + end + 3);
            }
            _ => return at,
        }
    }
}

/// One past the name that starts at `at`.
fn name_end(text: &[u8], at: usize, is_part: impl Fn(u8) -> bool) -> usize {
    at + text[at..].iter().take_while(|byte| is_part(**byte)).count()
}

/// One past the closing quote of the string that starts at `at`, or else the end of its line, up to which nothing can
/// be told apart.
fn string_end(text: &[u8], at: usize) -> Result<usize, usize> {
    let mut end = at + 1;
    loop {
        match text.get(end) {
            Some(b'"') => return Ok(end + 1),
            Some(b'\\') if !matches!(text.get(end + 1), None | Some(b'\n')) => end += 2,
            None | Some(b'\n') => return Err(end),
            Some(_) => end += 1,
        }
    }
}

fn number(text: &[u8], at: usize) -> (TokenKind, usize) {
    if text[at] == b'0'
        && text.get(at + 1) == Some(&b'x')
        && text.get(at + 2).is_some_and(u8::is_ascii_hexdigit)
    {
        return (TokenKind::Hex, name_end(text, at + 2, |byte| byte.is_ascii_hexdigit()));
    }
    let digits = |from: usize| name_end(text, from, |byte| byte.is_ascii_digit());
    let mut end = digits(at);
    if text.get(end) != Some(&b'.') {
        return (TokenKind::Int, end);
    }
    end = digits(end + 1);
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        if text.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = digits(end + 1 + sign);
        }
    }
    (TokenKind::Float, end)
}

/// The token at or after byte `at`.
pub(crate) fn next_token(source: &str, at: usize) -> Token {
    let text = source.as_bytes();
    let start = skip_blank(text, at);
    let Some(first) = text.get(start) else {
        return Token { kind: TokenKind::Eof, start, end: start };
    };
    let sigil = |kind, is_part: fn(u8) -> bool| {
        let end = name_end(text, start + 1, is_part);
        if end == start + 1 { (TokenKind::Punct(*first), end) } else { (kind, end) }
    };
    let (kind, end) = match first {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => (TokenKind::Bare, name_end(text, start, is_name_byte)),
        b'0'..=b'9' => number(text, start),
        b'%' => sigil(TokenKind::Value, |byte| is_name_byte(byte) || byte == b'-'),
        b'^' => sigil(TokenKind::Block, |byte| is_name_byte(byte) || byte == b'-'),
        b'#' => sigil(TokenKind::Hash, is_name_byte),
        b'!' => sigil(TokenKind::Bang, is_name_byte),
        b'@' if text.get(start + 1) == Some(&b'"') => match string_end(text, start + 1) {
            Ok(end) => (TokenKind::Symbol, end),
            Err(end) => (TokenKind::Bad, end),
        },
        b'@' => sigil(TokenKind::Symbol, |byte| is_name_byte(byte) || byte == b'-'),
        b'"' => match string_end(text, start) {
            Ok(end) => (TokenKind::String, end),
            Err(end) => (TokenKind::Bad, end),
        },
        b'-' if text.get(start + 1) == Some(&b'>') => (TokenKind::Arrow, start + 2),
        b':' if text.get(start + 1) == Some(&b':') => (TokenKind::ColonColon, start + 2),
        byte if byte.is_ascii_punctuation() => (TokenKind::Punct(*byte), start + 1),
        _ => {
            let length = source[start..].chars().next().map_or(1, char::len_utf8);
            (TokenKind::Bad, start + length)
        }
    };
    Token { kind, start, end }
}

/// The text of a string token's inside, with MLIR's escapes (`\n`, `\t`, `\\`, `\"`, `\22`) resolved. Bytes that are
/// not UTF-8 afterwards are replaced.
pub(crate) fn unescape(quoted: &str) -> String {
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(quoted);
    if !inner.contains('\\') {
        return inner.to_owned();
    }
    let (bytes, mut out, mut at) = (inner.as_bytes(), Vec::with_capacity(inner.len()), 0);
    let hex = |byte: Option<&u8>| byte.and_then(|byte| (*byte as char).to_digit(16));
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let (byte, length) = match (bytes.get(at + 1), hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (_, Some(high), Some(low)) => ((high * 16 + low) as u8, 3),
            (Some(b'n'), ..) => (b'\n', 2),
            (Some(b't'), ..) => (b'\t', 2),
            (Some(other), ..) => (*other, 2),
            (None, ..) => (b'\\', 1),
        };
        out.push(byte);
        at += length;
    }
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, String)> {
        let (mut at, mut out) = (0, Vec::new());
        loop {
            let token = next_token(text, at);
            if token.kind == TokenKind::Eof {
                return out;
            }
            out.push((token.kind, text[token.start..token.end].to_owned()));
            at = token.end;
        }
    }

    #[test]
    fn tokens_of_an_instruction() {
        let tokens = kinds("%0:2 = stablehlo.add %a#1 // note\n : -> 1.5e-3 0x7F \"a\\\"b\" @\"q s\"");
        let texts: Vec<&str> = tokens.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "%0",
                ":",
                "2",
                "=",
                "stablehlo.add",
                "%a",
                "#1",
                ":",
                "->",
                "1.5e-3",
                "0x7F",
                "\"a\\\"b\"",
                "@\"q s\""
            ]
        );
        assert_eq!(tokens[9].0, TokenKind::Float);
    }

    #[test]
    fn strings_without_an_end_are_bad() {
        assert_eq!(
            kinds("\"abc\nd"),
            [(TokenKind::Bad, "\"abc".to_owned()), (TokenKind::Bare, "d".to_owned())]
        );
        assert_eq!(kinds("@\"a\\\"\\\""), [(TokenKind::Bad, "@\"a\\\"\\\"".to_owned())]);
        assert_eq!(unescape("\"a\\22\\0A\\\\\""), "a\"\n\\");
    }
}
