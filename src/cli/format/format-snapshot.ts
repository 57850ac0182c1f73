import type { CallAt, RunAt } from "../../runtime/index.js"
import type { Terminal } from "../terminal/terminal.js"
import { requestTitle } from "./format-request.js"
import { clip, padTo } from "../terminal/column-text.js"
import { oneLine, safeName } from "../terminal/untrusted-text.js"

/**
 * Formats the state of a run after one of its journal records as lines of text for the terminal.
 */
export function snapshotLines(
  { at, of, time, result, machines, agents, inFlight, pending }: RunAt,
  { paint }: Terminal,
): readonly string[] {
  const active = machines.flatMap((machine) => machine.agents.map(({ path }) => path))
  const facts: readonly (readonly [string, string])[] = [
    ["status", result.status],
    ["time", new Date(time).toISOString()],
    ...(result.text === null ? [] : [["text", result.text] as const]),
    ...(result.error === null
      ? []
      : [["error", `${result.error.code}: ${result.error.message}`] as const]),
    ...Object.entries(result.state).map(
      ([key, value]) => [`state ${key}`, JSON.stringify(value)] as const,
    ),
    ...agents.map(
      ({ path, conversation, isActive }) =>
        [
          "agent",
          `${safeName(path)} ${isActive ? "active" : "finished"}, ${conversation.length} messages`,
        ] as const,
    ),
    ...(active.length === 0 ? [] : [["active", active.map(safeName).join(", ")] as const]),
    ...inFlight.map((call) => ["in flight", callDescription(call)] as const),
    ...pending.map(
      (request) => ["pending", `${requestTitle(request)} (${safeName(request.id)})`] as const,
    ),
  ]
  const width = Math.max(...facts.map(([name]) => name.length))
  return [
    paint.bold(`${oneLine(result.runId)} after ${at} of ${of} records`),
    ...facts.map(
      ([name, value]) => `  ${padTo(oneLine(name), width)}  ${clip(oneLine(value), 200)}`,
    ),
  ]
}

function callDescription(call: CallAt): string {
  if (call.kind === "pause")
    return `timer until ${new Date(call.until).toISOString()}${call.awaits === undefined ? "" : `, when request ${safeName(call.awaits)} expires`}`
  return `${call.kind} call of ${safeName(call.path)}${call.attempt > 1 ? `, attempt ${call.attempt}` : ""}`
}
