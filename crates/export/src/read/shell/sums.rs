//! Sums of whole numbers, as `$((...))` has them.
//!
//! Input: a text of numbers, `+ - * / %` and parentheses, and what names stand for. Output: the number; none where a name
//! stands for none, or it is another text.

/// How deep parentheses may lie in each other.
const DEPTH: usize = 32;

/// The number that a sum comes to.
pub(super) fn sum(text: &str, named: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let mut reader = Reader { rest: text.trim(), named, depth: 0 };
    let number = reader.terms()?;
    reader.rest.is_empty().then_some(number)
}

struct Reader<'a> {
    rest: &'a str,
    named: &'a dyn Fn(&str) -> Option<i64>,
    depth: usize,
}

impl Reader<'_> {
    fn operator(&mut self, known: &str) -> Option<char> {
        let operator = self.rest.chars().next().filter(|first| known.contains(*first))?;
        self.rest = self.rest[1..].trim_start();
        Some(operator)
    }

    fn terms(&mut self) -> Option<i64> {
        let mut total = self.factors()?;
        while let Some(operator) = self.operator("+-") {
            let next = self.factors()?;
            total = if operator == '+' { total.checked_add(next)? } else { total.checked_sub(next)? };
        }
        Some(total)
    }

    fn factors(&mut self) -> Option<i64> {
        let mut total = self.number()?;
        while let Some(operator) = self.operator("*/%") {
            let next = self.number()?;
            total = match operator {
                '*' => total.checked_mul(next)?,
                '/' => total.checked_div(next)?,
                _ => total.checked_rem(next)?,
            };
        }
        Some(total)
    }

    fn number(&mut self) -> Option<i64> {
        if self.operator("(").is_some() {
            self.depth += 1;
            let inner = if self.depth > DEPTH { None } else { self.terms() }?;
            self.depth -= 1;
            return self.operator(")").map(|_| inner);
        }
        let is_inner = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = self.rest.find(|letter| !is_inner(letter)).unwrap_or(self.rest.len());
        let (own, behind) = self.rest.split_at(end);
        self.rest = behind.trim_start();
        match own.starts_with(|first: char| first.is_ascii_digit()) {
            true => own.parse().ok(),
            false => (self.named)(own),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_what_the_shell_makes_of_them() {
        let named = |name: &str| (name == "NODES").then_some(4);
        for (text, number) in [
            ("8", Some(8)),
            (" NODES * 8 ", Some(32)),
            ("2+3*4 - 10 / 3 % 2", Some(13)),
            ("(2 + 3) * (NODES-1)", Some(15)),
            ("OTHER * 8", None),
            ("1 / 0", None),
            ("9223372036854775807 + 1", None),
            ("1 +", None),
            ("(1", None),
            ("1 2", None),
            ("", None),
        ] {
            assert_eq!(sum(text, &named), number, "{text}");
        }
        assert_eq!(sum(&"(".repeat(100_000), &named), None);
    }
}
