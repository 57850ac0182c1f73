import { isCancel, log, note, select, text } from "@clack/prompts"
import type { AnswerChoice, PendingRequest } from "../../machines/contract/pending-request.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { RunControls } from "../../runtime/run/run-controls.js"
import { jsonValidator } from "../../runtime/validation/json-validator.js"
import { escapeIndented, oneLine, safeJson, safeName } from "../terminal/untrusted-text.js"
import { requestLines, requestTitle } from "../format/format-request.js"

/**
 * Prompts the user at the terminal to answer one of the pending requests of a run. Calls `onCancel`
 * if the user presses Ctrl-C.
 */
export async function askPerson(run: RunControls, onCancel: () => void): Promise<void> {
  const pending = run.pending()
  const request = await chooseRequest(pending)
  if (request === null) return onCancel()
  // The choices of a person's answer are the options of the prompt that follows.
  const { choices: _choices, ...withoutChoices } = request
  const lines = requestLines(request.kind === "human" ? withoutChoices : request)
  if (lines.length > 0) note(lines.join("\n"), requestTitle(request))
  const submit = await answerFor(request, run)
  try {
    if (submit === null) onCancel()
    else submit()
  } catch (error) {
    // A rejected answer changes nothing. The run still waits, so the user can try again.
    log.error(escapeIndented(error instanceof Error ? error.message : String(error)))
  }
  return undefined
}

async function chooseRequest(pending: readonly PendingRequest[]): Promise<PendingRequest | null> {
  const [first] = pending
  if (first === undefined || pending.length === 1) return first ?? null
  const options = pending.map((request) => ({
    value: request.id,
    label: requestTitle(request),
    hint: safeName(request.path),
  }))
  const id = await select({
    message: `${pending.length} requests are pending. Which request do you want to answer first?`,
    options,
  })
  return isCancel(id) ? null : (pending.find((request) => request.id === id) ?? first)
}

/**
 * Prompts the user for an answer to a pending request. Resolves to a function that sends the
 * answer, or to null if the user cancels.
 */
async function answerFor(request: PendingRequest, run: RunControls): Promise<(() => void) | null> {
  const { id, kind, toolCalls = [] } = request
  switch (kind) {
    case "approval":
      return approval(request, run)
    case "input": {
      const answerText = await text({
        message: `Your message to ${safeName(request.agent)}`,
        placeholder: "Leave it empty to end the conversation.",
      })
      if (isCancel(answerText)) return null
      return () => ((answerText ?? "") === "" ? run.end() : run.say(answerText, { request: id }))
    }
    case "human": {
      if (request.choices !== undefined) return chosenAnswer(id, request.choices, run)
      const answer = await text({ message: "Your answer", placeholder: "Text or JSON" })
      return isCancel(answer) ? null : () => run.answer(id, jsonOrText(answer ?? ""))
    }
    case "tool": {
      const result = await text({
        message: `Result of ${toolCalls[0] === undefined ? "the tool" : safeName(toolCalls[0].name)} (JSON)`,
        initialValue: "{}",
        validate: jsonProblem,
      })
      return isCancel(result) ? null : () => run.deliver(id, JSON.parse(result))
    }
    case "auth": {
      const secret = await text({
        message: "Name of the secret that the tool may use",
        validate: (name) => ((name ?? "") === "" ? "Enter the name of a secret." : undefined),
      })
      return isCancel(secret) ? null : () => run.answer(id, { secret })
    }
  }
}

async function chosenAnswer(
  id: string,
  choices: readonly AnswerChoice[],
  run: RunControls,
): Promise<(() => void) | null> {
  const index = await select({
    message: "Your answer",
    options: choices.map((choice, index) => ({ value: index, label: oneLine(String(choice)) })),
  })
  return isCancel(index) ? null : () => run.answer(id, choices[index])
}

async function approval(
  { id, toolCalls = [] }: PendingRequest,
  run: RunControls,
): Promise<(() => void) | null> {
  const edit =
    toolCalls.length === 0 ? [] : [{ value: "edit", label: "Approve with changed arguments" }]
  const choice = await select({
    message:
      toolCalls.length === 0
        ? "Approve this request?"
        : `Allow the call of ${toolCalls.map(({ name }) => safeName(name)).join(", ")}?`,
    options: [
      { value: "approve", label: "Approve" },
      ...edit,
      { value: "reject", label: "Reject" },
    ],
  })
  if (isCancel(choice)) return null
  if (choice === "approve") return () => run.approve(id)
  if (choice === "reject") {
    const reason = await text({
      message: "Reason for the rejection",
      placeholder: "Optional. The agent receives the reason.",
    })
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
    message: others.length === 0 ? "Arguments, as JSON" : "Arguments by call id, as JSON",
    initialValue: safeJson(proposed),
    validate: (typed) =>
      jsonObjectProblem(typed) ??
      (others.length === 0 ? schemaProblem(only?.parameters, JSON.parse(typed ?? "")) : undefined),
  })
  if (isCancel(edited)) return null
  const args: unknown = JSON.parse(edited)
  // The prompt accepts only JSON objects.
  return isJsonObject(args) ? () => run.approve(id, { args }) : null
}

/**
 * Returns an error message if edited tool arguments violate the parameter schema of the tool.
 * Returns undefined if the arguments are valid.
 */
function schemaProblem(parameters: JsonObject | undefined, args: unknown): string | undefined {
  const violation = parameters === undefined ? null : jsonValidator()(parameters, args)
  return violation === null ? undefined : oneLine(`The tool does not accept this: ${violation}`)
}

/**
 * Returns an error message if the typed text is not valid JSON. Returns undefined if it is valid.
 */
function jsonProblem(typed = ""): string | undefined {
  try {
    JSON.parse(typed)
    return undefined
  } catch (error) {
    return `Enter valid JSON: ${oneLine(error instanceof Error ? error.message : String(error))}`
  }
}

/**
 * Returns an error message if the typed text is not a JSON object. Returns undefined if it is one.
 */
function jsonObjectProblem(typed = ""): string | undefined {
  const problem = jsonProblem(typed)
  if (problem !== undefined) return problem
  return isJsonObject(JSON.parse(typed)) ? undefined : 'Enter a JSON object, such as {"amount": 5}.'
}

/** Parses typed text that is a JSON object or array. Returns any other text unchanged. */
const jsonOrText = (typed: string): unknown =>
  /^\s*[[{]/.test(typed) && jsonProblem(typed) === undefined ? JSON.parse(typed) : typed
