import type { StateLook } from "./picture.js"

/** The background, border and text color of a state. */
export type ColorSet = readonly [fill: string, line: string, text: string]

export interface StateColors {
  readonly name: string
  readonly light: ColorSet
  readonly dark: ColorSet
  /** Whether the border is dashed. Absent for a solid border. */
  readonly isDashed?: true
}

const blue: Pick<StateColors, "light" | "dark"> = {
  light: ["#dbeafe", "#2563eb", "#172554"],
  dark: ["#14213f", "#60a5fa", "#dbeafe"],
}
const amber: Pick<StateColors, "light" | "dark"> = {
  light: ["#fef3c7", "#d97706", "#451a03"],
  dark: ["#33240a", "#fbbf24", "#fef3c7"],
}
const slate: Pick<StateColors, "light" | "dark"> = {
  light: ["#f1f5f9", "#64748b", "#0f172a"],
  dark: ["#1b2431", "#94a3b8", "#e2e8f0"],
}
const teal: Pick<StateColors, "light" | "dark"> = {
  light: ["#ccfbf1", "#0d9488", "#042f2e"],
  dark: ["#0b2b2a", "#2dd4bf", "#ccfbf1"],
}
const violet: Pick<StateColors, "light" | "dark"> = {
  light: ["#ede9fe", "#7c3aed", "#2e1065"],
  dark: ["#241a42", "#a78bfa", "#ede9fe"],
}
const sky: Pick<StateColors, "light" | "dark"> = {
  light: ["#e0f2fe", "#0369a1", "#082f49"],
  dark: ["#0c2739", "#38bdf8", "#e0f2fe"],
}
const green: Pick<StateColors, "light" | "dark"> = {
  light: ["#ecfccb", "#4d7c0f", "#1a2e05"],
  dark: ["#1d2a0b", "#a3e635", "#ecfccb"],
}
const pink: Pick<StateColors, "light" | "dark"> = {
  light: ["#fce7f3", "#db2777", "#500724"],
  dark: ["#3a1127", "#f472b6", "#fce7f3"],
}
const red: Pick<StateColors, "light" | "dark"> = {
  light: ["#fee2e2", "#dc2626", "#450a0a"],
  dark: ["#3b1212", "#f87171", "#fee2e2"],
}

const orange: Pick<StateColors, "light" | "dark"> = {
  light: ["#ffedd5", "#c2410c", "#431407"],
  dark: ["#33190b", "#fb923c", "#ffedd5"],
}

/** Colors of each kind of state. `name` is the CSS class in SVG and the class in Mermaid. */
export const stateColors: Readonly<Record<StateLook, StateColors>> = {
  LlmAgent: { name: "llm", ...blue },
  HumanAgent: { name: "human", ...amber },
  SequentialAgent: { name: "sequence", ...slate },
  ParallelAgent: { name: "parallel", ...teal },
  LoopAgent: { name: "loop", ...violet },
  Workflow: { name: "graph", ...sky },
  CustomAgent: { name: "code", ...green },
  MachineAgent: { name: "machine", ...sky },
  WorkflowAgent: { name: "call", ...teal },
  WaitAgent: { name: "wait", ...slate },
  FunctionNode: { name: "function", ...green },
  RouterNode: { name: "router", ...violet },
  ToolNode: { name: "toolnode", ...slate },
  JoinNode: { name: "join", ...teal },
  TaskGraph: { name: "taskgraph", ...sky },
  team: { name: "team", ...pink },
  tool: { name: "tool", ...slate, isDashed: true },
  choice: { name: "choice", ...slate },
  resting: { name: "resting", ...slate },
  exit: { name: "exit", ...green },
  limit: { name: "limit", ...orange },
  ending: { name: "ending", ...red },
}
