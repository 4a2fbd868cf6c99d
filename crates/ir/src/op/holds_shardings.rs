//! Interface of the few ops that hold shardings themselves, rather than in the attribute `sdy.sharding`.

use crate::sharding::ShardingAttr;

/// Shardings that an op itself gives to its results, and to the arguments of its region.
pub trait HoldsShardings {
    /// The sharding of a result.
    fn result(&self, index: usize) -> Option<&ShardingAttr>;

    /// The sharding of an argument of its region. Default: none.
    fn argument(&self, index: usize) -> Option<ShardingAttr> {
        let _ = index;
        None
    }

    /// All of them, to be changed.
    fn all_mut(&mut self) -> Vec<&mut ShardingAttr>;

    /// Gives a result a sharding; false if it holds none of results. Where it has to begin a list of them, the others are
    /// open, `ranks` being the ranks of all results.
    fn set_result(&mut self, index: usize, ranks: &[usize], sharding: ShardingAttr) -> bool;

    /// Gives an argument of its region a sharding, likewise. Default: it holds none of arguments.
    fn set_argument(&mut self, index: usize, ranks: &[usize], sharding: ShardingAttr) -> bool {
        let _ = (index, ranks, sharding);
        false
    }
}
