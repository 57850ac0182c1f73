import { describeEvent } from "../../../../serving/display/describe-event.js"
import { describeRequest } from "../../../../serving/display/describe-request.js"
import { briefly } from "../../parts/value-view.js"
import type { LogEntry } from "../folds/run-log.js"

/** The two lines of text that an entry of the event list shows. */
export interface EntryText {
  readonly title: string
  readonly text: string
}

const shorten = (text: string): string => briefly(text)

/**
 * Returns the texts for an entry of the event list, which is a call with its response or a single
 * event.
 */
export function describeEntry({ events, call }: LogEntry): EntryText {
  const [first] = events
  const last = events.at(-1)
  if (first === undefined || last === undefined) return { title: "", text: "" }
  if (call === null) return { title: first.type, text: describeEvent(first, shorten) }
  const failure = call.error === null ? "" : ` → failed: ${briefly(call.error)}`
  if (call.kind === "tool") {
    const args = first.type === "tool.called" ? briefly(first.arguments) : ""
    const result =
      last.type === "tool.finished" && call.error === null ? ` → ${briefly(last.response)}` : ""
    return { title: call.name, text: `${args}${result}${failure}` }
  }
  if (call.kind === "model")
    return {
      title: "model",
      text:
        call.error !== null
          ? `failed: ${briefly(call.error)}`
          : last.type === "model.called"
            ? "…"
            : describeEvent(last, shorten),
    }
  const asked =
    first.type === "human.asked" || first.type === "user.awaited"
      ? describeRequest(first.request, shorten)
      : ""
  return {
    title: asked,
    text: last === first ? "waits for an answer" : describeEvent(last, shorten),
  }
}
