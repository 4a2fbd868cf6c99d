//! Counts in words: `1 device`, `8 devices`, `2 microbatches`.

/// `count` things called `noun`, whose plural ends in `s` or, behind `ch`, in `es`.
pub fn count(count: usize, noun: &str) -> String {
    let end = match noun {
        _ if count == 1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {noun}{end}")
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
