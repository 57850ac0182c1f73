import type { RunEvent } from "../../machines/contract/run-event.js"
import { describeEvent } from "../../serving/display/describe-event.js"
import { clip } from "../terminal/column-text.js"
import { oneLine } from "../terminal/untrusted-text.js"

/**
 * Formats a run event as a log line without the agent name. Returns null for events that are not
 * logged.
 */
export function formatEvent(event: RunEvent): string | null {
  return isLogged(event) ? oneLine(describeEvent(withoutRepeats(event), shorten)) : null
}

/** Returns whether a run event is logged. Omits events whose content other log lines show. */
function isLogged(event: RunEvent): boolean {
  switch (event.type) {
    case "model.called":
      return event.attempt > 1
    case "model.responded":
      // Without tool calls, the response is the result of the turn. Without text, the calls follow.
      return event.answer.content !== null && event.answer.toolCalls.length > 0
    case "model.delta":
    case "state.changed":
    case "checkpoint":
    case "run.started":
    case "run.finished":
      return false
    default:
      return true
  }
}

/** Removes details of a run event that other log lines already show. */
function withoutRepeats(event: RunEvent): RunEvent {
  // The text of a container comes from an agent inside it.
  if (event.type === "agent.finished" && event.kind !== "LlmAgent" && event.kind !== "HumanAgent")
    return { ...event, text: null }
  // Each requested call has a line of its own.
  if (event.type === "model.responded")
    return { ...event, answer: { ...event.answer, toolCalls: [] } }
  return event
}

/** Shortens a text to 100 columns. */
const shorten = (text: string): string => clip(oneLine(text), 100)
