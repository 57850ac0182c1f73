import { mermaidText } from "./mermaid-text.js"
import type { Arrow, Level, Picture, PictureState, StateLook } from "../picture/picture.js"

const maxTitle = 80
const maxLine = 60
const maxLabel = 90

/**
 * Colors of the states, readable in light and dark mode. Atomic states have a background color and
 * a text color. Composite states have only a border color, because their content is drawn on the
 * background of the page.
 */
const looks: readonly (readonly [StateLook, string, string])[] = [
  ["LlmAgent", "llm", "fill:#dbeafe,stroke:#2563eb,color:#172554"],
  ["HumanAgent", "human", "fill:#fef3c7,stroke:#d97706,color:#451a03"],
  ["SequentialAgent", "sequence", "stroke:#64748b"],
  ["ParallelAgent", "parallel", "stroke:#0d9488"],
  ["LoopAgent", "loop", "stroke:#7c3aed"],
  ["Workflow", "graph", "stroke:#0369a1"],
  ["CustomAgent", "code", "stroke:#4d7c0f"],
  ["MachineAgent", "machine", "stroke:#0369a1"],
  ["WorkflowAgent", "call", "fill:#ccfbf1,stroke:#0d9488,color:#042f2e"],
  ["FunctionNode", "function", "fill:#ecfccb,stroke:#4d7c0f,color:#1a2e05"],
  ["RouterNode", "router", "fill:#ede9fe,stroke:#7c3aed,color:#2e1065"],
  ["ToolNode", "toolNode", "fill:#f1f5f9,stroke:#64748b,color:#0f172a"],
  ["JoinNode", "join", "fill:#ccfbf1,stroke:#0d9488,color:#042f2e"],
  ["team", "team", "stroke:#db2777"],
  ["tool", "tool", "stroke:#64748b,stroke-dasharray:5 4"],
  ["resting", "resting", "fill:#f1f5f9,stroke:#64748b,color:#0f172a"],
  ["ending", "ending", "fill:#fee2e2,stroke:#dc2626,color:#450a0a"],
]

/** Returns a picture as the text of a Mermaid `stateDiagram-v2`. */
export function printMermaid({ root, tools }: Picture): string {
  const lines = ["stateDiagram-v2", ...printLevel(root), ...tools.flatMap(printState)].map(
    (line, index) => (index === 0 ? line : `  ${line}`),
  )
  return `${[...lines, ...printClasses([...root.states, ...tools])].join("\n")}\n`
}

function printLevel({ states, arrows }: Level): readonly string[] {
  return [...states.flatMap(printState), ...arrows.map(printArrow)]
}

/**
 * Returns the lines that declare a state. All states must be declared before the arrows, because
 * Mermaid creates a plain state for an unknown id in an arrow.
 */
function printState({ id, look, title, lines, regions }: PictureState): readonly string[] {
  if (look === "choice") return [`state ${id} <<choice>>`]
  const name = `state "${mermaidText(title, maxTitle)}" as ${id}`
  if (regions.length === 0)
    return [name, ...lines.map((line) => `${id} : ${mermaidText(line, maxLine)}`)]
  const body = regions.flatMap((region, index) => [
    ...(index === 0 ? [] : ["--"]),
    ...printLevel(region),
  ])
  return [`${name} {`, ...body.map((line) => `  ${line}`), "}"]
}

function printArrow({ from, to, labels }: Arrow): string {
  const label = labels.map((text) => mermaidText(text, maxLabel)).join("<br/>or ")
  return `${from ?? "[*]"} --> ${to ?? "[*]"}${label === "" ? "" : ` : ${label}`}`
}

function printClasses(states: readonly PictureState[]): readonly string[] {
  const ids = new Map<StateLook, string[]>()
  const visit = ({ id, look, regions }: PictureState): void => {
    const known = ids.get(look)
    if (known === undefined) ids.set(look, [id])
    else known.push(id)
    for (const region of regions) region.states.forEach(visit)
  }
  states.forEach(visit)
  return looks.flatMap(([look, name, style]) => {
    const members = ids.get(look)
    return members === undefined
      ? []
      : [`  classDef ${name} ${style}`, `  class ${members.join(",")} ${name}`]
  })
}
