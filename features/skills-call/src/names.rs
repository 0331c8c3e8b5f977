//! The names that generated code uses to make the skills of a bundle callable.

pub use core::future::Future;
pub use core::marker::{Send, Sync};
pub use core::ops::FnMut;
pub use core::option::Option::{self, None, Some};
pub use core::primitive::bool;
pub use core::primitive::str;
pub use core::result::Result;
pub use std::borrow::Cow;
pub use std::string::String;

pub use skills_template::Tree;
pub use skills_template::pipeline::{Pipeline, Step};
pub use skills_template::render::{Json, Number, Plain, Shape, Typed};

pub use super::serve::{Prompt, Serving, fixed_prompt, hosted, prompt, runner, serve};
pub use super::{Context, Dispatch, Failure, Input, Output, Runner};
pub use skills_runtime::layers::{Function, Functions};
pub use skills_runtime::typed::{Checked, Checker, Invalid, from_checked};
