//! `stablehlo.send` and `stablehlo.recv` (specification, one section each): values from one device to another, or from
//! and to the host.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Channel, Context, Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::Type;

use super::collective::{Ids, read_channel, read_pairs_opt, set_channel, set_pairs};
use super::token::token;

/// One end of a transfer. Its token operand and result order it among others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SendRecv {
    /// Whether it sends; otherwise it receives.
    pub is_send: bool,
    /// Handle and type of the channel: 1 is device to device, 2 device to host, 3 host to device.
    pub channel: [i64; 2],
    /// Whether the other end is the host, if given.
    pub is_host_transfer: Option<bool>,
    /// Source and target devices, if given.
    pub pairs: Option<Vec<[i64; 2]>>,
}

impl OpDef for SendRecv {
    const NAMES: &'static [&'static str] = &["stablehlo.send", "stablehlo.recv"];

    fn name(&self) -> &'static str {
        Self::NAMES[usize::from(!self.is_send)]
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self {
            is_send: name == "stablehlo.send",
            channel: read_channel(attributes)?.ok_or("attribute `channel_handle` is missing")?,
            is_host_transfer: attributes.bool_opt("is_host_transfer")?,
            pairs: read_pairs_opt(attributes)?,
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        set_channel(&mut attributes, Some(self.channel));
        if let Some(is_host_transfer) = self.is_host_transfer {
            attributes.set("is_host_transfer", Attr::Bool(is_host_transfer));
        }
        if let Some(pairs) = &self.pairs {
            set_pairs(&mut attributes, pairs);
        }
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.num_regions(view, 0);
        let (operands, results): (Vec<&Type>, Vec<&Type>) =
            (view.operand_types().collect(), view.result_types().collect());
        let tensors_and_token = |types: &[&Type]| match types.split_last() {
            Some((last, rest)) => **last == Type::Token && rest.iter().all(|ty| ty.as_tensor().is_some()),
            None => false,
        };
        let is_host = self.is_host_transfer == Some(true);
        let (fits, word) = match (is_host, self.is_send) {
            (false, _) => (self.channel[1] == 1, "DEVICE_TO_DEVICE (1)"),
            (true, true) => (self.channel[1] == 2, "DEVICE_TO_HOST (2)"),
            (true, false) => (self.channel[1] == 3, "HOST_TO_DEVICE (3)"),
        };
        violations
            .require(fits, || format!("C5: the channel's type should be {word}, not {}", self.channel[1]));
        if self.is_send {
            violations.require(tensors_and_token(&operands), || {
                "I1-I2: takes tensors and a token behind them".into()
            });
            violations.require(results == [&Type::Token], || "the result should be a token".into());
        } else {
            violations.require(operands == [&Type::Token], || "I1: takes one token".into());
            violations.require(tensors_and_token(&results), || {
                "C2-C4: the results should be tensors and a token behind them".into()
            });
        }
    }

    fn infer(&self, _: &Given<'_>) -> Option<Vec<Type>> {
        self.is_send.then(|| vec![Type::Token])
    }

    fn traits(&self) -> OpTraits {
        OpTraits { has_side_effects: true, ..OpTraits::NONE }
    }

    fn evaluate(&self, Evaluation { view, mut inputs, cx }: Evaluation<'_>) -> Evaluated {
        inputs.pop();
        let channels = self.channels(cx);
        if self.is_send {
            for channel in channels {
                cx.send(channel, inputs.clone())?;
            }
            return Ok(vec![token()]);
        }
        let Some(channel) = channels.into_iter().next() else {
            let message = format!("device {} receives, but nobody sends to it", cx.device());
            return Err(EvalError::new(message));
        };
        let mut results = cx.receive(channel)?;
        check_received(&format!("channel {}", self.channel[0]), &results, view)?;
        results.push(token());
        Ok(results)
    }
}

/// Errors: the values that came over a way are not those that the instruction, whose last result is a token, declares.
pub(super) fn check_received(way: &str, values: &[Tensor], view: &InstView<'_>) -> Result<(), EvalError> {
    let list = |types: Vec<String>| if types.is_empty() { "nothing".to_owned() } else { types.join(", ") };
    let num_received = view.inst.results.len().saturating_sub(1);
    let declared = list(view.result_types().take(num_received).map(ToString::to_string).collect());
    let carried = list(values.iter().map(|value| value.ty().to_string()).collect());
    if carried == declared {
        return Ok(());
    }
    Err(EvalError::new(format!("{way} carries {carried}, but {declared} is received")))
}

impl SendRecv {
    /// The channels whose one end this device is: through the host, or one for each pair that it is in.
    fn channels(&self, cx: &dyn Context) -> Vec<Channel> {
        let [handle, _] = self.channel;
        let Some(pairs) = self.pairs.as_ref().filter(|pairs| !pairs.is_empty()) else {
            return vec![Channel { handle, ends: None }];
        };
        let pairs: Vec<[usize; 2]> = pairs
            .iter()
            .filter_map(|[source, target]| {
                Some([usize::try_from(*source).ok()?, usize::try_from(*target).ok()?])
            })
            .collect();
        let ids = Ids::of_partitions(Some(self.channel)).that_fit(pairs.iter().flatten(), cx);
        let ends = pairs.iter().filter_map(|pair| <[usize; 2]>::try_from(ids.devices(pair, cx)).ok());
        let own = ends.filter(|ends| ends[usize::from(!self.is_send)] == cx.device());
        own.map(|ends| Channel { handle, ends: Some(ends) }).collect()
    }
}
