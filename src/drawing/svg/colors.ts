import type { StateLook } from "../picture/picture.js"

export type Theme = "auto" | "light" | "dark"

/** Background, border and text color. */
type Colors = readonly [fill: string, line: string, text: string]

interface Look {
  readonly name: string
  readonly light: Colors
  readonly dark: Colors
}

const blue: Pick<Look, "light" | "dark"> = {
  light: ["#dbeafe", "#2563eb", "#172554"],
  dark: ["#14213f", "#60a5fa", "#dbeafe"],
}
const amber: Pick<Look, "light" | "dark"> = {
  light: ["#fef3c7", "#d97706", "#451a03"],
  dark: ["#33240a", "#fbbf24", "#fef3c7"],
}
const slate: Pick<Look, "light" | "dark"> = {
  light: ["#f1f5f9", "#64748b", "#0f172a"],
  dark: ["#1b2431", "#94a3b8", "#e2e8f0"],
}
const teal: Pick<Look, "light" | "dark"> = {
  light: ["#ccfbf1", "#0d9488", "#042f2e"],
  dark: ["#0b2b2a", "#2dd4bf", "#ccfbf1"],
}
const violet: Pick<Look, "light" | "dark"> = {
  light: ["#ede9fe", "#7c3aed", "#2e1065"],
  dark: ["#241a42", "#a78bfa", "#ede9fe"],
}
const sky: Pick<Look, "light" | "dark"> = {
  light: ["#e0f2fe", "#0369a1", "#082f49"],
  dark: ["#0c2739", "#38bdf8", "#e0f2fe"],
}
const green: Pick<Look, "light" | "dark"> = {
  light: ["#ecfccb", "#4d7c0f", "#1a2e05"],
  dark: ["#1d2a0b", "#a3e635", "#ecfccb"],
}
const pink: Pick<Look, "light" | "dark"> = {
  light: ["#fce7f3", "#db2777", "#500724"],
  dark: ["#3a1127", "#f472b6", "#fce7f3"],
}
const red: Pick<Look, "light" | "dark"> = {
  light: ["#fee2e2", "#dc2626", "#450a0a"],
  dark: ["#3b1212", "#f87171", "#fee2e2"],
}

/**
 * Colors of each kind of state: the colors of the Mermaid drawing for light mode, and matching
 * colors for dark mode.
 */
export const looks: Readonly<Record<StateLook, Look>> = {
  LlmAgent: { name: "llm", ...blue },
  HumanAgent: { name: "human", ...amber },
  SequentialAgent: { name: "sequence", ...slate },
  ParallelAgent: { name: "parallel", ...teal },
  LoopAgent: { name: "loop", ...violet },
  Workflow: { name: "graph", ...sky },
  CustomAgent: { name: "code", ...green },
  MachineAgent: { name: "machine", ...sky },
  WorkflowAgent: { name: "call", ...teal },
  FunctionNode: { name: "function", ...green },
  RouterNode: { name: "router", ...violet },
  ToolNode: { name: "toolnode", ...slate },
  JoinNode: { name: "join", ...teal },
  TaskGraph: { name: "taskgraph", ...sky },
  team: { name: "team", ...pink },
  tool: { name: "tool", ...slate },
  choice: { name: "choice", ...slate },
  resting: { name: "resting", ...slate },
  ending: { name: "ending", ...red },
}

const page: Readonly<Record<"light" | "dark", Readonly<Record<string, string>>>> = {
  light: { page: "#ffffff", ink: "#334155", wire: "#94a3b8" },
  dark: { page: "#0d1117", ink: "#cbd5e1", wire: "#64748b" },
}

/**
 * Returns the CSS for the given kinds of states. With theme `auto`, the CSS contains both color
 * sets, and the color preference of the viewer selects one.
 */
export function styleSheet(used: ReadonlySet<StateLook>, theme: Theme): string {
  const shown = (Object.entries(looks) as [StateLook, Look][])
    .filter(([look]) => used.has(look))
    .map(([, look]) => look)
  const values = (mode: "light" | "dark"): ReadonlyMap<string, string> =>
    new Map([
      ...Object.entries(page[mode]),
      ...shown.flatMap((look) =>
        look[mode].map(
          (value, index) => [`${look.name}-${["fill", "line", "text"][index]}`, value] as const,
        ),
      ),
    ])
  const rules = [
    "text{font-family:Inter,'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif}",
    ".page{fill:var(--page)}",
    ".title{font-size:13px;font-weight:600}",
    ".line{font-size:11.5px;opacity:.82}",
    ".label{font-size:11px;fill:var(--ink)}",
    ".wire{fill:none;stroke:var(--wire);stroke-width:1.5}",
    ".head,.mark{fill:var(--wire)}",
    ".ring{fill:none;stroke:var(--wire);stroke-width:1.5}",
    ".icon{fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}",
    ".box{stroke-width:1.25}",
    ".holder{fill-opacity:.35}",
    ".region{fill:none;stroke-width:1.25;stroke-dasharray:5 4;opacity:.75}",
    ".dashed{stroke-dasharray:5 4}",
    ...shown.flatMap(({ name }) => [
      `.${name}>.box{fill:var(--${name}-fill);stroke:var(--${name}-line)}`,
      `.${name}>.region,.${name}>.icon{stroke:var(--${name}-line)}`,
      `.${name}>.title,.${name}>.line{fill:var(--${name}-text)}`,
    ]),
  ]
  const variables = (mode: "light" | "dark"): string =>
    `svg{${[...values(mode)].map(([name, value]) => `--${name}:${value}`).join(";")}}`
  if (theme === "auto")
    return [
      variables("light"),
      `@media (prefers-color-scheme:dark){${variables("dark")}}`,
      ...rules,
    ].join("\n")
  const known = values(theme)
  return rules
    .map((rule) =>
      rule.replace(/var\(--([\w-]+)\)/g, (_, name: string) => known.get(name) ?? "none"),
    )
    .join("\n")
}
