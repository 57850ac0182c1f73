import type { RunEvent } from "../../machines/contract/run-event.js"
import { requestVerb } from "./format-request.js"
import { clip } from "../terminal/column-text.js"
import { oneLine } from "../terminal/untrusted-text.js"

/** Formats an event as a log line without the agent name. null for events that are not logged. */
export function formatEvent(event: RunEvent): string | null {
  switch (event.type) {
    case "agent.started":
      return "starts"
    case "agent.skipped":
      return `is skipped: ${event.when} does not hold`
    case "agent.finished":
      return outcomeText(event.outcome, isContainer(event.kind) ? null : event.text)
    case "model.called":
      return event.attempt === 1 ? null : `asks its model again (attempt ${event.attempt})`
    case "model.responded":
      return event.answer.content === null || event.answer.toolCalls.length === 0
        ? null
        : `says: ${shorten(event.answer.content)}`
    case "tool.called":
      return `calls ${event.tool} ${shorten(JSON.stringify(event.arguments))}${event.attempt === 1 ? "" : ` (attempt ${event.attempt})`}`
    case "tool.finished":
      return `gets from ${event.tool}: ${shorten(JSON.stringify(event.response))}`
    case "handoff":
      return `hands off to ${event.to}`
    case "edge.followed":
      return `goes on from ${event.from} to ${event.to}${event.route === null ? "" : ` (${shorten(event.route)})`}`
    case "loop.iterated":
      return `iteration ${event.iteration + 1}`
    case "loop.ended":
      return `ends after ${event.iterations} iteration${event.iterations === 1 ? "" : "s"} (${event.reason === "exit_condition" ? "exit condition" : "maximum"})`
    case "parallel.joined":
      return `joins ${event.merged.length} branches${event.dropped.length === 0 ? "" : `, drops ${event.dropped.length}`}`
    case "retry.scheduled":
      return `will try again (attempt ${event.attempt}) ${event.of}: ${shorten(event.error.message)}`
    case "human.asked":
    case "user.awaited":
      return `${requestVerb(event.request)}${event.request.prompt === null ? "" : `: ${shorten(event.request.prompt)}`}`
    case "human.answered":
      return `is answered: ${shorten(JSON.stringify(event.answer))}`
    case "deadline.passed":
      return `has taken longer than ${event.ms} ms`
    case "request.expired":
      return `has waited for nothing: ${event.id} has expired`
    case "user.said":
      return `hears: ${shorten(event.text)}`
    case "condition.failed":
      return `cannot evaluate ${shorten(event.condition)}: ${shorten(event.message)}`
    case "warning":
      return `warning: ${oneLine(event.message)}`
    case "host.step":
      return `takes the step ${event.name}${event.ok ? "" : ", which fails"}`
    case "host.emitted":
      return `tells: ${event.name} ${shorten(JSON.stringify(event.data) ?? "")}`
    case "artifact.saved":
      return `saves the artifact ${event.name}`
    case "invocation.finished":
      return event.text === null ? "rests" : `answers: ${shorten(event.text)}`
    case "model.delta":
    case "state.changed":
    case "checkpoint":
    case "run.started":
    case "run.finished":
      return null
  }
}

/** The text of a container comes from an agent inside it, which has already been logged. */
const isContainer = (kind: string): boolean => kind !== "LlmAgent" && kind !== "HumanAgent"

function outcomeText(
  outcome: Extract<RunEvent, { readonly type: "agent.finished" }>["outcome"],
  text: string | null,
): string {
  const says = text === null || text === "" ? "" : `: ${shorten(text)}`
  switch (outcome) {
    case "done":
      return `is done${says}`
    case "exited":
      return `is done and exits${says}`
    case "escalated":
      return `escalates${says}`
    case "handedOff":
      return "leaves"
    case "failed":
      return "fails"
    case "limited":
      return "hits a limit"
    case "stopped":
      return "is stopped"
  }
}

const shorten = (text: string): string => clip(oneLine(text), 100)
