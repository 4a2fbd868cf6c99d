//! Synthesis (to come).
