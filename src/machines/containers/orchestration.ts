import { reportPaused } from "../requests/report-paused.js"
import { isPaused } from "./paused-scopes.js"
import { timeOf, childOf } from "../contract/machine-event.js"
import { systemKey } from "../data/system-keys.js"
import { runDeadlineUpdates } from "./deadline.js"
import { callbackInput, callbackUpdates } from "./agent-callbacks.js"
import { emitStateChange } from "./emit-state-change.js"
import { checkCondition } from "./conditions.js"
import { closeContainer, leaveContainers } from "./leave-containers.js"
import { conversationUpdates } from "./conversation-updates.js"
import { customAgentInput, customAgentUpdates } from "./custom-agent.js"
import type { BranchHistory } from "../contract/history.js"
import { contentsFor, appendHistory, entriesSince } from "../contract/history.js"
import { errorOfBranches, joinBranches } from "./join.js"
import { loopUpdates, noteEscalatingAgent, noteEscalation, passesOn } from "./loop-updates.js"
import type { StateParams, OrchestrationContext, BranchScope } from "./orchestration-context.js"
import {
  changeScope,
  currentIteration,
  openScope,
  orchestrationContext,
  getScope,
  locationOf,
} from "./orchestration-context.js"
import { branchesAre, orchestrationGuards } from "./orchestration-guards.js"
import type { Outcome } from "../contract/run-event.js"
import { applyPatch, emptyPatch, forkState, patchOf } from "../data/session-state.js"
import type { StatePatch } from "../data/session-state.js"
import type { Lookup, MachineKind } from "../contract/machine-kind.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"
import { turnOutputOf } from "../contract/turn.js"

type Context = OrchestrationContext
/** The guards and actions of the machines that the compiler creates, by name. */
export const orchestrationKind: MachineKind<Context, TurnInput, TurnOutput> = {
  contextFrom: orchestrationContext,

  guards: orchestrationGuards,

  updates: {
    ...loopUpdates,
    ...conversationUpdates,
    ...customAgentUpdates,
    ...callbackUpdates,
    enterAgent: (context, _event, params: StateParams, step) => {
      const meta = step.metaOf(params.place)
      clearText(context, meta.scope)
      const { agent, path, branch } = locationOf(context, meta)
      step.emit({ type: "agent.started", kind: meta.kind, agent, path, branch })
    },
    checkWhen: (
      context,
      _event,
      params: StateParams & { condition: string; container: string },
      step,
    ) => {
      checkCondition(
        context,
        step.metaOf(params.place),
        params.condition,
        `\`when\` in "${params.container}"`,
        step,
      )
    },
    skipAgent: (context, _event, params: StateParams & { condition: string }, step) => {
      if (!params.place.includes(".")) context.skipped = true
      step.emit({
        type: "agent.skipped",
        when: params.condition,
        ...locationOf(context, step.metaOf(params.place)),
      })
    },
    forkBranches: (context, _event, params: StateParams, step) => {
      const meta = step.metaOf(params.place)
      const { state, history } = getScope(context, meta.scope)
      const scopes: Record<string, BranchScope> = { ...context.scopes }
      for (const { scope } of meta.branches ?? [])
        scopes[scope] = openScope(forkState(state), history)
      context.scopes = scopes
      changeScope(context, meta.scope, { text: null })
      step.emit({ type: "agent.started", kind: meta.kind, ...locationOf(context, meta) })
    },
    finishBranch: (
      context,
      _event,
      params: { scope: string; status: BranchScope["status"] },
      step,
    ) => {
      changeScope(context, params.scope, { status: params.status })
      reportPaused(context, isPaused(context), step)
    },
    joinBranches: (context, _event, params: StateParams, step) => {
      const meta = step.metaOf(params.place)
      const outcome = branchesAre(context, meta, "escalated") ? "escalated" : "done"
      joinBranches(context, meta, step)
      closeContainer(context, meta, outcome, step)
    },
    failJoin: (context, _event, params: StateParams, step) => {
      const meta = step.metaOf(params.place)
      joinBranches(context, meta, step)
      closeContainer(context, meta, "failed", step)
    },
    failBranches: (context, _event, params: StateParams, step) => {
      const meta = step.metaOf(params.place)
      const errors = (meta.branches ?? []).flatMap(({ scope, agent }) => {
        const { error } = getScope(context, scope)
        return error === null ? [] : [{ agent, error }]
      })
      context.error = errorOfBranches(meta.agent, errors)
      joinBranches(context, meta, step)
      closeContainer(context, meta, "failed", step)
    },
    applyResult: (context, event, params: StateParams, step) => {
      const meta = step.metaOf(params.place)
      const output = turnOutputOf(event)
      const scope = getScope(context, meta.scope)
      context.at = output.at
      changeScope(context, meta.scope, {
        state: applyPatch(scope.state, output.patch),
        text: output.signal === "handedOff" ? scope.text : output.text,
        lastText: output.lastText ?? scope.lastText,
        paused: false,
        history: scope.history === null ? null : appendHistory(scope.history, output.newEntries),
      })
      if (output.escalates) noteEscalation(context, meta, output.escalatedInside === true)
      if (output.memory !== null)
        context.memories = { ...context.memories, [params.place]: output.memory }
      if (output.error !== null) context.error = output.error
      context.answeredByTool = output.answeredByTool
      if (Object.hasOwn(output.patch.set, systemKey.userMessageCount)) context.cyclesSinceInput = 1
      if (output.changesEmitted !== true)
        emitStateChange(locationOf(context, meta), output.patch, step)
    },
    finishAgent: (context, _event, params: StateParams, step) =>
      closeContainer(context, step.metaOf(params.place), "done", step),
    checkpoint: (context, _event, params: StateParams & { completed: number }, step) => {
      const { agent, path, branch } = locationOf(context, step.metaOf(params.place))
      const completedSubAgents = params.completed
      step.emit({ type: "checkpoint", completedSubAgents, agent, path, branch })
    },
    warnSkipped: (
      context,
      _event,
      params: StateParams & { agents: readonly string[]; more?: number },
      step,
    ) => {
      const meta = step.metaOf(params.place)
      const more = params.more === undefined ? "" : ` and ${params.more} more`
      const message = `"${meta.agent}" ended the workflow with exitFlow, so these agents are skipped: ${params.agents.join(", ")}${more}. To end only the turn of the agent, set subAgentExitFlow to "agent"`
      step.emit({ type: "warning", message, ...locationOf(context, meta) })
    },
    leave: (context, event, params: StateParams & { upTo: string; outcome: Outcome }, step) => {
      if (params.outcome === "escalated" && !passesOn(event))
        noteEscalatingAgent(context, step.metaOf(params.place))
      leaveContainers(context, params.place, params.upTo, params.outcome, step)
    },
    notePause: (context, event, _params, step) => {
      const meta = step.metaOf(childOf(event))
      const scope = getScope(context, meta.scope)
      const patch = event["patch"] as StatePatch
      const text = event["text"] as string | null
      context.at = timeOf(event)
      const lastText = text ?? scope.lastText
      changeScope(context, meta.scope, {
        state: applyPatch(scope.state, patch),
        lastText,
        paused: true,
      })
      emitStateChange(locationOf(context, meta), patch, step)
      reportPaused(context, isPaused(context), step)
    },
    noteResume: (context, event, _params, step) => {
      changeScope(context, step.metaOf(childOf(event)).scope, { paused: false })
      reportPaused(context, isPaused(context), step)
    },
    stopRun: (context, event, _params, step) => {
      context.at = timeOf(event)
      const parallels = new Set(
        Object.keys(context.scopes)
          .filter((scope) => scope !== "")
          .map((scope) => scope.slice(0, scope.lastIndexOf("."))),
      )
      const innermostFirst = [...parallels].sort(
        (one, other) => other.split(".").length - one.split(".").length,
      )
      for (const place of innermostFirst) joinBranches(context, step.metaOf(place), step, true)
    },
    keepWrites: (context, event, params: StateParams, step) => {
      const meta = step.metaOf(params.place)
      const { patch, lastText, at } = turnOutputOf(event)
      const scope = getScope(context, meta.scope)
      context.at = at
      changeScope(context, meta.scope, {
        state: applyPatch(scope.state, patch),
        lastText: lastText ?? scope.lastText,
      })
      emitStateChange(locationOf(context, meta), patch, step)
    },
    ...runDeadlineUpdates,
    finishMachine: (context, _event, params: { signal: Outcome }) => {
      context.signal = context.overdue && params.signal === "stopped" ? "limited" : params.signal
    },
  },

  childInput(context, src, config, lookup): unknown {
    if (src === "hostCode") return customAgentInput(context, config, lookup)
    if (src === "hookList") return callbackInput(context, config, lookup)
    const meta = lookup.metaOf(config["place"] as string)
    const scope = getScope(context, meta.scope)
    const team = config["team"] as string | undefined
    const memory = team === undefined ? null : (context.memories[meta.place] ?? null)
    const prompt =
      scope.history === null
        ? promptAt(context, meta.place)
        : contentsOf(meta.agent, scope.history, lookup)
    const { agent, path, branch } = locationOf(context, meta)
    const input: TurnInput = {
      runId: context.input.runId,
      agent,
      path,
      branch,
      state: scope.state,
      iteration: currentIteration(context, meta),
      prompt,
      history: scope.history,
      memory:
        memory === null || scope.history === null ? memory : { ...memory, conversation: prompt },
      remember: team !== undefined,
      at: context.at,
    }
    return src === "fan"
      ? { ...input, fan: config }
      : src === "workflowGraph" || src === "taskGraph"
        ? { ...input, graph: config["graph"] }
        : src === "nodeRun"
          ? { ...input, node: config["node"], isFirst: true }
          : src === "machineAgent"
            ? { ...input, spec: config["spec"] }
            : input
  },

  output: (context) => {
    const scope = getScope(context, "")
    return {
      signal: context.signal ?? "stopped",
      text: scope.text,
      lastText: scope.lastText,
      patch: context.signal === null ? emptyPatch : patchOf(scope.state),
      handoffTo: null,
      error: context.error,
      answeredByTool: false,
      memory: null,
      newEntries:
        scope.history === null
          ? []
          : entriesSince(scope.history, context.input.history?.length ?? 0),
      escalates: context.escalates,
      ...((context.escalates || context.signal === "escalated") &&
        context.escalatesItself !== true && { escalatedInside: true }),
      ...(context.skipped === true && { skipped: true }),
      at: context.at,
    }
  },

  pending: () => [],
}

/**
 * Clears the text of a branch when an agent starts in it. Otherwise, the branch would keep the text
 * of the previous agent if the new agent has no text.
 */
function clearText(context: Context, scope: string): void {
  if (getScope(context, scope).text !== null) changeScope(context, scope, { text: null })
}

/**
 * Returns the messages from the session history that an agent's model receives. The agent's setting
 * `includeContents` determines these messages.
 */
function contentsOf(agent: string, history: BranchHistory, { chart }: Lookup): TurnInput["prompt"] {
  const definition = chart.agents[agent]
  return contentsFor(
    agent,
    history,
    definition?.type === "LlmAgent" ? (definition.adk?.includeContents ?? "default") : "default",
  )
}

/**
 * Returns the first messages of an agent's new conversation. After a handoff, these are the user
 * messages of the previous agent. Otherwise, they are the prompt in the machine's input.
 */
function promptAt(context: Context, place: string): TurnInput["prompt"] {
  for (let team = place; team.includes(".");) {
    team = team.slice(0, team.lastIndexOf("."))
    const prompt = context.teams[team]?.prompt
    if (prompt != null) return prompt
  }
  return context.input.prompt
}
