//! What does not fit because others do not.
//!
//! Input: combinations that do not fit, with what they need. Output: whether another one is hopeless. A device holds a part
//! that is the same in all numbers of microbatches, and one for each example of a microbatch, of which as many are in flight
//! as there are groups: `need = held + examples / microbatches`, which two combinations tell. Groups have the fewer layers the
//! more there are, so that all of them need about as much with as many microbatches for each, unless there are so few devices
//! that dims divide over some groups and not over others.

use meshwright_machine::Bytes;

use super::FEW_DEVICES;

/// What is thought to need so many times the memory does not fit.
const FAR: f64 = 1.25;

/// The same where that is told by other numbers of groups.
const FARTHER: f64 = 2.0;

/// Combinations that do not fit into so much memory.
#[derive(Clone)]
pub(super) struct Lacking {
    limit: Bytes,
    /// Whether numbers of groups tell of one another.
    are_alike: bool,
    /// Groups, microbatches, and bytes that they need.
    known: Vec<(usize, usize, Bytes)>,
}

impl Lacking {
    pub(super) fn new(limit: Bytes, devices: usize) -> Self {
        Self { limit, are_alike: devices > FEW_DEVICES, known: Vec::new() }
    }

    /// Notes that a combination needs so much; nothing where it is not known how much.
    pub(super) fn note(&mut self, groups: usize, microbatches: usize, needed: Bytes) {
        if needed < Bytes(u64::MAX) {
            self.known.push((groups, microbatches, needed));
            self.known.sort_unstable();
        }
    }

    /// Whether so many groups and microbatches would need far too much.
    pub(super) fn is_hopeless(&self, groups: usize, microbatches: usize) -> bool {
        let too_much = FAR * self.limit.0 as f64;
        let far_too_much = |(others, fewer, needed): &(usize, usize, Bytes)| {
            let is_alike =
                self.are_alike && *others > 1 && groups > 1 && microbatches * others <= fewer * groups;
            is_alike && needed.0 as f64 > FARTHER * self.limit.0 as f64
        };
        if self.known.iter().any(far_too_much) {
            return true;
        }
        let own: Vec<(f64, f64)> = self
            .known
            .iter()
            .filter(|own| own.0 == groups)
            .map(|(_, count, needed)| (*count as f64, needed.0 as f64))
            .collect();
        let count = microbatches as f64;
        if own.iter().any(|(fewer, needed)| count <= *fewer && *needed > too_much) {
            return true;
        }
        let [.., (few, most), (many, least)] = own[..] else { return false };
        let of_examples = ((most - least) / (1.0 / few - 1.0 / many)).max(0.0);
        let held = least - of_examples / many;
        count > many && held + of_examples / count > too_much
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_microbatches_and_what_does_not_shrink_are_hopeless() {
        let mut lacking = Lacking::new(Bytes(100), 64);
        assert!(!lacking.is_hopeless(2, 1));
        lacking.note(2, 4, Bytes(200));
        assert!(lacking.is_hopeless(2, 2) && lacking.is_hopeless(2, 4));
        assert!(!lacking.is_hopeless(2, 8) && !lacking.is_hopeless(4, 2));
        // As many for each group need as much: three times the memory is far.
        lacking.note(8, 8, Bytes(300));
        assert!(lacking.is_hopeless(4, 4) && lacking.is_hopeless(16, 16) && lacking.is_hopeless(16, 8));
        assert!(!lacking.is_hopeless(16, 32) && !lacking.is_hopeless(1, 1));
        // Half of it is of examples: 80 would be left of these.
        lacking.note(2, 8, Bytes(120));
        assert!(!lacking.is_hopeless(2, 16));
        lacking.note(4, 8, Bytes(200));
        lacking.note(4, 16, Bytes(190));
        assert!(lacking.is_hopeless(4, 1024));
        let mut few = Lacking::new(Bytes(100), FEW_DEVICES);
        few.note(2, 16, Bytes(300));
        assert!(few.is_hopeless(2, 8) && !few.is_hopeless(3, 2));
        // What needs hardly more than there is may do in another way.
        let mut nearly = Lacking::new(Bytes(100), 64);
        nearly.note(2, 8, Bytes(110));
        nearly.note(2, 16, Bytes(u64::MAX));
        assert!(!nearly.is_hopeless(2, 4));
    }
}
