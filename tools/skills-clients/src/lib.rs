//! Predicts which parts of a directory the clients of agents load: skills by the rules of each client
//! ([`outlook`]), and plugins ([`plugin`]). Used by `skills check --for` and `skills plugin`.

pub mod outlook;
pub mod plugin;
