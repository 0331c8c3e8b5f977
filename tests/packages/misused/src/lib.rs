//! Programs that must not compile; each has the beginning of its errors beside it.
