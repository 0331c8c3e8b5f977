//! What the programs of skills leave behind is adopted by the command that runs them, and ended with it (SPEC 7.10).

#[cfg(target_os = "linux")]
use skills_exec::Adoption;

/// Adopts until what is returned is dropped; where the system does not let it, nothing is.
#[cfg(target_os = "linux")]
pub(crate) fn adopt() -> Option<Adoption> {
    skills_exec::adopt().ok()
}

/// Adopts nothing: there is no such thing here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn adopt() -> Option<()> {
    None
}
