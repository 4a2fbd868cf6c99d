//! Least squares with factors that are not negative, for a handful of factors.

/// The factors `x >= 0` for which the sum of ((row x - time) / time)^2 is least, and that sum: of all choices of factors
/// that are not zero, the best whose solution is not negative.
pub(super) fn fit(rows: &[Vec<f64>], times: &[f64]) -> (Vec<f64>, f64) {
    let num = rows.first().map_or(0, Vec::len);
    let mut best = (f64::INFINITY, vec![0.0; num]);
    for set in 1u32..1 << num.min(16) {
        let chosen: Vec<usize> = (0..num).filter(|factor| set >> factor & 1 == 1).collect();
        let Some(part) = normal(rows, times, &chosen) else { continue };
        if part.iter().any(|factor| *factor < 0.0) {
            continue;
        }
        let mut all = vec![0.0; num];
        chosen.iter().zip(&part).for_each(|(factor, value)| all[*factor] = *value);
        let error: f64 =
            rows.iter().zip(times).map(|(row, time)| (product(row, &all) / time - 1.0).powi(2)).sum();
        if error < best.0 {
            best = (error, all);
        }
    }
    (best.1, best.0)
}

/// The sum of products.
pub(super) fn product(row: &[f64], factors: &[f64]) -> f64 {
    row.iter().zip(factors).map(|(a, b)| a * b).sum()
}

/// The normal equations of some factors; `None` if they are singular.
fn normal(rows: &[Vec<f64>], times: &[f64], chosen: &[usize]) -> Option<Vec<f64>> {
    let size = chosen.len();
    // Columns are scaled to length 1: factors may be as far apart as seconds and seconds per byte.
    let scaled = |row: &[f64], time: f64| -> Vec<f64> { chosen.iter().map(|at| row[*at] / time).collect() };
    let scaled: Vec<Vec<f64>> = rows.iter().zip(times).map(|(row, time)| scaled(row, *time)).collect();
    let length = |at: usize| scaled.iter().map(|row| row[at] * row[at]).sum::<f64>().sqrt();
    let lengths: Vec<f64> = (0..size).map(length).collect();
    if lengths.contains(&0.0) {
        return None;
    }
    let entry = |row: &Vec<f64>, at: usize| row[at] / lengths[at];
    let mut matrix = vec![vec![0.0; size + 1]; size];
    for row in &scaled {
        for a in 0..size {
            for b in 0..size {
                matrix[a][b] += entry(row, a) * entry(row, b);
            }
            matrix[a][size] += entry(row, a);
        }
    }
    for column in 0..size {
        let pivot =
            (column..size).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-9 {
            return None;
        }
        matrix.swap(column, pivot);
        for row in 0..size {
            if row != column {
                let factor = matrix[row][column] / matrix[column][column];
                for at in column..=size {
                    matrix[row][at] -= factor * matrix[column][at];
                }
            }
        }
    }
    Some((0..size).map(|at| matrix[at][size] / matrix[at][at] / lengths[at]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_come_back_and_are_not_negative() {
        let rows: Vec<Vec<f64>> = (1..8).map(|k| vec![1.0, f64::from(k), f64::from(k * k) * 1e6]).collect();
        let times: Vec<f64> = rows.iter().map(|row| product(row, &[2e-5, 3e-6, 4e-12])).collect();
        for (found, wanted) in fit(&rows, &times).0.iter().zip([2e-5, 3e-6, 4e-12]) {
            assert!((found / wanted - 1.0).abs() < 1e-6, "{found} {wanted}");
        }
        // Times that fall with the second column: its factor is zero.
        let rows = vec![vec![1.0, 1.0], vec![1.0, 2.0]];
        let (found, _) = fit(&rows, &[2.0, 1.0]);
        assert_eq!(found[1], 0.0);
    }
}
