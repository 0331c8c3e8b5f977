//! `skills expand`: prints the formatted Rust code that is generated for a directory of skills.

use clap::Args;
use skills_build::{Form, Program, generate, host_stub};
use skills_core::catalog::{Catalog, CatalogSkill};
use skills_core::lower::sha256;
use skills_core::options::Options;
use skills_registry::NotFound;
use syn::{Fields, File, Item, ItemMacro, ItemMod, ItemStruct};

use super::origin;
use super::source::DirectoryArgument;
use skills_commands::failure::{CommandError, Ended};
use skills_commands::{failure, terminal};

#[derive(Debug, Args)]
pub(crate) struct Expand {
    #[command(flatten)]
    source: DirectoryArgument,
    /// Print only this skill: its field, and its module if it has a skill.json
    #[arg(long, value_name = "NAME")]
    skill: Option<String>,
    /// Print instead an `impl Host` to copy, with a method for each function of the host program
    #[arg(long, conflicts_with = "skill")]
    host: bool,
}

impl Expand {
    /// Prints the code that `skills!` includes if there is a build script and the features `typed` and `call`
    /// are on.
    pub(crate) fn run(mut self) -> Ended {
        self.source.or("skills");
        let catalog = origin::read(&self.source)?;
        if self.host {
            let stub = host_stub("Agent", catalog.skills());
            let stub = stub.ok_or_else(|| failure::error("no skill needs code of the program"))?;
            return Ok(terminal::text(&stub));
        }
        let mut file = file(&catalog, &self.source.label()).map_err(failure::error)?;
        if let Some(name) = &self.skill {
            let Some(skill) = catalog.skills().iter().find(|skill| skill.name == *name) else {
                let names = catalog.skills().iter().map(|skill| skill.name.as_str());
                return Err(failure::not_found(&NotFound::new(name, names)));
            };
            file.items = file.items.into_iter().filter_map(|item| keep_skill(skill, item)).collect();
        }
        Ok(terminal::text(&prettyplease::unparse(&file)))
    }
}

fn file(catalog: &Catalog, label: &str) -> Result<File, CommandError> {
    let budget = Options::default().budget();
    let (form, program) = (Form::Files("skills"), Program::default());
    let code = generate(catalog, label, form, &program, budget, &mut |_, _, bytes| sha256(bytes));
    let items = code.map_err(CommandError::new)?.items;
    let file: Result<File, _> = syn::parse2(items.into_iter().collect());
    let mut file = file.map_err(|error| format!("the generated code is not valid Rust: {error}"))?;
    file.items = std::mem::take(&mut file.items).into_iter().flat_map(unfold).collect();
    for item in &mut file.items {
        if let Item::Mod(ItemMod { content: Some((_, items)), .. }) = item {
            *items = std::mem::take(items).into_iter().flat_map(unfold).collect();
        }
    }
    Ok(file)
}

/// Takes items out of the macros that omit them without the features `typed` and `call`, because code inside
/// a macro is not formatted.
fn unfold(item: Item) -> Vec<Item> {
    match &item {
        Item::Macro(ItemMacro { mac, .. })
            if mac.path.segments.last().is_some_and(|name| name.ident == "typed" || name.ident == "call") =>
        {
            syn::parse2(mac.tokens.clone()).map_or_else(|_| vec![item], |inside: File| inside.items)
        }
        _ => vec![item],
    }
}

/// Returns the part of an item that belongs to one skill.
fn keep_skill(skill: &CatalogSkill, item: Item) -> Option<Item> {
    match item {
        Item::Mod(module) if module.ident == skill.ident => Some(Item::Mod(module)),
        Item::Struct(ItemStruct { attrs, vis, struct_token, ident, generics, fields, semi_token }) => {
            let Fields::Named(mut named) = fields else { return None };
            let fields = named.named.into_iter();
            let own = fields.filter(|field| field.ident.as_ref().is_some_and(|ident| *ident == skill.ident));
            named.named = own.collect();
            let fields = Fields::Named(named);
            Some(Item::Struct(ItemStruct { attrs, vis, struct_token, ident, generics, fields, semi_token }))
        }
        _ => None,
    }
}
