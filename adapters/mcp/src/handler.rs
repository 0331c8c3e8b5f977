//! Dispatches requests of the protocol to the other modules. Called by rmcp.

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, ConstString, CustomRequest, CustomResult, ErrorCode,
    GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult,
    InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourcesResult, ListSkillsResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerConfig,
    SubscribeRequestMethod, SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestMethod,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::call;
use crate::charge::charge;
use crate::offer::{prompt, resource, skill, tool};
use crate::server::Server;

type Context = RequestContext<RoleServer>;

/// The supported methods.
const METHODS: [&str; 13] = [
    "initialize",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/directory/read",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "skills/get",
    "skills/list",
    "tools/call",
    "tools/list",
];

/// The methods that are supported only if changes are reported.
const SUBSCRIBING: [&str; 3] = ["resources/subscribe", "resources/unsubscribe", "subscriptions/listen"];

/// The methods that exist in sessions, but not in requests since 2026-07-28.
const REMOVED: [&str; 4] = ["initialize", "ping", "resources/subscribe", "resources/unsubscribe"];

/// How long a list of tools or prompts may be used without asking again, in milliseconds.
const LIST_TTL: u64 = 60_000;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        self.config()
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        self.begin().await?;
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let place = self.place(&context.extensions);
        self.notify(context.peer, place);
    }

    async fn subscribe(&self, request: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        self.require_changes::<SubscribeRequestMethod>()?;
        self.follow(&request.uri)
    }

    async fn unsubscribe(&self, request: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        self.require_changes::<UnsubscribeRequestMethod>()?;
        self.unfollow(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.accepted(requested)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.notify_listener(&context).await
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let (page, next) =
            tool::page(&self.shared.runner()?, cursor(request.as_ref()), tool::has_extension(&context))?;
        let mut result = ListToolsResult::with_all_items(page);
        result.next_cursor = next;
        (result.ttl_ms, result.cache_scope) = freshness(&context);
        charge(&context, &result)?;
        Ok(result)
    }

    /// Finds a tool. rmcp uses its schema to compare the headers of a request with its arguments.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        tool::find(&self.shared.runner().ok()?, name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(call::call(self, request, context).await?.into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let (page, next) = prompt::page(&self.shared.runner()?, cursor(request.as_ref()))?;
        let mut result = ListPromptsResult::with_all_items(page);
        result.next_cursor = next;
        (result.ttl_ms, result.cache_scope) = freshness(&context);
        charge(&context, &result)?;
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let result = prompt::get(&self.shared.runner()?, &request)?;
        charge(&context, &result)?;
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let (page, next) = resource::page(&self.shared.runner()?, cursor(request.as_ref()))?;
        let mut result = ListResourcesResult::with_all_items(page);
        result.next_cursor = next;
        charge(&context, &result)?;
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = resource::read(&self.shared.runner()?, &request.uri)?;
        charge(&context, &contents)?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: Context,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let cursor = request.cursor.as_deref();
        let (page, next) = resource::directory(&self.shared.runner()?, &request.uri, cursor)?;
        let mut result = ListResourcesResult::with_all_items(page);
        result.next_cursor = next;
        charge(&context, &result)?;
        Ok(result)
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListSkillsResult, ErrorData> {
        let (page, next) = skill::page(&self.shared.runner()?, cursor(request.as_ref()))?;
        let mut result = ListSkillsResult::with_all_items(page);
        result.next_cursor = next;
        charge(&context, &result)?;
        Ok(result)
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: Context,
    ) -> Result<GetSkillResult, ErrorData> {
        let result = GetSkillResult::new(skill::get(&self.shared.runner()?, &request.uri)?);
        charge(&context, &result)?;
        Ok(result)
    }

    /// Answers requests that rmcp could not parse. The method may be unknown, or known with invalid
    /// parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Context,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        // The method was removed in the protocol revision of the request.
        let is_gone = REMOVED.contains(&method.as_str()) && is_new(&context);
        let is_served = METHODS.contains(&method.as_str())
            || (self.shared.reporting.is_some() && SUBSCRIBING.contains(&method.as_str()));
        Err(if is_served && !is_gone {
            ErrorData::invalid_params(format!("the parameters of {method} are malformed"), None)
        } else {
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)
        })
    }
}

impl Server {
    /// Checks that a method is available, for methods that need change reports.
    fn require_changes<M: ConstString>(&self) -> Result<(), ErrorData> {
        if self.shared.reporting.is_some() { Ok(()) } else { Err(ErrorData::method_not_found::<M>()) }
    }
}

/// Returns the hints of the revision 2026-07-28 for caches of a list: how long a client may use it without asking
/// again, and that no proxy may share it. A client that listens for changes is notified sooner. For other answers,
/// rmcp tells clients not to keep them: the digests in an old list of skills may differ from the files.
fn freshness(context: &Context) -> (Option<u64>, Option<CacheScope>) {
    match is_new(context) {
        true => (Some(LIST_TTL), Some(CacheScope::Private)),
        false => (None, None),
    }
}

/// Returns `true` if a request is of the revision 2026-07-28 or a later one.
fn is_new(context: &Context) -> bool {
    context.meta.protocol_version().is_some_and(|version| !version.has_initialize())
}

fn cursor(request: Option<&PaginatedRequestParams>) -> Option<&str> {
    request?.cursor.as_deref()
}
