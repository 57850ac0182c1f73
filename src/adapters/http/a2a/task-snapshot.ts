import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"

/**
 * The state of an A2A task, named as in A2A 0.3. Unknown states of a server are treated as
 * `working`.
 */
export type RemoteTaskState =
  | "working"
  | "completed"
  | "failed"
  | "canceled"
  | "rejected"
  | "input-required"
  | "auth-required"

const states: ReadonlySet<string> = new Set<RemoteTaskState>([
  "completed",
  "failed",
  "canceled",
  "rejected",
  "input-required",
  "auth-required",
])

/** An artifact of an A2A task. Its parts are converted to the format of A2A 1.0. */
export interface TaskArtifact {
  readonly artifactId: string
  /** The fields of the artifact without its id and its parts, for example its `name`. */
  readonly about: JsonObject
  /**
   * Parts of the artifact in the format of A2A 1.0. Chunks that arrive in a stream are appended.
   */
  readonly parts: JsonObject[]
}

/** The data about an A2A task that this client has received so far. */
export interface TaskSnapshot {
  /**
   * Id of the task. null if the server has not assigned an id yet or has responded without a task.
   */
  readonly task: string | null
  readonly contextId: string | null
  readonly state: RemoteTaskState
  /** Parts of the message in the task's status, for example a question to the user. */
  readonly message: readonly JsonObject[]
  /** The `status` object of the task as JSON. The ids of pending requests are derived from it. */
  readonly status: unknown
  /** The artifacts of the task by id. `applyEvent` modifies this map. */
  readonly artifacts: Map<string, TaskArtifact>
  /** Ids of the messages in the task's history. They show which messages were already sent. */
  readonly messageIds: ReadonlySet<string>
}

export const emptySnapshot = (): TaskSnapshot => ({
  task: null,
  contextId: null,
  state: "working",
  message: [],
  status: null,
  artifacts: new Map(),
  messageIds: new Set(),
})

export const isInterrupted = ({ state }: TaskSnapshot): boolean =>
  state === "input-required" || state === "auth-required"

export const hasEnded = (snapshot: TaskSnapshot): boolean =>
  !isWorking(snapshot) && !isInterrupted(snapshot)

export const isWorking = ({ state }: TaskSnapshot): boolean => state === "working"

/** The result of applying a stream event to the snapshot of an A2A task. */
export interface Applied {
  readonly snapshot: TaskSnapshot
  /**
   * Text that the event adds to the task. The event appends this text to an artifact or replaces an
   * artifact with it.
   */
  readonly text: string
}

/**
 * Applies a stream event or a response to the snapshot of an A2A task. Accepts the formats of A2A
 * 1.0 and 0.3. Returns null if the event has neither format.
 */
export function applyEvent(snapshot: TaskSnapshot, event: unknown): Applied | null {
  if (!isJsonObject(event)) return null
  const { kind } = event
  const payload = (name: string, earlierKind: string): JsonObject | null => {
    const inner = event[name]
    return isJsonObject(inner) ? inner : kind === earlierKind ? event : null
  }
  const task = payload("task", "task")
  if (task !== null) return { snapshot: readTask(task) ?? snapshot, text: "" }
  const message = payload("message", "message")
  if (message !== null) return { snapshot: answered(snapshot, message), text: "" }
  const update = payload("statusUpdate", "status-update")
  if (update !== null)
    return { snapshot: { ...withIds(snapshot, update), ...readStatus(update["status"]) }, text: "" }
  const added = payload("artifactUpdate", "artifact-update")
  return added === null ? null : withArtifact(snapshot, added)
}

/**
 * Converts the JSON of an A2A task in a response to a snapshot. Returns null if the task has no id.
 */
export function readTask(task: unknown): TaskSnapshot | null {
  if (!isJsonObject(task)) return null
  const id = textIn(task, "id")
  if (id === null) return null
  const history = listIn(task, "history")
  return {
    task: id,
    contextId: textIn(task, "contextId"),
    ...readStatus(task["status"]),
    artifacts: new Map(
      listIn(task, "artifacts").map((artifact) => {
        const read = readArtifact(artifact)
        return [read.artifactId, read]
      }),
    ),
    messageIds: new Set(history.flatMap((message) => textIn(message, "messageId") ?? [])),
  }
}

function answered(snapshot: TaskSnapshot, message: JsonObject): TaskSnapshot {
  return {
    ...withIds(snapshot, message),
    state: "completed",
    message: partsIn(message),
  }
}

const withIds = (snapshot: TaskSnapshot, event: JsonObject): TaskSnapshot => ({
  ...snapshot,
  task: textIn(event, "taskId") ?? snapshot.task,
  contextId: textIn(event, "contextId") ?? snapshot.contextId,
})

function readStatus(status: unknown): Pick<TaskSnapshot, "state" | "message" | "status"> {
  const fields = isJsonObject(status) ? status : {}
  const { message } = fields
  const state = String(fields["state"] ?? "")
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-")
  return {
    // The set contains only task states.
    state: states.has(state) ? (state as RemoteTaskState) : "working",
    message: isJsonObject(message) ? partsIn(message) : [],
    status,
  }
}

function withArtifact(snapshot: TaskSnapshot, event: JsonObject): Applied {
  const artifact = isJsonObject(event["artifact"]) ? event["artifact"] : {}
  const added = readArtifact(artifact)
  const known = snapshot.artifacts.get(added.artifactId)
  if (known === undefined || event["append"] !== true)
    snapshot.artifacts.set(added.artifactId, added)
  else known.parts.push(...added.parts)
  return { snapshot: withIds(snapshot, event), text: textOfParts(added.parts) }
}

function readArtifact(artifact: JsonObject): TaskArtifact {
  const { parts: _, artifactId, ...about } = artifact
  const id = typeof artifactId === "string" ? artifactId : ""
  return { artifactId: id, about, parts: partsIn(artifact) }
}

const partsIn = (owner: JsonObject): JsonObject[] => listIn(owner, "parts").map(readPart)

/** Converts a message part or artifact part from A2A 0.3 to A2A 1.0. */
function readPart(part: JsonObject): JsonObject {
  const { kind, file, ...fields } = part
  if (kind !== "file" || !isJsonObject(file)) return fields
  const { bytes, uri, mimeType, name } = file
  return {
    ...(bytes === undefined ? { url: uri } : { raw: bytes }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
    ...(name !== undefined && { filename: name }),
    ...fields,
  }
}

export const textOfParts = (parts: readonly JsonObject[]): string =>
  parts.map(({ text }) => (typeof text === "string" ? text : "")).join("")

export const dataOfParts = (parts: readonly JsonObject[]): readonly unknown[] =>
  parts.flatMap((part) => (part["data"] === undefined ? [] : [part["data"]]))

function textIn(fields: JsonObject, name: string): string | null {
  const value = fields[name]
  return typeof value === "string" && value !== "" ? value : null
}

function listIn(fields: JsonObject, name: string): readonly JsonObject[] {
  const value = fields[name]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
