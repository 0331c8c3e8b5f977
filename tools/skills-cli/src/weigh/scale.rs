//! Counts and estimates the tokens of each text of a skill that a model may receive, and how far the estimates are off.

use std::iter::Sum;

use skills_load::Layers;
use skills_registry::{Prompt, Skill, Style, ToolFormat, estimated_tokens};
use skills_runtime::tools::{LoadSkillTool, SkillTool, definition_of};

#[cfg(not(feature = "tokens"))]
pub(super) use crate::absent::TOKENIZER;
#[cfg(not(feature = "tokens"))]
use crate::absent::tokens;
use skills_commands::client::Client;

/// The interfaces, in the order of the columns.
pub(super) const FORMATS: [ToolFormat; 5] = [
    ToolFormat::OpenAi,
    ToolFormat::OpenAiResponses,
    ToolFormat::Anthropic,
    ToolFormat::Gemini,
    ToolFormat::Mcp,
];

/// The weight of a text: its tokens, counted and estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    pub(super) bytes: usize,
    pub(super) tokens: usize,
    pub(super) estimate: usize,
}

impl Weight {
    fn new(text: &str) -> Self {
        Self { bytes: text.len(), tokens: tokens(text), estimate: estimated_tokens(text.len()) }
    }

    /// Returns the error of the estimate as a fraction of the tokens, or `None` for a text without tokens.
    pub(super) fn error(self) -> Option<f64> {
        let [estimate, tokens] = [self.estimate, self.tokens]
            .map(|count| u32::try_from(count).map_or(f64::from(u32::MAX), f64::from));
        (self.tokens > 0).then(|| estimate / tokens - 1.0)
    }
}

impl Sum for Weight {
    fn sum<I: Iterator<Item = Self>>(weights: I) -> Self {
        weights.fold(Self::default(), |sum, weight| Self {
            bytes: sum.bytes + weight.bytes,
            tokens: sum.tokens + weight.tokens,
            estimate: sum.estimate + weight.estimate,
        })
    }
}

#[derive(Clone, Debug)]
pub(super) struct SkillWeight {
    pub(super) name: String,
    /// Whether it is not trusted, so that no model receives it.
    pub(super) is_untrusted: bool,
    /// The name, the description and the place in the catalog. Zero if the skill is not listed.
    pub(super) entry: Weight,
    /// The text that is loaded.
    pub(super) body: Weight,
    /// The text files by path, heaviest first.
    pub(super) files: Vec<(String, Weight)>,
    /// The tool definition in each interface that supports the skill, in the order of [`FORMATS`].
    pub(super) tools: [Option<Weight>; FORMATS.len()],
}

impl SkillWeight {
    pub(super) fn files_total(&self) -> Weight {
        self.files.iter().map(|(_, weight)| *weight).sum()
    }

    /// Returns the sum of entry, body and files. The tool definition is not included because it is another
    /// way to offer the same skill.
    pub(super) fn total(&self) -> Weight {
        [self.entry, self.body, self.files_total()].into_iter().sum()
    }

    pub(super) fn largest_tool(&self) -> Weight {
        self.tools.iter().flatten().max_by_key(|weight| weight.tokens).copied().unwrap_or_default()
    }
}

/// The weight of all skills.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    pub(super) skills: Vec<SkillWeight>,
    /// The catalog that a model receives, within its budget, by style.
    pub(super) catalogs: Vec<(&'static str, Weight)>,
    /// The tools that load skills, by name and interface.
    pub(super) loaders: Vec<(&'static str, [Option<Weight>; FORMATS.len()])>,
}

impl Scale {
    /// Weighs some skills, which are sorted by name.
    pub(super) fn weigh(layers: &Layers, skills: Vec<Skill<'_>>) -> Self {
        // Assume a client with all capabilities: a model, and each function of the host.
        let client = Client { has_host: true, ..Client::new(layers) };
        let all = Prompt::new(Style::Skills).grant(&|_| true);
        let weighed = skills.iter().map(|skill| {
            let files = skill.resources().filter(|file| file.path() != "SKILL.md");
            let mut files: Vec<(String, Weight)> =
                files.filter_map(|file| Some((file.path().to_owned(), Weight::new(file.text()?)))).collect();
            files.sort_by_key(|(_, weight)| std::cmp::Reverse(weight.tokens));
            SkillWeight {
                name: skill.name().to_owned(),
                is_untrusted: !layers.trust(*skill).may_run(),
                entry: Weight::new(&all.entry(*skill)),
                body: Weight::new(skill.body()),
                files,
                tools: by_format(|format| {
                    definition_of(&client, *skill, format).ok().map(|text| Weight::new(&text))
                }),
            }
        });
        let offered = skills.iter().copied().filter(|skill| layers.trust(*skill).may_run());
        let catalogs = Style::ALL.map(|style| {
            let prompt = Prompt::new(style).budget(layers.catalog_budget()).grant(&|_| true);
            (style.as_str(), Weight::new(&prompt.render(offered.clone())))
        });
        let load = LoadSkillTool::granted(offered.clone(), &|_| true).budget(layers.catalog_budget());
        let skill = SkillTool::granted(offered.clone(), &|_| true).map(SkillTool::into_reader);
        let offered = [Some(load.into_reader()), skill].into_iter().flatten().filter(|tool| !tool.is_empty());
        let loaders = offered.map(|tool| {
            (tool.name(), by_format(|format| Some(Weight::new(&tool.definition(format).to_string()))))
        });
        let loaders = loaders.collect();
        Self { skills: weighed.collect(), catalogs: catalogs.into(), loaders }
    }

    /// Returns the weight of all tool definitions in each interface. A model gets none of a skill that is not trusted.
    pub(super) fn tools(&self) -> [Weight; FORMATS.len()] {
        let trusted = self.skills.iter().filter(|skill| !skill.is_untrusted);
        std::array::from_fn(|at| trusted.clone().filter_map(|skill| skill.tools[at]).sum())
    }

    /// Returns every counted text by kind.
    pub(super) fn texts(&self) -> [(&'static str, Vec<Weight>); 4] {
        let skills = self.skills.iter();
        [
            ("entries", skills.clone().map(|skill| skill.entry).collect()),
            ("bodies", skills.clone().map(|skill| skill.body).collect()),
            ("files", skills.clone().flat_map(|skill| &skill.files).map(|(_, weight)| *weight).collect()),
            ("tools", skills.flat_map(|skill| skill.tools.iter().flatten()).copied().collect()),
        ]
    }
}

fn by_format(weigh: impl Fn(ToolFormat) -> Option<Weight>) -> [Option<Weight>; FORMATS.len()] {
    FORMATS.map(weigh)
}

#[cfg(feature = "tokens")]
/// The name of the method that counts tokens.
pub(super) const TOKENIZER: &str = "o200k_base";

#[cfg(feature = "tokens")]
/// Counts the tokens of a text by the vocabulary of the newest OpenAI models. Text that looks like a special
/// token is counted as plain text, because it comes from a file.
fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text)
}

pub(super) const PERCENTILES: [usize; 7] = [1, 5, 25, 50, 75, 95, 99];

/// Returns the number of texts and the percentiles of the estimation error by the nearest-rank method.
/// Returns `None` if no text has tokens.
pub(super) fn spread(weights: &[Weight]) -> Option<(usize, [f64; PERCENTILES.len()])> {
    let mut errors: Vec<f64> = weights.iter().filter_map(|weight| weight.error()).collect();
    errors.sort_by(f64::total_cmp);
    let last = errors.len().checked_sub(1)?;
    let percentiles = PERCENTILES.map(|percent| {
        let rank = (percent * errors.len()).div_ceil(100).saturating_sub(1);
        errors.get(rank.min(last)).copied().unwrap_or_default()
    });
    Some((errors.len(), percentiles))
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 16.18: counts published by the authors of the tokenizer
    #[cfg(feature = "tokens")]
    #[test]
    fn tokens_are_counted() {
        for (text, count) in [
            ("", 0),
            ("hello world", 2),
            ("tiktoken is great!", 6),
            ("お誕生日おめでとう", 8),
            ("antidisestablishmentarianism", 6),
        ] {
            assert_eq!(tokens(text), count, "{text}");
        }
        assert!(tokens("<|endoftext|>") > 1, "what a file says is no control");
    }

    // SPEC 16.18
    #[test]
    fn percentiles_use_the_nearest_rank() {
        let weights: Vec<Weight> =
            (1..=100).map(|estimate| Weight { bytes: 0, tokens: 100, estimate }).collect();
        let (count, errors) = spread(&weights).expect("there are some");
        let shown: Vec<String> = errors.iter().map(|error| format!("{error:.2}")).collect();
        assert_eq!((count, shown.join(" ").as_str()), (100, "-0.99 -0.95 -0.75 -0.50 -0.25 -0.05 -0.01"));
        assert_eq!(spread(&[Weight::default()]), None);
    }
}
