//! Systems of a few linear equations.

/// The solution x of `matrix` x = `right`, by elimination with partial pivoting. `None` if it is not unique.
pub(crate) fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let len = right.len();
    for column in 0..len {
        let pivot = (column..len).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column] == 0.0 || !matrix[pivot][column].is_finite() {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let (done, below) = matrix.split_at_mut(column + 1);
        let pivot_row = &done[column];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[column] / pivot_row[column];
            row[column..].iter_mut().zip(&pivot_row[column..]).for_each(|(entry, above)| *entry -= factor * above);
            right[column + 1 + offset] -= factor * right[column];
        }
    }
    for row in (0..len).rev() {
        let known: f64 = (row + 1..len).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2y + z = 7, x + y = 3, x − z = −2: x = 1, y = 2, z = 3.
    #[test]
    fn three_equations_match_hand_computation() {
        let matrix = vec![vec![0.0, 2.0, 1.0], vec![1.0, 1.0, 0.0], vec![1.0, 0.0, -1.0]];
        let solution = solve(matrix, vec![7.0, 3.0, -2.0]).unwrap();
        assert!(solution.iter().zip([1.0, 2.0, 3.0]).all(|(found, expected)| (found - expected).abs() < 1e-12));
        assert_eq!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], vec![1.0, 2.0]), None);
    }
}
