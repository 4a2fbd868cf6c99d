//! Text in lines of at most so many columns.

/// The width of what is printed for people.
pub const COLUMNS: usize = 100;

/// `text` behind `first`, broken between words so that no line is wider than [`COLUMNS`] where that is possible; further
/// lines are indented as far as `first` is wide. With a final newline.
pub fn wrap(first: &str, text: &str) -> String {
    wrap_within(COLUMNS, first, text)
}

/// The same within another number of columns.
pub(crate) fn wrap_within(columns: usize, first: &str, text: &str) -> String {
    let indent = " ".repeat(first.chars().count());
    let mut out = String::new();
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in text.split(' ') {
        let width = line.chars().count() + 1 + word.chars().count();
        if !is_empty && width > columns {
            out.push_str(&line);
            out.push('\n');
            line.clone_from(&indent);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}

/// `name` in at most `width` columns: its end, which tells it from others, is kept.
pub fn shortened(name: &str, width: usize) -> String {
    let count = name.chars().count();
    if count <= width {
        return name.to_owned();
    }
    let kept: String = name.chars().skip(count - width.saturating_sub(3)).collect();
    format!("...{kept}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_and_indented() {
        let text = wrap("  - ", &"word ".repeat(40));
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("    word")), "{text}");
        assert_eq!(wrap("  - ", "short"), "  - short\n");
        assert_eq!(wrap("- ", &"x".repeat(120)), format!("- {}\n", "x".repeat(120)));
    }

    #[test]
    fn the_end_of_a_name_is_kept() {
        assert_eq!(shortened("result[0]['layers'][3]['w']", 11), "...[3]['w']");
        assert_eq!(shortened("short", 11), "short");
    }
}
