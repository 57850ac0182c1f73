import { sendPaused, sendResumed } from "../requests/report-paused.js"
import { outputOf, timeOf, requestIdOf, messageTextOf } from "../contract/machine-event.js"
import type { OnExpiry } from "../contract/activity.js"
import { artifactsAmong, isOldVersion } from "../contract/artifacts.js"
import type {
  Envelope,
  HostChanges,
  HostRequest,
  HostStep,
  HostToolCall,
} from "../contract/services.js"
import type { HostOutcome } from "../contract/host/host-outcome.js"
import type { JsonObject } from "../data/json-object.js"
import {
  emitExpired,
  awaitExpiry,
  expiryTime,
  expiredError,
  expiredReason,
  stopExpiry,
} from "../requests/expiry.js"
import type { PendingRequest } from "../contract/pending-request.js"
import { expiry } from "../contract/pending-request.js"
import type { AgentLocation, RunError } from "../contract/run-event.js"
import { withHostState } from "../requests/request-state.js"
import type { SessionState } from "../data/session-state.js"
import type { MachineKind, RunLocation, Writable } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { runErrorOf } from "../contract/turn.js"

/** Input of the machine that runs a host function, with the results of its earlier steps. */
export interface HostFunctionInput extends RunLocation {
  readonly agent: string
  readonly service: string
  readonly input: unknown
  /** The session state when the host function is called for the first time. */
  readonly state: SessionState
  readonly iteration: number | null
  readonly steps: readonly HostStep[]
  readonly agents: readonly string[]
  readonly toolCall?: HostToolCall
  /**
   * Arguments from which the host function creates the tool or callback. null if there are none.
   */
  readonly factory?: JsonObject | null
  readonly at: number
}

/** The effects that a host function requested in addition to its result, such as state changes. */
export interface HostEffects {
  /** State changes of the function in order. Each execution between two steps adds one entry. */
  readonly changed: readonly HostChanges[]
  readonly escalates: boolean
  readonly transfersTo: string | null
  readonly skipsSummarization: boolean
}

export const noEffects: HostEffects = {
  changed: [],
  escalates: false,
  transfersTo: null,
  skipsSummarization: false,
}

export interface HostFunctionOutput extends HostEffects {
  /**
   * The reason why the function's machine ended. `returned` and `failed` refer to the function.
   * `agent`: it waits for the result of the agent `runs`. null: it was stopped.
   */
  readonly outcome: "returned" | "agent" | "failed" | null
  readonly value: unknown
  /** The field `args` of the function's input after the execution. Callbacks can change it. */
  readonly args: unknown
  /** Id of the agent that the parent machine runs for the function (`runAgent`), or null. */
  readonly runs: string | null
  readonly steps: readonly HostStep[]
  readonly error: RunError | null
  /** Whether the function failed because its question expired with `onExpiry: "fail"`. */
  readonly hasExpired: boolean
  readonly at: number
}

type Question = Pick<
  Extract<HostOutcome, { type: "ask" }>,
  "name" | "details" | "choices" | "answerSchema" | "isConsent" | "expiresInMs" | "onExpiry"
>

interface HostFunctionContext extends Writable<HostFunctionOutput> {
  readonly input: HostFunctionInput
  question: Question | null
  request: PendingRequest | null
}

const outcomeOf = (event: MachineEvent): HostOutcome | null => {
  const envelope = outputOf<Envelope<HostOutcome>>(event)
  return envelope.ok ? envelope.value : null
}

const locationOf = ({ agent, path, branch }: HostFunctionInput): AgentLocation => ({
  agent,
  path,
  branch,
})

/**
 * Returns the effect of a question that expires. With `reject`, the default, the function receives
 * an error that it can catch.
 */
const onExpiryOf = ({ question }: HostFunctionContext): OnExpiry => question?.onExpiry ?? "reject"

const nothingChanged: HostChanges = { set: {}, removed: [] }

export const hostFunctionKind: MachineKind<
  HostFunctionContext,
  HostFunctionInput,
  HostFunctionOutput
> = {
  contextFrom: (input) => ({
    input,
    at: input.at,
    steps: input.steps,
    ...noEffects,
    outcome: null,
    value: null,
    args: undefined,
    runs: null,
    question: null,
    request: null,
    error: null,
    hasExpired: false,
  }),

  guards: {
    returned: (_, event) => outcomeOf(event)?.type === "returned",
    tookStep: (_, event) => outcomeOf(event)?.type === "step",
    asks: (_, event) => outcomeOf(event)?.type === "ask",
    runsAgent: (_, event) => outcomeOf(event)?.type === "agent",
    answersOpenRequest: (context, event) => context.request?.id === event["id"],
    failsOnExpiry: (context) => onExpiryOf(context) === "fail",
  },

  updates: {
    applyOutcome: (context, event, _params, step) => {
      const outcome = outcomeOf(event)
      if (outcome === null) return
      context.at = outputOf<Envelope>(event).at
      context.changed = [...context.changed, outcome.changed]
      context.escalates = outcome.escalates
      context.transfersTo = outcome.transfersTo ?? null
      context.skipsSummarization = outcome.skipsSummarization ?? false
      for (const name of Object.keys(artifactsAmong(outcome.changed.set)))
        if (!isOldVersion(name))
          step.emit({ type: "artifact.saved", name, ...locationOf(context.input) })
      for (const { type, data } of outcome.emitted)
        step.emit({ type: "host.emitted", name: type, data, ...locationOf(context.input) })
      if (outcome.type === "returned") {
        context.outcome = "returned"
        context.value = outcome.value
        context.args = outcome.args
      } else if (outcome.type === "agent") {
        context.outcome = "agent"
        context.runs = outcome.name
      } else if (outcome.type === "ask") context.question = outcome
    },
    recordStep: (context, event, _params, step) => {
      const outcome = outcomeOf(event)
      if (outcome?.type !== "step") return
      const { name, concurrent } = outcome
      const fields = {
        type: "step",
        name,
        changed: nothingChanged,
        ...(concurrent === true && { concurrent }),
      } as const
      const recorded: HostStep = outcome.ok
        ? { ...fields, ok: true, value: outcome.value }
        : { ...fields, ok: false, error: outcome.error }
      context.steps = [...context.steps, recorded]
      step.emit({
        type: "host.step",
        step: "step",
        name,
        ok: outcome.ok,
        ...locationOf(context.input),
      })
    },
    askPerson: (context, _event, _params, step) => {
      const { choices, answerSchema: schema, isConsent } = context.question ?? {}
      const request: PendingRequest = {
        id: `${context.input.path}#${context.steps.length}`,
        kind: isConsent === true ? "auth" : schema === undefined ? "input" : "human",
        ...locationOf(context.input),
        prompt: context.question?.name ?? null,
        details: context.question?.details ?? null,
        ...(choices !== undefined && { choices }),
        answerSchema: schema ?? (choices === undefined ? { type: "string" } : { enum: choices }),
        ...expiry(context.at, context.question?.expiresInMs ?? null),
      }
      context.request = request
      awaitExpiry(step, "expiry", request)
      const type = schema === undefined ? "user.awaited" : "human.asked"
      step.emit({ type, request, ...locationOf(context.input) })
      sendPaused(step, context.at)
    },
    recordAnswer: (context, event, _params, step) => {
      const isMessage = event.type === "user.said"
      const value = isMessage ? messageTextOf(event) : event["value"]
      const answered = { id: requestIdOf(event), ...locationOf(context.input) }
      context.at = timeOf(event)
      context.steps = [
        ...context.steps,
        {
          type: "ask",
          name: context.question?.name ?? "",
          changed: nothingChanged,
          ok: true,
          value,
        },
      ]
      context.request = null
      step.emit(
        isMessage
          ? { type: "user.said", text: messageTextOf(event), ...answered }
          : { type: "human.answered", answer: { value }, ...answered },
      )
      sendResumed(step)
    },
    stopTimer: (context, _event, _params, step) => stopExpiry(step, "expiry", context.request),
    expire: (context, event, _params, step) => {
      const { input, request, question } = context
      const [id, name, onExpiry] = [request?.id ?? "", question?.name ?? "", onExpiryOf(context)]
      const asked = { type: "ask", name, changed: nothingChanged } as const
      context.at = expiryTime(event)
      context.request = null
      emitExpired(step, input, id, onExpiry)
      if (onExpiry === "fail") {
        context.outcome = "failed"
        context.hasExpired = true
        context.error = expiredError(input.agent, id)
      } else if (onExpiry === "reject")
        context.steps = [
          ...context.steps,
          { ...asked, ok: false, error: `${expiredReason}: "${name}"`, isExpired: true },
        ]
      else context.steps = [...context.steps, { ...asked, ok: true, value: null }]
      sendResumed(step)
    },
    failHost: (context, event) => {
      const envelope = outputOf<Envelope>(event)
      context.at = envelope.at
      context.outcome = "failed"
      context.escalates = false
      context.transfersTo = null
      context.skipsSummarization = false
      if (!envelope.ok) context.error = runErrorOf(context.input.agent, envelope.error)
    },
    stopHost: (context, event) => {
      context.at = timeOf(event)
      context.request = null
    },
  },

  childInput(context) {
    const {
      runId,
      agent,
      path,
      branch,
      service,
      input,
      state,
      iteration,
      agents,
      toolCall = null,
      factory = null,
    } = context.input
    const fields = {
      runId,
      agent,
      path,
      branch,
      idempotencyKey: `${runId}/${path}`,
      attempt: 1,
      service,
      input,
      steps: context.steps,
      agents,
      toolCall,
      factory,
    }
    const request: HostRequest = withHostState(fields, state, iteration)
    return { request }
  },

  output: ({ input: _input, question: _question, request: _request, ...output }) => output,

  pending: (context) => (context.request === null ? [] : [context.request]),
}
