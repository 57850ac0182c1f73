import { oneLine, safeText } from "./safe-text.js"

/**
 * A problem that the compiler found in a workflow config, with its location and a suggested fix.
 */
export interface ConfigProblem {
  readonly code: string
  readonly severity: "error" | "warning" | "hint"
  readonly message: string
  readonly fix: string
  readonly pointer: string
  readonly line?: number
  readonly column?: number
}

/** Functions that add styles, such as terminal colors, to the parts of a printed config problem. */
export interface ProblemStyle {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly active: (text: string) => string
  readonly dim: (text: string) => string
}

const same = (text: string): string => text
const plain: ProblemStyle = { error: same, warning: same, active: same, dim: same }

/**
 * Formats a problem of a config: code, location, message and fix.
 *
 *     unknown_agent at /agents/1/subAgents/0/agentId (workflow.json:14:20)
 *       "improve" refers to the agent "critc", which does not exist.
 *       Did you mean "critic"?
 */
export function problemText(
  { code, severity, message, fix, pointer, line, column }: ConfigProblem,
  file: string,
  style: ProblemStyle = plain,
): string {
  const color = { error: style.error, warning: style.warning, hint: style.active }[severity]
  const name = severity === "error" ? code : `${severity}: ${code}`
  const location = line === undefined ? file : `${file}:${line}:${column ?? 1}`
  // The config may come from an untrusted source, so every text is escaped.
  const head = `${color(name)} at ${oneLine(pointer === "" ? "/" : pointer)} ${style.dim(`(${oneLine(location)})`)}`
  return [
    head,
    ...safeText(`${message}\n${fix}`)
      .split("\n")
      .map((text) => `  ${text}`),
  ].join("\n")
}

/**
 * Returns the number of problems of each severity as text, such as `1 error, 2 warnings`. Hints are
 * only counted if `hints` is true.
 */
export function countText(
  problems: readonly Pick<ConfigProblem, "severity">[],
  hints: boolean,
): string {
  const severities = ["error", "warning", ...(hints ? (["hint"] as const) : [])] as const
  const counts = severities.map(
    (severity) => [severity, problems.filter((each) => each.severity === severity).length] as const,
  )
  return counts
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}${count === 1 ? "" : "s"}`)
    .join(", ")
}
