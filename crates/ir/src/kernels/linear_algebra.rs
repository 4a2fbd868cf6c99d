//! Factorizations and solvers of LAPACK, cuSOLVER, hipSOLVER and cuBLAS, as JAX calls them
//! (`@lapack_spotrf_ffi`, `@cusolver_potrf_ffi`): routines on batches of matrices.
//!
//! The leading dims are batches and pass through; a device needs whole matrices. The routines' conventions are those
//! of the LAPACK Users' Guide (Anderson et al., 3rd ed.).

use super::factorize::{self, Triangle};
use super::{Kernel, Reference, linear_algebra_vjp, tensors};
use crate::attribute::{Attr, Attributes};
use crate::ops::custom_call::CustomCall;
use crate::ops::linear_solve::Transpose;
use crate::ops::linear_solve_eval::{System, triangular_solve};
use crate::ops::linear_solve_vjp::of_triangular_solve;
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::types::{TensorType, Type};

pub(super) struct LinearAlgebra;

/// What a routine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Routine {
    /// The Cholesky factor in the triangle that is read.
    Potrf,
    /// The solution of a triangular system.
    Trsm,
    /// `P L U`, packed, with the pivots.
    Getrf,
    /// `Q R`, packed, with the factors of the reflectors.
    Geqrf,
    /// `Q` of the packed form.
    Orgqr,
    /// Eigenvectors and eigenvalues of Hermitian matrices.
    Syevd,
    /// The permutation that pivots stand for.
    PivotsToPermutation,
    /// Others that work on each matrix for itself.
    PerMatrix,
}

impl Routine {
    fn of(target: &str) -> Option<Self> {
        let name = target.strip_suffix("_ffi").unwrap_or(target);
        if matches!(name, "cu_lu_pivots_to_permutation" | "hip_lu_pivots_to_permutation") {
            return Some(Self::PivotsToPermutation);
        }
        // LAPACK's routines have a letter for their type.
        let routine = match name.strip_prefix("lapack_") {
            Some(name) => name.strip_prefix(['s', 'd', 'c', 'z'])?,
            None => ["cusolver_", "hipsolver_", "cublas_", "hipblas_"]
                .iter()
                .find_map(|prefix| name.strip_prefix(prefix))?,
        };
        Some(match routine.trim_end_matches("_batched") {
            "potrf" => Self::Potrf,
            "trsm" => Self::Trsm,
            "getrf" => Self::Getrf,
            "geqrf" => Self::Geqrf,
            "orgqr" | "ungqr" => Self::Orgqr,
            "syevd" | "heevd" | "syevj" => Self::Syevd,
            "geev" | "gehrd" | "gees" | "gesdd" | "gesvd" | "gesvdj" | "gesvdq" | "sytrd" | "hetrd" => {
                Self::PerMatrix
            }
            _ => return None,
        })
    }

    /// Dims of each operand that are no batches.
    fn core_dims(self, operands: usize) -> Option<Vec<usize>> {
        match (self, operands) {
            (Self::Trsm, 2) => Some(vec![2, 2]),
            (Self::Orgqr, 2) => Some(vec![2, 1]),
            (Self::PivotsToPermutation, 1) => Some(vec![1]),
            (Self::Trsm | Self::Orgqr | Self::PivotsToPermutation, _) => None,
            (_, 1) => Some(vec![2]),
            _ => None,
        }
    }
}

impl Kernel for LinearAlgebra {
    fn runs(&self, target: &str) -> bool {
        Routine::of(target).is_some()
    }

    fn rule(&self, call: &CustomCall, view: &InstView<'_>) -> Option<ShardingRule> {
        let (operands, results) = tensors(view)?;
        let core = Routine::of(&call.target)?.core_dims(operands.len())?;
        let batch = batch_dims(&operands, &core)?;
        let has_batch = |tensor: &&TensorType| tensor.shape.starts_with(&batch);
        if !operands.iter().chain(&results).all(has_batch) {
            return None;
        }
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, size) in batch.iter().enumerate() {
            let everywhere = |count: usize| (0..count).map(|index| (index, dim)).collect::<Vec<_>>();
            let (operands, results) = (everywhere(operands.len()), everywhere(results.len()));
            rule.add_dim(*size, FactorKind::PassThrough, &operands, &results);
        }
        Some(rule)
    }

    fn flops(&self, _: &CustomCall, operands: &[Type], _: &[Type]) -> f64 {
        // About the cube of the matrices' sizes.
        let Some(tensor) = operands.first().and_then(Type::as_tensor) else { return 0.0 };
        let order = tensor.shape.last().copied().unwrap_or(1).max(1);
        tensor.num_elements() as f64 * order as f64
    }

    fn reference(&self, call: &CustomCall, view: &InstView<'_>) -> Option<Reference> {
        let routine = Routine::of(&call.target)?;
        let (operands, results) = tensors(view)?;
        batch_dims(&operands, &routine.core_dims(operands.len())?)?;
        let results: Vec<TensorType> = results.into_iter().cloned().collect();
        let config = Config { call: &call.attributes, inst: &view.inst.attributes };
        let triangle = config.triangle();
        let num_results = match routine {
            Routine::Potrf | Routine::Geqrf => 2,
            Routine::Getrf | Routine::Syevd => 3,
            _ => 1,
        };
        if results.len() != num_results {
            return None;
        }
        Some(match routine {
            Routine::Potrf => {
                Box::new(move |inputs, precision| factorize::potrf(&inputs[0], triangle, &results, precision))
            }
            Routine::Getrf => {
                Box::new(move |inputs, precision| factorize::getrf(&inputs[0], &results, precision))
            }
            Routine::Geqrf => {
                Box::new(move |inputs, precision| factorize::geqrf(&inputs[0], &results, precision))
            }
            Routine::Orgqr => Box::new(move |inputs, precision| {
                factorize::orgqr(&inputs[0], &inputs[1], &results, precision)
            }),
            Routine::Syevd => {
                Box::new(move |inputs, precision| factorize::syevd(&inputs[0], triangle, &results, precision))
            }
            Routine::PivotsToPermutation => {
                Box::new(move |inputs, precision| factorize::permutation(&inputs[0], &results, precision))
            }
            Routine::Trsm => {
                let system = config.system();
                Box::new(move |inputs, precision| {
                    Ok(vec![triangular_solve(&system, &inputs[0], &inputs[1], precision)?])
                })
            }
            Routine::PerMatrix => return None,
        })
    }

    fn vjp(&self, call: &CustomCall, v: &mut Vjp<'_>) -> Differentiated {
        let view = v.view();
        let routine = Routine::of(&call.target);
        if self.reference(call, &view).is_none() {
            return none_because(format!("calls `@{}`, which has no derivative", call.target));
        }
        let config = Config { call: &call.attributes, inst: &view.inst.attributes };
        let (is_lower, system) = (config.triangle() == Triangle::Lower, config.system());
        linear_algebra_vjp::of_real(v)?;
        match routine {
            Some(Routine::Potrf) => linear_algebra_vjp::potrf(v, is_lower),
            Some(Routine::Getrf) => linear_algebra_vjp::getrf(v),
            Some(Routine::Syevd) => linear_algebra_vjp::syevd(v, is_lower),
            Some(Routine::Geqrf) => return linear_algebra_vjp::geqrf(v),
            Some(Routine::Orgqr) => return linear_algebra_vjp::orgqr(v),
            Some(Routine::Trsm) => return of_triangular_solve(v, system),
            Some(Routine::PivotsToPermutation | Routine::PerMatrix) | None => {}
        }
        Ok(())
    }
}

/// The leading dims that all operands share.
fn batch_dims(operands: &[&TensorType], core: &[usize]) -> Option<Vec<usize>> {
    let mut batches = operands.iter().zip(core).map(|(tensor, core)| {
        let rank = tensor.rank().checked_sub(*core)?;
        Some(&tensor.shape[..rank])
    });
    let first = batches.next()??;
    batches.all(|batch| batch == Some(first)).then(|| first.to_vec())
}

/// The configuration of a call: the dictionary of its own, or the one that JAX keeps beside it.
struct Config<'a> {
    call: &'a Attributes,
    inst: &'a Attributes,
}

impl Config<'_> {
    fn get(&self, name: &str) -> Option<&Attr> {
        let given = [self.call.get("backend_config"), self.inst.get("mhlo.backend_config")];
        let fields = given.into_iter().find_map(|attribute| match attribute {
            Some(Attr::Dict(fields)) => Some(fields),
            _ => None,
        })?;
        fields.get(name)
    }

    /// The triangle of a matrix that is read.
    fn triangle(&self) -> Triangle {
        match self.flag("lower", "uplo", b'L') {
            false => Triangle::Upper,
            true => Triangle::Lower,
        }
    }

    /// The system of equations that is solved.
    fn system(&self) -> System {
        let transpose = match self.letter("trans_x") {
            Some(b'T') => Transpose::Transpose,
            Some(b'C') => Transpose::Adjoint,
            _ => Transpose::NoTranspose,
        };
        System {
            left_side: self.flag("left_side", "side", b'L'),
            lower: self.triangle() == Triangle::Lower,
            unit_diagonal: self.flag("unit_diagonal", "diag", b'U'),
            transpose,
        }
    }

    /// LAPACK's letter under `name`.
    fn letter(&self, name: &str) -> Option<u8> {
        u8::try_from(self.get(name)?.as_int()?).ok()
    }

    /// A flag: a boolean under one name, or whether LAPACK's letter under another is `letter`.
    fn flag(&self, name: &str, letter_name: &str, letter: u8) -> bool {
        match self.get(name) {
            Some(value) => value.as_int() == Some(1),
            None => self.letter(letter_name) == Some(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routines_by_name() {
        assert_eq!(Routine::of("lapack_spotrf_ffi"), Some(Routine::Potrf));
        assert_eq!(Routine::of("lapack_cungqr_ffi"), Some(Routine::Orgqr));
        assert_eq!(Routine::of("cusolver_getrf_ffi"), Some(Routine::Getrf));
        assert_eq!(Routine::of("cublas_trsm_batched_ffi"), Some(Routine::Trsm));
        assert_eq!(Routine::of("lapack_potrf"), None);
        assert_eq!(Routine::of("Sharding"), None);
    }
}
