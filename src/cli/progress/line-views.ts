import type { Terminal } from "../terminal/terminal.js"
import { oneLine, safeJson } from "../terminal/untrusted-text.js"
import { formatEvent } from "../format/format-event.js"
import type { ProgressView } from "./progress-view.js"

/** Creates a progress view that prints each run event as one line of JSON. */
export function jsonView({ print }: Terminal): ProgressView {
  return { show: (event) => print(safeJson(event)), pause() {}, close() {} }
}

/**
 * Creates a progress view for non-interactive output. It prints one log line per run event, with
 * the seconds since the start, the agent and the event.
 */
export function lineView({ print, paint }: Terminal): ProgressView {
  let startedAt: number | null = null
  return {
    show(event) {
      startedAt ??= event.at
      const words = formatEvent(event)
      if (words === null) return
      const time = `${((event.at - startedAt) / 1000).toFixed(2)}s`.padStart(8)
      print(`${paint.dim(time)}  ${paint.bold(oneLine(event.agent))} ${oneLine(words)}`)
    },
    pause() {},
    close() {},
  }
}
