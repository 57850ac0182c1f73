import { sendPaused, sendResumed } from "../requests/report-paused.js"
import { timeOf, requestIdOf } from "../contract/machine-event.js"
import type { AgentChart } from "../contract/agent-chart.js"
import type { AgentDefinition } from "../contract/agent-definition.js"
import { historyEntries } from "../contract/history.js"
import { fillPrompt } from "./prompt-template.js"
import { shownState } from "./shown-state.js"
import type { PendingRequest } from "../contract/pending-request.js"
import {
  emitExpired,
  awaitExpiry,
  expiryTime,
  expiredError,
  onExpiryOf,
} from "../requests/expiry.js"
import { expiry } from "../contract/pending-request.js"
import type { Outcome, RunError } from "../contract/run-event.js"
import { emptyPatch } from "../data/session-state.js"
import type { MachineKind } from "../contract/machine-kind.js"
import type { TurnInput, TurnOutput } from "../contract/turn.js"

/**
 * The XState config of a HumanAgent, which asks a person, waits for the answer and stores it
 * (docs/semantics.md#pending-requests).
 */
export const humanAgentConfig = {
  id: "humanAgent",
  initial: "asking",
  on: { "run.stopped": [{ target: "#humanAgent.stopped", actions: [{ type: "stopAsking" }] }] },
  states: {
    asking: {
      always: [{ target: "#humanAgent.waitingForHuman", actions: [{ type: "startAsking" }] }],
    },
    waitingForHuman: {
      tags: ["waiting"],
      entry: [{ type: "askHuman" }],
      exit: [{ type: "stopTimer" }],
      on: {
        "human.answered": [
          {
            guard: { type: "answersOpenRequest" },
            target: "#humanAgent.done",
            actions: [{ type: "takeAnswer" }],
          },
        ],
        "xstate.done.actor.expiry": [
          {
            guard: { type: "failsOnExpiry" },
            target: "#humanAgent.failed",
            actions: [{ type: "expire" }],
          },
          { target: "#humanAgent.done", actions: [{ type: "expire" }] },
        ],
      },
    },
    done: { type: "final", entry: [{ type: "finishAsking", params: { signal: "done" } }] },
    failed: { type: "final", entry: [{ type: "finishAsking", params: { signal: "failed" } }] },
    stopped: { type: "final", entry: [{ type: "finishAsking", params: { signal: "stopped" } }] },
  },
} as const

interface HumanAgentContext {
  readonly input: TurnInput
  readonly definition: Extract<AgentDefinition, { type: "HumanAgent" }>
  at: number
  request: PendingRequest | null
  answer: { readonly value: unknown; readonly isExpired?: true } | null
  signal: Outcome | null
  error: RunError | null
}

/**
 * Returns the person's answer as text. Returns null if there is no answer, or if the request
 * expired.
 */
function textOf({ answer }: HumanAgentContext): string | null {
  if (answer === null || answer.isExpired === true) return null
  return typeof answer.value === "string" ? answer.value : JSON.stringify(answer.value)
}

/**
 * Returns the content of a HumanAgent's request. It consists of the prompt with its placeholders
 * replaced, the choices, and the state values that the person sees.
 */
function questionOf({ definition, input }: HumanAgentContext): Question {
  const { prompt, description, choices, show } = definition
  const filled = prompt === null ? null : fillPrompt(prompt, input.state)
  return {
    prompt: filled === null ? description : filled.text,
    missing: filled?.missing ?? [],
    fields: {
      ...(choices !== undefined && { choices, answerSchema: { enum: choices } }),
      ...(show !== undefined && shownState(show, input.state)),
    },
  }
}

interface Question {
  readonly prompt: string | null
  /** Names of the placeholders in the prompt for which the session state has no value. */
  readonly missing: readonly string[]
  readonly fields: Pick<PendingRequest, "choices" | "answerSchema" | "shown" | "omittedKeys">
}

const locationOf = ({ agent, path, branch }: TurnInput) => ({ agent, path, branch })

export const humanAgentKind: MachineKind<HumanAgentContext, TurnInput, TurnOutput> = {
  contextFrom: (input: TurnInput, chart: AgentChart) => ({
    input,
    definition: chart.agents[input.agent] as HumanAgentContext["definition"],
    at: input.at,
    request: null,
    answer: null,
    signal: null,
    error: null,
  }),

  guards: {
    answersOpenRequest: (context, event) => context.request?.id === event["id"],
    failsOnExpiry: ({ definition }) => onExpiryOf("human", definition) === "fail",
  },

  updates: {
    startAsking: (context, _event, _params, step) => {
      step.emit({ type: "agent.started", kind: "HumanAgent", ...locationOf(context.input) })
    },
    askHuman: (context, _event, _params, step) => {
      const { definition, input } = context
      const { prompt, missing, fields } = questionOf(context)
      const request: PendingRequest = {
        id: `${input.path}#${input.memory?.calls ?? 0}`,
        kind: "human",
        ...locationOf(input),
        prompt,
        details: null,
        ...fields,
        ...expiry(context.at, definition.expiresInMs),
      }
      context.request = request
      for (const name of missing)
        step.emit({
          type: "warning",
          message: `the prompt of agent "${input.agent}" contains {${name}}, but the session state has no such key`,
          ...locationOf(input),
        })
      if (fields.omittedKeys !== undefined)
        step.emit({
          type: "warning",
          message: `the request of agent "${input.agent}" does not show ${fields.omittedKeys.map((key) => `"${key}"`).join(", ")}, because the shown state is too large`,
          ...locationOf(input),
        })
      step.emit({ type: "human.asked", request, ...locationOf(input) })
      awaitExpiry(step, "expiry", request)
      sendPaused(step, context.at)
    },
    takeAnswer: (context, event, _params, step) => {
      context.at = timeOf(event)
      context.answer = { value: event["value"] }
      context.request = null
      step.emit({
        type: "human.answered",
        id: requestIdOf(event),
        answer: { value: event["value"] },
        ...locationOf(context.input),
      })
      sendResumed(step)
    },
    stopTimer: (context, _event, _params, step) => {
      if (context.definition.expiresInMs !== null) step.stop("expiry")
    },
    expire: (context, event, _params, step) => {
      const { definition, input, request } = context
      const onExpiry = onExpiryOf("human", definition)
      const id = request?.id ?? ""
      context.at = expiryTime(event)
      context.request = null
      if (onExpiry === "reject") context.answer = { value: null, isExpired: true }
      if (onExpiry === "fail") context.error = expiredError(input.agent, id)
      emitExpired(step, input, id, onExpiry)
      sendResumed(step)
    },
    stopAsking: (context, event) => {
      context.at = timeOf(event)
      context.request = null
    },
    finishAsking: (context, _event, params: { signal: Outcome }, step) => {
      context.signal = params.signal
      const text = textOf(context)
      step.emit({
        type: "agent.finished",
        kind: "HumanAgent",
        outcome: params.signal,
        text,
        ...(context.error !== null && { error: context.error }),
        ...locationOf(context.input),
      })
    },
  },

  childInput: () => ({}),

  output: (context) => {
    const { outputKey } = context.definition
    const saved = context.answer !== null && outputKey !== null
    const text = textOf(context)
    return {
      signal: context.signal ?? "stopped",
      text,
      lastText: text,
      patch: saved ? { set: { [outputKey]: context.answer?.value }, removed: [] } : emptyPatch,
      handoffTo: null,
      error: context.error,
      answeredByTool: false,
      newEntries:
        text === null || context.input.history === null
          ? []
          : historyEntries(context.input.agent, [{ role: "assistant", content: text }]),
      escalates: false,
      memory: context.input.remember
        ? { conversation: [], calls: (context.input.memory?.calls ?? 0) + 1 }
        : null,
      at: context.at,
    }
  },

  pending: (context) => (context.request === null ? [] : [context.request]),
}
