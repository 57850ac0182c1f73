import { checkCondition } from "./conditions.js"
import { closeContainer, leaveContainers, writeState } from "./containers.js"
import { joinBranches, joinFails } from "./join.js"
import type { OrchestrationContext, Scope, Team } from "./orchestration-context.js"
import { changeScope, iterationAt, openScope, orchestrationContext, scopeAt, standingOf } from "./orchestration-context.js"
import type { PlaceMeta } from "./agent-chart.js"
import type { Outcome } from "./run-event.js"
import { applyPatch, emptyPatch, forkState, isEmptyPatch, patchOf, removeKey } from "./session-state.js"
import type { StatePatch } from "./session-state.js"
import type { MachineEvent, MachineKind, Step } from "./step.js"
import type { TurnInput, TurnOutput } from "./turn.js"

type Context = OrchestrationContext
interface At {
  readonly place: string
}

const outputOf = (event: MachineEvent): TurnOutput => event["output"] as TurnOutput
const signalIs = (signal: Outcome) => (_context: Context, event: MachineEvent) => outputOf(event).signal === signal
const noTeam: Team = { active: null, handoffs: 0, prompt: null }

/** The functions behind the names of the machines that the compiler emits. */
export const orchestrationKind: MachineKind<Context, TurnInput, TurnOutput> = {
  contextFrom: orchestrationContext,

  guards: {
    completed: signalIs("done"),
    exited: signalIs("exited"),
    escalated: signalIs("escalated"),
    failed: signalIs("failed"),
    limited: signalIs("limited"),
    stopped: signalIs("stopped"),
    answeredByTool: (_, event) => outputOf(event).answeredByTool,
    handsOffTo: (_, event, params: { agent: string }) => {
      const output = outputOf(event)
      return output.signal === "handedOff" && output.handoffTo === params.agent
    },
    handoffLimitReached: (context, event, params: { team: string; max: number }) =>
      outputOf(event).signal === "handedOff" && (context.teams[params.team] ?? noTeam).handoffs >= params.max,
    cycleLimitReached: (context, _, params: { max: number }) => context.cyclesSinceInput >= params.max,
    wasAnsweredByTool: (context) => context.answeredByTool,
    activeIs: (context, _, params: { team: string; member: string }) => context.teams[params.team]?.active === params.member,
    conditionHolds: (context, _, params: At) => context.checks[params.place] === "holds",
    exitConditionHolds: (context, _, params: At) => context.checks[params.place] === "holds",
    conditionFails: (context, _, params: At) => context.checks[params.place] === "failed",
    maximumReached: (context, _, params: At & { max: number }) => (context.loops[params.place] ?? 0) + 1 >= params.max,
    branchEscalated: (context, _, params: At, lookup) => branchesAre(context, lookup.place(params.place), "escalated"),
    branchFailed: (context, _, params: At, lookup) => branchesAre(context, lookup.place(params.place), "failed"),
    mergeFails: (context, _, params: At, lookup) => joinFails(context, lookup.place(params.place), lookup.chart.settings.stateMerge),
  },

  updates: {
    enterAgent: (context, _event, params: At, step) => {
      const meta = step.place(params.place)
      changeScope(context, meta.scope, { text: null })
      step.announce({ ...standingOf(context, meta), type: "agent.started", kind: meta.kind })
    },
    enterLoop: (context, _event, params: At, step) => {
      const meta = step.place(params.place)
      context.loops = { ...context.loops, [params.place]: 0 }
      const scope = scopeAt(context, meta.scope)
      changeScope(context, meta.scope, { text: null, state: removeKey(scope.state, "loop_exit_reason") })
      step.announce({ ...standingOf(context, meta), type: "agent.started", kind: meta.kind })
      writeState(context, meta, "current_agent_loop_iteration", 0, step)
    },
    nextIteration: (context, _event, params: At, step) => {
      const meta = step.place(params.place)
      const iteration = (context.loops[params.place] ?? 0) + 1
      context.loops = { ...context.loops, [params.place]: iteration }
      step.announce({ ...standingOf(context, meta), type: "loop.iterated", iteration })
      writeState(context, meta, "current_agent_loop_iteration", iteration, step)
    },
    checkExitCondition: (context, _event, params: At & { condition: string }, step) => {
      const meta = step.place(params.place)
      const inside = { ...meta, loops: [...meta.loops, params.place] }
      checkCondition(context, inside, params.condition, `loopExitCondition of "${meta.agent}"`, step)
    },
    endLoop: (context, _event, params: At & { reason: string }, step) => {
      const meta = step.place(params.place)
      const iterations = (context.loops[params.place] ?? 0) + 1
      if (params.reason === "max_agent_loop_iterations") writeState(context, meta, "current_agent_loop_iteration", iterations, step)
      writeState(context, meta, "loop_exit_reason", params.reason, step)
      step.announce({ ...standingOf(context, meta), type: "loop.ended", reason: params.reason, iterations })
    },
    checkWhen: (context, _event, params: At & { condition: string; container: string }, step) => {
      checkCondition(context, step.place(params.place), params.condition, `\`when\` in "${params.container}"`, step)
    },
    skipAgent: (context, _event, params: At & { condition: string }, step) => {
      step.announce({ ...standingOf(context, step.place(params.place)), type: "agent.skipped", when: params.condition })
    },
    forkBranches: (context, _event, params: At, step) => {
      const meta = step.place(params.place)
      const { state } = scopeAt(context, meta.scope)
      const scopes: Record<string, Scope> = { ...context.scopes }
      for (const { scope } of meta.branches ?? []) scopes[scope] = openScope(forkState(state))
      context.scopes = scopes
      changeScope(context, meta.scope, { text: null })
      step.announce({ ...standingOf(context, meta), type: "agent.started", kind: meta.kind })
    },
    finishBranch: (context, _event, params: { scope: string; status: Scope["status"] }, step) => {
      changeScope(context, params.scope, { status: params.status, ...(params.status === "failed" ? { error: context.error } : {}) })
      if (params.status === "failed") context.error = null
      reportPaused(context, step)
    },
    joinBranches: (context, _event, params: At, step) => {
      const meta = step.place(params.place)
      joinBranches(context, meta, step)
      closeContainer(context, meta, "done", step)
    },
    failJoin: (context, _event, params: At, step) => {
      const meta = step.place(params.place)
      joinBranches(context, meta, step)
      closeContainer(context, meta, "failed", step)
    },
    failBranches: (context, _event, params: At, step) => {
      const meta = step.place(params.place)
      const errors = (meta.branches ?? []).flatMap(({ scope, agent }) => {
        const { error } = scopeAt(context, scope)
        return error === null ? [] : [{ agent, error }]
      })
      const [first] = errors
      context.error = {
        code: errors.length === 1 && first !== undefined ? first.error.code : "branches_failed",
        agent: first?.error.agent ?? meta.agent,
        message: errors.map(({ agent, error }) => `branch "${agent}": ${error.message}`).join("; "),
        ...(errors.length === 1 && first?.error.status !== undefined ? { status: first.error.status } : {}),
      }
      joinBranches(context, meta, step)
      closeContainer(context, meta, "failed", step)
    },
    applyResult: (context, event, params: At, step) => {
      const meta = step.place(params.place)
      const output = outputOf(event)
      const scope = scopeAt(context, meta.scope)
      context.at = output.at
      changeScope(context, meta.scope, {
        state: applyPatch(scope.state, output.patch),
        text: output.signal === "handedOff" ? scope.text : output.text,
        lastText: output.lastText ?? scope.lastText,
        paused: false,
      })
      if (output.memory !== null) context.memories = { ...context.memories, [params.place]: output.memory }
      if (output.error !== null) context.error = output.error
      context.answeredByTool = output.answeredByTool
      if (Object.hasOwn(output.patch.set, "_user_message_count")) context.cyclesSinceInput = 1
      announcePatch(context, meta, output.patch, step)
    },
    finishAgent: (context, _event, params: At, step) => closeContainer(context, step.place(params.place), "done", step),
    checkpoint: (context, _event, params: At & { completed: number }, step) => {
      step.announce({ ...standingOf(context, step.place(params.place)), type: "checkpoint", completedSubAgents: params.completed })
    },
    warnSkipped: (context, _event, params: At & { agents: readonly string[] }, step) => {
      const meta = step.place(params.place)
      const message = `"${meta.agent}" ended the workflow with exitFlow; skipped: ${params.agents.join(", ")} (subAgentExitFlow "agent" would end only its own turn)`
      step.announce({ ...standingOf(context, meta), type: "warning", message })
    },
    leave: (context, _event, params: At & { upTo: string; outcome: Outcome }, step) => {
      leaveContainers(context, params.place, params.upTo, params.outcome, step)
    },
    enterTeam: (context, _event, params: At) => {
      context.teams = { ...context.teams, [params.place]: noTeam }
      const memories = { ...context.memories }
      for (const place of Object.keys(memories)) if (place.startsWith(`${params.place}.`)) delete memories[place]
      context.memories = memories
    },
    handOff: (context, event, params: { team: string; from: string; to: string }, step) => {
      const team = context.teams[params.team] ?? noTeam
      const prompt = outputOf(event).memory?.conversation.filter((message) => message.role === "user") ?? team.prompt
      context.teams = { ...context.teams, [params.team]: { active: params.to, handoffs: team.handoffs + 1, prompt } }
      const meta = step.place(params.from)
      step.announce({ ...standingOf(context, meta), type: "handoff", from: meta.agent, to: step.place(params.to).agent })
    },
    returnToParent: (context, _event, params: { team: string }) => {
      context.teams = { ...context.teams, [params.team]: { ...(context.teams[params.team] ?? noTeam), active: null } }
    },
    beginCycle: (context, _event, params: At, step) => {
      context.cycle = context.cycle + 1
      context.cyclesSinceInput = context.cyclesSinceInput + 1
      const team = context.teams[params.place]
      if (team !== undefined) context.teams = { ...context.teams, [params.place]: { ...team, handoffs: 0 } }
      writeState(context, step.place(params.place), "orchestration_cycle_count", context.cycle, step)
    },
    limitCycles: (context, _event, params: { max: number }) => {
      context.error = {
        code: "limit_reached",
        agent: context.input.agent,
        message: `"${context.input.agent}" was asked ${params.max} times without ending the workflow (maxOrchestrationCycles); raise the setting or let it answer with exitFlow`,
      }
    },
    limitHandoffs: (context, _event, params: { team: string; max: number }, step) => {
      const { agent } = step.place(params.team)
      context.error = { code: "limit_reached", agent, message: `the team of "${agent}" reached maxHandoffs (${params.max}) in one cycle` }
    },
    notePause: (context, event, _params, step) => {
      const meta = step.place(event["child"] as string)
      const scope = scopeAt(context, meta.scope)
      const patch = event["patch"] as StatePatch
      const text = event["text"] as string | null
      context.at = event["at"] as number
      const lastText = text ?? scope.lastText
      changeScope(context, meta.scope, { state: applyPatch(scope.state, patch), lastText, paused: true })
      announcePatch(context, meta, patch, step)
      reportPaused(context, step)
    },
    noteResume: (context, event, _params, step) => {
      changeScope(context, step.place(event["child"] as string).scope, { paused: false })
      reportPaused(context, step)
    },
    stopRun: (context, event, _params, step) => {
      context.at = event["at"] as number
      const parallels = new Set(Object.keys(context.scopes).filter((scope) => scope !== "").map((scope) => scope.slice(0, scope.lastIndexOf("."))))
      const innermostFirst = [...parallels].sort((one, other) => other.split(".").length - one.split(".").length)
      for (const place of innermostFirst) joinBranches(context, step.place(place), step, true)
    },
    keepWrites: (context, event, params: At, step) => {
      const meta = step.place(params.place)
      const { patch, lastText, at } = outputOf(event)
      const scope = scopeAt(context, meta.scope)
      context.at = at
      changeScope(context, meta.scope, { state: applyPatch(scope.state, patch), lastText: lastText ?? scope.lastText })
      announcePatch(context, meta, patch, step)
    },
    finishMachine: (context, _event, params: { signal: Outcome }) => {
      context.signal = params.signal
    },
  },

  childInput(context, src, config, lookup): unknown {
    const meta = lookup.place(config["place"] as string)
    const scope = scopeAt(context, meta.scope)
    const team = config["team"] as string | undefined
    const input: TurnInput = {
      runId: context.input.runId,
      ...standingOf(context, meta),
      state: scope.state,
      iteration: iterationAt(context, meta),
      prompt: promptAt(context, meta.place),
      memory: team === undefined ? null : (context.memories[meta.place] ?? null),
      remember: team !== undefined,
      at: context.at,
    }
    return src === "fan" ? { ...input, fan: config } : input
  },

  output: (context) => {
    const scope = scopeAt(context, "")
    return {
      signal: context.signal ?? "stopped",
      text: scope.text,
      lastText: scope.lastText,
      patch: context.signal === null ? emptyPatch : patchOf(scope.state),
      handoffTo: null,
      error: context.error,
      answeredByTool: false,
      memory: null,
      at: context.at,
    }
  },

  pending: () => [],
}

/** What a fresh conversation starts with: in a team all that the user has said to the agent that handed off. */
function promptAt(context: Context, place: string): TurnInput["prompt"] {
  for (let team = place; team.includes("."); ) {
    team = team.slice(0, team.lastIndexOf("."))
    const heard = context.teams[team]?.prompt
    if (heard != null) return heard
  }
  return context.input.prompt
}

const branchesAre = (context: Context, meta: PlaceMeta, status: Scope["status"]): boolean =>
  (meta.branches ?? []).some(({ scope }) => context.scopes[scope]?.status === status)

function announcePatch(context: Context, meta: PlaceMeta, patch: StatePatch, step: Step): void {
  if (isEmptyPatch(patch)) return
  step.announce({ ...standingOf(context, meta), type: "state.changed", set: patch.set, removed: patch.removed })
}

/** Tells the parent when every branch that is open waits for a person, and when one of them goes on. */
function reportPaused(context: Context, step: Step): void {
  const places = Object.keys(context.scopes)
  const isLeaf = (place: string): boolean => !places.some((other) => other !== place && (place === "" || other.startsWith(`${place}.`)))
  const open = places.filter((place) => scopeAt(context, place).status === "open" && isLeaf(place))
  const paused = open.length > 0 && open.every((place) => scopeAt(context, place).paused)
  if (paused === context.paused) return
  context.paused = paused
  step.tellParent(paused ? { type: "child.paused", patch: emptyPatch, text: null, at: context.at } : { type: "child.resumed" })
}
