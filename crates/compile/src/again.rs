//! The part of the work that a plan has done again, for figures.
//!
//! Input: a function before and behind what makes values again. Output: for each place in the source and name of an
//! instruction, which part of those that stand there are copies: layers that call the same function share a place.

use meshwright_ir::diagnostic::Span;
use meshwright_ir::program::Function;
use rustc_hash::FxHashMap;

/// Parts of the instructions at places that run again.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgainParts(FxHashMap<(Span, &'static str), f64>);

impl AgainParts {
    /// Those of a function that was made of one with `before`, in which less runs again.
    pub(crate) fn between(Counts(before): &Counts, behind: &Function) -> Self {
        let Counts(behind) = Counts::of(behind);
        let part = |(place, count): (&(Span, &'static str), &usize)| {
            let own = before.get(place).copied().unwrap_or(0);
            (own > 0 && own < *count).then(|| (*place, 1.0 - own as f64 / *count as f64))
        };
        // Into a map again: the order does not matter.
        #[allow(clippy::iter_over_hash_type)]
        Self(behind.iter().filter_map(part).collect())
    }

    /// The part at a place, from 0 to 1.
    pub(crate) fn at(&self, span: Span, name: &str) -> f64 {
        // Names are those of ops, which live as long as the program.
        self.0.get(&(span, name)).copied().unwrap_or(0.0)
    }
}

/// Numbers of instructions that stand for something in the source, by place and name.
pub(crate) struct Counts(FxHashMap<(Span, &'static str), usize>);

impl Counts {
    /// Those of a function.
    pub(crate) fn of(function: &Function) -> Self {
        let mut counts = FxHashMap::default();
        for inst in function.body.insts.values().filter(|inst| inst.span != Span::NONE) {
            *counts.entry((inst.span, inst.op.name())).or_default() += 1;
        }
        Self(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_transform::flatten;
    use meshwright_transform::recompute::MadeAgain;

    #[test]
    fn half_of_what_stands_twice_runs_again() {
        let text = "
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.tanh %x : tensor<8xf32>
  %1 = stablehlo.exponential %0 : tensor<8xf32>
  %2 = stablehlo.add %1, %0 : tensor<8xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}";
        let program = meshwright_ir::text::read(&Source::new("test", text)).unwrap();
        let flat = flatten(&program).unwrap();
        let body = &flat.function.body;
        let named = |name: &str| body.insts.iter().find(|(_, inst)| inst.op.name() == name).unwrap();
        let (reader, _) = named("stablehlo.multiply");
        let (_, exponential) = named("stablehlo.exponential");
        let again: MadeAgain = [(exponential.results[0], reader)].into();
        let parts = AgainParts::between(&Counts::of(&flat.function), &flat.recomputed(&again).function);
        assert_eq!(parts.at(exponential.span, "stablehlo.exponential"), 0.5);
        assert_eq!(parts.at(named("stablehlo.tanh").1.span, "stablehlo.tanh"), 0.0);
    }
}
