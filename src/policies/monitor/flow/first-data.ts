import type { ChartNames } from "../chart-names.js"
import type { JudgedEvent } from "../judged-event.js"
import type { ReadOccurrences } from "../policy-watch.js"
import type { FlowEndpoints } from "../../flow-endpoints.js"
import type { FlowSource } from "./turn-data.js"

/**
 * Returns whether an event can bring source data into a run that contains no source data yet.
 * Source data comes from a source of the `noFlow` policy, such as the result of a tool.
 */
export function isFirstData(
  event: JudgedEvent,
  read: ReadOccurrences,
  endpoints: FlowEndpoints,
  names: ChartNames,
): boolean {
  switch (event.type) {
    case "tool.finished":
      return endpoints.isSource("result", event.tool) && read().length > 0
    case "agent.finished":
      return (
        endpoints.isSource("text", event.agent) ||
        endpoints.isSource("answer", event.agent) ||
        (event.kind === "ToolNode" &&
          endpoints.isSource("result", names.ofStates.nodeTools.get(event.agent) ?? ""))
      )
    case "state.changed":
      return Object.keys(event.set).some((key) => endpoints.isSource("key", key))
    case "human.answered":
    case "user.said":
      return true
    default:
      return false
  }
}

/**
 * Returns whether an event writes a session state key that the policy names as a source. Returns
 * false if a HumanAgent stores an answer, because answers are a separate kind of source.
 */
export const isSourceWrite = (
  { agent }: Pick<JudgedEvent, "agent">,
  key: string,
  { endpoints, chart }: Pick<FlowSource, "endpoints" | "chart">,
): boolean => endpoints.isSource("key", key) && chart.agents[agent]?.type !== "HumanAgent"
