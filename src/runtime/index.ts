export { createRunner } from "./runner.js"
export type { Runner, ResumeOptions, RunnerOptions, StartOptions } from "./runner.js"
export type { Run } from "./run.js"
export type { RunControls } from "./run-controls.js"
export type { Clock } from "./host.js"
export type { Inspect } from "./inspect-run.js"
export type { CallServices } from "./host/call-services.js"
export type {
  AgentOutcome,
  AskOptions,
  HostActions,
  HostArtifacts,
  HostContext,
  HostFunction,
  HostState,
} from "./host/host-function.js"
export type { HostService, OfferedTool, Plugin, Toolset } from "./host/host-service.js"
export type { Ids } from "./host/random-ids.js"
export type { HistoryEntry } from "../machines/history.js"
export { systemClock } from "./host/system-clock.js"
export type {
  CompleteJournal,
  Journal,
  JournalHeader,
  JournalRecord,
  RunStanding,
  RunSummary,
  StoredRun,
} from "./journal.js"
export { memoryJournal } from "./host/memory-journal.js"
export type { MemoryJournal } from "./host/memory-journal.js"
export { memorySessionStore } from "./host/memory-session-store.js"
export type {
  SavedBy,
  SessionChanges,
  SessionKey,
  SessionStore,
  SessionSummary,
  StoredSession,
} from "./session-store.js"
export { toMachine } from "./actor/to-machine.js"
export type { MachineServices } from "./actor/to-machine.js"
export { controlActor } from "./actor/control-actor.js"
export { runAt } from "./past/run-at.js"
export type { CallAt, RunAt } from "./past/run-at.js"
export type { AgentAt, MachineAt } from "./past/agents-at.js"
export { fork } from "./past/fork.js"
export type { ForkOptions } from "./past/fork.js"
export { replay } from "./past/replay.js"
export type { Replay } from "./past/replay.js"
export type { KnownCall } from "./past/call-key.js"
export { fieldDifferences } from "./past/compare-requests.js"
export type { RequestDifference } from "./past/compare-requests.js"
export type { StateDifference } from "./past/compare-states.js"
export { describeReplay } from "./past/describe-replay.js"
export { adopt } from "./past/adopt.js"
export { watchCoverage } from "./past/watch-coverage.js"
export type { ChartCoverage, Covered, CoverageWatch } from "./past/watch-coverage.js"
export type { ChartStatePart, ChartTransitionPart } from "./past/chart-parts.js"
export { chartDifference } from "./past/chart-difference.js"
export { carryRun } from "./engine/carry-run.js"
export type { CarryOptions, RunOrder } from "./engine/carry-run.js"
export type { Engine, Happening } from "./engine/engine.js"
export { callPerformer } from "./host/call-performer.js"
export type { CallPerformer } from "./host/call-performer.js"
export { usageByAgent } from "./usage-by-agent.js"
export { giveMessage } from "./run-message.js"
export type { RunMessage } from "./run-message.js"
export type { RunInput } from "./new-run.js"
