import { outputOf } from "../contract/machine-event.js"
import { applyHostText } from "./agent-callbacks.js"
import { applyHostChangesTo } from "./emit-state-change.js"
import type { HostChanges, HostStep } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import { entriesSince } from "../contract/history.js"
import { callbackText } from "../host-functions/hook-list.js"
import type { HostFunctionInput, HostFunctionOutput } from "../host-functions/host-function.js"
import { noteEscalation } from "./loop-updates.js"
import type { StateParams, HostProgress, OrchestrationContext } from "./orchestration-context.js"
import { changeScope, currentIteration, getScope, locationOf } from "./orchestration-context.js"
import type { SessionState } from "../data/session-state.js"
import { allEntries } from "../data/session-state.js"
import type { Lookup, Step, Update } from "../contract/machine-kind.js"
import { textOfContent } from "../contract/user-content.js"

type Context = OrchestrationContext
const progressAt = (context: Context, place: string): HostProgress => {
  const progress = context.hosts[place]
  if (progress === undefined)
    throw new TypeError(`the host function of the agent at "${place}" is not running`)
  return progress
}

const change = (context: Context, place: string, changes: Partial<HostProgress>): void => {
  context.hosts = { ...context.hosts, [place]: { ...progressAt(context, place), ...changes } }
}

/**
 * Actions that run a custom agent, which is a host function that can run sub-agents and receives
 * their results (docs/semantics.md#host-functions).
 */
export const customAgentUpdates: Readonly<Record<string, Update<Context>>> = {
  enterCustom: (context, _event, params: StateParams, step) => {
    const meta = step.metaOf(params.place)
    const { state } = getScope(context, meta.scope)
    context.hosts = { ...context.hosts, [params.place]: { start: state, steps: [], running: null } }
    context.loops = { ...context.loops, [params.place]: 0 }
    changeScope(context, meta.scope, { text: null })
    step.emit({ type: "agent.started", kind: meta.kind, ...locationOf(context, meta) })
  },
  applyHostCode: (context, event, params: StateParams, step) => {
    const meta = step.metaOf(params.place)
    const output = outputOf<HostFunctionOutput>(event)
    context.at = output.at
    applyHostChangesTo(context, meta, output.changed, step)
    change(context, params.place, { steps: output.steps })
    if (output.error !== null) context.error = output.error
    if (output.escalates) noteEscalation(context, meta)
    // The result `{content: text}` sets the text of the agent, as the result of a callback does.
    // Other results are ignored.
    const text = output.outcome === "returned" ? callbackText(output.value) : null
    if (text !== null) applyHostText(context, text, meta, step)
  },
  beginAgent: (context, _event, params: StateParams & { agent: string }, step) => {
    const { state, history } = getScope(context, step.metaOf(params.place).scope)
    change(context, params.place, {
      running: {
        agent: params.agent,
        before: state,
        historyLength: history?.length ?? 0,
        escalated: false,
      },
    })
  },
  recordAgent: (context, _event, params: StateParams, step) => {
    const { text, history } = getScope(context, step.metaOf(params.place).scope)
    const { running } = progressAt(context, params.place)
    const events = history === null ? [] : entriesSince(history, running?.historyLength ?? 0)
    record(
      context,
      params.place,
      { ok: true, value: { text, events, escalated: running?.escalated ?? false } },
      step,
    )
  },
  recordFailure: (context, _event, params: StateParams, step) => {
    const error = context.error?.message ?? "the agent failed"
    context.error = null
    record(context, params.place, { ok: false, error }, step)
  },
}

type Result =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string }

function record(context: Context, place: string, result: Result, step: Step): void {
  const { running, steps } = progressAt(context, place)
  if (running === null) return
  const meta = step.metaOf(place)
  const changed = differenceOf(running.before, getScope(context, meta.scope).state)
  const recorded: HostStep = { type: "agent", name: running.agent, changed, ...result }
  step.emit({
    type: "host.step",
    step: "agent",
    name: running.agent,
    ok: result.ok,
    ...locationOf(context, meta),
  })
  change(context, place, { steps: [...steps, recorded], running: null })
  context.loops = { ...context.loops, [place]: (context.loops[place] ?? 0) + 1 }
}

/**
 * Returns the difference between two session states, which contains the changes of a sub-agent.
 * When the host function is executed again, it receives these changes instead of running the
 * sub-agent.
 */
function differenceOf(before: SessionState, after: SessionState): HostChanges {
  if (before === after) return { set: {}, removed: [] }
  const [old, now] = [allEntries(before), allEntries(after)]
  const set = Object.fromEntries(
    Object.entries(now).filter(
      ([key, value]) => !Object.hasOwn(old, key) || !Object.is(old[key], value),
    ),
  )
  return { set, removed: Object.keys(old).filter((key) => !Object.hasOwn(now, key)) }
}

/**
 * Returns the input for the host function of a custom agent. It contains the results of the
 * function's earlier steps, which are not executed again.
 */
export function customAgentInput(
  context: Context,
  config: Readonly<Record<string, unknown>>,
  lookup: Lookup,
): HostFunctionInput {
  const place = config["place"] as string
  const meta = lookup.metaOf(place)
  const { start, steps } = progressAt(context, place)
  const userMessage = context.input.prompt.find((message) => message.role === "user")
  return {
    runId: context.input.runId,
    ...locationOf(context, meta),
    service: config["service"] as string,
    agents: config["agents"] as readonly string[],
    factory: (config["factory"] as JsonObject | undefined) ?? null,
    input: userMessage === undefined ? null : textOfContent(userMessage.content),
    state: start,
    iteration: currentIteration(context, meta),
    steps,
    at: context.at,
  }
}
