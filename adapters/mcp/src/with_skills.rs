//! Adds the skills of a [`Server`] to the MCP server that a program already has.
#![expect(deprecated, reason = "clients of older revisions of the protocol send these requests")]

use std::borrow::Cow;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CancelledNotificationParam,
    CompleteRequestParams, CompleteResult, Cursor, CustomNotification, CustomRequest, CustomResult,
    ErrorCode, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult,
    GetTaskParams, GetTaskResult, InitializeRequestParams, InitializeResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, Prompt, ProtocolVersion,
    ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult, ReadResourceRequestParams,
    ReadResourceResponse, Resource, ServerCapabilities, ServerConfig, SetLevelRequestParams, Skill,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::server::Server;

type Context = RequestContext<RoleServer>;

/// Begins the cursors of pages of skills. All other cursors belong to the program's own server.
const CURSOR: &str = "skills:";

/// A server of a program, with skills added: their tools, prompts and resources follow its own in each list. A name
/// that both have is the program's.
///
/// It is a handler of rmcp like the program's own. So the program serves it over its transports, and passes the
/// messages that rmcp accepts to it. Changes of skills are not reported to clients.
///
/// ```
/// # use rmcp::ServerHandler;
/// # fn skills_of_the_program(own: impl ServerHandler, runner: skills_call::Runner) -> impl ServerHandler {
/// use skills_mcp::{Server, WithSkills};
///
/// WithSkills::new(own, Server::new(runner)) // `.serve(stdio()).await?`
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct WithSkills<H> {
    own: H,
    skills: Server,
}

impl<H: ServerHandler> WithSkills<H> {
    /// Adds the skills of a server to a handler.
    pub fn new(own: H, skills: Server) -> Self {
        Self { own, skills }
    }

    /// Returns the program's own handler.
    pub fn own(&self) -> &H {
        &self.own
    }

    /// Returns `true` if a tool is one of the skills', and not of the program.
    fn is_tool_of_skills(&self, name: &str) -> bool {
        self.own.get_tool(name).is_none() && self.skills.get_tool(name).is_some()
    }

    /// Adds the capabilities that the skills need.
    fn add_capabilities(&self, own: &mut ServerCapabilities) {
        let skills = self.skills.config().capabilities;
        own.tools = own.tools.take().or(skills.tools);
        own.prompts = own.prompts.take().or(skills.prompts);
        own.resources = own.resources.take().or(skills.resources);
        own.extensions.get_or_insert_default().extend(skills.extensions.unwrap_or_default());
    }
}

/// Returns the request for a page of skills, if that is requested: its cursor begins with [`CURSOR`].
fn requested_skills(request: Option<&PaginatedRequestParams>) -> Option<Option<PaginatedRequestParams>> {
    let cursor = request?.cursor.as_deref()?.strip_prefix(CURSOR)?;
    Some(Some(PaginatedRequestParams::default().with_cursor(Some(cursor.to_owned()))))
}

/// Returns the cursor of a page of skills for the client.
fn to_client(next: Option<Cursor>) -> Option<Cursor> {
    next.map(|cursor| format!("{CURSOR}{cursor}"))
}

/// Returns `true` if an error says that there is nothing with a name, or no such method.
fn is_unknown(error: &ErrorData) -> bool {
    matches!(
        error.code,
        ErrorCode::METHOD_NOT_FOUND | ErrorCode::INVALID_PARAMS | ErrorCode::RESOURCE_NOT_FOUND
    )
}

/// The maximum number of pages of the program that are read to find names that skills must not repeat.
const MAX_OWN_PAGES: usize = 100;

/// Lists the program's own items, and after their last page the items of the skills, without the names of the program.
macro_rules! list_both {
    ($self:ident, $request:ident, $context:ident, $list:ident, $items:ident, $is_same:expr) => {{
        let of_skills = requested_skills($request.as_ref());
        let mut page = match &of_skills {
            Some(_) => Default::default(),
            None => own_page($self.own.$list($request.clone(), $context.clone()).await)?,
        };
        if page.next_cursor.is_some() {
            return Ok(page);
        }
        let mut own = page.$items.clone();
        if $request.is_some() {
            own.clear();
            let mut next = None;
            for _ in 0..MAX_OWN_PAGES {
                let read = own_page($self.own.$list(next, $context.clone()).await)?;
                own.extend(read.$items);
                let Some(cursor) = read.next_cursor else { break };
                next = Some(PaginatedRequestParams::default().with_cursor(Some(cursor)));
            }
        }
        let skills = $self.skills.$list(of_skills.flatten(), $context).await?;
        let is_same = $is_same;
        page.$items
            .extend(skills.$items.into_iter().filter(|item| !own.iter().any(|own| is_same(own, item))));
        page.next_cursor = to_client(skills.next_cursor);
        Ok(page)
    }};
}

/// Returns a page of the program's own list; an empty one if the program has no such list.
fn own_page<T: Default>(page: Result<T, ErrorData>) -> Result<T, ErrorData> {
    match page {
        Err(error) if error.code == ErrorCode::METHOD_NOT_FOUND => Ok(T::default()),
        page => page,
    }
}

impl<H: ServerHandler> ServerHandler for WithSkills<H> {
    fn get_info(&self) -> ServerConfig {
        let mut config = self.own.get_info();
        self.add_capabilities(&mut config.capabilities);
        config
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.own.initialize(request, context).await?;
        self.add_capabilities(&mut result.capabilities);
        Ok(result)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.own.supported_protocol_versions()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        list_both!(self, request, context, list_tools, tools, |own: &Tool, item: &Tool| own.name == item.name)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.own.get_tool(name).or_else(|| self.skills.get_tool(name))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        if self.is_tool_of_skills(&request.name) {
            return self.skills.call_tool(request, context).await;
        }
        self.own.call_tool(request, context).await
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        list_both!(self, request, context, list_prompts, prompts, |own: &Prompt, item: &Prompt| own.name
            == item.name)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        match self.own.get_prompt(request.clone(), context.clone()).await {
            Err(error) if is_unknown(&error) => {
                self.skills.get_prompt(request, context).await.map_err(|_| error)
            }
            answer => answer,
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        list_both!(self, request, context, list_resources, resources, |own: &Resource, item: &Resource| own
            .uri
            == item.uri)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.own.list_resource_templates(request, context).await
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match self.own.read_resource(request.clone(), context.clone()).await {
            Err(error) if is_unknown(&error) => self.skills.read_resource(request, context).await,
            answer => answer,
        }
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: Context,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        match self.own.read_resource_directory(request.clone(), context.clone()).await {
            Err(error) if is_unknown(&error) => self.skills.read_resource_directory(request, context).await,
            answer => answer,
        }
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListSkillsResult, ErrorData> {
        list_both!(self, request, context, list_skills, skills, |own: &Skill, item: &Skill| own.uri
            == item.uri)
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: Context,
    ) -> Result<GetSkillResult, ErrorData> {
        match self.own.get_skill(request.clone(), context.clone()).await {
            Err(error) if is_unknown(&error) => self.skills.get_skill(request, context).await,
            answer => answer,
        }
    }

    async fn ping(&self, context: Context) -> Result<(), ErrorData> {
        self.own.ping(context).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        self.own.complete(request, context).await
    }

    async fn set_level(&self, request: SetLevelRequestParams, context: Context) -> Result<(), ErrorData> {
        self.own.set_level(request, context).await
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.own.accepted_subscription_filter(requested)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.own.listen(context).await
    }

    async fn subscribe(&self, request: SubscribeRequestParams, context: Context) -> Result<(), ErrorData> {
        self.own.subscribe(request, context).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: Context,
    ) -> Result<(), ErrorData> {
        self.own.unsubscribe(request, context).await
    }

    async fn get_task(&self, request: GetTaskParams, context: Context) -> Result<GetTaskResult, ErrorData> {
        self.own.get_task(request, context).await
    }

    async fn update_task(&self, request: UpdateTaskParams, context: Context) -> Result<(), ErrorData> {
        self.own.update_task(request, context).await
    }

    async fn cancel_task(&self, request: CancelTaskParams, context: Context) -> Result<(), ErrorData> {
        self.own.cancel_task(request, context).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Context,
    ) -> Result<CustomResult, ErrorData> {
        self.own.on_custom_request(request, context).await
    }

    async fn on_cancelled(
        &self,
        notification: CancelledNotificationParam,
        context: NotificationContext<RoleServer>,
    ) {
        self.own.on_cancelled(notification, context).await;
    }

    async fn on_progress(
        &self,
        notification: ProgressNotificationParam,
        context: NotificationContext<RoleServer>,
    ) {
        self.own.on_progress(notification, context).await;
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.own.on_initialized(context).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.own.on_roots_list_changed(context).await;
    }

    async fn on_custom_notification(
        &self,
        notification: CustomNotification,
        context: NotificationContext<RoleServer>,
    ) {
        self.own.on_custom_notification(notification, context).await;
    }
}
