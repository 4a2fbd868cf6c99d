//! Counts in words: `1 device`, `8 devices`, `2 microbatches`.

/// `count` things called `noun`, whose plural ends in `s`, or in `es` behind `ch`.
pub fn count(count: usize, noun: &str) -> String {
    let ending = match count {
        1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(
            [count(0, "device"), count(1, "device"), count(2, "device"), count(2, "microbatch")],
            ["0 devices", "1 device", "2 devices", "2 microbatches"]
        );
    }
}
