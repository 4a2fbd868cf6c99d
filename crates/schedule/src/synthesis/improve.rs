//! Tables improved by moves. The longest path through a table, from its end back to its begin, is what keeps it from
//! being shorter: an action on it is moved to an earlier place of its row, or what stands before it to a later one, and
//! what comes out is kept if it is no worse.
//!
//! Which action, and how far, is drawn from a sequence of numbers that is always the same.

use super::instance::{Id, Instance, Rows, Times};

/// Visits of actions: moves that are tried, times the actions that are timed anew for each.
const VISITS: usize = 1_500_000;

/// Furthest that an action is moved.
const FURTHEST: usize = 8;

/// Rows that are no worse, and that fit if the given ones do.
pub(super) fn improve(instance: &Instance, mut rows: Rows) -> Rows {
    let Some(mut times) = instance.timed(&rows) else { return rows };
    let mut draws = Draws(0x9e37_79b9_7f4a_7c15);
    let mut path = longest_path(instance, &rows, &times);
    for _ in 0..VISITS / instance.num_actions().max(1) {
        if path.is_empty() {
            break;
        }
        let (group, position) = path[draws.below(path.len())];
        let distance = 1 + draws.below(FURTHEST);
        let Some((from, to)) = (match draws.below(2) {
            0 => position.checked_sub(distance).map(|to| (position, to)),
            _ => position.checked_sub(1).map(|from| (from, (from + distance).min(rows[group].len() - 1))),
        }) else {
            continue;
        };
        let row = moved(&rows[group], from, to);
        if !instance.fits(&row) {
            continue;
        }
        let old = std::mem::replace(&mut rows[group], row);
        match instance.timed(&rows) {
            Some(found) if found.value <= times.value => {
                times = found;
                path = longest_path(instance, &rows, &times);
            }
            _ => rows[group] = old,
        }
    }
    rows
}

fn moved(row: &[Id], from: usize, to: usize) -> Vec<Id> {
    let mut row = row.to_vec();
    let id = row.remove(from);
    row.insert(to, id);
    row
}

/// Groups and positions of the actions that the last end waits for, one for the other.
fn longest_path(instance: &Instance, rows: &Rows, times: &Times) -> Vec<(usize, usize)> {
    let mut places = vec![(0, 0); instance.num_actions()];
    for (group, row) in rows.iter().enumerate() {
        row.iter().enumerate().for_each(|(position, id)| places[*id] = (group, position));
    }
    let value = |row: &Vec<Id>| instance.value_of_row(row, times);
    let longest = rows.iter().max_by(|one, other| value(one).total_cmp(&value(other)));
    let last = longest.and_then(|row| row.last().copied());
    let mut path = Vec::new();
    let mut at = last;
    while let Some(id) = at {
        let (group, position) = places[id];
        path.push((group, position));
        let start = times.start[id];
        let before = position.checked_sub(1).map(|before| (rows[group][before], 0.0));
        let waits = instance.needs(id).into_iter().chain([before]).flatten();
        at = waits
            .filter(|(other, seconds)| times.end[*other] + seconds >= start)
            .map(|(other, _)| other)
            .next();
    }
    path
}

/// Numbers that look random (xorshift).
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}
