//! Counts in words: `1 device`, `8 devices`.

/// `count` things called `noun`, whose plural ends in `s`.
pub fn count(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(
            [count(0, "device"), count(1, "device"), count(2, "device")],
            ["0 devices", "1 device", "2 devices"]
        );
    }
}
