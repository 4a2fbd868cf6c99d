//! Reading `sdy`: shardings, meshes, axes, sharding rules, and the dialect's other attributes.
//!
//! Input: the text behind an attribute's name, or what `sdy` ops write between their words. Output: typed attributes.

use super::lexer::TokenKind;
use super::module::ATTRIBUTES;
use super::parser::{Parsed, Parser, SYNTAX};
use crate::attribute::{Attr, Attributes};
use crate::ids::RegionId;
use crate::mesh::{Axis, Mesh};
use crate::program::MeshDecl;
use crate::sdy::rule_attr::{DimFactors, FactorName, factors_of};
use crate::sdy::{AllToAllParam, AxisEdge, EdgeValue, OpShardingRule, PropagationStep, SdyAttr, edges};
use crate::sharding::{AxisRefAttr, DimShardingAttr, MeshRef, Reduction, ShardingAttr};
use std::sync::Arc;

impl<'s> Parser<'s> {
    /// `sdy.mesh @name = <["x"=2]>`, or `"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "name"}> : () -> ()`.
    pub(super) fn mesh(&mut self, position: usize) -> Parsed<MeshDecl> {
        let token = self.bump();
        let (mesh, attributes, span);
        if token.kind == TokenKind::String {
            (mesh, attributes) = self.generic_mesh()?;
            span = self.since(token.start);
        } else {
            let name = self.symbol()?;
            self.expect(b'=')?;
            mesh = self.mesh_body(name)?;
            span = self.since(token.start);
            attributes = self.attr_dict_opt()?;
        }
        let location = self.location_opt()?;
        Ok(MeshDecl { mesh, attributes, position, span, location })
    }

    /// What stands behind `"sdy.mesh"`.
    fn generic_mesh(&mut self) -> Parsed<(Mesh, Attributes)> {
        let span = self.here();
        self.operand_list()?;
        let mut attributes = if self.eat(b'<') {
            let properties = self.attr_dict()?;
            self.expect(b'>')?;
            properties
        } else {
            Attributes::new()
        };
        for (name, value) in self.attr_dict_opt()?.iter() {
            attributes.set(name, value.clone());
        }
        let (name, mesh) = (attributes.remove("sym_name"), attributes.remove("mesh"));
        self.colon_function_type()?;
        match (name, mesh) {
            (Some(Attr::String(name)), Some(Attr::Sdy(attribute))) => match &*attribute {
                SdyAttr::Mesh(mesh) => {
                    let mut mesh = mesh.clone();
                    mesh.name = name.to_string();
                    Ok((mesh, attributes))
                }
                other => self.fail(ATTRIBUTES, span, format!("`mesh` should be a mesh, found `{other}`"), ""),
            },
            _ => self.fail(ATTRIBUTES, span, "`sdy.mesh` needs a `sym_name` and a `mesh`", ""),
        }
    }

    /// `(%arg: type) { ... }`, as `sdy` prints regions.
    pub fn region_behind_arguments(&mut self) -> Parsed<RegionId> {
        let args = self.list(b'(', b')', |p| {
            let argument = p.typed_argument()?;
            // MLIR reads attributes of such arguments, and forgets them.
            p.attr_dict_opt()?;
            p.location_opt()?;
            Ok(argument)
        })?;
        self.region_with(&args)
    }

    /// `#sdy.name<...>` or `#sdy<name...>`; the current token is `#sdy.name` or `#sdy`.
    pub(super) fn sdy_attribute(&mut self) -> Parsed<Attr> {
        let token = self.bump();
        if let Some(name) = self.text(token).strip_prefix("#sdy.") {
            return self.sdy_named(name);
        }
        self.expect(b'<')?;
        let name = self.word("the name of an `sdy` attribute")?;
        let attribute = self.sdy_named(name)?;
        self.expect(b'>')?;
        Ok(attribute)
    }

    fn sdy_named(&mut self, name: &str) -> Parsed<Attr> {
        let span = self.since(self.last_end.saturating_sub(name.len()));
        let attribute = match name {
            "sharding" => return Ok(Attr::Sharding(self.angled_sharding()?)),
            "sharding_per_value" => {
                return self.angled(|p| p.angled_shardings().map(Attr::ShardingPerValue));
            }
            "mesh" => SdyAttr::Mesh(self.mesh_body(String::new())?),
            "mesh_axis" => SdyAttr::MeshAxis(self.mesh_axis()?),
            "sub_axis_info" => {
                let (pre_size, size) = self.sub_axis_info()?;
                SdyAttr::SubAxisInfo(pre_size, size)
            }
            "axis_ref" => SdyAttr::AxisRef(self.axis_ref()?),
            "axis_ref_list" => SdyAttr::AxisRefList(self.axis_list()?),
            "list_of_axis_ref_lists" => SdyAttr::AxisRefLists(self.axis_lists()?),
            "manual_axes" => SdyAttr::ManualAxes(self.manual_axes()?),
            "dimension_sharding" => SdyAttr::DimSharding(self.dim_sharding()?),
            "all_to_all_param" => SdyAttr::AllToAllParam(self.all_to_all_param()?),
            "all_to_all_param_list" => SdyAttr::AllToAllParams(self.all_to_all_params()?),
            "dim_mapping" => SdyAttr::DimMapping(self.dim_factors()?),
            "tensor_mapping" => SdyAttr::TensorMapping(self.list(b'[', b']', Self::dim_factors)?),
            "op_sharding_rule" => SdyAttr::Rule(self.angled(Self::op_sharding_rule)?),
            "edge_value_ref" => SdyAttr::EdgeValue(self.edge_value()?),
            "axis_to_propagation_details" => SdyAttr::AxisEdge(self.axis_edge()?),
            "propagation_one_step" => SdyAttr::PropagationStep(self.propagation_step()?),
            "propagation_edges" => {
                let steps = self.angled(|p| p.filled_list(b'[', b']', Self::propagation_step))?;
                if let Some(problem) = edges::problems(&steps) {
                    return self.fail(ATTRIBUTES, span, format!("`propagation_edges`: {problem}"), "");
                }
                SdyAttr::PropagationEdges(steps)
            }
            _ => return self.fail(SYNTAX, span, format!("there is no attribute `{name}` in `sdy`"), ""),
        };
        Ok(Attr::Sdy(Arc::new(attribute)))
    }

    /// `<...>`.
    fn angled<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect(b'<')?;
        let inner = inner(self)?;
        self.expect(b'>')?;
        Ok(inner)
    }

    /// A list of at least one item.
    fn filled_list<T>(
        &mut self,
        open: u8,
        close: u8,
        item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let span = self.here();
        let items = self.list(open, close, item)?;
        if items.is_empty() {
            return self.fail(SYNTAX, span, "this list should not be empty", "");
        }
        Ok(items)
    }

    /// `<@mesh, [{"x"}, {?}]>`, or the attribute in full.
    pub fn angled_sharding(&mut self) -> Parsed<ShardingAttr> {
        if self.token.kind != TokenKind::Hash {
            return self.angled(Self::sharding);
        }
        let span = self.here();
        match self.attribute()? {
            Attr::Sharding(sharding) => Ok(sharding),
            other => self.fail(SYNTAX, span, format!("expected a sharding, found `{other}`"), ""),
        }
    }

    /// What `take` makes of an attribute of the dialect written in full, where its short form may stand too; `None` if
    /// the short form comes.
    fn in_full<T>(&mut self, what: &str, take: fn(&SdyAttr) -> Option<T>) -> Parsed<Option<T>> {
        if self.token.kind != TokenKind::Hash {
            return Ok(None);
        }
        let span = self.here();
        let attribute = self.attribute()?;
        let taken = match &attribute {
            Attr::Sdy(inner) => take(inner),
            _ => None,
        };
        match taken {
            Some(taken) => Ok(Some(taken)),
            None => self.fail(SYNTAX, span, format!("expected {what}, found `{attribute}`"), ""),
        }
    }

    /// `[<@mesh, [...]>, <@mesh, [...]>]`.
    pub fn angled_shardings(&mut self) -> Parsed<Vec<ShardingAttr>> {
        self.list(b'[', b']', Self::angled_sharding)
    }

    /// The inside of `#sdy.sharding<...>`.
    fn sharding(&mut self) -> Parsed<ShardingAttr> {
        let mesh = match self.eat_word("mesh") {
            true => MeshRef::Inline(Arc::new(self.mesh_body(String::new())?)),
            false => {
                let span = self.here();
                let name = self.symbol()?;
                if name.contains("::@") {
                    return self.fail(SYNTAX, span, "a mesh has a name of one part, such as `@mesh`", "");
                }
                MeshRef::Symbol(name)
            }
        };
        self.expect(b',')?;
        let dims = self.list(b'[', b']', Self::dim_sharding)?;
        let (mut replicated, mut unreduced, mut reduction) = (Vec::new(), Vec::new(), Reduction::Sum);
        while self.eat(b',') {
            let target = match self.token.kind {
                TokenKind::Bare if self.at_word("replicated") && replicated.is_empty() => {
                    self.bump();
                    self.expect(b'=')?;
                    &mut replicated
                }
                TokenKind::Bare if self.at_word("unreduced") && unreduced.is_empty() => {
                    self.bump();
                    if self.eat(b'=') {
                        reduction = self.reduction_opt().unwrap_or(Reduction::Sum);
                    }
                    &mut unreduced
                }
                _ => return self.expected("`replicated={...}` or `unreduced={...}`, each once"),
            };
            *target = self.filled_list(b'{', b'}', Self::axis_ref)?;
        }
        Ok(ShardingAttr { mesh, dims, replicated, unreduced, reduction })
    }

    /// `sum`, `max` or `min`.
    pub fn reduction_opt(&mut self) -> Option<Reduction> {
        let known = [Reduction::Sum, Reduction::Max, Reduction::Min];
        known.into_iter().find(|reduction| self.eat_word(reduction.name()))
    }

    /// `{"x", ?}p1`.
    fn dim_sharding(&mut self) -> Parsed<DimShardingAttr> {
        let full = self.in_full("the sharding of a dim", |attribute| match attribute {
            SdyAttr::DimSharding(dim) => Some(dim.clone()),
            _ => None,
        })?;
        if let Some(dim) = full {
            return Ok(dim);
        }
        let mut dim = DimShardingAttr::default();
        self.list(b'{', b'}', |p| {
            if dim.is_open {
                return p.expected("`}` after `?`");
            }
            if p.eat(b'?') {
                dim.is_open = true;
            } else {
                let axis = p.axis_ref()?;
                dim.axes.push(axis);
            }
            Ok(())
        })?;
        if self.token.kind == TokenKind::Bare {
            let digits = self.text(self.token).strip_prefix('p').unwrap_or("");
            let priority = digits.parse::<u64>().ok().filter(|priority| *priority <= i64::MAX as u64);
            if priority.is_none_or(|priority| priority.to_string() != digits) {
                return self.expected("a priority such as `p0` or `p1`");
            }
            dim.priority = priority;
            self.bump();
        }
        Ok(dim)
    }

    /// `"x"` or `"x":(2)4`.
    pub fn axis_ref(&mut self) -> Parsed<AxisRefAttr> {
        let full = self.in_full("an axis", |attribute| match attribute {
            SdyAttr::AxisRef(axis) => Some(axis.clone()),
            _ => None,
        })?;
        if let Some(axis) = full {
            return Ok(axis);
        }
        let name = self.string()?;
        let sub_axis = if self.eat(b':') { Some(self.sub_axis_info()?) } else { None };
        Ok(AxisRefAttr { name, sub_axis })
    }

    /// `(2)4`.
    fn sub_axis_info(&mut self) -> Parsed<(usize, usize)> {
        self.expect(b'(')?;
        let pre_size = self.size()?;
        self.expect(b')')?;
        Ok((pre_size, self.size()?))
    }

    /// `{"x", "y":(1)2}`.
    pub fn axis_list(&mut self) -> Parsed<Vec<AxisRefAttr>> {
        let full = self.in_full("a list of axes", |attribute| match attribute {
            SdyAttr::AxisRefList(axes) => Some(axes.clone()),
            _ => None,
        })?;
        if let Some(axes) = full {
            return Ok(axes);
        }
        self.list(b'{', b'}', Self::axis_ref)
    }

    /// `[{"x"}, {}]`.
    pub fn axis_lists(&mut self) -> Parsed<Vec<Vec<AxisRefAttr>>> {
        self.list(b'[', b']', Self::axis_list)
    }

    /// `{"x", "y"}`.
    pub fn manual_axes(&mut self) -> Parsed<Vec<String>> {
        self.list(b'{', b'}', Self::string)
    }

    /// `[{"x"}: 0->1]`.
    pub fn all_to_all_params(&mut self) -> Parsed<Vec<AllToAllParam>> {
        self.list(b'[', b']', Self::all_to_all_param)
    }

    fn all_to_all_param(&mut self) -> Parsed<AllToAllParam> {
        let axes = self.filled_list(b'{', b'}', Self::axis_ref)?;
        self.expect(b':')?;
        let source = self.int()?;
        self.arrow()?;
        Ok(AllToAllParam { axes, source, target: self.int()? })
    }

    /// `"x"=2`.
    fn mesh_axis(&mut self) -> Parsed<Axis> {
        let span = self.here();
        let name = self.string()?;
        self.expect(b'=')?;
        match self.size()? {
            0 => self.fail(ATTRIBUTES, span, format!("mesh axis \"{name}\" has size 0"), ""),
            size => Ok(Axis { name, size }),
        }
    }

    /// `<["x"=2, "y"=4], device_ids=[...]>`.
    pub(super) fn mesh_body(&mut self, name: String) -> Parsed<Mesh> {
        let full = self.in_full("a mesh", |attribute| match attribute {
            SdyAttr::Mesh(mesh) => Some(mesh.clone()),
            _ => None,
        })?;
        if let Some(mut mesh) = full {
            mesh.name = name;
            return Ok(mesh);
        }
        let start = self.token.start;
        self.expect(b'<')?;
        let axes = self.list(b'[', b']', Self::mesh_axis)?;
        let mut device_ids = Vec::new();
        if self.eat(b',') {
            self.field("device_ids")?;
            device_ids = self.sizes()?;
        }
        self.expect(b'>')?;
        Mesh::with_device_ids(name, axes, device_ids)
            .or_else(|message| self.fail(ATTRIBUTES, self.since(start), message, ""))
    }

    /// `ij`: nothing stands for no factor.
    fn dim_factors(&mut self) -> Parsed<DimFactors> {
        let full = self.in_full("the factors of a dim", |attribute| match attribute {
            SdyAttr::DimMapping(factors) => Some(factors.clone()),
            _ => None,
        })?;
        if let Some(factors) = full {
            return Ok(factors);
        }
        if self.token.kind != TokenKind::Bare {
            return Ok(Vec::new());
        }
        self.factors()
    }

    fn factors(&mut self) -> Parsed<DimFactors> {
        let span = self.here();
        let word = self.word("factors such as `i`")?;
        factors_of(word).or_else(|message| self.fail(SYNTAX, span, message, ""))
    }

    /// One factor.
    fn factor(&mut self) -> Parsed<usize> {
        let span = self.here();
        match self.factors()?.as_slice() {
            [only] => Ok(*only),
            _ => self.fail(SYNTAX, span, "one factor is meant here", "separate factors by commas"),
        }
    }

    /// The inside of `#sdy.op_sharding_rule<...>`.
    fn op_sharding_rule(&mut self) -> Parsed<OpShardingRule> {
        let tensors = |p: &mut Self| p.filled_list(b'(', b')', |p| p.list(b'[', b']', Self::dim_factors));
        let operands = tensors(self)?;
        self.arrow()?;
        let results = tensors(self)?;
        let mut rule = OpShardingRule { operands, results, ..OpShardingRule::default() };
        if self.at(b'{') {
            rule.sizes = self.factor_sizes()?;
        }
        let special = [
            ("reduction", &mut rule.reduction),
            ("need_replication", &mut rule.need_replication),
            ("permutation", &mut rule.permutation),
            ("blocked_propagation", &mut rule.blocked_propagation),
        ];
        for (word, factors) in special {
            if self.eat_word(word) {
                self.expect(b'=')?;
                *factors = self.list(b'{', b'}', Self::factor)?;
            }
        }
        if self.eat(b',') {
            self.expect_word("custom")?;
            rule.is_custom = true;
        }
        Ok(rule)
    }

    /// `{i=2, j=3}`: every factor in order.
    fn factor_sizes(&mut self) -> Parsed<Vec<i64>> {
        let mut next = 0;
        self.list(b'{', b'}', |p| {
            let span = p.here();
            let factor = p.factor()?;
            if factor != next {
                let message = format!(
                    "the size of {} comes next, not that of {}",
                    FactorName(next),
                    FactorName(factor)
                );
                return p.fail(SYNTAX, span, message, "sizes stand in the order i, j, k, ...");
            }
            next += 1;
            p.expect(b'=')?;
            p.int()
        })
    }

    /// `operand-0` or `result-1`.
    fn edge_value(&mut self) -> Parsed<EdgeValue> {
        let make = self.one_of("`operand-0` or `result-0`", |word| match word {
            "operand" => Some(EdgeValue::Operand as fn(i64) -> EdgeValue),
            "result" => Some(EdgeValue::Result as fn(i64) -> EdgeValue),
            _ => None,
        })?;
        self.expect(b'-')?;
        Ok(make(self.int()?))
    }

    /// `{"y" = operand-1 -> [operand-0, result-0]}`.
    fn axis_edge(&mut self) -> Parsed<AxisEdge> {
        self.expect(b'{')?;
        let axis = self.axis_ref()?;
        self.expect(b'=')?;
        let source = self.edge_value()?;
        self.arrow()?;
        let targets = self.filled_list(b'[', b']', Self::edge_value)?;
        self.expect(b'}')?;
        Ok(AxisEdge { axis, source, targets })
    }

    /// `{step-2 = [...]}`.
    fn propagation_step(&mut self) -> Parsed<PropagationStep> {
        self.expect(b'{')?;
        self.expect_word("step")?;
        self.expect(b'-')?;
        let step = self.int()?;
        self.expect(b'=')?;
        let edges = self.filled_list(b'[', b']', Self::axis_edge)?;
        self.expect(b'}')?;
        Ok(PropagationStep { step, edges })
    }
}
