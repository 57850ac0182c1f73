import type { PendingRequest } from "../../machines/contract/pending-request.js"

/**
 * Returns the question of a pending request as plain text, for clients that can show only text. The
 * text also contains proposed tool calls, shown state, choices and the additional data in
 * `details`.
 */
export function questionText({
  kind,
  agent,
  prompt,
  details,
  choices,
  shown = {},
  omittedKeys = [],
  toolCalls = [],
}: PendingRequest): string {
  const question = prompt === null || prompt === "" ? `${agent} ${defaultQuestions[kind]}` : prompt
  return [
    question,
    ...toolCalls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`),
    ...Object.entries(shown).map(([key, value]) => `${key}: ${textOf(value)}`),
    ...(omittedKeys.length === 0 ? [] : [`Too large to show: ${omittedKeys.join(", ")}`]),
    ...(choices === undefined ? [] : [`Choices: ${choices.map(textOf).join(", ")}`]),
    ...(details === null || details === undefined ? [] : [JSON.stringify(details)]),
  ].join("\n")
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value)

/**
 * Questions for pending requests without a prompt, by request kind. They are printed after the name
 * of the agent.
 */
const defaultQuestions: Readonly<Record<PendingRequest["kind"], string>> = {
  approval: "asks for approval.",
  input: "waits for the next message.",
  human: "asks a question.",
  auth: "needs the name of a secret.",
  tool: "waits for the result of a tool call.",
}
