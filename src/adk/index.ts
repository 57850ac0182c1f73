export { BaseAgent } from "./agents/base-agent.js"
export type {
  AfterAgentCallback,
  BaseAgentConfig,
  BeforeAgentCallback,
  SingleAgentCallback,
} from "./agents/base-agent.js"
export { WorkflowAgent } from "./agents/workflow-agent.js"
export type { WorkflowAgentOptions } from "./agents/workflow-agent.js"
export { RemoteA2AAgent } from "./agents/remote-a2a-agent.js"
export type { RemoteA2AAgentConfig } from "./agents/remote-a2a-agent.js"
export { WaitAgent } from "./agents/wait-agent.js"
export type { WaitAgentConfig } from "./agents/wait-agent.js"
export { HumanAgent } from "./agents/human-agent.js"
export type { HumanAgentConfig } from "./agents/human-agent.js"
export { InvocationContext } from "./agents/invocation-context.js"
export type {
  AgentGuardrails,
  GuardrailCall,
  GuardrailFunction,
  GuardrailVerdict,
  InputGuardrail,
  OutputGuardrail,
} from "./agents/guardrail-options.js"
export { LlmAgent, LlmAgent as Agent } from "./agents/llm-agent.js"
export type {
  InstructionProvider,
  LlmAgentConfig,
  SingleAfterModelCallback,
  SingleAfterToolCallback,
  SingleBeforeModelCallback,
  SingleBeforeToolCallback,
  SingleOnModelErrorCallback,
  SingleOnToolErrorCallback,
  ToolUnion,
} from "./agents/llm-agent-config.js"
export { MachineAgent } from "./agents/machine-agent.js"
export type { MachineAgentConfig } from "./agents/machine-agent.js"
export { agentActor } from "../runtime/host/user-machine/agent-actor.js"
export type { AgentActorOutput } from "../runtime/host/user-machine/agent-actor.js"
export { RoutedAgent } from "./agents/routed-agent.js"
export type { AgentRouter, RoutedAgentConfig } from "./agents/routed-agent.js"
export { LoopAgent, ParallelAgent, SequentialAgent } from "./agents/workflow-agents.js"
export type { LoopAgentConfig, ParallelAgentConfig } from "./agents/workflow-agents.js"
export { Context, ReadonlyContext } from "./context/context.js"
export type { CallbackContext, QuestionOptions, ToolContext } from "./context/context.js"
export type { ToolCall, ToolResponse } from "./callbacks/hooks.js"
export type { LlmRequest, LlmRequestConfig, LlmResponse } from "./callbacks/llm-request.js"
export type { ContentWithParts } from "./events/message-parts.js"
export { State } from "./context/state.js"
export type { Content, FunctionCall, FunctionResponse, Part } from "./events/content.js"
export { createEventActions, ToolConfirmation } from "./events/event-actions.js"
export type { EventActions } from "./events/event-actions.js"
export { toStructuredEvents } from "./events/structured-events.js"
export type { StructuredEvent } from "./events/structured-events.js"
export {
  createEvent,
  getFunctionCalls,
  getFunctionResponses,
  isFinalResponse,
  stringifyContent,
} from "./events/event.js"
export type { Event, NodeInfo, Route, RouteKey, UsageMetadata } from "./events/event.js"
export { FunctionNode, JoinNode, WorkflowNode } from "./graphs/nodes.js"
export type {
  FunctionNodeConfig,
  FunctionNodeOptions,
  NodeFunction,
  NodeHandler,
} from "./graphs/nodes.js"
export { node } from "./graphs/node.js"
export type { NodeLike, NodeOptions } from "./graphs/node.js"
export { DEFAULT_ROUTE, Edge, START } from "./graphs/edges.js"
export type { RoutingMap, WorkflowEdge } from "./graphs/edges.js"
export { ParallelWorker } from "./graphs/parallel-worker.js"
export type { ParallelWorkerOptions } from "./graphs/parallel-worker.js"
export { ToolNode } from "./graphs/tool-node.js"
export { Workflow } from "./graphs/workflow.js"
export type { WorkflowAgentConfig } from "./graphs/workflow.js"
export { BaseNode } from "./nodes/base-node.js"
export type { BaseNodeConfig, NodeFields, RetryConfig } from "./nodes/base-node.js"
export { NodeContext } from "./nodes/node-context.js"
export {
  DynamicNodeFailError,
  isDynamicNodeFailError,
  isNodeReportedError,
  isNodeSchemaValidationError,
  isNodeTimeoutError,
  isStateSchemaError,
  NodeReportedError,
  NodeSchemaValidationError,
  NodeTimeoutError,
  StateSchemaError,
} from "./nodes/node-errors.js"
export { isRequestInput, RequestInput } from "./nodes/request-input.js"
export type { RequestInputParams } from "./nodes/request-input.js"
export { BasePlugin } from "./plugins/base-plugin.js"
export type { PluginAgentCall, PluginNodeCall, PluginToolCall } from "./plugins/base-plugin.js"
export { GlobalInstructionPlugin } from "./plugins/global-instruction-plugin.js"
export { LoggingPlugin } from "./plugins/logging-plugin.js"
export { InMemoryPolicyEngine, PolicyOutcome } from "./plugins/policy-engine.js"
export type {
  BasePolicyEngine,
  PolicyCheckResult,
  ToolCallPolicyContext,
} from "./plugins/policy-engine.js"
export { SecurityPlugin } from "./plugins/security-plugin.js"
export { programOf } from "./program/program.js"
export type { AgentProgram } from "./program/program.js"
export { AgentTool } from "./agents/agent-tool.js"
export type { AgentToolConfig } from "./agents/agent-tool.js"
export { BaseTool } from "./tools/base-tool.js"
export type { BaseToolParams, FunctionDeclaration, RunAsyncToolRequest } from "./tools/base-tool.js"
export { BaseToolset } from "./tools/base-toolset.js"
export type { ToolPredicate } from "./tools/base-toolset.js"
export { EXIT_LOOP, ExitLoopTool } from "./tools/exit-loop-tool.js"
export {
  ENTERPRISE_WEB_SEARCH,
  EnterpriseWebSearchTool,
  GOOGLE_MAPS_GROUNDING,
  GOOGLE_SEARCH,
  GoogleMapsGroundingTool,
  GoogleSearchTool,
  URL_CONTEXT,
  UrlContextTool,
} from "./tools/hosted-tools.js"
export { FinishTaskTool } from "./tools/finish-task-tool.js"
export { FunctionTool, LongRunningFunctionTool } from "./tools/function-tool.js"
export type { ToolExecuteArgument, ToolOptions } from "./tools/function-tool.js"
export type { JsonSchema, SchemaLike, StandardSchema } from "./common/schema.js"
export { InMemoryRunner } from "./runner/in-memory-runner.js"
export type { InMemoryRunnerConfig } from "./runner/in-memory-runner.js"
export { App, createResumabilityConfig, validateAppName } from "./runner/app.js"
export type { AppOptions, ResumabilityConfig } from "./runner/app.js"
export { AdkRunner as Runner } from "./runner/runner.js"
export type { RunAsyncRequest, RunnerConfig } from "./runner/runner-config.js"
export type { ModelServices } from "./runner/program-chart.js"
export { InMemorySessionService } from "./runner/session-service.js"
export { getAskUserConfirmationFunctionCalls } from "./runner/request-event.js"
export {
  REQUEST_CONFIRMATION_FUNCTION_CALL_NAME,
  REQUEST_INPUT_FUNCTION_CALL_NAME,
} from "./runner/request-event.js"
export {
  getPendingUserInputRequests,
  getUserInputRequests,
  requiresUserInput,
} from "./runner/user-input.js"
export type { UserInputKind, UserInputRequest } from "./runner/user-input.js"
export { BaseSessionService } from "./runner/base-session-service.js"
export type {
  AppendEventRequest,
  CreateSessionRequest,
  DeleteSessionRequest,
  GetSessionConfig,
  GetSessionRequest,
  ListSessionsRequest,
  ListSessionsResponse,
  Session,
} from "./runner/base-session-service.js"
export type { SessionService } from "./runner/session-service.js"
export {
  createAgentTool,
  createHttpTool,
  createHumanAgent,
  createWaitAgent,
  createWorkflowAgent,
  createRemoteA2AAgent,
  createLlmAgent,
  createLoopAgent,
  createParallelAgent,
  createSequentialAgent,
  createSubAgentReference,
} from "./graph-compose/create.js"
export { GraphCompose } from "./graph-compose/graph-compose.js"
export type {
  AdkNode,
  ClosableRunner,
  ExecuteOptions,
  ExecutionResult,
} from "./graph-compose/graph-compose.js"
export type { GraphComposeWorkflow } from "./graph-compose/config.js"
export type { GraphComposeAgent, GraphComposeTool } from "./common/config-fields.js"
export type { HttpConfig, SubAgentReference } from "./common/setting-fields.js"
export type { HandoffTargetsOf, IdsOf, OutputKeysOf } from "./graph-compose/references.js"
export type { BuiltWorkflow, WorkflowBuilder } from "./graph-compose/workflow-builder.js"
export { isRunner } from "./runner/runner.js"
export { StreamingMode } from "./runner/run-config.js"
export type { RunConfig } from "./runner/run-config.js"
export type { RunInvocation } from "./plugins/base-plugin.js"
export { BaseLlm, isBaseLlm, LLMRegistry, RoutedLlm } from "./models/base-llm.js"
export type { BaseLlmType, LlmRouter } from "./models/base-llm.js"
export type { RouterError } from "./common/failover.js"
export { InMemoryArtifactService } from "./memory/artifact-service.js"
export type {
  ArtifactVersion,
  BaseArtifactService,
  DeleteArtifactRequest,
  ListArtifactKeysRequest,
  ListVersionsRequest,
  LoadArtifactRequest,
  SaveArtifactRequest,
} from "./memory/artifact-service.js"
export { InMemoryMemoryService } from "../runtime/host/memory/in-memory-memory-service.js"
export type {
  MemoryEntry,
  RememberedSession,
  SearchMemoryRequest,
  SearchMemoryResponse,
} from "../runtime/journal/memory-service.js"
export type { BaseMemoryService } from "./memory/memory-service.js"
export { LOAD_MEMORY, LoadMemoryTool } from "./tools/load-memory-tool.js"
export { PRELOAD_MEMORY, PreloadMemoryTool } from "./tools/preload-memory-tool.js"
export { LOAD_ARTIFACTS, LoadArtifactsTool } from "./tools/load-artifacts-tool.js"
export { getUserChoiceTool, requestInputTool } from "./tools/asking-tools.js"
export { TruncatingContextCompactor } from "./callbacks/context-compactor.js"
export type {
  BaseContextCompactor,
  TruncatingContextCompactorOptions,
} from "./callbacks/context-compactor.js"
export { TokenBasedContextCompactor } from "./callbacks/token-based-compactor.js"
export type { TokenBasedContextCompactorOptions } from "./callbacks/token-based-compactor.js"
export type { BaseSummarizer, CompactedEvent } from "./events/compacted-event.js"
export { ApigeeLlm, Gemini } from "./models/google-models.js"
export { LlmSummarizer } from "./models/llm-summarizer.js"
export type { LlmSummarizerOptions } from "./models/llm-summarizer.js"
export {
  isAgentTool,
  isApp,
  isBaseAgent,
  isBaseNode,
  isBaseTool,
  isBaseToolset,
  isFunctionTool,
  isLlmAgent,
  isLoopAgent,
  isParallelAgent,
  isRoutedAgent,
  isSequentialAgent,
  isWorkflow,
} from "./guards.js"
export type { ChildNodeResult, RunNodeOptions } from "./nodes/child-calls.js"
export { NodeTool } from "./nodes/node-tool.js"
export {
  finishTask as FINISH_TASK_TOOL_NAME,
  finishTaskSuccess as FINISH_TASK_SUCCESS_RESULT,
} from "../machines/model-call/finish-task.js"
