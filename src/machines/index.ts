export type {
  Activity,
  AgentChart,
  AgentDefinition,
  AgentKind,
  ChartInvoke,
  ChartMachine,
  ChartSettings,
  ChartState,
  ChartTransition,
  MergeRule,
  NamedAction,
  NamedGuard,
  StateMeta,
  ToolDefinition,
  Transitions,
} from "./contract/agent-chart.js"
export { libraryMachines } from "./registry/machine-registry.js"
export type { MachineConfig } from "./registry/machine-registry.js"
export { CallFailedError } from "./contract/services.js"
export type {
  CallFailure,
  CallIdentity,
  HttpEndpoint,
  DeltaStream,
  Message,
  ModelAnswer,
  ModelRequest,
  ModelService,
  ToolDeclaration,
  ToolRequest,
  ToolService,
} from "./contract/services.js"
export type { Artifact, Artifacts } from "./contract/artifacts.js"
export type { History, HistoryEntry } from "./contract/history.js"
export type { SessionContents } from "./containers/session-contents.js"
export type { UserContent, UserPart } from "./contract/user-content.js"
export type { PendingRequest } from "./contract/pending-request.js"
export type {
  EmittedEvent,
  Outcome,
  RunError,
  RunEvent,
  RunResult,
  RunStatus,
  Usage,
} from "./contract/run-event.js"
