//! Host tensors.
