//! The requests of the Skills extension (SEP-2640).

use rmcp::model::{
    ClientRequest, GetSkillRequest, GetSkillRequestParams, ListSkillsRequest, ServerResult, Skill,
};
use serde_json::Value;

use crate::connection::{Connection, Page};
use crate::error::Error;

/// The skills that a server lists (SEP-2640).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Listing {
    /// The entries, as the server sent them. Nothing in them is checked.
    pub skills: Vec<Skill>,
    /// The reasons why other entries are invalid.
    pub invalid: Vec<String>,
}

impl Connection {
    /// Returns `true` if the server declares the Skills extension (SEP-2640).
    ///
    /// # Errors
    /// See [`open`](Self::open).
    pub async fn has_skills(&self) -> Result<bool, Error> {
        Ok(self.info().await?.capabilities.supports_skills())
    }

    /// Lists the skills with `skills/list`. A server without the extension is not asked, and has none.
    ///
    /// # Errors
    /// [`Error`]
    pub async fn skills(&self) -> Result<Listing, Error> {
        if !self.has_skills().await? {
            return Ok(Listing::default());
        }
        let make = |page| {
            ClientRequest::ListSkillsRequest(ListSkillsRequest {
                method: Default::default(),
                params: Some(page),
                extensions: Default::default(),
            })
        };
        let entries = self
            .pages(make, |result| match result {
                ServerResult::ListSkillsResult(page) => {
                    Some((page.skills.into_iter().map(Ok).collect(), page.next_cursor))
                }
                // One invalid entry must not cost the client the list.
                ServerResult::CustomResult(page) => loose(page.0),
                _ => None,
            })
            .await?;
        let mut listing = Listing::default();
        for entry in entries {
            match entry {
                Ok(skill) => listing.skills.push(skill),
                Err(reason) => listing.invalid.push(reason),
            }
        }
        Ok(listing)
    }

    /// Returns the entry of one skill with `skills/get`, whether it is listed or not.
    ///
    /// # Errors
    /// [`Error`]
    pub async fn skill(&self, uri: &str) -> Result<Skill, Error> {
        let request = ClientRequest::GetSkillRequest(GetSkillRequest::new(GetSkillRequestParams::new(uri)));
        match self.request(request).await? {
            ServerResult::GetSkillResult(found) if found.skill.uri == uri => Ok(found.skill),
            _ => Err(Error::Protocol(format!("the answer for {uri} is not its entry"))),
        }
    }
}

/// Reads a page of skills, entry by entry.
fn loose(page: Value) -> Option<Page<Result<Skill, String>>> {
    let Value::Object(mut page) = page else { return None };
    let Some(Value::Array(entries)) = page.remove("skills") else { return None };
    let next = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
    Some((entries.into_iter().map(read_entry).collect(), next))
}

fn read_entry(entry: Value) -> Result<Skill, String> {
    let uri = entry["uri"].as_str().unwrap_or("an entry").to_owned();
    serde_json::from_value(entry).map_err(|error| format!("{uri}: {error}"))
}
