import type { ChartNames } from "../chart-names.js"
import type { JudgedEvent } from "../judged-event.js"
import type { ReadOccurrences } from "../policy-watch.js"
import type { FlowPlaces } from "./flow-places.js"

/**
 * Returns whether an event, other than a write, can be the first event of a run with data from a
 * source.
 */
export function isFirstData(
  event: JudgedEvent,
  read: ReadOccurrences,
  places: FlowPlaces,
  names: ChartNames,
): boolean {
  switch (event.type) {
    case "tool.finished":
      return places.isSource("result", event.tool) && read().length > 0
    case "agent.finished":
      return (
        places.isSource("text", event.agent) ||
        places.isSource("answer", event.agent) ||
        (event.kind === "ToolNode" &&
          places.isSource("result", names.ofStates.nodeTools.get(event.agent) ?? ""))
      )
    case "human.answered":
    case "user.said":
      return true
    default:
      return false
  }
}
