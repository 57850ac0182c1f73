import { sendPaused, sendResumed } from "../requests/report-paused.js"
import {
  outputOf,
  timeOf,
  requestIdOf,
  reasonOf,
  editedArgumentsOf,
} from "../contract/machine-event.js"
import type { OnExpiry } from "../contract/activity.js"
import type { ToolArguments } from "../contract/services.js"
import type { JsonObject } from "../data/json-object.js"
import {
  emitExpired,
  awaitExpiry,
  expiryTime,
  expiredError,
  expiredReason,
  onExpiryOf,
  stopExpiry,
} from "../requests/expiry.js"
import type { HostFunctionInput, HostFunctionOutput } from "./host-function.js"
import { noEffects } from "./host-function.js"
import type { PendingRequest } from "../contract/pending-request.js"
import { expiry } from "../contract/pending-request.js"
import type { AgentLocation } from "../contract/run-event.js"
import type { Lookup, MachineKind, Writable } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"
import { rejectionOf } from "../model-call/tool-call-proposal.js"

/**
 * The XState config of a graph node that calls a tool after a person has approved the call. A
 * rejection becomes the result of the node.
 */
export const toolNodeConfig = {
  id: "toolNode",
  initial: "preparing",
  on: { "run.stopped": [{ target: "#toolNode.stopped", actions: [{ type: "stopAsking" }] }] },
  states: {
    preparing: { always: [{ target: "#toolNode.waitingForHuman" }] },
    waitingForHuman: {
      tags: ["waiting"],
      entry: [{ type: "askApproval" }],
      exit: [{ type: "stopTimer" }],
      on: {
        "human.approved": [
          {
            guard: { type: "violatesParameters" },
            target: "#toolNode.failed",
            actions: [{ type: "approve" }, { type: "refuseArguments" }],
          },
          {
            guard: { type: "answersOpenRequest" },
            target: "#toolNode.callingTool",
            actions: [{ type: "approve" }],
          },
        ],
        "human.rejected": [
          {
            guard: { type: "answersOpenRequest" },
            target: "#toolNode.done",
            actions: [{ type: "reject" }],
          },
        ],
        "xstate.done.actor.expiry": [
          {
            guard: { type: "failsOnExpiry" },
            target: "#toolNode.failed",
            actions: [{ type: "expire" }],
          },
          { target: "#toolNode.done", actions: [{ type: "expire" }] },
        ],
      },
    },
    callingTool: {
      invoke: {
        id: "tool",
        src: "hostCode",
        input: {},
        onDone: [{ target: "#toolNode.done", actions: [{ type: "takeResult" }] }],
      },
      on: {
        "child.paused": [{ actions: [{ type: "reportPaused" }] }],
        "child.resumed": [{ actions: [{ type: "reportResumed" }] }],
      },
    },
    done: { type: "final" },
    failed: { type: "final" },
    stopped: { type: "final" },
  },
} as const

/**
 * Input of a graph node that calls a tool. It consists of the input of the tool's host function and
 * the settings of the approval request.
 */
export type ToolNodeInput = HostFunctionInput & {
  readonly approval: {
    readonly tool: string
    readonly callId: string
    readonly parameters: JsonObject | null
    readonly expiresInMs: number | null
    readonly onExpiry?: OnExpiry
  }
}

interface ToolNodeContext extends Writable<HostFunctionOutput> {
  readonly input: ToolNodeInput
  call: ToolArguments
  request: PendingRequest | null
}

const locationOf = ({ agent, path, branch }: ToolNodeInput): AgentLocation => ({
  agent,
  path,
  branch,
})

const answers = ({ request }: ToolNodeContext, event: MachineEvent): boolean =>
  request?.id === event["id"]

/**
 * Returns an error message if a person edited the arguments and they violate the JSON schema of the
 * tool. Otherwise, returns null. The run already rejects such answers, but journals of earlier
 * versions can contain them.
 */
function violationOf(
  { input: { approval } }: ToolNodeContext,
  event: MachineEvent,
  lookup: Lookup,
): string | null {
  const edited = editedArgumentsOf(event)
  return edited === null || approval.parameters === null
    ? null
    : lookup.validate(approval.parameters, edited)
}

export const toolNodeKind: MachineKind<ToolNodeContext, ToolNodeInput, HostFunctionOutput> = {
  contextFrom: (input) => ({
    input,
    // The input of a tool is always an object, because `argumentsOf` wraps all other values.
    call: input.input as ToolArguments,
    at: input.at,
    steps: [],
    ...noEffects,
    outcome: null,
    value: null,
    args: undefined,
    runs: null,
    request: null,
    error: null,
    hasExpired: false,
  }),

  guards: {
    answersOpenRequest: answers,
    violatesParameters: (context, event, _params, lookup) =>
      answers(context, event) && violationOf(context, event, lookup) !== null,
    failsOnExpiry: ({ input }) => onExpiryOf("approval", input.approval) === "fail",
  },

  updates: {
    askApproval: (context, _event, _params, step) => {
      const { input, call } = context
      const { tool, callId, parameters, expiresInMs } = input.approval
      const request: PendingRequest = {
        id: `${input.path}/tool#0`,
        kind: "approval",
        ...locationOf(input),
        prompt: `May "${tool}" be called?`,
        details: null,
        toolCalls: [
          { id: callId, name: tool, args: call, ...(parameters !== null && { parameters }) },
        ],
        ...expiry(context.at, expiresInMs),
      }
      context.request = request
      step.emit({ type: "human.asked", request, ...locationOf(input) })
      awaitExpiry(step, "expiry", request)
      sendPaused(step, context.at)
    },
    approve: (context, event, _params, step) => {
      const args = editedArgumentsOf(event)
      context.at = timeOf(event)
      context.request = null
      context.call = args ?? context.call
      step.emit({
        type: "human.answered",
        id: requestIdOf(event),
        answer: { approved: true, ...(args !== null && { args }) },
        ...locationOf(context.input),
      })
      sendResumed(step)
    },
    refuseArguments: (context, event, _params, step) => {
      const { agent, approval } = context.input
      context.outcome = "failed"
      context.error = {
        code: "schema_violated",
        agent,
        message: `the edited arguments of the tool "${approval.tool}" of the node "${agent}" do not match its parameters schema: ${violationOf(context, event, step)}`,
      }
    },
    reject: (context, event, _params, step) => {
      const reason = reasonOf(event)
      context.at = timeOf(event)
      context.request = null
      context.outcome = "returned"
      context.value = rejectionOf(reason)
      step.emit({
        type: "human.answered",
        id: requestIdOf(event),
        answer: { approved: false, reason },
        ...locationOf(context.input),
      })
      sendResumed(step)
    },
    stopTimer: (context, _event, _params, step) => stopExpiry(step, "expiry", context.request),
    expire: (context, event, _params, step) => {
      const { input, request } = context
      const onExpiry = onExpiryOf("approval", input.approval)
      const id = request?.id ?? ""
      context.at = expiryTime(event)
      context.request = null
      emitExpired(step, input, id, onExpiry)
      if (onExpiry === "fail") {
        context.outcome = "failed"
        context.hasExpired = true
        context.error = expiredError(input.agent, id)
      } else {
        context.outcome = "returned"
        context.value = rejectionOf(expiredReason)
      }
      sendResumed(step)
    },
    reportPaused: (context, event, _params, step) => {
      context.at = timeOf(event)
      sendPaused(step, context.at)
    },
    reportResumed: (_context, _event, _params, step) => sendResumed(step),
    takeResult: (context, event) => {
      Object.assign(context, outputOf<HostFunctionOutput>(event))
    },
    stopAsking: (context, event) => {
      context.at = timeOf(event)
      context.request = null
    },
  },

  childInput({ input: { approval: _approval, ...input }, call, at }): HostFunctionInput {
    return { ...input, input: call, at }
  },

  output: ({ input: _input, call: _call, request: _request, ...output }) => output,

  pending: ({ request }) => (request === null ? [] : [request]),
}
