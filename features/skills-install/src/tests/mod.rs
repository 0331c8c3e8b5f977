//! Bundles are installed into real directories; `fixture` makes both, each file proves one side of SPEC 9.

#![allow(clippy::unwrap_used)] // helpers of tests may panic as tests may

#[cfg(unix)]
mod child;
mod document;
mod fixture;
mod flat;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod kill;
mod lifecycle;
mod meanwhile;
mod states;
mod stubs;
mod takeover;
#[cfg(unix)]
mod together;
