import { outputOf } from "../contract/machine-event.js"
import { callbackGuards } from "./agent-callbacks.js"
import { joinFails } from "./join.js"
import type { HostFunctionOutput } from "../host-functions/host-function.js"
import type { StateMeta } from "../contract/chart-machine.js"
import type { StateParams, OrchestrationContext, BranchScope } from "./orchestration-context.js"
import { noTeam } from "./teams.js"
import type { Outcome } from "../contract/run-event.js"
import type { Guard } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { turnOutputOf } from "../contract/turn.js"

type Context = OrchestrationContext
const hostOutputOf = (event: MachineEvent): HostFunctionOutput => outputOf(event)
const signalIs = (signal: Outcome) => (_context: Context, event: MachineEvent) =>
  turnOutputOf(event).signal === signal

/** Returns whether at least one branch of a parallel block has this status. */
export const branchesAre = (
  context: Context,
  meta: StateMeta,
  status: BranchScope["status"],
): boolean => (meta.branches ?? []).some(({ scope }) => context.scopes[scope]?.status === status)

/**
 * The guards of the machines that the compiler creates, by name. They check the outcome of a turn
 * and the progress of loops, teams and branches.
 */
export const orchestrationGuards: Readonly<Record<string, Guard<Context>>> = {
  ...callbackGuards,
  runsAgent: (_, event, params: { agent: string }) =>
    hostOutputOf(event).outcome === "agent" && hostOutputOf(event).runs === params.agent,
  hostReturned: (_, event) => hostOutputOf(event).outcome === "returned",
  hostStopped: (_, event) => hostOutputOf(event).outcome === null,
  completed: signalIs("done"),
  exited: signalIs("exited"),
  escalated: signalIs("escalated"),
  failed: signalIs("failed"),
  limited: signalIs("limited"),
  stopped: signalIs("stopped"),
  answeredByTool: (_, event) => turnOutputOf(event).answeredByTool,
  handsOffTo: (_, event, params: { agent: string }) => {
    const output = turnOutputOf(event)
    return output.signal === "handedOff" && output.handoffTo === params.agent
  },
  handoffLimitReached: (context, event, params: { team: string; max: number }) =>
    turnOutputOf(event).signal === "handedOff" &&
    (context.teams[params.team] ?? noTeam).handoffs >= params.max,
  cycleLimitReached: (context, _, params: { max: number }) =>
    context.cyclesSinceInput >= params.max,
  wasAnsweredByTool: (context) => context.answeredByTool,
  loopEscalated: (context, _, params: StateParams) => context.escalated[params.place] === true,
  turnEscalates: (_, event) =>
    turnOutputOf(event).signal === "done" && turnOutputOf(event).escalates,
  activeIs: (context, _, params: { team: string; member: string }) =>
    context.teams[params.team]?.active === params.member,
  conditionHolds: (context, _, params: StateParams) => context.checks[params.place] === "holds",
  exitConditionHolds: (context, _, params: StateParams) => context.checks[params.place] === "holds",
  conditionFails: (context, _, params: StateParams) => context.checks[params.place] === "failed",
  maximumReached: (context, _, params: StateParams & { max: number }) =>
    (context.loops[params.place] ?? 0) + 1 >= params.max,
  branchEscalated: (context, _, params: StateParams, lookup) =>
    branchesAre(context, lookup.metaOf(params.place), "escalated"),
  branchFailed: (context, _, params: StateParams, lookup) =>
    branchesAre(context, lookup.metaOf(params.place), "failed"),
  mergeFails: (context, _, params: StateParams, lookup) =>
    joinFails(context, lookup.metaOf(params.place), lookup.chart.settings.stateMerge),
}
