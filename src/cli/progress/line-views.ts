import type { Terminal } from "../terminal/terminal.js"
import { oneLine, safeJson } from "../terminal/untrusted-text.js"
import { formatEvent } from "../format/format-event.js"
import type { ProgressView } from "./progress-view.js"

/** Prints each event as one line of JSON. */
export function jsonView({ print }: Terminal): ProgressView {
  return { show: (event) => print(safeJson(event)), pause() {}, close() {} }
}

/**
 * Prints one log line per event, for non-interactive output: seconds since the start, agent and
 * event.
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
