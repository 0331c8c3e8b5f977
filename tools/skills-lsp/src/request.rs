//! Answers the requests of a client: reads the parameters, calls the module for the request, and writes the
//! result.

use std::path::PathBuf;

use lsp_server::{ErrorCode, ResponseError};
use lsp_types::notification::Notification;
use lsp_types::request::{
    CodeActionRequest, CodeActionResolveRequest, CodeLensRequest, Completion, DocumentDiagnosticRequest,
    DocumentLinkRequest, DocumentSymbolRequest, ExecuteCommand, FoldingRangeRequest, Formatting,
    GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest, References, Rename, Request,
    SemanticTokensFullRequest, SignatureHelpRequest, WorkspaceSymbolRequest,
};
use lsp_types::{
    CodeActionKind, CodeActionOrCommand, Command, CompletionResponse, DocumentDiagnosticReport,
    DocumentDiagnosticReportResult, DocumentSymbolResponse, FormattingOptions, FullDocumentDiagnosticReport,
    GotoDefinitionResponse, PrepareRenameResponse, RelatedFullDocumentDiagnosticReport, SemanticTokensResult,
    TextDocumentPositionParams, TextEdit, Uri, WorkspaceSymbolResponse,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::convert::{Encoding, Texts};
use crate::cursor::{self, Spot};
use crate::definition::Named;
use crate::index::IndexedSkill;
use crate::root::Root;
use crate::workspace::{Workspace, real};
use crate::{
    action, command, complete, convert, definition, fold, format, hint, hover, publish, rename, settings,
    signature, symbols, token,
};

/// The error that answers a request.
pub(crate) type Refusal = ResponseError;

/// Refuses a request.
pub(crate) fn refusal(code: ErrorCode, message: String) -> Refusal {
    ResponseError { code: code as i32, message, data: None }
}

/// Reads the parameters of a method.
pub(crate) fn read<P: DeserializeOwned>(method: &str, params: Value) -> Result<P, Refusal> {
    serde_json::from_value(params).map_err(|error| {
        refusal(ErrorCode::InvalidParams, format!("the parameters of `{method}` are not valid: {error}"))
    })
}

/// Reads the parameters of a notification.
pub(crate) fn read_notification<N: Notification>(params: Value) -> Result<N::Params, Refusal> {
    read(N::METHOD, params)
}

/// Answers a request with a function of its parameters.
fn with<R: Request>(
    params: Value,
    run: impl FnOnce(R::Params) -> Result<R::Result, Refusal>,
) -> Result<Value, Refusal> {
    let result = run(read(R::METHOD, params)?)?;
    serde_json::to_value(result).map_err(|error| refusal(ErrorCode::InternalError, error.to_string()))
}

/// Answers a request.
pub(crate) fn answer(workspace: &Workspace, method: &str, params: Value) -> Result<Value, Refusal> {
    match method {
        CodeActionRequest::METHOD => with::<CodeActionRequest>(params, |params| {
            let Some(document) = Document::new(workspace, &params.text_document.uri) else { return Ok(None) };
            let only = params.context.only.unwrap_or_default();
            let actions = action::actions(workspace, &document.path, params.range, &only).into_iter();
            let commands = document.commands(&params.range, &only).into_iter();
            let actions = actions.map(CodeActionOrCommand::CodeAction);
            Ok(Some(actions.chain(commands.map(CodeActionOrCommand::Command)).collect()))
        }),
        CodeActionResolveRequest::METHOD => with::<CodeActionResolveRequest>(params, |action| {
            let uri = action.data.as_ref().and_then(|data| data["uri"].as_str());
            let path = uri.and_then(convert::path);
            Ok(path.and_then(|path| action::fix_all(workspace, &real(&path))).unwrap_or(action))
        }),
        CodeLensRequest::METHOD => with::<CodeLensRequest>(params, |params| {
            let document = Document::new(workspace, &params.text_document.uri);
            Ok(document.and_then(|document| Some(command::lenses(document.root?, &document.path))))
        }),
        ExecuteCommand::METHOD => with::<ExecuteCommand>(params, |params| {
            command::execute(workspace, &params.command, &params.arguments).map(Some)
        }),
        DocumentDiagnosticRequest::METHOD => with::<DocumentDiagnosticRequest>(params, |params| {
            let items = publish::of_file(workspace, &params.text_document.uri);
            let full = FullDocumentDiagnosticReport { result_id: None, items };
            let report = RelatedFullDocumentDiagnosticReport {
                related_documents: None,
                full_document_diagnostic_report: full,
            };
            Ok(DocumentDiagnosticReportResult::Report(DocumentDiagnosticReport::Full(report)))
        }),
        InlayHintRequest::METHOD => with::<InlayHintRequest>(params, |params| {
            let document = Document::new(workspace, &params.text_document.uri);
            Ok(document.and_then(|document| Some(hint::hints(document.root?, &document.path, params.range))))
        }),
        SemanticTokensFullRequest::METHOD => with::<SemanticTokensFullRequest>(params, |params| {
            let document = Document::new(workspace, &params.text_document.uri);
            let tokens = document.and_then(|document| token::tokens(document.root?, &document.path));
            Ok(tokens.map(SemanticTokensResult::Tokens))
        }),
        SignatureHelpRequest::METHOD => with::<SignatureHelpRequest>(params, |params| {
            let at = Position::new(workspace, &params.text_document_position_params);
            let at = at.filter(|at| at.path.ends_with("skill.json"));
            Ok(at.and_then(|at| signature::signature(at.root, &at.text, at.offset)))
        }),
        DocumentLinkRequest::METHOD => with::<DocumentLinkRequest>(params, |params| {
            let document = Document::new(workspace, &params.text_document.uri);
            Ok(document.and_then(|document| Some(definition::links(document.root?, &document.path))))
        }),
        WorkspaceSymbolRequest::METHOD => with::<WorkspaceSymbolRequest>(params, |params| {
            Ok(Some(WorkspaceSymbolResponse::Nested(symbols::of_workspace(workspace, &params.query))))
        }),
        HoverRequest::METHOD => with::<HoverRequest>(params, |params| {
            let place = &params.text_document_position_params;
            if let Some(document) =
                Document::new(workspace, &place.text_document.uri).filter(Document::is_settings)
            {
                let offset = document.offset(place.position);
                return Ok(settings::hover(&document.text, offset, document.encoding));
            }
            Ok(Position::new(workspace, &params.text_document_position_params).and_then(|at| {
                let named = at.in_role().map(|(_, skill)| hover::skill(skill));
                hover::hover(at.root, &at.path, at.offset, named)
            }))
        }),
        Completion::METHOD => with::<Completion>(params, |params| {
            let place = &params.text_document_position;
            if let Some(document) =
                Document::new(workspace, &place.text_document.uri).filter(Document::is_settings)
            {
                let offset = document.offset(place.position);
                let items = settings::complete(&document.text, offset, document.encoding);
                return Ok(Some(CompletionResponse::Array(items)));
            }
            Ok(Position::new(workspace, &params.text_document_position).map(|at| {
                let items =
                    complete::complete(at.root, &at.path, &at.text, at.offset, &|| workspace.skills());
                CompletionResponse::Array(items)
            }))
        }),
        GotoDefinition::METHOD => with::<GotoDefinition>(params, |params| {
            let found =
                Position::new(workspace, &params.text_document_position_params).and_then(|at| {
                    match at.in_role() {
                        Some((home, skill)) => Some(convert::location(home, skill.place)),
                        None => definition::definition(at.root, &at.path, at.offset),
                    }
                });
            Ok(found.map(GotoDefinitionResponse::Scalar))
        }),
        References::METHOD => with::<References>(params, |params| {
            Ok(Position::new(workspace, &params.text_document_position).and_then(|at| {
                let (root, named) = at.named()?;
                let places = workspace.places(root, &named).into_iter();
                let mut texts = Texts::new(workspace.client.encoding);
                Some(places.map(|(root, span)| convert::location_in(root, span, &mut texts)).collect())
            }))
        }),
        PrepareRenameRequest::METHOD => with::<PrepareRenameRequest>(params, |params| {
            let range = Position::new(workspace, &params).and_then(|at| {
                let (home, named) = at.named()?;
                rename::prepare(workspace, (home, &named), &at.root.uri(&at.path), at.offset)
            });
            Ok(range.map(PrepareRenameResponse::Range))
        }),
        Rename::METHOD => with::<Rename>(params, |params| {
            let at = Position::new(workspace, &params.text_document_position);
            let Some((root, named)) = at.as_ref().and_then(Position::named) else {
                return Err(rename::failed(
                    "there is no name of a skill, a step or an input property at this position".to_owned(),
                ));
            };
            rename::rename(workspace, (root, &named), &params.new_name).map(Some)
        }),
        DocumentSymbolRequest::METHOD => with::<DocumentSymbolRequest>(params, |params| {
            let document = Document::new(workspace, &params.text_document.uri);
            let symbols =
                document.and_then(|document| Some(symbols::symbols(document.root?, &document.path)));
            Ok(symbols.map(DocumentSymbolResponse::Nested))
        }),
        FoldingRangeRequest::METHOD => with::<FoldingRangeRequest>(params, |params| {
            let document = Document::new(workspace, &params.text_document.uri);
            Ok(document.map(|document| fold::ranges(&document.text, document.is_json())))
        }),
        Formatting::METHOD => with::<Formatting>(params, |params| {
            let document = Document::new(workspace, &params.text_document.uri).filter(Document::is_json);
            Ok(document.and_then(|document| document.formatted(&params.options)))
        }),
        _ => Err(refusal(ErrorCode::MethodNotFound, format!("no method `{method}`"))),
    }
}

/// A text of the client, with the directory that contains it.
struct Document<'w> {
    encoding: Encoding,
    root: Option<&'w Root>,
    path: PathBuf,
    text: String,
}

impl<'w> Document<'w> {
    fn new(workspace: &'w Workspace, uri: &Uri) -> Option<Self> {
        let path = real(&convert::path(uri.as_str())?);
        let text = workspace.text(&path)?;
        Some(Self { encoding: workspace.client.encoding, root: workspace.root_of(&path), path, text })
    }

    fn is_json(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending == "json")
    }

    fn is_settings(&self) -> bool {
        self.path.file_name().is_some_and(|name| name == skills_core::read::SETTINGS_FILE)
    }

    fn offset(&self, position: lsp_types::Position) -> usize {
        self.encoding.offset(&self.text, position)
    }

    /// Returns the commands for the skill that begins in a range, for clients without code lenses.
    fn commands(&self, range: &lsp_types::Range, only: &[CodeActionKind]) -> Vec<Command> {
        let Some(root) = self.root.filter(|_| only.is_empty()) else { return Vec::new() };
        let lenses = command::lenses(root, &self.path).into_iter();
        let lenses =
            lenses.filter(|lens| (range.start.line..=range.end.line).contains(&lens.range.start.line));
        lenses.filter_map(|lens| lens.command).collect()
    }

    fn formatted(&self, options: &FormattingOptions) -> Option<Vec<TextEdit>> {
        let width = usize::try_from(options.tab_size.min(16)).unwrap_or(2);
        let unit = if options.insert_spaces { " ".repeat(width) } else { "\t".to_owned() };
        let new = format::json(&self.text, &unit).filter(|new| *new != self.text)?;
        Some(vec![self.encoding.edit(&self.text, 0..self.text.len(), new)])
    }
}

/// An offset in a text of a directory of skills or projects.
struct Position<'w> {
    workspace: &'w Workspace,
    root: &'w Root,
    path: PathBuf,
    text: String,
    offset: usize,
}

impl<'w> Position<'w> {
    fn new(workspace: &'w Workspace, place: &TextDocumentPositionParams) -> Option<Self> {
        let Document { root, path, text, .. } = Document::new(workspace, &place.text_document.uri)?;
        let offset = workspace.client.encoding.offset(&text, place.position);
        Some(Self { workspace, root: root?, path, text, offset })
    }

    /// Finds the skill that a project names here, in any directory of skills.
    fn in_role(&self) -> Option<(&'w Root, &'w IndexedSkill)> {
        match cursor::find_spot(self.root, &self.path, self.offset)? {
            Spot::Field { key, on_key: false, value, .. }
                if key == "skills" && self.path.ends_with("ROLE.md") =>
            {
                self.workspace.find(&value)
            }
            _ => None,
        }
    }

    /// Finds the skill, step or input property named here, with its directory.
    fn named(&self) -> Option<(&'w Root, Named<'w>)> {
        match self.in_role() {
            Some((home, skill)) => Some((home, Named::Skill(skill))),
            None => Some((self.root, definition::named(self.root, &self.path, self.offset)?)),
        }
    }
}
