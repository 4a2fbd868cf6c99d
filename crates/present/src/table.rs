//! Tables as plain text: columns two spaces apart, a line under the head, numbers to the right.

use crate::wrap::{COLUMNS, shortened, wrap_within};

/// Columns that a broken cell has at least.
const LEAST_COLUMNS: usize = 16;

/// Alignments of a column.
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

/// Shortens words in columns of these rows where their table would be wider than [`COLUMNS`], in the first
/// of them first; each with the least characters that it keeps.
pub fn narrowed(
    head: &[(&str, Lean)],
    mut rows: Vec<Vec<String>>,
    columns: &[(usize, usize)],
) -> Vec<Vec<String>> {
    for (column, least) in columns {
        let excess = widest(&render(head, &rows)).saturating_sub(COLUMNS);
        let own = rows.iter().map(|row| row[*column].chars().count()).max().unwrap_or(0);
        let width = own.saturating_sub(excess).max(*least);
        if excess > 0 {
            rows.iter_mut().for_each(|row| row[*column] = shortened(&row[*column], width));
        }
    }
    rows
}

/// The text of a table whose last column is words, which are broken between words where lines would be wider than
/// [`COLUMNS`].
pub fn render_broken(head: &[(&str, Lean)], rows: &[Vec<String>]) -> String {
    let text = render(head, rows);
    let last = head.len() - 1;
    let own = rows.iter().map(|row| row[last].chars().count()).chain([head[last].0.chars().count()]).max();
    let own = own.unwrap_or(0);
    let width = COLUMNS.saturating_sub(text.lines().nth(1).map_or(0, |rule| rule.chars().count()) - own);
    let broken: Vec<Vec<String>> = rows
        .iter()
        .flat_map(|row| {
            let cell = wrap_within(width.max(LEAST_COLUMNS), "", &row[last]);
            let lines: Vec<String> = cell.lines().map(str::to_owned).collect();
            let with = |(number, line): (usize, String)| {
                let others =
                    row[..last].iter().map(|cell| if number == 0 { cell.clone() } else { String::new() });
                others.chain([line]).collect::<Vec<_>>()
            };
            lines.into_iter().enumerate().map(with).collect::<Vec<_>>()
        })
        .collect();
    render(head, &broken)
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_shortened_and_long_lines_broken() {
        let head = [("name", Lean::Left), ("amounts to", Lean::Left)];
        let rows = vec![vec!["n".repeat(70), "data parallel ".repeat(4).trim_end().to_owned()]];
        let text = render(&head, &narrowed(&head, rows.clone(), &[(0, 16)]));
        assert_eq!(widest(&text), COLUMNS, "{text}");
        assert!(text.contains("...nnn"), "{text}");
        let text = render_broken(&head, &rows);
        assert_eq!(text.lines().count(), 5, "{text}");
        assert!(widest(&text) <= COLUMNS, "{text}");
        let short = vec![vec!["n".to_owned(), "replicated".to_owned()]];
        assert_eq!(render_broken(&head, &short), render(&head, &short));
        assert_eq!(narrowed(&head, short.clone(), &[(0, 16), (1, 16)]), short);
    }

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
