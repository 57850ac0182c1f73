import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { firstCaller } from "../../machines/workflow-agent/called-charts.js"
import { awaitedBy } from "../../policies/atoms-of.js"
import type { Occurrence } from "../../policies/occurrence.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import { modelSignals } from "../../policies/policy.js"
import type { PriceList } from "../../policies/price-list.js"
import type { FunctionUse } from "../behavior/behavior.js"
import type { BudgetVerdict } from "./budget-verdict.js"
import { decideBudget } from "./budget-verdict.js"
import { decideFlow } from "../flow/decide-flow.js"
import { flowScripts } from "./flow-scripts.js"
import { dataPath, flowResult } from "./flow-result.js"
import { explain } from "./explain.js"
import type { ProductPath } from "../model-checking/explore.js"
import { pathScript } from "../model-checking/path-script.js"
import { assumedSession } from "./session-assumption.js"
import { isVacuous, policyWarnings } from "./policy-warnings.js"
import { notAnalyzed, orderOfMachine, undeclaredToolset, unplayed } from "./reasons.js"
import { decideOrder } from "../model-checking/decide-order.js"
import type { Counterexample, PolicyAnalysis, PolicyReason, PolicyResult } from "./policy-result.js"
import { vocabularyOf } from "./vocabulary.js"

/** Decides for each policy in a policy file whether any run of the chart can violate it. */
export function analyzePolicies(
  chart: AgentChart,
  set: PolicySet,
  prices: PriceList | null,
): PolicyAnalysis {
  const vocabulary = vocabularyOf(chart, set)
  // The policy file can contain prices in the format of a price list. `prices` replaces them.
  const all = prices ?? (set.prices as PriceList | null)
  const assumptions = assumptionsOf(set)
  const warnings = policyWarnings(set, vocabulary)
  const call = callOfWorkflow(chart)
  const results = set.policies.map((policy): PolicyResult => {
    const flow = call === null ? decideFlow(chart, policy, set) : null
    if (flow !== null) {
      const assumed = flow.verdict === "proved" ? assumedSession(chart, policy, set, all) : []
      const result = flowResult(
        policy,
        flow,
        [...assumptions, ...assumed],
        isVacuous(policy, vocabulary),
      )
      const isPossible =
        flow.verdict !== "violated" || flowScripts(flow.path, chart, policy, set, 1) !== null
      return isPossible ? result : unplayed(result, [])
    }
    const decided = call ?? decideOrder(chart, policy, set) ?? decideBudget(chart, policy, set, all)
    if (decided === null)
      throw new TypeError(`the policy "${policy.name}" has a pattern that no checker supports`)
    const verdict = verdictOf(decided)
    const reasons = reasonsOf(decided, policy)
    const path = "paths" in decided ? (decided.paths[0] ?? null) : null
    const [shortest = null] = counterexamplesIn(decided, chart, set)
    const counterexample =
      shortest === null || canBePlayed(shortest)
        ? shortest
        : (counterexamplesOf(chart, policy, set, prices, maxPaths).find(canBePlayed) ?? shortest)
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
      assumptions: [
        ...assumptions,
        ...(verdict === "proved" ? assumedSession(chart, policy, set, all) : []),
        ...assumedRounds(decided),
      ],
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

/** Maximum number of counterexamples to try for one policy. */
export const maxPaths = 10

/**
 * Returns whether a real run can follow a counterexample. This is the case if values were found
 * with which every condition on its path has the required result.
 */
const canBePlayed = ({ script }: Counterexample): boolean => (script?.unmet ?? []).length === 0

/**
 * Returns the verdict `not_analyzed` if the chart calls other workflows or remote agents, because
 * the policy checker does not analyze these calls. Returns null if the chart makes no such calls.
 */
function callOfWorkflow(chart: AgentChart): BudgetVerdict | null {
  const caller = firstCaller(chart)
  return caller === null
    ? null
    : {
        verdict: "not_analyzed",
        construct: `"${caller.agent}", which calls ${caller.calls}`,
        states: 0,
      }
}

const verdictOf = ({ verdict }: BudgetVerdict): PolicyResult["verdict"] =>
  verdict === "proved" || verdict === "violated" ? verdict : "unknown"

function assumptionsOf({ assume }: PolicySet): readonly string[] {
  const { modelSignals: signals, startState, session } = assume
  return [
    ...(signals.length === modelSignals.length
      ? []
      : [
          `Models use ${signals.length === 0 ? "no signals" : `only the signals ${signals.join(", ")}`}.`,
        ]),
    ...(startState === "chart" && session === "new"
      ? ["Every run starts with the state of the config."]
      : []),
  ]
}

/** Returns the assumption about tool rounds that the proof of a budget needs, if any. */
const assumedRounds = (decided: BudgetVerdict): readonly string[] =>
  "toolRounds" in decided
    ? [
        `A turn has at most ${decided.toolRounds} tool ${decided.toolRounds === 1 ? "round" : "rounds"}, and models do not ask the user questions.`,
      ]
    : []

function reasonsOf(decided: BudgetVerdict, policy: Policy): readonly PolicyReason[] {
  switch (decided.verdict) {
    case "unknown":
      return decided.uses.map((use) => reasonOf(use, policy))
    case "limit":
      return [
        {
          code: "state_limit",
          states: decided.states,
          message: `The check of the policy stopped after ${decided.states} states${decided.busiest === null ? "" : `, most of them at "${decided.busiest}"`}.`,
          fix: "Increase limits.states in the policy file, split the policy, or use `in` to apply the policy to fewer agents.",
        },
      ]
    case "not_analyzed":
      return [notAnalyzed(decided.construct)]
    case "no_price":
      return [
        {
          code: "no_price",
          model: decided.model,
          message: `The policy file contains no price for a call of the model "${decided.model}".`,
          fix: `Add the model to "prices", for example "${decided.model}": { perCall: 0.01 }. Instead of perCall, you can write the prices per million tokens (input, output) with maxInputTokens and maxOutputTokens.`,
        },
      ]
    default:
      return []
  }
}

/**
 * Text that is added to a suggestion to declare one function. It suggests declaring all functions
 * at once, because otherwise the next check would name the next function.
 */
const others =
  ' If none of your functions calls tools by itself or changes the state, declare all of them: functions: { "*": {} }.'

function reasonOf({ name, of, capability, before }: FunctionUse, { rule }: Policy): PolicyReason {
  if (of === "machine") return notAnalyzed(orderOfMachine(name))
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
    message: `The policy file does not declare the function "${name}". The function could ${[...new Set(could)].join(" or ") || "do anything"}.`,
    fix: `Declare in the policy file what the function may do: functions: { ${name}: ${declaration} }.${declaration === "{}" ? others : ""}`,
  }
}

/**
 * Returns up to `most` counterexamples for a policy, starting with the shortest. The first
 * counterexample of a `noFlow` policy has no script.
 */
export function counterexamplesOf(
  chart: AgentChart,
  policy: Policy,
  set: PolicySet,
  prices: PriceList | null,
  most: number,
): readonly Counterexample[] {
  const flow = decideFlow(chart, policy, set)
  if (flow !== null) {
    if (flow.verdict !== "violated") return []
    const first = dataPath(flow.path)
    const scripts = flowScripts(flow.path, chart, policy, set, most - 1) ?? []
    return [first, ...scripts.map((script) => ({ ...first, script }))]
  }
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
