import type { MachineKind } from "../contract/machine-kind.js"
import { outputOf, reasonOf, requestIdOf, timeOf } from "../contract/machine-event.js"
import type { PendingRequest } from "../contract/pending-request.js"
import { expiry } from "../contract/pending-request.js"
import type { Envelope } from "../contract/services.js"
import { awaitExpiry, emitExpired, stopExpiry } from "../requests/expiry.js"
import { sendPaused, sendResumed } from "../requests/report-paused.js"
import { resultOfFailure } from "./task-failure.js"
import type { TaskInput, TaskOutput, TaskResult, TaskSignal } from "./task-contract.js"
import { taskLocation } from "./task-contract.js"

/**
 * The XState config of a confirmation node. It creates an approval request, which a person approves
 * or rejects.
 */
export const confirmationTaskConfig = {
  id: "confirmationTask",
  initial: "asking",
  on: { "run.stopped": [{ target: "#confirmationTask.stopped", actions: [{ type: "stopTask" }] }] },
  states: {
    asking: { always: [{ target: "#confirmationTask.waitingForHuman" }] },
    waitingForHuman: {
      tags: ["waiting"],
      entry: [{ type: "ask" }],
      on: {
        "human.approved": [
          {
            guard: { type: "answersRequest" },
            target: "#confirmationTask.done",
            actions: [{ type: "confirm" }],
          },
        ],
        "human.rejected": [
          {
            guard: { type: "answersRequest" },
            target: "#confirmationTask.failed",
            actions: [{ type: "reject" }],
          },
        ],
        "xstate.done.actor.expiry": [
          { target: "#confirmationTask.failed", actions: [{ type: "expire" }] },
        ],
      },
    },
    done: { type: "final", entry: [{ type: "finishTask", params: { signal: "executed" } }] },
    failed: { type: "final", entry: [{ type: "finishTask", params: { signal: "failed" } }] },
    stopped: { type: "final", entry: [{ type: "finishTask", params: { signal: "stopped" } }] },
  },
} as const

interface ConfirmationTaskContext {
  readonly input: TaskInput
  at: number
  request: PendingRequest | null
  result: TaskResult | null
  signal: TaskSignal
}

export const confirmationTaskKind: MachineKind<ConfirmationTaskContext, TaskInput, TaskOutput> = {
  contextFrom: (input) => ({
    input,
    at: input.at,
    request: null,
    result: null,
    signal: "stopped",
  }),

  guards: {
    answersRequest: ({ request }, event) => request?.id === event["id"],
  },

  updates: {
    ask: (context, _event, _params, step) => {
      const { input } = context
      const { id, expiresInMs = null } = input.task
      const request: PendingRequest = {
        id: `${input.path}#0`,
        kind: "approval",
        node: id,
        ...taskLocation(input),
        prompt: `Confirm the node "${id}".`,
        details: null,
        ...expiry(context.at, expiresInMs),
      }
      context.request = request
      step.emit({ type: "human.asked", request, ...taskLocation(input) })
      awaitExpiry(step, "expiry", request)
      sendPaused(step, context.at)
    },
    confirm: (context, event, _params, step) => {
      context.at = timeOf(event)
      stopExpiry(step, "expiry", context.request)
      context.request = null
      context.result = { data: { confirmed: true } }
      step.emit({
        type: "human.answered",
        id: requestIdOf(event),
        answer: { approved: true },
        ...taskLocation(context.input),
      })
      sendResumed(step)
    },
    reject: (context, event, _params, step) => {
      const reason = reasonOf(event)
      context.at = timeOf(event)
      stopExpiry(step, "expiry", context.request)
      context.request = null
      context.result = resultOfFailure(
        "rejected",
        `the confirmation "${context.input.task.id}" was rejected${reason === null ? "" : `: ${reason}`}`,
        { data: { confirmed: false, ...(reason !== null && { reason }) } },
      )
      step.emit({
        type: "human.answered",
        id: requestIdOf(event),
        answer: { approved: false, reason },
        ...taskLocation(context.input),
      })
      sendResumed(step)
    },
    expire: (context, event, _params, step) => {
      const id = context.request?.id ?? ""
      context.at = outputOf<Envelope>(event).at
      context.request = null
      context.result = resultOfFailure(
        "timeout",
        `the confirmation "${context.input.task.id}" was not answered in time`,
      )
      emitExpired(step, taskLocation(context.input), id, "fail")
      sendResumed(step)
    },
    stopTask: (context, event) => {
      context.at = timeOf(event)
      context.request = null
    },
    finishTask: (context, _event, params: { signal: TaskSignal }) => {
      context.signal = params.signal
    },
  },

  childInput: () => ({}),

  output: ({ signal, result, at }) => ({
    signal,
    result,
    terminates: false,
    chosen: [],
    text: null,
    at,
  }),

  pending: ({ request }) => (request === null ? [] : [request]),
}
