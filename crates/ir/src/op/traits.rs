//! Traits of an op, in MLIR's sense: what holds of it whatever its operands are.

/// Flow of values through an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataFlow {
    /// Only as its sharding rule says.
    None,
    /// Result i is operand i.
    Identity,
    /// Operand i, argument i of each region, what the last region returns as value i, and result i are one value.
    Loop,
    /// Result i is what one of the regions returns as value i.
    Branches,
    /// Argument i of the region is operand i, result i what it returns as value i.
    Region,
}

/// Ways in which an op that is not made element by element shares a kernel with others, where a compiler does that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fusing {
    /// In none: it is a kernel of its own.
    Alone,
    /// Whatever reads its result can fetch the elements of its operands itself.
    Fetches,
    /// What it reads can be made inside of it, and its results are written to memory.
    Ends,
}

/// Traits of an op. Most have [`OpTraits::NONE`], or one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpTraits {
    /// Flow of values through its regions, or through it as they are. Regions of a loop take and return whole values
    /// that it carries; those of an op through which nothing flows are functions of single elements (reducers).
    pub data_flow: DataFlow,
    /// Each element of its results depends on the elements at the same place of its operands alone, in the same way for
    /// every shape: `evaluate` then takes operands of any one shape, whatever the types say.
    pub is_elementwise: bool,
    /// It may stand for other ops, which [`OpDef::expand`](super::OpDef::expand) then writes out.
    pub is_short_form: bool,
    /// What it passes back is not what that of which it stands passes back: reverse mode takes it as it is.
    pub has_own_derivative: bool,
    /// It moves data between devices.
    pub is_collective: bool,
    /// It runs its only callee on its operands and gives what that returns.
    pub is_call: bool,
    /// It does more than compute its results, so that it must stay where it is even if nobody reads them.
    pub has_side_effects: bool,
    /// Dim i of each result comes from dim i of the operands of its rank, whichever positions it takes or puts: on local
    /// operands, whose dims need not be whole, such a dim still is what it was.
    pub keeps_dims: bool,
    /// How it shares a kernel with others.
    pub fusing: Fusing,
    /// Reason why the compiler cannot spread it over devices yet; `None` if it can.
    pub refusal: Option<&'static str>,
}

impl OpTraits {
    /// None of them.
    pub const NONE: Self = Self {
        data_flow: DataFlow::None,
        is_elementwise: false,
        is_short_form: false,
        has_own_derivative: false,
        is_collective: false,
        is_call: false,
        has_side_effects: false,
        keeps_dims: false,
        fusing: Fusing::Alone,
        refusal: None,
    };

    /// Those of an elementwise op.
    pub const ELEMENTWISE: Self = Self { is_elementwise: true, ..Self::NONE };

    /// Those of an op that stands for others.
    pub const SHORT_FORM: Self = Self { is_short_form: true, ..Self::NONE };

    /// Those of a collective.
    pub const COLLECTIVE: Self = Self { is_collective: true, ..Self::NONE };

    /// Those of a call.
    pub const CALL: Self = Self { is_call: true, ..Self::NONE };
}

impl Default for OpTraits {
    fn default() -> Self {
        Self::NONE
    }
}

/// Order and direction in which shardings propagate through an op, next to others: first through what keeps all dims, last
/// out of a broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpPriority {
    /// At first, both ways; the op is elementwise.
    Elementwise,
    /// At first, both ways; the op only arranges elements anew.
    PassThrough,
    /// At first, from operands to results only.
    Forward,
    /// Later; from operands to results at the very last.
    Expanding,
    /// Later.
    Other,
}

/// Variation of the first result along one of its dims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// That of the operands: the op does the same at all positions, so that where all elements of the operands along the
    /// dim are equal, those of the result are.
    AsOperands,
    /// The same; and where no operand has the dim, all elements are equal.
    Repeated,
    /// Its own: the op does something else at each position.
    Own,
}
