import type { Message, Part, Task } from "@a2a-js/sdk"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { isHelper } from "../../../machines/model-call/helper-agents.js"
import type { RunEvent } from "../../../machines/contract/run-event.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { HttpError } from "../../../serving/http-error.js"
import { questionText } from "../../../serving/display/question-text.js"
import type { RunDetails } from "../../../serving/run-details.js"

/** The optional npm package `@a2a-js/sdk`, which is loaded on the first A2A request. */
export type A2aPackage = typeof import("@a2a-js/sdk")

const part = (content: NonNullable<Part["content"]>, mediaType: string): Part => ({
  content,
  metadata: undefined,
  filename: "",
  mediaType,
})
const textPart = (value: string): Part => part({ $case: "text", value }, "text/plain")
const dataPart = (value: unknown): Part => part({ $case: "data", value }, "application/json")

/** Returns the A2A context id that is stored with a run, or the run id if none is stored. */
export const contextIdOf = ({ about, runId }: RunDetails): string =>
  typeof about["a2aContext"] === "string" ? about["a2aContext"] : runId

/**
 * Returns the id of the A2A message that started the run. Undefined if no A2A message started it.
 */
const messageIdOf = ({ about }: RunDetails): string | undefined =>
  typeof about["a2aMessage"] === "string" ? about["a2aMessage"] : undefined

/** Returns the joined text parts of an A2A message, and its first data part. */
export function messageContent(message: Message): {
  readonly text: string
  readonly data: unknown
} {
  const text = message.parts
    .map(({ content }) => (content?.$case === "text" ? content.value : ""))
    .join("")
  const data: unknown = message.parts.find(({ content }) => content?.$case === "data")?.content
    ?.value
  return { text, data }
}

/**
 * Returns the failed tool calls of a run as metadata of the run's A2A task. Returns undefined if no
 * call failed.
 */
const failuresIn = ({ toolFailures }: RunDetails["result"]): Task["metadata"] =>
  toolFailures === undefined ? undefined : { toolFailures }

const yes = /^\s*(yes|approve|approved|ok)\s*[.!]?\s*$/i

/**
 * Converts a message of an A2A client to an answer to a pending request. A data part with
 * `{approved: true}` or a text such as `yes` approves. Any other text rejects, with the text as the
 * reason. Without a request id, the message answers the oldest pending request.
 *
 * @throws HttpError `request_unknown`.
 */
export function messageFor(message: Message, pending: readonly PendingRequest[]): RunMessage {
  const { text, data } = messageContent(message)
  const fields = isJsonObject(data) ? data : {}
  const requestId = fields["request"]
  const request =
    typeof requestId === "string"
      ? pending.find(({ id }) => id === requestId)
      : (pending[0] ?? null)
  // A message with an unknown request id must not answer another request.
  if (request === undefined)
    throw new HttpError(409, {
      code: "request_unknown",
      message: `the request "${String(requestId)}" is not pending; get the task to see its pending requests`,
    })
  if (request === null) return { type: "say", content: text }
  const { id, kind } = request
  if (kind === "approval") {
    const isApproved = fields["approved"] === true || (data === undefined && yes.test(text))
    const reason = typeof fields["reason"] === "string" ? fields["reason"] : text
    // The run validates the arguments.
    if (isApproved)
      return {
        type: "approve",
        id,
        ...(fields["args"] !== undefined && {
          args: fields["args"] as Readonly<Record<string, unknown>>,
        }),
      }
    return { type: "reject", id, ...(reason !== "" && { reason }) }
  }
  if (kind === "input") return { type: "say", content: text, request: id }
  const value = Object.hasOwn(fields, "value") ? fields["value"] : (data ?? text)
  return kind === "tool"
    ? { type: "deliver", callId: id, result: value }
    : { type: "answer", id, value }
}

/** Functions that convert runs to A2A tasks, and run events to A2A messages. */
export interface A2aTasks {
  task(details: RunDetails, historyLength?: number): Task
  /**
   * Returns the A2A message for an event of an agent or user. Returns null if the event contains no
   * message. `firstId` is the id of the message that started the run.
   */
  message(event: RunEvent, contextId: string, firstId?: string): Message | null
  status(details: RunDetails): NonNullable<Task["status"]>
  artifacts(details: RunDetails): Task["artifacts"]
}

export function a2aTasks({ Role, TaskState }: A2aPackage): A2aTasks {
  const newMessage = (
    taskId: string,
    contextId: string,
    id: string | number,
    role: Message["role"],
    parts: Part[],
  ): Message => ({
    messageId: `${taskId}-${id}`,
    contextId,
    taskId,
    role,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  })

  const message: A2aTasks["message"] = (event, contextId, firstId) => {
    if (event.type === "run.started" && (event.prompt !== null || firstId !== undefined)) {
      const parts = event.prompt === null ? [] : [textPart(event.prompt)]
      const first = newMessage(event.runId, contextId, event.seq, Role.ROLE_USER, parts)
      return firstId === undefined ? first : { ...first, messageId: firstId }
    }
    if (event.type === "user.said")
      return newMessage(event.runId, contextId, event.seq, Role.ROLE_USER, [textPart(event.text)])
    if (
      event.type === "model.responded" &&
      !isHelper(event.agent) &&
      event.answer.content !== null &&
      event.answer.content !== ""
    )
      return newMessage(event.runId, contextId, event.seq, Role.ROLE_AGENT, [
        textPart(event.answer.content),
      ])
    return null
  }

  const states = {
    running: TaskState.TASK_STATE_WORKING,
    completed: TaskState.TASK_STATE_COMPLETED,
    failed: TaskState.TASK_STATE_FAILED,
    limit: TaskState.TASK_STATE_FAILED,
    cancelled: TaskState.TASK_STATE_CANCELED,
  }

  const status: A2aTasks["status"] = (details) => {
    const { runId, result, pending, events, startedAt } = details
    const timestamp = new Date(events.at(-1)?.at ?? startedAt).toISOString()
    const statusMessage = (parts: Part[]): Message =>
      newMessage(runId, contextIdOf(details), "status", Role.ROLE_AGENT, parts)
    if (result.status !== "waiting")
      return {
        state: states[result.status],
        message:
          result.error === null ? undefined : statusMessage([textPart(result.error.message)]),
        timestamp,
      }
    const needsSecret = pending.some(({ kind }) => kind === "auth")
    const questions = pending.flatMap((request) =>
      request.prompt === null ? [] : [textPart(questionText(request))],
    )
    return {
      state: needsSecret ? TaskState.TASK_STATE_AUTH_REQUIRED : TaskState.TASK_STATE_INPUT_REQUIRED,
      message: statusMessage([...questions, dataPart({ requests: pending })]),
      timestamp,
    }
  }

  const artifacts: A2aTasks["artifacts"] = ({ result }) =>
    result.text === null || result.status !== "completed"
      ? []
      : [
          {
            artifactId: "result",
            name: "result",
            description: "",
            parts: [textPart(result.text)],
            metadata: failuresIn(result),
            extensions: [],
          },
        ]

  return {
    message,
    status,
    artifacts,
    task(details, historyLength) {
      const contextId = contextIdOf(details)
      const firstId = messageIdOf(details)
      const all = details.events.flatMap((event) => message(event, contextId, firstId) ?? [])
      return {
        id: details.runId,
        contextId,
        status: status(details),
        artifacts: artifacts(details),
        history:
          historyLength === undefined ? all : historyLength === 0 ? [] : all.slice(-historyLength),
        metadata: failuresIn(details.result),
      }
    },
  }
}
