import { outputOf } from "../contract/machine-event.js"
import type { JsonObject } from "../data/json-object.js"
import { isJsonObject } from "../data/json-object.js"
import type { HostToolCall } from "../contract/services.js"
import type { HookUse } from "../contract/hook-use.js"
import { factoryOfHook, serviceOfHook } from "../contract/hook-use.js"
import type { HostFunctionInput, HostFunctionOutput, HostEffects } from "./host-function.js"
import { noEffects } from "./host-function.js"
import type { RunError } from "../contract/run-event.js"
import type { SessionState } from "../data/session-state.js"
import { applyPatch } from "../data/session-state.js"
import type { MachineKind, RunLocation, Writable } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"

/**
 * The XState config of a machine that calls a list of callbacks in order, such as the `beforeModel`
 * callbacks of an agent. If a callback returns a result, the remaining callbacks are not called
 * (docs/semantics.md#callbacks). Each callback sees the state changes of the previous callbacks.
 */
export const hookListConfig = {
  id: "hookList",
  initial: "preparing",
  states: {
    preparing: {
      always: [
        { guard: { type: "isEmpty" }, target: "#hookList.done" },
        { target: "#hookList.running" },
      ],
    },
    running: {
      invoke: {
        id: "hook",
        src: "hostCode",
        input: {},
        onDone: [
          { guard: { type: "failed" }, target: "#hookList.done", actions: [{ type: "fail" }] },
          {
            guard: { type: "answers" },
            target: "#hookList.done",
            actions: [{ type: "applyResult" }],
          },
          {
            guard: { type: "hasMoreCallbacks" },
            target: "#hookList.running",
            reenter: true,
            actions: [{ type: "applyResult" }],
          },
          { target: "#hookList.done", actions: [{ type: "applyResult" }] },
        ],
      },
    },
    done: { type: "final" },
  },
} as const

export interface HookListInput extends RunLocation {
  readonly agent: string
  readonly services: readonly HookUse[]
  /** Input object that each callback receives. Callbacks can change its field `args`. */
  readonly input: Readonly<Record<string, unknown>>
  readonly state: SessionState
  readonly iteration: number | null
  /** The tool call for which the callbacks run. Absent if they do not run for a tool call. */
  readonly toolCall?: HostToolCall
  readonly at: number
}

export interface HookListOutput extends HostEffects {
  /**
   * The first result that a callback returned. The callbacks after it were not called. null if no
   * callback returned a result.
   */
  readonly answer: unknown
  /**
   * The field `args` of the input, as it is after the last callback. Callbacks can change this
   * field.
   */
  readonly args: unknown
  /**
   * The fields of the model request that `beforeModel` callbacks changed. null if they changed
   * nothing.
   */
  readonly request: JsonObject | null
  /** The error of a callback that failed. null if no callback failed. */
  readonly error: RunError | null
  readonly at: number
}

interface HookListContext extends Writable<HookListOutput> {
  readonly input: HookListInput
  next: number
  state: SessionState
}

const callbackOutput = (event: MachineEvent): HostFunctionOutput => outputOf(event)

export const hookListKind: MachineKind<HookListContext, HookListInput, HookListOutput> = {
  contextFrom: (input) => ({
    input,
    at: input.at,
    next: 0,
    state: input.state,
    answer: null,
    args: input.input["args"],
    request: null,
    ...noEffects,
    error: null,
  }),

  guards: {
    isEmpty: (context) => context.input.services.length === 0,
    failed: (_, event) => callbackOutput(event).outcome !== "returned",
    answers: (_, event) => {
      const { value } = callbackOutput(event)
      return value != null && changedRequest(value) === null
    },
    hasMoreCallbacks: (context) => context.next + 1 < context.input.services.length,
  },

  updates: {
    applyResult: (context, event) => {
      const { value, args, changed, escalates, transfersTo, skipsSummarization, at } =
        callbackOutput(event)
      context.at = at
      context.next = context.next + 1
      const request = changedRequest(value)
      if (request === null) context.answer = value ?? null
      else context.request = request
      if (args !== undefined) context.args = args
      context.changed = [...context.changed, ...changed]
      context.state = changed.reduce(applyPatch, context.state)
      context.escalates = context.escalates || escalates
      context.transfersTo = transfersTo ?? context.transfersTo
      context.skipsSummarization = context.skipsSummarization || skipsSummarization
    },
    fail: (context, event) => {
      const { error, changed, at } = callbackOutput(event)
      const { agent, services } = context.input
      const service = serviceOfHook(services[context.next] ?? "")
      const why = error?.message ?? "it was stopped"
      context.at = at
      context.changed = [...context.changed, ...changed]
      context.error = {
        code: error?.code ?? "host_code_failed",
        agent,
        message: `the callback "${service}" of agent "${agent}" failed: ${why}`,
      }
    },
  },

  childInput(context): HostFunctionInput {
    const { runId, path, branch, agent, services, input, iteration, toolCall } = context.input
    const { request } = context
    const current = request === null ? input : { ...input, request }
    const callbackInput = context.args === undefined ? current : { ...current, args: context.args }
    return {
      runId,
      path: `${path}[${context.next}]`,
      branch,
      agent,
      service: serviceOfHook(services[context.next] ?? ""),
      factory: factoryOfHook(services[context.next] ?? ""),
      input: callbackInput,
      state: context.state,
      iteration,
      steps: [],
      agents: [],
      ...(toolCall !== undefined && { toolCall }),
      at: context.at,
    }
  },

  output: ({ input: _input, next: _next, state: _state, ...output }) => output,

  dropsChildren: true,
  pending: () => [],
}

/**
 * Returns the changed fields of the model request from a callback result such as
 * `{ request: { tools: [] } }`. Returns null for any other result.
 */
const changedRequest = (value: unknown): JsonObject | null =>
  isJsonObject(value) && isJsonObject(value["request"]) ? value["request"] : null

/**
 * Returns the text of a callback result such as `{ content: "Hello" }`. Returns null for any other
 * result, which does not change the turn.
 */
export function callbackText(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("content" in answer)) return null
  return typeof answer.content === "string" ? answer.content : null
}
