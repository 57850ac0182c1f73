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
  PlaceMeta,
  ToolDefinition,
  Transitions,
} from "./agent-chart.js"
export { libraryMachines } from "./chart-setup.js"
export type { MachineConfig } from "./chart-setup.js"
export { CallFailedError } from "./contract.js"
export type {
  CallFailure,
  CallIdentity,
  HttpEndpoint,
  LiveAnswer,
  Message,
  ModelAnswer,
  ModelRequest,
  ModelService,
  ToolDeclaration,
  ToolRequest,
  ToolService,
} from "./contract.js"
export type { Artifact, Artifacts } from "./artifacts.js"
export type { History, HistoryEntry } from "./history.js"
export type { SessionContents } from "./session-contents.js"
export type { UserContent, UserPart } from "./user-content.js"
export type { PendingRequest } from "./pending-request.js"
export type {
  Announcement,
  Outcome,
  RunError,
  RunEvent,
  RunResult,
  RunStatus,
  Usage,
} from "./run-event.js"
