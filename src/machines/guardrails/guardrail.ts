import type { Guardrail, GuardrailSubject } from "../contract/guardrails/guardrails.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { outputOf } from "../contract/machine-event.js"
import type { Lookup, MachineKind, RunLocation, Writable } from "../contract/machine-kind.js"
import type { RunError } from "../contract/run-event.js"
import type { Envelope, HostChanges, Message, ModelAnswer } from "../contract/services.js"
import type { CallFailure } from "../contract/services.js"
import { emptyAnswer } from "../model-call/empty-answer.js"
import type { SessionState } from "../data/session-state.js"
import type { HostFunctionInput, HostFunctionOutput } from "../host-functions/host-function.js"
import { helperCall } from "../model-call/helper-call.js"
import { nextAttemptAt } from "../model-call/retry-policy.js"
import { parseVerdict, readVerdict, type Verdict } from "./verdict.js"
import { verdictInstructions, verdictSchema } from "./verdict.js"

/** Input of the machine that runs one guardrail, which checks a text of an agent. */
export interface GuardrailInput extends RunLocation {
  readonly agent: string
  readonly guardrail: Guardrail
  readonly on: GuardrailSubject
  /** The text that the guardrail checks. */
  readonly text: string
  /**
   * The messages of the conversation before the check. For an input guardrail, they contain the
   * checked text. For an output guardrail, the checked text is the response to them.
   */
  readonly messages: readonly Message[]
  /** Number of the agent's model call to which the check belongs. Part of the idempotency key. */
  readonly number: number
  readonly state: SessionState
  readonly iteration: number | null
  readonly at: number
}

/** The result of one guardrail. It contains the verdict, or the error of a failed check. */
export interface GuardrailOutput {
  /** The verdict about the text. null if the check failed or was stopped. */
  readonly verdict: Verdict | null
  readonly error: RunError | null
  /** Changes that the guardrail's host function made to the session state, in order. */
  readonly changed: readonly HostChanges[]
  readonly at: number
}

interface GuardrailContext extends Writable<GuardrailOutput> {
  readonly input: GuardrailInput
  readonly startedAt: number
  attempt: number
  retryAt: number
}

type Context = GuardrailContext

/**
 * Returns the name of a guardrail for messages, such as `the input guardrail "pii" of agent
 * "writer"`.
 */
export const guardrailText = ({
  on,
  guardrail,
  agent,
}: Pick<GuardrailInput, "on" | "guardrail" | "agent">): string =>
  `the ${on} guardrail "${guardrail.name}" of agent "${agent}"`

const answerOf = (event: MachineEvent): Envelope<ModelAnswer> => outputOf(event)

/**
 * Returns the verdict that a model responded. Returns the failure if the model call failed or if
 * the response is not a verdict.
 */
function verdictOf(event: MachineEvent, lookup: Lookup): Verdict | CallFailure {
  const envelope = answerOf(event)
  return envelope.ok ? parseVerdict(envelope.value.content, lookup) : envelope.error
}

const isFailure = (result: Verdict | CallFailure): result is CallFailure => "code" in result

/**
 * Returns the time of the next attempt if a model has failed to check a text, in milliseconds since
 * the epoch. Returns null if there is no further attempt.
 */
function retryTime(context: Context, event: MachineEvent, lookup: Lookup): number | null {
  const result = verdictOf(event, lookup)
  if (!isFailure(result)) return null
  const { activity } = checkerOf(context, lookup)
  return nextAttemptAt(activity, context.attempt, context.startedAt, result, answerOf(event).at)
}

function checkerOf({ input }: Context, { chart }: Lookup) {
  const definition = chart.agents[input.guardrail.checker ?? ""]
  if (definition?.type !== "LlmAgent")
    throw new TypeError(`the chart does not contain the model of ${guardrailText(input)}`)
  return definition
}

/**
 * Returns the id, the path and the branch of the agent whose model checks the text. Its path is
 * below the path of the checked agent.
 */
function checkerLocation({ input }: Context) {
  const agent = input.guardrail.checker ?? ""
  return { agent, path: `${input.path}/${agent}`, branch: input.branch }
}

const keyOf = (context: Context): string =>
  `${context.input.runId}/${checkerLocation(context).path}#${context.input.number}`

/**
 * Stores the error of a check that has failed without a verdict. The error code becomes
 * `guardrail_failed`. The code `limit_reached` is kept, because a run that reached a limit must end
 * with the status `limit`.
 */
function failCheck(context: Context, error: Pick<RunError, "code" | "message">): void {
  const { input } = context
  const { message } = error
  const code = error.code === "limit_reached" ? error.code : "guardrail_failed"
  context.error = {
    code,
    agent: input.agent,
    message: `${guardrailText(input)} failed: ${message}`,
  }
}

/**
 * Emits an event for the response of the model that checks the text, so that its tokens are
 * counted.
 */
const reportResponse: MachineKind<Context, GuardrailInput, GuardrailOutput>["updates"][string] = (
  context,
  event,
  _params,
  step,
) => {
  const envelope = answerOf(event)
  context.at = envelope.at
  if (!envelope.ok) return
  const { content, usage } = envelope.value
  const answer = { ...emptyAnswer, content, usage }
  step.emit({
    type: "model.responded",
    call: keyOf(context),
    answer,
    ...checkerLocation(context),
  })
}

/**
 * The guards and actions of the XState config `guardrailConfig`, by name. Also contains the
 * functions that create the context and the output of this machine.
 */
export const guardrailKind: MachineKind<Context, GuardrailInput, GuardrailOutput> = {
  contextFrom: (input) => ({
    input,
    at: input.at,
    startedAt: input.at,
    attempt: 1,
    retryAt: input.at,
    verdict: null,
    error: null,
    changed: [],
  }),

  guards: {
    isFunction: ({ input }) => input.guardrail.service !== undefined,
    hasVerdict: (_, event, _params, lookup) => !isFailure(verdictOf(event, lookup)),
    attemptsAreLeft: (context, event, _params, lookup) =>
      retryTime(context, event, lookup) !== null,
  },

  updates: {
    judgeByFunction: (context, event, _params, step) => {
      const { outcome, value, error, changed, at } = outputOf<HostFunctionOutput>(event)
      context.at = at
      context.changed = changed
      const message = "the function was stopped or ran an agent; it must return {tripped}"
      if (outcome !== "returned")
        return failCheck(context, error ?? { code: "host_code_failed", message })
      const verdict = readVerdict(value, step)
      if (typeof verdict !== "string") context.verdict = verdict
      else
        failCheck(context, {
          code: "host_code_failed",
          message: `the function must return {tripped: true or false, reason?, replacement?}: ${verdict}`,
        })
    },
    judgeByModel: (context, event, params, step) => {
      reportResponse(context, event, params, step)
      const result = verdictOf(event, step)
      if (!isFailure(result)) context.verdict = result
    },
    scheduleRetry: (context, event, params, step) => {
      reportResponse(context, event, params, step)
      const result = verdictOf(event, step)
      context.retryAt = retryTime(context, event, step) ?? context.at
      if (!isFailure(result)) return
      step.emit({
        type: "retry.scheduled",
        of: keyOf(context),
        attempt: context.attempt + 1,
        until: context.retryAt,
        error: result,
        ...checkerLocation(context),
      })
    },
    countAttempt: (context, event) => {
      context.at = outputOf<Envelope>(event).at
      context.attempt = context.attempt + 1
    },
    failCheck: (context, event, params, step) => {
      reportResponse(context, event, params, step)
      const result = verdictOf(event, step)
      if (isFailure(result)) failCheck(context, result)
    },
    reportVerdict: (context, _event, _params, step) => {
      const { verdict, input } = context
      if (verdict === null) return
      const { on, guardrail, agent, path, branch } = input
      const fields = { guardrail: guardrail.name, on, agent, path, branch }
      if (!verdict.tripped) step.emit({ type: "guardrail.passed", ...fields })
      else {
        const { reason } = verdict
        step.emit({ type: "guardrail.tripped", ...fields, reason, action: guardrail.onTrip })
      }
    },
  },

  childInput(context, src, _config, lookup): unknown {
    const { input, startedAt, attempt, retryAt } = context
    const { runId, path, branch, agent, guardrail, on, text, messages, state, iteration } = input
    if (src === "sleepUntil") return { until: retryAt }
    if (src === "hostCode") {
      const code: HostFunctionInput = {
        runId,
        agent,
        path: `${path}/guardrail:${on}:${guardrail.name}#${input.number}`,
        branch,
        service: guardrail.service ?? "",
        input: { guardrail: guardrail.name, on, text, messages },
        state,
        iteration,
        steps: [],
        agents: [],
        at: context.at,
      }
      return code
    }
    const helper = checkerOf(context, lookup)
    return helperCall(
      {
        helper,
        location: { runId, ...checkerLocation(context) },
        messages: [
          { role: "system", content: `${helper.instructions ?? ""}\n\n${verdictInstructions}` },
          { role: "user", content: text },
        ],
        outputSchema: verdictSchema,
        state,
        iteration,
        key: keyOf(context),
        attempt,
        startedAt,
      },
      lookup,
    )
  },

  output: ({ verdict, error, changed, at }) => ({ verdict, error, changed, at }),

  dropsChildren: true,
  pending: () => [],
}
