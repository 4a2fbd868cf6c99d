//! Taking `sdy` attributes out of an op's generic form.

use super::SdyAttr;
use crate::attribute::Attr;
use crate::op::AttrReader;
use crate::sharding::ShardingAttr;
use std::sync::Arc;

impl AttrReader<'_> {
    /// A sharding; `None` when missing.
    pub fn sharding_opt(&mut self, name: &str) -> Result<Option<ShardingAttr>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Attr::Sharding(sharding)) => Ok(Some(sharding)),
            Some(other) => Err(format!("`{name}` should be #sdy.sharding<...>, found `{other}`")),
        }
    }

    /// A required sharding.
    pub fn sharding(&mut self, name: &str) -> Result<ShardingAttr, String> {
        self.sharding_opt(name)?.ok_or_else(|| format!("attribute `{name}` is missing"))
    }

    /// A list of shardings; `None` when missing.
    pub fn shardings_opt(&mut self, name: &str) -> Result<Option<Vec<ShardingAttr>>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Attr::ShardingPerValue(shardings)) => Ok(Some(shardings)),
            Some(other) => Err(format!("`{name}` should be #sdy.sharding_per_value<[...]>, found `{other}`")),
        }
    }

    /// A required attribute of the `sdy` dialect.
    pub fn sdy(&mut self, name: &str) -> Result<Arc<SdyAttr>, String> {
        match self.required(name)? {
            Attr::Sdy(attribute) => Ok(attribute),
            other => Err(format!("`{name}` should be an attribute of `sdy`, found `{other}`")),
        }
    }
}
