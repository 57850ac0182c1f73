import type {
  Bound,
  ChartAnalysis,
  ExpectedAssumption,
  Finding,
  PathStep,
} from "../../analysis/index.js"
import type { Paint } from "../terminal/paint.js"
import { oneLine, safeJson, safeName } from "../terminal/untrusted-text.js"

/**
 * Formats a finding of the static analysis like a compiler diagnostic, with the problem, its
 * location and a suggested fix.
 */
export function findingText(
  { code, severity, agent, message, fix }: Finding,
  file: string,
  paint: Paint,
): string {
  const head = severity === "error" ? paint.error(code) : paint.warning(`warning: ${code}`)
  return `${head} at ${safeJson(agent)} ${paint.dim(`(${oneLine(file)})`)}\n  ${oneLine(message)}\n  ${oneLine(fix)}`
}

/**
 * Formats the expected numbers of model calls, tool rounds and human waits of a run on one line.
 * Also names the assumptions, for example that each loop runs once.
 */
export function expectedText({ bounds }: ChartAnalysis, per: string): string {
  const { expected, assumes, ceiling } = bounds
  const { modelCalls, toolRounds, humanWaits } = expected
  const counts = [
    counted({ most: modelCalls }, "model call"),
    ...(toolRounds === 0 ? [] : [counted({ most: toolRounds }, "tool round")]),
    ...(humanWaits === 0 ? [] : [counted({ most: humanWaits }, "human wait")]),
  ]
  const conditions = [
    ...(toolRounds === 0 ? [] : [`each turn has ${roundsText(assumes.toolRounds)}`]),
    ...expected.assumes.map((assumption) => assumptionTexts[assumption]),
  ]
  const assumed = conditions.length === 0 ? "" : `, if ${joinWords(conditions)}`
  const exceeds = modelCalls !== null && modelCalls > ceiling
  return `expected: ${counts.join(", ")} ${per}${assumed}${exceeds ? `. This exceeds the limit of ${ceiling} model calls; raise it` : ""}`
}

const assumptionTexts: Readonly<Record<ExpectedAssumption, string>> = {
  conditions_are_true: "each condition is true",
  first_cycle_ends: "the first cycle ends the run",
  graph_nodes_run_once: "each node of a graph runs once",
  host_functions_run_agents_once: "each host function runs its agents once",
  lists_have_one_item: "each list of a forEach has one item",
  loops_run_once: "each loop runs once",
  one_handoff: "each team hands off once",
}

const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`

const roundsText = (rounds: number): string =>
  rounds === 1 ? "1 tool round" : `${rounds} tool rounds`

/**
 * Formats the upper bounds of a run on one line (model calls, tool rounds, human waits and cost).
 */
export function boundsText({ bounds }: ChartAnalysis, per: string): string {
  const { modelCalls, toolRounds, humanWaits, cost, ceiling, assumes } = bounds
  const others = [
    ...(toolRounds.most === 0 ? [] : [counted(toolRounds, "tool round")]),
    ...(humanWaits.most === 0 ? [] : [counted(humanWaits, "human wait")]),
    ...(cost === undefined
      ? []
      : [
          cost.most === null
            ? "no bound on the cost (add prices with maxInputTokens and maxOutputTokens to compute one)"
            : `a cost of ${amountText(cost.most)}`,
        ]),
  ]
  const assumed = toolRounds.most === 0 ? "" : `, if a turn has ${roundsText(assumes.toolRounds)}`
  const isStopped = modelCalls.most === ceiling
  const stop = isStopped
    ? ceiling === 0
      ? ""
      : byText(modelCalls)
    : `; the limit is ${ceiling} model calls`
  return `at most ${[counted(modelCalls, "model call"), ...others].join(", ")} ${per}${assumed}${stop}`
}

const byText = ({ limitedBy }: Bound): string =>
  limitedBy.length === 0 ? "" : ` (${limitedBy.map(oneLine).join(", ")})`

function counted({ most }: Pick<Bound, "most">, what: string): string {
  return most === null ? `any number of ${what}s` : `${most} ${what}${most === 1 ? "" : "s"}`
}

const amountText = (amount: number): string => String(Number(amount.toPrecision(6)))

/**
 * Maximum number of agents to list with their shares of an upper bound. The output only counts
 * further agents.
 */
const namedShares = 12

/**
 * Explains the upper bounds of a run in lines of text. For each bound, lists the agents on the most
 * expensive path, largest share first. Then lists the cycles of the chart.
 */
export function boundDetails({ bounds, cycles }: ChartAnalysis): readonly string[] {
  const named = [
    ["model calls", bounds.modelCalls],
    ["tool rounds", bounds.toolRounds],
    ["human waits", bounds.humanWaits],
    ["cost", bounds.cost],
  ] as const
  const lines = named.flatMap(([what, bound]) =>
    bound === undefined || bound.path.length === 0 ? [] : detailsOf(what, bound),
  )
  const cycleLines = cycles.map(
    ({ kind, path, most, boundedBy }) =>
      `${safeName(path)}: ${kind}, ${most === null ? `bounded by ${oneLine(boundedBy ?? "nothing")}` : `at most ${most} (${oneLine(boundedBy ?? "")})`}`,
  )
  return [
    ...lines,
    ...(cycleLines.length === 0 ? [] : ["cycles:", ...cycleLines.map((line) => `  ${line}`)]),
  ]
}

function detailsOf(what: string, bound: Bound): readonly string[] {
  const byAmount = bound.path.toSorted((one, other) => amountOf(other) - amountOf(one))
  const shares = byAmount
    .slice(0, namedShares)
    .map((step) => `  ${safeName(step.path)}: ${stepText(step)}`)
  const left = byAmount.length - shares.length
  const beyond =
    bound.most === bound.ofChart ? "" : `; the chart alone allows ${bound.ofChart ?? "any number"}`
  return [
    `${what}: ${bound.most ?? "any number"}${byText(bound)}${beyond}`,
    ...shares,
    ...(left === 0 ? [] : [`  and ${left} more`]),
  ]
}

const amountOf = ({ times, each }: PathStep): number => (times ?? Number.POSITIVE_INFINITY) * each

function stepText(step: PathStep): string {
  if (step.times === null) return `${amountText(step.each)} each time, any number of times`
  return `${amountText(amountOf(step))}${step.times === 1 ? "" : ` (${step.times} times ${amountText(step.each)})`}`
}
