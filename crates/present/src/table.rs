//! Tables as plain text: columns two spaces apart, a line under the head, numbers to the right.

/// Which way a column leans.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lean {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// The text of a table, each line indented by two spaces, with a final newline. Every row is as long as the head.
pub fn render(head: &[(&str, Lean)], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].0.chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let mut text = String::new();
        for ((cell, (_, lean)), width) in cells.into_iter().zip(head).zip(&widths) {
            text.push_str("  ");
            let padding = " ".repeat(width - cell.chars().count());
            match lean {
                Lean::Left => text.extend([cell, &padding]),
                Lean::Right => text.extend([&padding, cell]),
            }
        }
        format!("{}\n", text.trim_end())
    };
    let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let mut text = line(head.iter().map(|(title, _)| *title).collect());
    text.push_str(&line(rules.iter().map(String::as_str).collect()));
    text.extend(rows.iter().map(|row| line(row.iter().map(String::as_str).collect())));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["long name".to_owned(), "1234".to_owned()]];
        let text = render(&[("name", Lean::Left), ("bytes", Lean::Right)], &rows);
        assert_eq!(text, "  name       bytes\n  ---------  -----\n  a              1\n  long name   1234\n");
    }

    #[test]
    fn a_table_without_rows_has_a_head() {
        assert_eq!(render(&[("name", Lean::Left)], &[]), "  name\n  ----\n");
    }
}
