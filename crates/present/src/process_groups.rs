//! Groups of devices that work together, in few words.

/// Groups of which all are said.
const FEW: usize = 4;

/// Devices of a group of which all are said.
const FEW_DEVICES: usize = 8;

/// `0 8 16 24`; of many the first two and the last.
pub fn members(group: &[usize]) -> String {
    let listed = |group: &[usize]| group.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    match group {
        few if few.len() <= FEW_DEVICES => listed(few),
        [a, b, .., z] => format!("{a} {b} ... {z}"),
        few => listed(few),
    }
}

/// `8 of 4 devices, 8 apart: 0 8 16 24; 1 9 17 25; ...; 7 15 23 31`: how many, what all have in common, and the members of
/// the first and the last ones.
pub fn in_words(groups: &[Vec<usize>]) -> String {
    let Some((first, rest)) = groups.split_first() else { return String::new() };
    let is_equal = rest.iter().all(|group| group.len() == first.len());
    let size = if is_equal { format!(" of {}", devices(first.len())) } else { String::new() };
    let apart = apart(groups).map_or_else(String::new, |stride| format!(", {stride} apart"));
    let each: Vec<String> = match groups {
        few if few.len() <= FEW => few.iter().map(|group| members(group)).collect(),
        [one, two, .., last] => vec![members(one), members(two), "...".to_owned(), members(last)],
        few => few.iter().map(|group| members(group)).collect(),
    };
    format!("{}{size}{apart}: {}", groups.len(), each.join("; "))
}

fn devices(count: usize) -> String {
    if count == 1 { "1 device".to_owned() } else { format!("{count} devices") }
}

/// The distance of neighbors, if all have the same.
fn apart(groups: &[Vec<usize>]) -> Option<usize> {
    let mut distances =
        groups.iter().flat_map(|group| group.windows(2)).map(|two| two[1].checked_sub(two[0]));
    let first = distances.next()??;
    distances.all(|other| other == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(count: usize, size: usize) -> Vec<Vec<usize>> {
        (0..count).map(|first| (0..size).map(|number| first + number * count).collect()).collect()
    }

    #[test]
    fn few_groups_are_listed_and_many_have_a_pattern() {
        assert_eq!(in_words(&strided(2, 2)), "2 of 2 devices, 2 apart: 0 2; 1 3");
        assert_eq!(
            in_words(&strided(2048, 16)),
            "2048 of 16 devices, 2048 apart: 0 2048 ... 30720; 1 2049 ... 30721; ...; 2047 4095 ... 32767"
        );
        assert_eq!(in_words(&[vec![0, 1, 8], vec![2, 3, 9]]), "2 of 3 devices: 0 1 8; 2 3 9");
        assert_eq!(in_words(&[vec![0, 1], vec![4]]), "2, 1 apart: 0 1; 4");
        assert_eq!(in_words(&[]), "");
    }
}
