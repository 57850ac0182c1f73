import { isCancel, log, note, select, text } from "@clack/prompts"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import type { RunControls } from "../../runtime/run/run-controls.js"
import { hanging, oneLine, safeJson, safeName } from "../terminal/untrusted-text.js"
import { requestLines, requestTitle } from "../format/format-request.js"

/** Asks the user at the terminal to answer one of the pending requests. Ctrl-C calls `leave`. */
export async function askPerson(run: RunControls, leave: () => void): Promise<void> {
  const open = run.pending()
  const request = await chosen(open)
  if (request === null) return leave()
  const lines = requestLines(request)
  if (lines.length > 0) note(lines.join("\n"), requestTitle(request))
  const give = await answerFor(request, run)
  try {
    if (give === null) leave()
    else give()
  } catch (error) {
    // A rejected answer changes nothing. The run still waits, so the user can try again.
    log.error(hanging(error instanceof Error ? error.message : String(error)))
  }
  return undefined
}

async function chosen(open: readonly PendingRequest[]): Promise<PendingRequest | null> {
  const [first] = open
  if (first === undefined || open.length === 1) return first ?? null
  const options = open.map((request) => ({
    value: request.id,
    label: requestTitle(request),
    hint: safeName(request.path),
  }))
  const id = await select({
    message: `${open.length} requests are open. Which one first?`,
    options,
  })
  return isCancel(id) ? null : (open.find((request) => request.id === id) ?? first)
}

/**
 * Reads an answer from the user and returns the function that sends it. null if the user cancelled.
 */
async function answerFor(request: PendingRequest, run: RunControls): Promise<(() => void) | null> {
  const { id, kind, toolCalls = [] } = request
  switch (kind) {
    case "approval":
      return approval(request, run)
    case "input": {
      const said = await text({
        message: `Your message to ${safeName(request.agent)}`,
        placeholder: "empty ends the conversation",
      })
      if (isCancel(said)) return null
      return () => ((said ?? "") === "" ? run.end() : run.say(said, { request: id }))
    }
    case "human": {
      const answer = await text({ message: "Your answer", placeholder: "text, or JSON" })
      return isCancel(answer) ? null : () => run.answer(id, jsonOrText(answer ?? ""))
    }
    case "tool": {
      const result = await text({
        message: `Result of ${toolCalls[0] === undefined ? "the tool" : safeName(toolCalls[0].name)} (JSON)`,
        initialValue: "{}",
        validate: isJson,
      })
      return isCancel(result) ? null : () => run.deliver(id, JSON.parse(result))
    }
    case "auth": {
      const secret = await text({
        message: "Name of the secret that it may use",
        validate: (name) => ((name ?? "") === "" ? "enter a name" : undefined),
      })
      return isCancel(secret) ? null : () => run.answer(id, { secret })
    }
  }
}

async function approval(
  { id, toolCalls = [] }: PendingRequest,
  run: RunControls,
): Promise<(() => void) | null> {
  const edit =
    toolCalls.length === 0 ? [] : [{ value: "edit", label: "Approve with other arguments" }]
  const choice = await select({
    message:
      toolCalls.length === 0
        ? "Approve?"
        : `Let ${toolCalls.map(({ name }) => safeName(name)).join(", ")} run?`,
    options: [
      { value: "approve", label: "Approve" },
      ...edit,
      { value: "reject", label: "Reject" },
    ],
  })
  if (isCancel(choice)) return null
  if (choice === "approve") return () => run.approve(id)
  if (choice === "reject") {
    const reason = await text({ message: "Why?", placeholder: "sent to the agent; may be empty" })
    return isCancel(reason)
      ? null
      : () => run.reject(id, (reason ?? "") === "" ? undefined : reason)
  }
  const [only, ...others] = toolCalls
  const proposed =
    others.length === 0
      ? only?.args
      : Object.fromEntries(toolCalls.map((call) => [call.id, call.args]))
  const edited = await text({
    message: others.length === 0 ? "Arguments (JSON)" : "Arguments by call id (JSON)",
    initialValue: safeJson(proposed),
    validate: isObject,
  })
  return isCancel(edited)
    ? null
    : () => run.approve(id, { args: JSON.parse(edited) as Record<string, unknown> })
}

function isJson(value: string | undefined): string | undefined {
  try {
    JSON.parse(value ?? "")
    return undefined
  } catch (error) {
    return `no valid JSON: ${oneLine((error as Error).message)}`
  }
}

function isObject(value: string | undefined): string | undefined {
  const problem = isJson(value)
  if (problem !== undefined) return problem
  const parsed: unknown = JSON.parse(value ?? "")
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
    ? undefined
    : "it must be a JSON object"
}

/** Parses objects and lists as JSON. Any other input is used as text. */
const jsonOrText = (typed: string): unknown =>
  /^\s*[[{]/.test(typed) && isJson(typed) === undefined ? (JSON.parse(typed) as unknown) : typed
