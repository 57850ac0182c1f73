import { outputOf } from "../contract/machine-event.js"
import { applyHostChangesTo } from "./emit-state-change.js"
import { writeState } from "./leave-containers.js"
import type { StateMeta } from "../contract/chart-machine.js"
import { appendHistory } from "../contract/history.js"
import type { HookListInput, HookListOutput } from "../host-functions/hook-list.js"
import { callbackText } from "../host-functions/hook-list.js"
import type { HookUse } from "../contract/hook-use.js"
import { noteEscalation } from "./loop-updates.js"
import type { StateParams, OrchestrationContext } from "./orchestration-context.js"
import { changeScope, currentIteration, getScope, locationOf } from "./orchestration-context.js"
import type { Guard, Lookup, Step, Update } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"

type Context = OrchestrationContext

const callbacksOutput = (event: MachineEvent): HookListOutput => outputOf(event)

export const callbackGuards: Readonly<Record<string, Guard<Context>>> = {
  callbackThrew: (_, event) => callbacksOutput(event).error !== null,
  callbackAnswered: (_, event) => callbackText(callbacksOutput(event).answer) !== null,
}

/**
 * Actions that apply the results of the callbacks before and after a container, such as a sequence
 * or a loop (docs/semantics.md#callbacks).
 */
export const callbackUpdates: Readonly<Record<string, Update<Context>>> = {
  applyCallbacks: (context, event, params: StateParams, step) => {
    const meta = step.metaOf(params.place)
    const { changed, escalates, error, at } = callbacksOutput(event)
    context.at = at
    applyHostChangesTo(context, meta, changed, step)
    if (error !== null) context.error = error
    else if (escalates) noteEscalation(context, meta)
  },
  /**
   * Uses the text that a `beforeAgent` callback returned as the text of the agent. The agent does
   * not run.
   */
  answerInstead: (context, event, params: StateParams, step) => {
    const meta = step.metaOf(params.place)
    const location = locationOf(context, meta)
    step.emit({ type: "agent.started", kind: meta.kind, ...location })
    applyCallbackText(context, event, meta, step)
    step.emit({
      type: "agent.finished",
      kind: meta.kind,
      outcome: "done",
      text: getScope(context, meta.scope).text,
      ...location,
    })
  },
  replaceText: (context, event, params: StateParams, step) =>
    applyCallbackText(context, event, step.metaOf(params.place), step),
}

function applyCallbackText(
  context: Context,
  event: MachineEvent,
  meta: StateMeta,
  step: Step,
): void {
  const text = callbackText(callbacksOutput(event).answer)
  if (text !== null) applyHostText(context, text, meta, step)
}

/**
 * Sets the text of an agent to a text that a host function returned. Also stores this text under
 * the agent's output key and appends it to the session history.
 */
export function applyHostText(context: Context, text: string, meta: StateMeta, step: Step): void {
  const { history } = getScope(context, meta.scope)
  const newHistory =
    history === null
      ? null
      : appendHistory(history, [
          { author: meta.agent, message: { role: "assistant", content: text } },
        ])
  changeScope(context, meta.scope, { text, lastText: text, history: newHistory })
  if (meta.outputKey !== undefined) writeState(context, meta, meta.outputKey, text, step)
}

/**
 * Returns the input for the `beforeAgent` or `afterAgent` callbacks of a container, such as a
 * sequence or a loop. It contains the session state and, for `afterAgent`, the text of the
 * container.
 */
export function callbackInput(
  context: Context,
  config: Readonly<Record<string, unknown>>,
  lookup: Lookup,
): HookListInput {
  const meta = lookup.metaOf(config["place"] as string)
  const hook = config["hook"] as "beforeAgent" | "afterAgent"
  const { agent, path, branch } = locationOf(context, meta)
  const { state, text } = getScope(context, meta.scope)
  return {
    runId: context.input.runId,
    agent,
    branch,
    path: `${path}/${hook}`,
    services: config["services"] as readonly HookUse[],
    input: { hook, text: hook === "beforeAgent" ? null : text },
    state,
    iteration: currentIteration(context, meta),
    at: context.at,
  }
}
