import { modelsOf } from "../../machines/model-call/agent-models.js"
import type { ChartAnalysis } from "../../analysis/index.js"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js"
import type { Need } from "../../compiler/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { countText } from "../../machines/data/problem-text.js"
import type { Terminal } from "../terminal/terminal.js"
import { oneLine, safeName } from "../terminal/untrusted-text.js"
import { againstLines, type CheckedAgainst } from "./against-lines.js"
import type { CheckedPolicies } from "./checked-policies.js"
import { boundDetails, boundsText, expectedText, findingText } from "./format-analysis.js"
import { diagnosticTexts } from "./format-diagnostic.js"
import { policyLines } from "./format-policies.js"

/** Result of the command `check` for one file. */
export interface FileCheck {
  readonly file: string
  readonly folder: string | null
  readonly ok: boolean
  readonly diagnostics: readonly Diagnostic[]
  readonly needs: readonly Need[]
  /**
   * Names of function tools without a description or parameters. Empty if the option `--services`
   * is not set.
   */
  readonly undeclared: readonly string[]
  readonly chart: AgentChart | null
  /** Result of the static analysis. Null if the config did not compile. */
  readonly analysis: ChartAnalysis | null
  /** Verdicts on the policies. Null if `--policy` is not set, or if the config did not compile. */
  readonly policies: CheckedPolicies | null
  /**
   * Comparison with the old workflow of `--against`. Null if this option is not set, or if the
   * config did not compile.
   */
  readonly against: CheckedAgainst | null
}

/**
 * Prints the results of the command `check`. First prints the problems of all files, then a summary
 * of each file.
 */
export function printFileChecks(
  checked: readonly FileCheck[],
  terminal: Terminal,
  { hints = false, bounds = false }: { readonly hints?: boolean; readonly bounds?: boolean },
): void {
  const { print, paint } = terminal
  for (const { file, folder, diagnostics, analysis } of checked) {
    for (const text of diagnosticTexts(diagnostics, { name: file, folder }, paint)) print(text)
    for (const finding of analysis?.findings ?? []) print(`${findingText(finding, file, paint)}\n`)
  }
  for (const each of checked) {
    const { file, ok, diagnostics, needs, undeclared, analysis, chart, policies, against } = each
    const counts = countText([...diagnostics, ...(analysis?.findings ?? [])], hints)
    print(
      `${ok ? paint.success("✔") : paint.error("✖")} ${oneLine(file)}: ${counts === "" ? "valid" : ok ? `valid, with ${counts}` : counts}`,
    )
    if (analysis !== null) {
      const per = chart?.dialect === "adk" ? "per invocation" : "per run"
      print(`  ${expectedText(analysis, per)}`)
      print(`  ${boundsText(analysis, per)}`)
    }
    if (analysis !== null && bounds) for (const line of boundDetails(analysis)) print(`    ${line}`)
    printNeeds(needs, chart, print)
    for (const name of undeclared)
      print(
        `  ${safeName(name)} has no declaration, so models receive neither its description nor its parameters. Export declarations from the module of --services; see docs/host-code.md`,
      )
    if (against !== null) for (const line of againstLines(against, file, terminal)) print(line)
    if (policies !== null) for (const line of policyLines(policies, paint)) print(line)
  }
  if (checked.length > 1)
    print(`${checked.filter(({ ok }) => ok).length} of ${checked.length} files are valid`)
}

/**
 * Prints the services that a workflow needs, by kind, each with the first agent that uses it. For a
 * model, also prints the number of other agents that use it.
 */
function printNeeds(
  needs: readonly Need[],
  chart: AgentChart | null,
  print: Terminal["print"],
): void {
  const users = new Map<string, number>()
  for (const agent of Object.values(chart?.agents ?? {}))
    if (agent.type === "LlmAgent" && agent.endpoint === null)
      for (const name of modelsOf(agent)) users.set(name, (users.get(name) ?? 0) + 1)
  const othersOf = ({ name, kind }: Need): string => {
    const others = kind === "model" ? (users.get(name) ?? 1) - 1 : 0
    return others > 0 ? ` and ${others} more` : ""
  }
  const kinds = [...new Set(needs.map(({ kind }) => kind))]
  for (const kind of kinds) {
    const names = needs
      .filter((need) => need.kind === kind)
      .map((need) => `${safeName(need.name)} (${safeName(need.usedBy)}${othersOf(need)})`)
    print(
      `  needs ${names.length === 1 ? kind : `${kind === "policy" ? "policie" : kind}s`}: ${names.join(", ")}`,
    )
  }
}
