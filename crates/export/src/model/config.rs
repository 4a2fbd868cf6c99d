//! What frameworks want to know of positions, as the configuration says it.
//!
//! Input: the text of a configuration that was read already. Output: numbers of it, and [`Rotary`].

use super::{Rotary, Scaling};
use meshwright_models::json::{self, Kind, Value};

/// What frameworks want to know as the configuration says it. It was read, and so is known to be right.
pub(super) struct Config(Option<Value>);

impl Config {
    pub(super) fn read(text: &str) -> Self {
        let outer = json::read(text).ok();
        let inner = outer.as_ref().filter(|outer| outer.get("hidden_size").is_none());
        let inner = inner.and_then(|outer| outer.get("text_config")).cloned();
        Self(inner.or(outer))
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_ref()?.get(name)
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.number()
    }

    /// The base of rotary positions in layers that see a window, where it is one of its own.
    pub(super) fn local_theta(&self, model: &meshwright_models::Model) -> Option<f64> {
        let of_kind = self.get("rope_parameters").and_then(|kinds| kinds.get("sliding_attention"));
        let documented = model.defaults.iter().find(|(name, _)| name == "rope_local_base_freq");
        let documented = documented.and_then(|(_, value)| value.parse().ok());
        of_kind
            .and_then(|kind| kind.get("rope_theta")?.number())
            .or(self.number("rope_local_base_freq"))
            .or(documented)
    }

    pub(super) fn rotary(&self, model: &meshwright_models::Model, share: f64) -> Rotary {
        let documented = model.defaults.iter().find(|(name, _)| name == "rope_theta");
        let documented = documented.and_then(|(_, value)| value.parse().ok()).unwrap_or(10_000.0);
        let is_object = |given: &&Value| matches!(given.kind, Kind::Object(_));
        let given = ["rope_parameters", "rope_scaling"].map(|name| self.get(name).filter(is_object));
        let given = given.into_iter().flatten().next();
        let given = given.map(|given| given.get("full_attention").unwrap_or(given));
        let number = |name: &str| given.and_then(|given| given.get(name)?.number());
        let theta = number("rope_theta")
            .or(self.number("rope_theta"))
            .or(self.number("rotary_emb_base"))
            .unwrap_or(documented);
        let kind = given.and_then(|given| given.get("rope_type").or(given.get("type")));
        let kind =
            kind.and_then(|kind| if let Kind::Text(kind) = &kind.kind { Some(kind.as_str()) } else { None });
        let scaling = match kind {
            None | Some("default") => Scaling::None,
            Some("llama3") => Scaling::Llama3 {
                factor: number("factor").unwrap_or(8.0),
                low: number("low_freq_factor").unwrap_or(1.0),
                high: number("high_freq_factor").unwrap_or(4.0),
                original: number("original_max_position_embeddings").unwrap_or(8192.0) as usize,
            },
            Some("yarn") => Scaling::Yarn {
                factor: number("factor").unwrap_or(1.0),
                original: number("original_max_position_embeddings").map(|positions| positions as usize),
                turns: [number("beta_fast").unwrap_or(32.0), number("beta_slow").unwrap_or(1.0)],
                scales: [number("mscale"), number("mscale_all_dim")],
                is_truncated: given.and_then(|given| given.get("truncate")).map(|flag| &flag.kind)
                    != Some(&Kind::Flag(false)),
            },
            Some("linear") => Scaling::Linear { factor: number("factor").unwrap_or(1.0) },
            Some(other) => Scaling::Other(other.to_owned()),
        };
        Rotary { theta, share, scaling }
    }
}
