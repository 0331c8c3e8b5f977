//! Tests callable skills in a crate that renames the facade, shadows the standard library, and names skills
//! like keywords.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, rust_2018_idioms)]
#![deny(missing_debug_implementations, clippy::all)]
#![allow(dead_code, unused_macros)]
#![forbid(unsafe_code)]

struct Result;
struct String;
struct Option;
struct Vec;
struct Box;
struct Send;
struct Context;
struct Runner;
struct Failure;
trait Future {}
trait Input {}
trait Output {}
trait Json {}
trait FnMut {}
mod core {}
mod alloc {}

mod first {
    agent_kit::skills!("../functions");
}

mod second {
    agent_kit::skills!("../functions", allow(name_mismatch));
}

mod third {
    agent_kit::skills!("../prompts");
}

// SPEC 18.20: own items take precedence over those of the bundle.
mod own {
    agent_kit::skills!("../functions");

    mod call {
        pub(super) const OWN: u8 = 1;
    }
    struct Bundle;
    trait Host {}
    impl Host for Bundle {}

    mod inner {
        #[allow(unused_imports)]
        use super::*;
        agent_kit::skills!("../prompts");
        pub(in super::super) const LEN: usize = 1;
        pub(in super::super) fn len() -> usize {
            SKILLS.len()
        }
    }

    pub(super) fn check() {
        assert_eq!((call::OWN, SKILLS.len(), inner::len()), (1, 10, inner::LEN));
    }
}

/// A host of two bundles.
#[derive(Clone, Debug)]
struct Agent(&'static str);

type Answer<T> = ::std::result::Result<T, agent_kit::Failure>;

/// Defines the methods of one bundle: each returns its own name.
macro_rules! host {
    ($bundle:ident: $($method:ident)*) => {
        impl $bundle::Host for Agent {
            $(async fn $method(
                &self,
                input: $bundle::$method::Input,
                context: &agent_kit::Context,
            ) -> Answer<$bundle::$method::Output> {
                let text = format!("{} {} {} {}", self.0, stringify!($method), input.text, context.depth());
                Ok($bundle::$method::Output { text })
            })*
        }
    };
}
host!(first: host call with runner type_ async_ clone);
host!(second: host call with runner type_ async_ clone);

fn main() {
    own::check();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let runner: agent_kit::Runner<first::Bundle> = first::SKILLS.with(Agent("A"));
        let text = "x".to_owned();
        let output: first::with::Output = runner.call(first::with::Input { text }).await.unwrap();
        assert_eq!(output.text, "A with x 0");
        let other = second::SKILLS.with(Agent("B"));
        for (skill, expected) in [
            ("host", "B host y 0"),
            ("call", "B call y 0"),
            ("runner", "B runner y 0"),
            ("type", "B type_ y 0"),
            ("async", "B async_ y 0"),
            ("clone", "B clone y 0"),
            ("all", "B type_ B host y 1 1"),
        ] {
            let text = format!(r#"{{"text":"{expected}"}}"#);
            let outcome = other.call_text(skill, r#"{"text":"y"}"#, ::std::default::Default::default()).await;
            assert_eq!(outcome.unwrap().output, text);
            assert_eq!(first::SKILLS.get(skill).unwrap().name(), skill);
        }
        assert_eq!(first::SKILLS.with.name(), "with");
        assert_eq!(first::SKILLS.runner.name(), "runner");
        for skill in ["host", "clone"] {
            let alone = first::SKILLS.runner();
            let message = alone.call_text(skill, r#"{"text":"y"}"#, ::std::default::Default::default()).await;
            let message = message.unwrap_err().to_string();
            assert!(message.ends_with(") has no host function and no exec"), "{message}");
        }
        let bundle = first::bundle::Input { text: "hello".to_owned() };
        assert_eq!(bundle.prompt().unwrap(), "Say hello.\n");
        let input = first::input::Input { text: "hello".to_owned() };
        assert!(matches!(input.prompt(), Ok(::std::borrow::Cow::Borrowed("Always the same.\n"))));
        let alone = third::SKILLS.runner();
        let say = alone.call(third::say::Input { text: ::std::default::Default::default() });
        assert_eq!(say.await.unwrap_err().to_string(), "Skill \"say\" (llm) has no model");
    });
    println!("caller: ok");
}
