//! Disjoint sets over `0..count` (Tarjan, 1975). Input: pairs to join. Output: for each member its set, named by the
//! smallest member, so that names do not depend on the order of joining.

/// Sets that only grow together.
#[derive(Clone, Debug)]
pub struct UnionFind {
    parent: Vec<usize>,
}

impl UnionFind {
    /// Every member alone.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    fn root(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    /// Makes the sets of `a` and `b` one.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }

    /// The set of each member.
    pub fn sets(mut self) -> Vec<usize> {
        (0..self.parent.len()).map(|member| self.root(member)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::UnionFind;

    #[test]
    fn sets_are_named_by_their_smallest_member() {
        let mut sets = UnionFind::new(5);
        sets.join(4, 2);
        sets.join(3, 4);
        assert_eq!(sets.sets(), [0, 1, 2, 2, 2]);
    }
}
