import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { awaitedBy } from "../../policies/atoms-of.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import { modelSignals } from "../../policies/policy.js"
import type { PriceList } from "../../policies/price-list.js"
import type { FunctionUse } from "../behavior/behavior.js"
import type { BudgetVerdict } from "./budget-verdict.js"
import { decideBudget } from "./budget-verdict.js"
import { decideFlow } from "../flow/decide-flow.js"
import { flowResult } from "./flow-result.js"
import { explain } from "./explain.js"
import type { ProductPath } from "../model-checking/explore.js"
import { pathScript } from "../model-checking/path-script.js"
import { isVacuous, policyWarnings } from "./policy-warnings.js"
import { notAnalyzed, undeclaredToolset, unplayed } from "./reasons.js"
import { decideOrder } from "../model-checking/decide-order.js"
import type { Counterexample, PolicyAnalysis, PolicyReason, PolicyResult } from "./policy-result.js"
import { vocabularyOf } from "./vocabulary.js"

/** Decides for every policy of a set whether any run of the chart violates it. */
export function analyzePolicies(
  chart: AgentChart,
  set: PolicySet,
  prices: PriceList | null,
): PolicyAnalysis {
  const vocabulary = vocabularyOf(chart, set)
  // The file's prices have the format of a price list; `--prices` replaces them.
  const all = prices ?? (set.prices as PriceList | null)
  const assumptions = assumptionsOf(set)
  const warnings = policyWarnings(set, vocabulary)
  const call = callOfWorkflow(chart)
  const results = set.policies.map((policy): PolicyResult => {
    const flow = call === null ? decideFlow(chart, policy, set) : null
    if (flow !== null) return flowResult(policy, flow, assumptions, isVacuous(policy, vocabulary))
    const decided = call ?? decideOrder(chart, policy, set) ?? decideBudget(chart, policy, set, all)
    if (decided === null) throw new TypeError(`the policy "${policy.name}" has no procedure`)
    const verdict = verdictOf(decided)
    const reasons = reasonsOf(decided, policy)
    const path = "paths" in decided ? (decided.paths[0] ?? null) : null
    const [shortest = null] = counterexamplesIn(decided, chart, set)
    const counterexample =
      shortest === null || canBePlayed(shortest)
        ? shortest
        : (counterexamplesOf(chart, policy, set, prices, mostPaths).find(canBePlayed) ?? shortest)
    const vacuous = verdict === "proved" && isVacuous(policy, vocabulary)
    const result: PolicyResult = {
      name: policy.name,
      pattern: policy.rule.pattern,
      line: policy.line,
      column: policy.column,
      verdict,
      vacuous,
      ...explain(
        policy,
        verdict,
        vacuous ? (warnings.find((warning) => warning.policy === policy.name)?.fix ?? "") : null,
        path,
        reasons[0] ?? null,
        chart.dialect,
      ),
      assumptions,
      states: decided.states,
      reasons,
      counterexample,
    }
    return counterexample === null || canBePlayed(counterexample)
      ? result
      : unplayed(result, counterexample.script?.unmet ?? [])
  })
  return { results, warnings }
}

/** Maximum number of counterexample paths to try for one policy. */
export const mostPaths = 10

/** Returns whether every condition on the path of a counterexample can have its required result. */
const canBePlayed = ({ script }: Counterexample): boolean => (script?.unmet ?? []).length === 0

/**
 * Returns an unknown verdict if the chart calls other workflows, because the policy checker does
 * not follow these calls. Returns null if it calls none.
 */
function callOfWorkflow({ agents }: AgentChart): BudgetVerdict | null {
  const caller = Object.keys(agents).find((id) => agents[id]?.type === "WorkflowAgent")
  return caller === undefined
    ? null
    : { verdict: "not_analyzed", construct: `"${caller}", which calls another workflow`, states: 0 }
}

const verdictOf = ({ verdict }: BudgetVerdict): PolicyResult["verdict"] =>
  verdict === "proved" || verdict === "violated" ? verdict : "unknown"

function assumptionsOf({ assume }: PolicySet): readonly string[] {
  const { modelSignals: signals, startState, session, toolRounds } = assume
  return [
    ...(signals.length === modelSignals.length
      ? []
      : [
          `Models use ${signals.length === 0 ? "no signals" : `only the signals ${signals.join(", ")}`}.`,
        ]),
    ...(startState === "chart" && session === "new"
      ? ["Every run starts with the state of the config."]
      : []),
    ...(toolRounds === null ? [] : [`A turn has at most ${toolRounds} tool rounds.`]),
  ]
}

function reasonsOf(decided: BudgetVerdict, policy: Policy): readonly PolicyReason[] {
  switch (decided.verdict) {
    case "unknown":
      return decided.uses.map((use) => reasonOf(use, policy))
    case "limit":
      return [
        {
          code: "state_limit",
          states: decided.states,
          message: `The policy needs more than ${decided.states} states${decided.busiest === null ? "" : `, most of them at "${decided.busiest}"`}.`,
          fix: "Raise limits.states in the policy file, split the policy, or narrow it with `in`.",
        },
      ]
    case "not_analyzed":
      return [notAnalyzed(decided.construct)]
    case "no_price":
      return [
        {
          code: "no_price",
          model: decided.model,
          message: `The cost of one call of the model "${decided.model}" is not known.`,
          fix: `Add its price with maxInputTokens and maxOutputTokens, or perCall, to prices: { "${decided.model}": { perCall: 0.01 } }.`,
        },
      ]
    default:
      return []
  }
}

/**
 * A hint that is added to the fix for one function. Without it, a user might declare only one
 * function after each check.
 */
const others =
  ' If none of your functions calls tools by itself or changes the state, declare all of them: functions: { "*": {} }.'

function reasonOf({ name, of, capability, before }: FunctionUse, { rule }: Policy): PolicyReason {
  if (of === "machine")
    return notAnalyzed(`the order in which the machine of "${name}" runs its agents`)
  if (of === "toolset") return undeclaredToolset(name, capability ?? "list any tool")
  const could = [
    capability,
    ...awaitedBy(rule).map(({ kind, names }) => `${kind} ${names.join(", ")}`),
    before !== undefined && "first" in rule && rule.first === "approval"
      ? `change the arguments of ${before}`
      : null,
  ].filter((each) => each !== null)
  const declaration = could.some((each) => each.startsWith("decide "))
    ? "{ decides: { TOOL: [CONFIRM, DENY] } }"
    : "{}"
  return {
    code: "undeclared_function",
    function: name,
    capability: [...new Set(could)].join(" or ") || "do anything",
    message: `The function "${name}" is not declared. It could ${[...new Set(could)].join(" or ") || "do anything"}.`,
    fix: `Declare what it may do in the policy file: functions: { ${name}: ${declaration} }.${declaration === "{}" ? others : ""}`,
  }
}

/**
 * Returns up to `most` counterexamples for a policy about order, number or budget. The shortest
 * comes first.
 */
export function counterexamplesOf(
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  prices: PriceList | null,
  most: number,
): readonly Counterexample[] {
  const all = prices ?? (set.prices as PriceList | null)
  const decided =
    decideOrder(chart, policy, set, most) ?? decideBudget(chart, policy, set, all, most)
  return decided === null ? [] : counterexamplesIn(decided, chart, set)
}

const counterexamplesIn = (
  decided: BudgetVerdict,
  chart: AgentChart,
  { assume }: PolicySet,
): readonly Counterexample[] =>
  "paths" in decided
    ? decided.paths.map((path) => ({
        ...counterexampleOf(path),
        script: pathScript(path, chart, decided.keys, assume),
      }))
    : []

function counterexampleOf(path: ProductPath): Omit<Counterexample, "script"> {
  return {
    records: path.reduce((sum, { records }) => sum + records, 0),
    path: path.map(({ does, agent, records, occurrences }) => ({
      does,
      agent,
      record: records > 0,
      occurs: occurrences.flatMap(textOf),
    })),
  }
}

const internal: readonly string[] = ["returned", "dropped", "message", "iterated"]

const textOf = ({ kind, name, outcome, value }: Occurrence): readonly string[] =>
  internal.includes(kind)
    ? []
    : [
        `${kind} ${name}${outcome === undefined ? "" : ` (${outcome})`}${value === undefined ? "" : ` = ${JSON.stringify(value)}`}`,
      ]
