import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { DrawingDetail, Picture, PictureState } from "../picture/picture.js"
import type { Drawing } from "./read-machine.js"
import { readMachine, withoutMarks } from "./read-machine.js"
import { StateNames } from "./state-names.js"

/** Options of all functions that draw a chart. */
export interface DrawOptions {
  /**
   * How much the drawing shows. The default `tools` shows agents, conditions, models, tools and
   * state keys. {@link DrawingDetail} describes all levels of detail.
   */
  readonly detail?: DrawingDetail
}

/**
 * Converts a chart to a picture (nested states and arrows, independent of the output format).
 * Machines that the root machine invokes are drawn inside it. Machines of AgentTools are drawn next
 * to it.
 */
export function readPicture(
  chart: AgentChart,
  detail: DrawingDetail,
  everyBranch = false,
): Picture {
  const names = new StateNames()
  const root = readMachine(chart.root, { chart, detail, everyBranch, names, within: [] })
  return { root, tools: agentTools({ chart, detail, everyBranch, names, within: [] }) }
}

/**
 * Returns a state for each machine that an AgentTool executes. Tools that execute the same machine
 * share a state.
 */
function agentTools(drawing: Drawing): readonly PictureState[] {
  const { chart, names } = drawing
  const toolsOf = new Map<string, string[]>()
  for (const [id, tool] of Object.entries(chart.tools)) {
    if (tool.type !== "AgentTool") continue
    const known = toolsOf.get(tool.machine)
    if (known === undefined) toolsOf.set(tool.machine, [id])
    else known.push(id)
  }
  return [...toolsOf].map(([machine, ids]) => {
    const callers = Object.entries(chart.agents).flatMap(([agent, definition]) =>
      definition.type === "LlmAgent" && definition.tools.some((tool) => ids.includes(tool))
        ? [agent]
        : [],
    )
    const id = names.next(machine)
    return {
      id,
      look: "tool",
      title: `${ids.join(", ")} (agent tool of ${callers.join(", ")})`,
      lines: [],
      regions: [withoutMarks(readMachine(machine, drawing))],
      callers,
    }
  })
}
