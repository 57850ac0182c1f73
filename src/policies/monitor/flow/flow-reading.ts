import type { ChartNames } from "../chart-names.js"
import type { JudgedEvent } from "../judged-event.js"
import type { Reading } from "../policy-watch.js"
import type { FlowEndpoints } from "../../flow-endpoints.js"

/**
 * Returns a function that decides when a `noFlow` policy reads an event. Events that can produce
 * source data are always read, as are the starts of parallel blocks and graphs. Most other events
 * are only read while the policy is active, for example after the first source data.
 */
export const flowReading =
  (endpoints: FlowEndpoints, names: ChartNames) =>
  (event: JudgedEvent): Reading => {
    const alwaysIf = (isRead: boolean): Reading => (isRead ? "always" : "whileActive")
    switch (event.type) {
      case "agent.started":
        return alwaysIf(event.kind === "ParallelAgent" || event.kind === "Workflow")
      case "agent.finished": {
        const { agent, kind } = event
        const tool = kind === "ToolNode" ? names.ofStates.nodeTools.get(agent) : undefined
        return alwaysIf(
          endpoints.isSource("text", agent) ||
            endpoints.isSource("answer", agent) ||
            (tool !== undefined && endpoints.isSource("result", tool)),
        )
      }
      case "tool.finished":
        return alwaysIf(endpoints.isSource("result", event.tool))
      case "state.changed":
        return alwaysIf(endpoints.sourceKeys.length > 0)
      case "human.answered":
      case "user.said":
        return "always"
      case "run.started":
      case "model.called":
      case "tool.called":
      case "edge.followed":
      case "parallel.joined":
        return "whileActive"
      default:
        return "never"
    }
  }
