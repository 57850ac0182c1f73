import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { createSuggest, didYouMean } from "../../machines/data/suggest.js"
import { objectSchema } from "../reading/json-schema.js"
import { entriesOf, fieldOf } from "../reading/located-value.js"
import type { CaseRun } from "../run/case-run.js"
import type { ChartName, ChartParts } from "./chart-names.js"
import { parseName, partsNamed, partsOf, reachedIn } from "./chart-names.js"
import type { CriterionCheck, CriterionInput, CriterionType } from "./criterion.js"
import {
  readTexts,
  readWholeNumber,
  texts,
  wholeNumber,
  type LocatedText,
} from "./option-values.js"
import { type CriterionEntry, scoreEntries } from "./reference-score.js"

interface AgentCount {
  readonly agent: LocatedText
  readonly min: number
  /** Maximum number of times that the agent may start. Null means no maximum. */
  readonly max: number | null
}

/**
 * Criterion `statechart_path_v1`, which checks the states, transitions and agents that a run
 * reaches.
 */
export const statechartPath: CriterionType = {
  options: {
    visited: { description: "Agents, states and transitions that the run must reach.", ...texts },
    avoided: { description: "Agents, states and transitions that the run must avoid.", ...texts },
    order: { description: "Agents that must start in this order.", ...texts },
    counts: {
      description: "How often an agent may start.",
      type: "object",
      additionalProperties: {
        ...objectSchema({ min: wholeNumber, max: wholeNumber }),
        additionalProperties: false,
      },
    },
  },
  read(input) {
    const { options } = input
    const visited = readTexts(fieldOf(options, "visited"), input)
    const avoided = readTexts(fieldOf(options, "avoided"), input)
    const order = readTexts(fieldOf(options, "order"), input)
    const counts = readCounts(input)
    return {
      check(context) {
        const { file } = input.mistakes
        const names = namesIn(context.charts)
        for (const name of [...visited, ...avoided]) checkName(name, file, names, context)
        for (const agent of [...order, ...counts.map(({ agent: counted }) => counted)])
          checkAgent(agent, file, names, context)
      },
      score({ chart, run }) {
        const isReached = reachTest(chart, run)
        return scoreEntries([
          ...visited.map(({ text }) => ({
            isSatisfied: isReached(text),
            text: `${text} was not reached`,
          })),
          ...avoided.map(({ text }) => ({
            isSatisfied: !isReached(text),
            text: `${text} was reached`,
          })),
          ...orderEntry(
            order.map(({ text }) => text),
            run.starts,
          ),
          ...counts.map((count) => countEntry(count, run.starts)),
        ])
      },
    }
  },
}

function readCounts(input: CriterionInput): readonly AgentCount[] {
  const { options, read, mistakes } = input
  const counts = read.object(fieldOf(options, "counts"))
  return (counts === null ? [] : entriesOf(counts)).flatMap(([agent, item]) => {
    const range = read.requiredObject(item)
    if (range === null) return []
    const unknown = Object.keys(range.value).find((key) => key !== "min" && key !== "max")
    if (unknown !== undefined)
      mistakes.add(
        "criterion_invalid",
        `${range.pointer}/${unknown}`,
        `${JSON.stringify(unknown)} is not an option of a count`,
        "Write min, max or both.",
      )
    return [
      {
        agent: { text: agent, pointer: item.pointer },
        min: readWholeNumber(fieldOf(range, "min"), input) ?? 0,
        max: readWholeNumber(fieldOf(range, "max"), input),
      },
    ]
  })
}

/**
 * Returns a function that tests whether the run reached an agent, state or transition. The argument
 * is the name from the options of the criterion.
 */
function reachTest(chart: AgentChart, run: CaseRun): (text: string) => boolean {
  const started = new Set(run.starts)
  let replayed: { readonly parts: ChartParts; readonly isReached: ReturnType<typeof reachedIn> }
  return (text) => {
    const name = parseName(text, (agent) => Object.hasOwn(chart.agents, agent))
    if (name.kind === "agent") return started.has(name.name)
    if (run.stored === null) return false
    // Replay the run only if an option names a state or a transition.
    replayed ??= { parts: partsOf(chart), isReached: reachedIn(chart, run.stored) }
    return partsNamed(name, replayed.parts).some(replayed.isReached)
  }
}

/**
 * Agents, states and transitions of the evaluated workflows. The options of a criterion can refer
 * only to these.
 */
interface KnownNames {
  readonly agents: ReadonlySet<string>
  readonly parts: readonly ChartParts[]
}

const namesIn = (charts: readonly AgentChart[]): KnownNames => ({
  agents: new Set(charts.flatMap(({ agents }) => Object.keys(agents))),
  parts: charts.map(partsOf),
})

function checkName(
  { text, pointer }: LocatedText,
  file: string,
  names: KnownNames,
  { report }: CriterionCheck,
): void {
  const name = parseName(text, (agent) => names.agents.has(agent))
  if (isKnown(name, names)) return
  const suggestion = createSuggest()(nameText(name), candidatesFor(name, text, names))
  report(
    file,
    "criterion_invalid",
    pointer,
    `the workflow has no ${name.kind === "state" && !text.startsWith("state:") ? "agent or state" : name.kind} ${JSON.stringify(nameText(name))}`,
    `${didYouMean(suggestion)}Write the name of an agent, or of a state as the command coverage prints it.`,
  )
}

const nameText = (name: ChartName): string =>
  name.kind === "transition" ? `${name.from} -> ${name.to}` : name.name

const isKnown = (name: ChartName, { agents, parts }: KnownNames): boolean =>
  name.kind === "agent"
    ? agents.has(name.name)
    : parts.some((one) => partsNamed(name, one).length > 0)

function candidatesFor(
  { kind }: ChartName,
  text: string,
  { agents, parts }: KnownNames,
): readonly string[] {
  const states = parts.flatMap((one) => one.states.map(({ state }) => state))
  if (kind === "transition")
    return parts.flatMap((one) => one.transitions.map(({ from, to }) => `${from} -> ${to ?? ""}`))
  if (kind === "agent") return [...agents]
  return text.startsWith("state:") ? states : [...agents, ...states]
}

function checkAgent(
  { text, pointer }: LocatedText,
  file: string,
  { agents }: KnownNames,
  { report }: CriterionCheck,
): void {
  if (agents.has(text)) return
  report(
    file,
    "criterion_invalid",
    pointer,
    `the workflow has no agent ${JSON.stringify(text)}`,
    `${didYouMean(createSuggest()(text, agents))}Write the name of an agent.`,
  )
}

/** Checks that the agents in `order` started in this order. Other agents may start in between. */
function orderEntry(
  order: readonly string[],
  starts: readonly string[],
): readonly CriterionEntry[] {
  if (order.length === 0) return []
  let next = 0
  for (const agent of starts) if (agent === order[next]) next++
  return [
    {
      isSatisfied: next === order.length,
      text: `expected the order ${order.join(", ")}, but ${order[next] ?? ""} did not start ${next === 0 ? "" : `after ${order[next - 1] ?? ""}`}`.trimEnd(),
    },
  ]
}

function countEntry({ agent, min, max }: AgentCount, starts: readonly string[]): CriterionEntry {
  const count = starts.filter((name) => name === agent.text).length
  return {
    isSatisfied: count >= min && (max === null || count <= max),
    text: `${agent.text} started ${count} times, expected ${max === null ? `at least ${min}` : min === max ? String(min) : `${min} to ${max}`}`,
  }
}
