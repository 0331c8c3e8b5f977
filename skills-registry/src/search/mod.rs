//! A sentence becomes the skills it asks for: an index that is written with the tables and read where it lies (SPEC 16.1).
//!
//! ```text
//! Material… -> write -> section, terms        (when tables are written)
//! query -> words -> terms -> postings -> Hits
//! ```
//!
//! The measure is BM25 over the fields of a skill, each with a weight. What a skill adds for a term is worked out when
//! the index is written, so that a look-up adds numbers and allocates nothing.

mod distance;
mod find;
mod hits;
mod numbers;
mod stem;
mod terms;
mod vocabulary;
mod write;

pub use hits::{Hit, Hits, order_hits, ranked};
pub(crate) use write::write;
