//! Counts and estimates the tokens of each text of a skill that a model may receive.

use std::iter::Sum;

use skills_load::Layers;
use skills_registry::{Prompt, Skill, Style, ToolFormat, estimated_tokens};
use skills_runtime::tools::{LoadSkillTool, SkillTool, definition_of};

use super::count::tokens;
use skills_commands::client::Client;

/// The interfaces, in the order of the columns.
pub(super) const FORMATS: [(ToolFormat, &str); 5] = [
    (ToolFormat::OpenAi, "openai"),
    (ToolFormat::OpenAiResponses, "openai-responses"),
    (ToolFormat::Anthropic, "anthropic"),
    (ToolFormat::Gemini, "gemini"),
    (ToolFormat::Mcp, "mcp"),
];

/// The weight of a text: its tokens, counted and estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    pub(super) bytes: usize,
    pub(super) tokens: usize,
    pub(super) estimate: usize,
}

impl Weight {
    fn of(text: &str) -> Self {
        Self { bytes: text.len(), tokens: tokens(text), estimate: estimated_tokens(text.len()) }
    }

    /// Returns the error of the estimate as a fraction of the tokens, or `None` for a text without tokens.
    pub(super) fn error(self) -> Option<f64> {
        let number = |count: usize| u32::try_from(count).map_or(f64::from(u32::MAX), f64::from);
        (self.tokens > 0).then(|| number(self.estimate) / number(self.tokens) - 1.0)
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
                files.filter_map(|file| Some((file.path().to_owned(), Weight::of(file.text()?)))).collect();
            files.sort_by_key(|(_, weight)| std::cmp::Reverse(weight.tokens));
            SkillWeight {
                name: skill.name().to_owned(),
                is_untrusted: !layers.trust(*skill).may_run(),
                entry: Weight::of(&all.entry(*skill)),
                body: Weight::of(skill.body()),
                files,
                tools: by_format(|format| {
                    definition_of(&client, *skill, format).ok().map(|text| Weight::of(&text))
                }),
            }
        });
        let offered = skills.iter().copied().filter(|skill| layers.trust(*skill).may_run());
        let catalogs = Style::ALL.map(|style| {
            let prompt = Prompt::new(style).budget(layers.catalog_budget()).grant(&|_| true);
            (style.as_str(), Weight::of(&prompt.render(offered.clone())))
        });
        let load = LoadSkillTool::granted(offered.clone(), &|_| true).budget(layers.catalog_budget());
        let skill = SkillTool::granted(offered.clone(), &|_| true).map(SkillTool::into_reader);
        let offered = [Some(load.into_reader()), skill].into_iter().flatten().filter(|tool| !tool.is_empty());
        let loaders = offered.map(|tool| {
            (tool.name(), by_format(|format| Some(Weight::of(&tool.definition(format).to_string()))))
        });
        let loaders = loaders.collect();
        Self { skills: weighed.collect(), catalogs: catalogs.into(), loaders }
    }

    /// Returns the weight of all tool definitions in each interface.
    pub(super) fn tools(&self) -> [Weight; FORMATS.len()] {
        std::array::from_fn(|at| self.skills.iter().filter_map(|skill| skill.tools[at]).sum())
    }

    /// Returns every counted text by kind.
    pub(super) fn texts(&self) -> [(&'static str, Vec<Weight>); 4] {
        let of = |weights: fn(&SkillWeight) -> Vec<Weight>| self.skills.iter().flat_map(weights).collect();
        [
            ("entries", of(|skill| vec![skill.entry])),
            ("bodies", of(|skill| vec![skill.body])),
            ("files", of(|skill| skill.files.iter().map(|(_, weight)| *weight).collect())),
            ("tools", of(|skill| skill.tools.iter().flatten().copied().collect())),
        ]
    }
}

fn by_format(weigh: impl Fn(ToolFormat) -> Option<Weight>) -> [Option<Weight>; FORMATS.len()] {
    FORMATS.map(|(format, _)| weigh(format))
}
