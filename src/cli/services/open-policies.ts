import type { analyzePolicies } from "../../analysis/policies/analyze-policies.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PolicySet } from "../../policies/policy.js"
import type { PoliciesFor, RunnerPolicies } from "../../serving/run-services.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { PolicyOptions } from "../options/policy-options.js"
import { readPolicyFiles } from "../files/read-policy-files.js"
import { readCallPrices } from "./read-call-prices.js"

/**
 * Reads the policy files that the options select. Returns a function that returns the policies to
 * check in the runs of a chart. If `--enforce` is set, this function omits policies that are proved
 * for the chart without assumptions, because no run can violate them.
 *
 * @throws UsageProblem with the problems of the files
 */
export async function openPolicies({
  policy: files = [],
  enforce = false,
  prices,
}: PolicyOptions & { readonly prices?: string }): Promise<PoliciesFor> {
  if (files.length === 0) {
    if (!enforce) return () => ({})
    throw new UsageProblem("--enforce needs a policy file. Add --policy FILE.")
  }
  const { sets, diagnostics } = await readPolicyFiles(files)
  if (diagnostics.length > 0)
    throw new UsageProblem(
      diagnostics
        .map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)
        .join("\n"),
    )
  const callPrices = prices === undefined ? null : await readCallPrices(prices)
  const priced = sets.map((set) => (callPrices === null ? set : { ...set, prices: callPrices }))
  if (!enforce) return () => ({ policies: priced })
  const { analyzePolicies: analyze } = await import("../../analysis/policies/analyze-policies.js")
  const known = new Map<string, RunnerPolicies>()
  return (chart) => {
    const before = known.get(chart.fingerprint)
    if (before !== undefined) return before
    const policies = { policies: priced.map((set) => withoutProved(chart, set, analyze)), enforce }
    known.set(chart.fingerprint, policies)
    return policies
  }
}

function withoutProved(
  chart: AgentChart,
  set: PolicySet,
  analyze: typeof analyzePolicies,
): PolicySet {
  const proved = new Set(
    analyze(chart, set, null)
      .results.filter(
        ({ verdict, assumptions }) => verdict === "proved" && assumptions.length === 0,
      )
      .map(({ name }) => name),
  )
  return { ...set, policies: set.policies.filter(({ name }) => !proved.has(name)) }
}
