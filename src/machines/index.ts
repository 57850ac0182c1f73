export type { AgentChart, ChartSettings, MergeRule } from "./contract/agent-chart.js"
export type {
  AgentKind,
  ChartInvoke,
  ChartMachine,
  ChartState,
  ChartTransition,
  NamedAction,
  NamedGuard,
  StateMeta,
  Transitions,
} from "./contract/chart-machine.js"
export type { Activity } from "./contract/activity.js"
export type { ToolDefinition } from "./contract/tool-definition.js"
export type { AgentDefinition } from "./contract/agent-definition.js"
export { libraryMachines } from "./registry/machine-registry.js"
export type { MachineConfig } from "./registry/machine-definition.js"
export { CallFailedError } from "./contract/services.js"
export type { DeltaStream } from "./contract/delta-stream.js"
export type {
  CallFailure,
  CallIdentity,
  HttpEndpoint,
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
  ToolFailure,
  Usage,
} from "./contract/run-event.js"
