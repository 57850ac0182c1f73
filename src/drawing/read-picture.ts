import type { AgentChart } from "../machines/agent-chart.js"
import type { Picture, PictureState } from "./picture.js"
import { readMachine, withoutMarks } from "./read-machine.js"
import { StateNames } from "./state-names.js"

/** What a chart looks like: its root machine, the machines that it invokes drawn in place, those of agent tools beside. */
export function readPicture(chart: AgentChart, all: boolean): Picture {
  const names = new StateNames()
  const root = readMachine(chart.root, { chart, all, names, within: [] })
  return { root, tools: agentTools(chart, all, names) }
}

/** One composite for each machine that agents ask as a tool; several tools may share it. */
function agentTools(chart: AgentChart, all: boolean, names: StateNames): readonly PictureState[] {
  const toolsOf = new Map<string, string[]>()
  for (const [id, tool] of Object.entries(chart.tools)) {
    if (tool.type !== "AgentTool") continue
    const known = toolsOf.get(tool.machine)
    if (known === undefined) toolsOf.set(tool.machine, [id])
    else known.push(id)
  }
  return [...toolsOf].map(([machine, ids]) => {
    const callers = Object.entries(chart.agents).flatMap(([agent, definition]) =>
      definition.type === "LlmAgent" && definition.tools.some((tool) => ids.includes(tool)) ? [agent] : [],
    )
    const id = names.next(machine)
    return {
      id,
      look: "tool",
      title: `${ids.join(", ")} (agent tool of ${callers.join(", ")})`,
      lines: [],
      regions: [withoutMarks(readMachine(machine, { chart, all, names, within: [] }))],
    }
  })
}
