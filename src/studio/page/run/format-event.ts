import type { RunEvent } from "../../api.js"

/** One line on what happened. The event itself stands below it when it is opened. */
export function formatEvent(event: RunEvent): string {
  switch (event.type) {
    case "run.started":
      return event.prompt === null ? "the run begins" : `the run begins: “${short(event.prompt)}”`
    case "run.finished":
      return `the run is ${event.result.status}${event.result.error === null ? "" : `: ${short(event.result.error.message)}`}`
    case "agent.started":
      return "begins"
    case "agent.skipped":
      return `is skipped, since not ${short(event.when)}`
    case "agent.finished":
      return `ends (${event.outcome})${event.error !== undefined ? `: ${short(event.error.message)}` : event.text === null ? "" : `: ${short(event.text)}`}`
    case "model.called":
      return `asks its model with ${event.messages} ${event.messages === 1 ? "message" : "messages"}${event.attempt > 1 ? `, attempt ${event.attempt}` : ""}`
    case "model.delta":
      return `is being told: ${short(event.text)}`
    case "model.responded":
      return event.answer.toolCalls.length > 0
        ? `is told to call ${event.answer.toolCalls.map(({ name }) => name).join(", ")}`
        : `is told: ${short(event.answer.content ?? "nothing")}`
    case "tool.called":
      return `calls ${event.tool}(${short(JSON.stringify(event.arguments))})`
    case "tool.finished":
      return `${event.tool} gives ${short(JSON.stringify(event.response))}`
    case "state.changed":
      return [
        ...Object.entries(event.set).map(
          ([key, value]) => `${key} = ${short(JSON.stringify(value))}`,
        ),
        ...event.removed.map((key) => `${key} is removed`),
      ].join("; ")
    case "handoff":
      return `${event.from} hands over to ${event.to}`
    case "edge.followed":
      return `${event.from} → ${event.to}${event.route === null ? "" : ` (${event.route})`}`
    case "loop.iterated":
      return `goes into round ${event.iteration + 1}`
    case "loop.ended":
      return `ends after ${event.iterations} ${event.iterations === 1 ? "round" : "rounds"} (${event.reason})`
    case "parallel.joined":
      return `joins ${event.merged.length} ${event.merged.length === 1 ? "branch" : "branches"}`
    case "retry.scheduled":
      return `tries again (attempt ${event.attempt}): ${short(event.error.message)}`
    case "human.asked":
    case "user.awaited":
      return `asks: ${short(event.request.prompt ?? event.request.kind)}`
    case "human.answered":
      return `is answered ${short(JSON.stringify(event.answer))}`
    case "user.said":
      return `hears “${short(event.text)}”`
    case "invocation.finished":
      return "the invocation is over"
    case "host.step":
      return `${event.step} ${event.name} ${event.ok ? "is done" : "failed"}`
    case "host.emitted":
      return `tells ${event.name}: ${short(JSON.stringify(event.data))}`
    case "condition.failed":
      return `the condition ${short(event.condition)} failed: ${short(event.message)}`
    case "checkpoint":
      return `${event.completedSubAgents} of its agents are done`
    case "deadline.passed":
      return `has taken longer than ${event.ms} ms`
    case "request.expired":
      return "nobody answered in time"
    case "artifact.saved":
      return `saves ${event.name}`
    case "warning":
      return event.message
  }
}

const short = (text: string, length = 140): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text

/** Kinds of events that one looks for together. */
export const groups = {
  agents: (type) =>
    type.startsWith("agent.") ||
    type === "handoff" ||
    type === "checkpoint" ||
    type.startsWith("loop.") ||
    type.startsWith("parallel.") ||
    type === "edge.followed",
  models: (type) => type.startsWith("model.") || type === "retry.scheduled",
  tools: (type) => type.startsWith("tool.") || type.startsWith("host."),
  state: (type) => type === "state.changed" || type === "artifact.saved",
  people: (type) =>
    type.startsWith("human.") ||
    type.startsWith("user.") ||
    type === "request.expired" ||
    type === "invocation.finished",
  run: (type) =>
    type.startsWith("run.") ||
    type === "warning" ||
    type === "condition.failed" ||
    type === "deadline.passed",
} satisfies Readonly<Record<string, (type: RunEvent["type"]) => boolean>>

export type Group = keyof typeof groups

export const groupOf = (type: RunEvent["type"]): Group =>
  (Object.keys(groups) as Group[]).find((name) => groups[name](type)) ?? "run"
