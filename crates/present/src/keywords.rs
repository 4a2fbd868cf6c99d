//! Messages in the words of another door: what flags are called there.
//!
//! Input: a message that names flags of the command, such as `--memory-limit 4GiB`. Output: the same with keywords of Python,
//! `memory_limit="4GiB"`.

/// Flags that Python has under another name.
const OTHERS: [(&str, &str); 12] = [
    ("pin", "pins"),
    ("as", "degrees"),
    ("dp", "degrees"),
    ("fsdp", "degrees"),
    ("tp", "degrees"),
    ("sp", "degrees"),
    ("cp", "degrees"),
    ("ep", "degrees"),
    ("zero", "degrees"),
    ("pp", "degrees"),
    ("vp", "degrees"),
    ("for", "for_target"),
];

/// The message with keywords in place of flags, which stand between backticks.
pub fn in_keywords(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("`--") {
        let Some(end) = rest[at + 1..].find('`').map(|end| at + 1 + end) else { break };
        text.push_str(&rest[..at]);
        text.push('`');
        text.push_str(&keyword(&rest[at + 3..end]));
        text.push('`');
        rest = &rest[end + 1..];
    }
    text + rest
}

/// A flag, with its value if it has one, as a keyword.
fn keyword(flag: &str) -> String {
    let (name, value) = flag.split_once([' ', '=']).map_or((flag, None), |(name, value)| (name, Some(value)));
    if let Some((degree, other)) = OTHERS.iter().find(|(own, _)| *own == name) {
        return match value {
            Some(value) if *other == "degrees" && *degree != "as" => {
                format!("degrees={{\"{degree}\": {value}}}")
            }
            Some(value) => format!("{other}=\"{value}\""),
            None => (*other).to_owned(),
        };
    }
    let name = name.replace('-', "_");
    match value {
        None => name,
        Some(value) if value.parse::<f64>().is_ok() => format!("{name}={value}"),
        Some(value) => format!("{name}=\"{}\"", value.trim_matches('\'')),
    }
}

#[cfg(test)]
mod tests {
    use super::in_keywords;

    #[test]
    fn flags_become_keywords() {
        for (flags, keywords) in [
            ("give `--microbatches 8`, or `--stages`", "give `microbatches=8`, or `stages`"),
            ("allow more with `--memory-limit 4GiB`", "allow more with `memory_limit=\"4GiB\"`"),
            ("leave it out, or `--pp`; `--tp 4`", "leave it out, or `degrees`; `degrees={\"tp\": 4}`"),
            ("with `--recompute none`, `selective`", "with `recompute=\"none\"`, `selective`"),
            ("a value `%1` and -- no flag", "a value `%1` and -- no flag"),
        ] {
            assert_eq!(in_keywords(flags), keywords);
        }
    }
}
