export { createRunner } from "./runner/runner.js"
export type { Runner } from "./runner/runner.js"
export type { CoreRunner, ResumeOptions } from "./runner/core-runner.js"
export type { InterruptedRuns } from "./runner/resume-interrupted.js"
export type { RunnerOptions, StartOptions } from "./runner/runner-options.js"
export type { Run } from "./run/run.js"
export type { RunControls } from "./run/run-controls.js"
export type { Clock } from "./driver/host.js"
export type { Inspect } from "./events/inspect-run.js"
export type { CallServices } from "./host/call-services.js"
export type {
  AgentOutcome,
  AskOptions,
  ConsentRequest,
  HostActions,
  HostArtifacts,
  HostContext,
  HostFunction,
  HostState,
} from "./host/host-function.js"
export { agentActor } from "./host/user-machine/agent-actor.js"
export type { AgentActorOutput } from "./host/user-machine/agent-actor.js"
export { describeMachine } from "./host/user-machine/describe-machine.js"
export type { MachineService } from "./host/user-machine/machine-service.js"
export type { HostService, OfferedTool, Plugin, Toolset } from "./host/host-service.js"
export type { Ids } from "./host/random-ids.js"
export type { HistoryEntry } from "../machines/contract/history.js"
export type { ModelService, ToolService } from "../machines/contract/services.js"
export { systemClock } from "./host/system-clock.js"
export type { MessagePassing, MessageReceiver, PassedMessage } from "./journal/message-passing.js"
export type {
  ChartMigration,
  CompleteJournal,
  Journal,
  JournalHeader,
  JournalRecord,
  JournalRedaction,
  StoredRunStatus,
  RunFilter,
  RunSummary,
  StoredRun,
} from "./journal/journal.js"
export { redactedJournal } from "./journal/redacted-journal.js"
export { pruneRuns } from "./journal/prune-runs.js"
export type { PruneOptions, PruneReport } from "./journal/prune-runs.js"
export { deleteUser } from "./session/delete-user.js"
export type { DeleteUserOptions, DeletedUser } from "./session/delete-user.js"
export { compatible } from "./migration/compatible.js"
export type { ChartCompatibility } from "./migration/compatible.js"
export { migrateRuns } from "./migration/migrate-runs.js"
export type { MigrateOptions, MigrationReport } from "./migration/migrate-runs.js"
export type { MigrationReason, RunMigration } from "./migration/migrate-run.js"
export type { LostRecords } from "./migration/run-verdict.js"
export { memoryJournal } from "./host/memory-journal.js"
export type { MemoryJournal } from "./host/memory-journal.js"
export { memorySessionStore } from "./host/memory-session-store.js"
export type {
  SavedBy,
  SessionChanges,
  SessionKey,
  SessionStore,
  SessionSummary,
  SessionUser,
  StoredSession,
  UserSessionData,
} from "./journal/session-store.js"
export type {
  MemoryContent,
  MemoryEntry,
  MemoryService,
  RememberedEvent,
  RememberedEvents,
  RememberedSession,
  SearchMemoryRequest,
  SearchMemoryResponse,
} from "./journal/memory-service.js"
export { InMemoryMemoryService } from "./host/memory/in-memory-memory-service.js"
export { memoryTools } from "./memory/memory-tools.js"
export type { MemoryLimits } from "./memory/memory-tools.js"
export type { MemoryOption } from "./memory/with-memory.js"
export { toMachine } from "./actor/to-machine.js"
export type { MachineServices } from "./actor/to-machine.js"
export { controlActor, pendingRequests } from "./actor/control-actor.js"
export type { MessageRefused, RunActorRef, RunMachine, RunSnapshot } from "./actor/run-machine.js"
export { runAt } from "./history/snapshot-at.js"
export type { CallAt, RunAt } from "./history/snapshot-at.js"
export type { AgentAt, MachineAt } from "./history/agent-positions.js"
export { fork } from "./runner/fork.js"
export type { ForkOptions } from "./runner/fork.js"
export { replay } from "./history/replay.js"
export type { Replay } from "./history/replay.js"
export type { KnownCall } from "./history/call-key.js"
export { fieldDifferences } from "./history/compare-requests.js"
export type { RequestDifference } from "./history/compare-requests.js"
export type { StateDifference } from "./history/compare-states.js"
export { describeReplay } from "./history/describe-replay.js"
export { recordedCalls } from "./host/open-recorded-calls.js"
export type { RecordedCallsOptions } from "./host/open-recorded-calls.js"
export type { RecordedCalls } from "./history/recorded-calls.js"
export type { Divergence, ReuseCounts, ReuseReport } from "./history/reuse-report.js"
export { rerunner } from "./runner/rerun.js"
export type {
  AddedAndRemoved,
  BeforeAndAfter,
  Rerun,
  Rerunner,
  RerunOptions,
} from "./runner/rerun.js"
export { adopt } from "./runner/adopt.js"
export { collectCoverage } from "./history/chart-coverage.js"
export type { ChartCoverage, Covered, CoverageCollector } from "./history/chart-coverage.js"
export type { ChartStatePart, ChartTransitionPart } from "./history/chart-parts.js"
export { chartDifference } from "./runner/chart-difference.js"
export { executeRun } from "./engine/execute-run.js"
export type { ExecuteRunOptions, RunOrder } from "./engine/execute-run.js"
export type { Engine, EngineEvent } from "./engine/engine.js"
export { callPerformer } from "./host/call-performer.js"
export type { CallPerformer } from "./host/call-performer.js"
export { usageByAgent } from "./events/usage-by-agent.js"
export { modelLimits } from "./host/model-limits/model-limits.js"
export type { ModelLimitsOptions } from "./host/model-limits/model-limits.js"
export type { Admission, CallUse, SharedLimits } from "./host/model-limits/shared-limits.js"
export type { ModelLimit, ModelLimits, ModelLimitState } from "./host/model-limits/model-limit.js"
export type { CircuitBreakerOptions } from "./host/model-limits/circuit-breaker.js"
export { memoryResponseCache } from "./host/response-cache/memory-response-cache.js"
export type { ResponseCache, StoredResponse } from "./journal/response-cache.js"
export { usageByModel } from "./events/usage-by-model.js"
export { giveMessage } from "./run/give-message.js"
export type { RunMessage } from "./run/run-message.js"
export type { RunInput } from "./run/new-run.js"
