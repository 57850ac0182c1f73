import type { PendingRequest } from "../../../machines/contract/pending-request.js"
import type { RunError } from "../../../machines/contract/run-event.js"
import { textHash } from "../../../machines/data/text-hash.js"
import type { RemoteIds } from "../../../machines/workflow-agent/remote-call.js"
import type { ChildProgress } from "../../../machines/workflow-agent/workflow-call.js"
import { dataOfParts, type TaskSnapshot, textOfParts } from "./task-snapshot.js"

export const idsOf = ({ task, contextId }: TaskSnapshot): RemoteIds => ({ task, contextId })

/**
 * Returns the pending request for an A2A task that waits for input or for an authorization. A
 * person can answer this request. Its id depends only on the task's status, so it is the same after
 * a restart.
 */
export function questionOf({
  state,
  message,
  status,
}: TaskSnapshot): Pick<PendingRequest, "id" | "kind" | "prompt" | "details"> {
  const text = textOfParts(message)
  const data = dataOfParts(message)
  const details = data.length > 1 ? data : (data[0] ?? null)
  const id = `${state}-${textHash(JSON.stringify(status)).toString(36)}`
  if (state === "auth-required")
    return {
      id,
      kind: "auth",
      prompt: text === "" ? "The remote agent asks for an authorization." : text,
      details: { auth: details },
    }
  return {
    id,
    kind: "human",
    prompt: text === "" ? "The remote agent asks for input." : text,
    details,
  }
}

/** Converts the snapshot of an ended A2A task to the result of the call that started the task. */
export function endOf(
  snapshot: TaskSnapshot,
  agent: string,
): Extract<ChildProgress, { readonly text: unknown }> {
  const { state, message } = snapshot
  const artifacts = [...snapshot.artifacts.values()]
  const messageText = textOfParts(message)
  const texts = artifacts.map(({ parts }) => textOfParts(parts)).filter((text) => text !== "")
  const inArtifacts = artifacts.flatMap(({ parts }) => dataOfParts(parts))
  const data = inArtifacts.length > 0 ? inArtifacts : dataOfParts(message)
  const remote = {
    ...idsOf(snapshot),
    data: data.length > 1 ? data : (data[0] ?? null),
    artifacts: artifacts.map(({ artifactId, about, parts }) => ({ artifactId, ...about, parts })),
  }
  if (state === "completed")
    return {
      status: "completed",
      text: texts.length > 0 ? texts.join("\n\n") : messageText === "" ? null : messageText,
      state: {},
      error: null,
      remote,
    }
  const error: RunError = {
    code: state === "rejected" ? "remote_task_rejected" : "remote_task_failed",
    agent,
    message:
      messageText === ""
        ? `the remote agent ended the task with the state "${state}"`
        : messageText,
  }
  const status = state === "canceled" ? "cancelled" : "failed"
  return { status, text: null, state: {}, error, remote }
}
