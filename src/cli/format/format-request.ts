import type { PendingRequest } from "../../machines/contract/pending-request.js"
import { describeRequest } from "../../serving/display/describe-request.js"
import { oneLine, safeJson, safeName, safeText } from "../terminal/untrusted-text.js"

/** Returns a title for a pending request. It contains the agent name and a short description. */
export const requestTitle = (request: PendingRequest): string =>
  `${safeName(request.agent)} ${describeRequest(request, safeName)}`

/**
 * Formats the data that a person needs to answer a pending request (tool calls, prompt, shown
 * state, choices and details). The tool calls come first, exactly as they will run, because a model
 * may have written the other texts.
 */
export function requestLines({
  prompt,
  details,
  toolCalls = [],
  choices,
  shown = {},
  omittedKeys = [],
  kind,
}: PendingRequest): readonly string[] {
  const calls = toolCalls.flatMap(({ id, name, args }) => {
    const call = `${kind === "approval" ? "proposes" : "call"} ${safeName(name)}`
    const json = safeJson(args)
    return json.length <= maxInline
      ? [`${call} ${json} (${safeName(id)})`]
      : [`${call} (${safeName(id)}) with these arguments:`, ...indented(safeJson(args, 2))]
  })
  return [
    ...calls,
    ...(prompt === null || prompt === ""
      ? []
      : calls.length === 0
        ? proseLines(null, prompt)
        : proseLines("prompt", prompt)),
    ...Object.entries(shown).flatMap(([key, value]) => valueLines(safeName(key), value)),
    ...(omittedKeys.length === 0
      ? []
      : [`too large to show: ${omittedKeys.map(safeName).join(", ")}`]),
    ...(choices === undefined
      ? []
      : [`choices: ${choices.map((choice) => safeJson(choice)).join(", ")}`]),
    ...(details === null || details === undefined ? [] : valueLines("details", details)),
  ]
}

/** Maximum length in characters of a value that is printed on the same line as its name. */
const maxInline = 100

/** Maximum number of lines of a text or value that are printed. The rest is omitted. */
const maxLines = 40

const valueLines = (name: string, value: unknown): readonly string[] => {
  if (typeof value === "string") return proseLines(name, value)
  const json = safeJson(value)
  return json.length <= maxInline
    ? [`${name}: ${json}`]
    : [`${name}:`, ...indented(clipLines(safeJson(value, 2)))]
}

/**
 * Formats a text that comes from a model or config. If the text has several lines, each line starts
 * with `|`, so that it cannot imitate other output of the program.
 */
const proseLines = (name: string | null, text: string): readonly string[] => {
  const start = name === null ? "" : `${name}: `
  const trimmed = safeText(text).trim()
  return trimmed.includes("\n")
    ? [
        ...(name === null ? [] : [`${name}:`]),
        ...clipLines(trimmed)
          .split("\n")
          .map((line) => `| ${line}`.trimEnd()),
      ]
    : [`${start}${oneLine(text)}`]
}

const indented = (text: string): readonly string[] => text.split("\n").map((line) => `  ${line}`)

function clipLines(text: string): string {
  const lines = text.split("\n")
  return lines.length <= maxLines
    ? text
    : [
        ...lines.slice(0, maxLines - 1),
        `... ${lines.length - maxLines + 1} more lines; "runs pending --json" prints them`,
      ].join("\n")
}

/**
 * Returns example entries for an `--answers` file that answer the pending request, for example
 * `{"approve":true}`.
 */
export function answerExamples({
  kind,
  toolCalls = [],
  choices = ["..."],
}: PendingRequest): readonly string[] {
  switch (kind) {
    case "approval": {
      const [call, ...others] = toolCalls
      const edited =
        call === undefined || others.length > 0
          ? []
          : [safeJson({ approve: true, args: call.args })]
      return ['{"approve":true}', ...edited, '{"reject":true,"reason":"..."}']
    }
    case "input":
      return ['{"user":"..."}', '{"end":true}']
    case "human":
      return choices.map((answer) => safeJson({ answer }))
    case "tool":
      return [safeJson({ deliver: toolCalls[0]?.id ?? "...", result: {} })]
    case "auth":
      return ['{"answer":{"secret":"NAME"}}']
  }
}
