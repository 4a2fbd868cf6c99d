//! Where a place in JSON text is, as the keys and positions that lead there: `programs[1].takes[0].slot`.

/// An object or a list that is open.
enum Open<'t> {
    /// An object, and the key whose value comes or is read.
    Object(Option<&'t str>),
    /// A list, and the position in it.
    List(usize),
}

/// The path to what stands just before byte `end`; empty at the outermost level.
pub(crate) fn path_at(text: &str, end: usize) -> String {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut bytes = text.bytes().enumerate().take(end);
    while let Some((at, byte)) = bytes.next() {
        match (byte, open.last_mut()) {
            (b'{', _) => open.push(Open::Object(None)),
            (b'[', _) => open.push(Open::List(0)),
            (b'}' | b']', _) => drop(open.pop()),
            (b',', Some(Open::Object(key))) => *key = None,
            (b',', Some(Open::List(position))) => *position += 1,
            (b'"', last) => {
                let mut is_escaped = false;
                let close = bytes.find(|(_, byte)| {
                    let closes = *byte == b'"' && !is_escaped;
                    is_escaped = *byte == b'\\' && !is_escaped;
                    closes
                });
                if let (Some(Open::Object(key @ None)), Some((close, _))) = (last, close) {
                    *key = text.get(at + 1..close);
                }
            }
            _ => {}
        }
    }
    let mut path = String::new();
    for level in open {
        match level {
            Open::Object(Some(key)) if path.is_empty() => path.push_str(key),
            Open::Object(Some(key)) => path.push_str(&format!(".{key}")),
            Open::Object(None) => {}
            Open::List(position) => path.push_str(&format!("[{position}]")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_positions_lead_to_a_place() {
        let text = r#"{"a\"{": 1, "programs": [{"x": [1, 2]}, {"takes": [{"slot": "s, {"}], "gives": 3}]}"#;
        let path = |needle: &str| path_at(text, text.find(needle).unwrap() + needle.len());
        assert_eq!(path("1"), "a\\\"{");
        assert_eq!(path("[1, 2"), "programs[0].x[1]");
        assert_eq!(path("\"s, {\""), "programs[1].takes[0].slot");
        assert_eq!(path("\"gives\""), "programs[1].gives");
        assert_eq!(path("3}]}"), "");
    }
}
