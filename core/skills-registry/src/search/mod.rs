//! Full-text search for skills, with an index that is written with the tables and read in place.
//!
//! ```text
//! CompiledSkill… -> write -> section, terms        (when tables are written)
//! query -> words -> Query -> postings -> Hits
//! ```
//!
//! The score is BM25 over the fields of a skill, each with a weight (BM25F); the rest of a long body is
//! a field with its own length. The contribution of each term to each skill is computed when the index is written, so that a look-up
//! only adds numbers and does not allocate. For skills on disk, the index is computed at the first search.

mod find;
mod hits;
mod numbers;
mod stem;
mod terms;
mod vocabulary;
mod write;

pub use hits::{Hit, Hits, ranked};
pub(crate) use write::{IndexedTexts, SearchIndex, write};
