import type { Message, Part, Task } from "@a2a-js/sdk"
import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import type { RunEvent } from "../../../machines/contract/run-event.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { HttpError } from "../../../serving/http-error.js"
import type { RunDetails } from "../../../serving/run-details.js"

/** The package, loaded when somebody first asks. */
export type A2aPackage = typeof import("@a2a-js/sdk")

const part = (content: NonNullable<Part["content"]>, mediaType: string): Part => ({
  content,
  metadata: undefined,
  filename: "",
  mediaType,
})
const textPart = (value: string): Part => part({ $case: "text", value }, "text/plain")
const dataPart = (value: unknown): Part => part({ $case: "data", value }, "application/json")

/** What a task is called in, kept with its run. */
export const contextOf = ({ about, runId }: RunDetails): string =>
  typeof about["a2aContext"] === "string" ? about["a2aContext"] : runId

/** The text of a message, and what it brings as data. */
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

const yes = /^\s*(yes|approve|approved|ok)\s*[.!]?\s*$/i

/** A message to a task as what its run waits for. An approval is given by `{approved: true}` or a plain yes; every other text refuses, with itself as the reason. */
export function messageFor(message: Message, pending: readonly PendingRequest[]): RunMessage {
  const { text, data } = messageContent(message)
  const fields = (typeof data === "object" && data !== null ? data : {}) as Readonly<
    Record<string, unknown>
  >
  const named = fields["request"]
  const asked =
    typeof named === "string" ? pending.find(({ id }) => id === named) : (pending[0] ?? null)
  // A message that names a request is not meant for any other one.
  if (asked === undefined)
    throw new HttpError(409, {
      code: "request_unknown",
      message: `the request "${String(named)}" is not pending`,
    })
  if (asked === null) return { type: "say", content: text }
  const { id, kind } = asked
  if (kind === "approval") {
    const isApproved = fields["approved"] === true || (data === undefined && yes.test(text))
    const reason = typeof fields["reason"] === "string" ? fields["reason"] : text
    // The run checks the arguments.
    if (isApproved)
      return {
        type: "approve",
        id,
        ...(fields["args"] === undefined
          ? {}
          : { args: fields["args"] as Readonly<Record<string, unknown>> }),
      }
    return { type: "reject", id, ...(reason === "" ? {} : { reason }) }
  }
  if (kind === "input") return { type: "say", content: text, request: id }
  const value = Object.hasOwn(fields, "value") ? fields["value"] : (data ?? text)
  return kind === "tool"
    ? { type: "deliver", callId: id, result: value }
    : { type: "answer", id, value }
}

/** Runs as tasks. */
export interface A2aTasks {
  task(standing: RunDetails, historyLength?: number): Task
  /** A message of the agent or the user that an event brings; null for others. */
  message(event: RunEvent, contextId: string): Message | null
  status(standing: RunDetails): NonNullable<Task["status"]>
  artifacts(standing: RunDetails): Task["artifacts"]
}

export function a2aTasks({ Role, TaskState }: A2aPackage): A2aTasks {
  const of = (
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

  const message: A2aTasks["message"] = (event, contextId) => {
    if (event.type === "run.started" && event.prompt !== null)
      return of(event.runId, contextId, event.seq, Role.ROLE_USER, [textPart(event.prompt)])
    if (event.type === "user.said")
      return of(event.runId, contextId, event.seq, Role.ROLE_USER, [textPart(event.text)])
    if (
      event.type === "model.responded" &&
      event.answer.content !== null &&
      event.answer.content !== ""
    )
      return of(event.runId, contextId, event.seq, Role.ROLE_AGENT, [
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

  const status: A2aTasks["status"] = (standing) => {
    const { runId, result, pending, events, startedAt } = standing
    const timestamp = new Date(events.at(-1)?.at ?? startedAt).toISOString()
    const said = (parts: Part[]): Message =>
      of(runId, contextOf(standing), "status", Role.ROLE_AGENT, parts)
    if (result.status !== "waiting")
      return {
        state: states[result.status],
        message: result.error === null ? undefined : said([textPart(result.error.message)]),
        timestamp,
      }
    const needsSecret = pending.some(({ kind }) => kind === "auth")
    const prompts = pending.flatMap(({ prompt }) => (prompt === null ? [] : [textPart(prompt)]))
    return {
      state: needsSecret ? TaskState.TASK_STATE_AUTH_REQUIRED : TaskState.TASK_STATE_INPUT_REQUIRED,
      message: said([...prompts, dataPart({ requests: pending })]),
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
            metadata: undefined,
            extensions: [],
          },
        ]

  return {
    message,
    status,
    artifacts,
    task(standing, historyLength) {
      const contextId = contextOf(standing)
      const all = standing.events.flatMap((event) => message(event, contextId) ?? [])
      return {
        id: standing.runId,
        contextId,
        status: status(standing),
        artifacts: artifacts(standing),
        history:
          historyLength === undefined ? all : historyLength === 0 ? [] : all.slice(-historyLength),
        metadata: undefined,
      }
    },
  }
}
