import { exitCodeOf } from "../terminal/exit-codes.js"
import { transitionText } from "../format/format-coverage.js"
import { shellWord } from "../terminal/untrusted-text.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartTransitionPart } from "../../runtime/index.js"
import type { PlannedRun, TestPlan } from "./make-plan.js"
import { promptOf } from "./play-choices.js"

/** Coverage of a generated test plan in JSON format, without the scripts of its scenarios. */
export interface PlanReport {
  readonly chart: string
  readonly fingerprint: string
  readonly states: Count
  readonly transitions: Count
  readonly exceptional: { readonly states: Count; readonly transitions: Count }
  /** Transitions that no scenario takes, each with the reason. */
  readonly missing: readonly { readonly transition: string; readonly why: string }[]
  /**
   * Names of scenarios that were omitted because their results differed when they were repeated.
   */
  readonly unsteady: readonly string[]
}

interface Count {
  readonly reached: number
  readonly of: number
}

/**
 * Returns the report of a test plan. It contains the coverage, the reason for each transition that
 * is not covered, and the omitted scenarios (`unsteady`).
 */
export function planReport(chart: AgentChart, { coverage, unsteady }: TestPlan): PlanReport {
  const { states, transitions, exceptional } = coverage
  const neverEntered = new Set(
    [...states.missing, ...exceptional.states.missing].map(
      ({ machine, state }) => `${machine} ${state}`,
    ),
  )
  const why = (part: ChartTransitionPart): string => {
    if (neverEntered.has(`${part.machine} ${part.from}`)) return "its source state was not entered"
    if (part.guard === "conditionFails") return "no tested value makes the condition fail"
    if (part.cause === "ended" && part.guard === null && isPerson(chart, part))
      return "it requires a request that expires, and scenarios do not wait"
    return "no tested answer takes it"
  }
  return {
    chart: chart.id,
    fingerprint: chart.fingerprint,
    states: countOf(states),
    transitions: countOf(transitions),
    exceptional: {
      states: countOf(exceptional.states),
      transitions: countOf(exceptional.transitions),
    },
    missing: transitions.missing.map((part) => ({
      transition: transitionText(part),
      why: why(part),
    })),
    unsteady,
  }
}

const countOf = ({ reached, of }: Count): Count => ({ reached, of })

function isPerson({ agents }: AgentChart, { from }: ChartTransitionPart): boolean {
  const agent = from.slice(from.lastIndexOf(".") + 1)
  return Object.hasOwn(agents, agent) && agents[agent]?.type === "HumanAgent"
}

/**
 * Describes a test scenario for the index file of the test plan. `adds` contains the transitions
 * that no earlier scenario takes.
 */
export const runReport = ({ name, status, adds }: PlannedRun): object => ({
  name,
  status,
  exitCode: exitCodeOf(status),
  adds: adds.map(transitionText),
})

/**
 * Returns the names and contents of the files of a test scenario. A value is null if the file would
 * be empty. It is then not written.
 */
export function filesOf(
  { script }: PlannedRun,
  number: string,
): Readonly<
  Record<
    "scenario" | "answers" | "state",
    { readonly name: string; readonly value: unknown } | null
  >
> {
  const { llm, tools, http, answers, state } = script
  return {
    scenario: {
      name: `${number}.scenario.json`,
      value: { llm, tools, ...(http !== undefined && { http }) },
    },
    answers: answers.length === 0 ? null : { name: `${number}.answers.json`, value: answers },
    state: Object.keys(state).length === 0 ? null : { name: `${number}.state.json`, value: state },
  }
}

/** Returns the shell command that runs a test scenario. `pathOf` converts a file name to a path. */
export function commandOf(
  file: string,
  chart: AgentChart,
  files: ReturnType<typeof filesOf>,
  pathOf: (name: string) => string,
  more: readonly string[],
): string {
  const { scenario, answers, state } = files
  const words = [
    "run",
    file,
    ...(scenario === null ? [] : ["--scripted", pathOf(scenario.name)]),
    ...(answers === null ? [] : ["--answers", pathOf(answers.name)]),
    ...(state === null ? [] : ["--state", `@${pathOf(state.name)}`]),
    ...(chart.input.prompt === null && taskGraphOf(chart) === null
      ? ["--prompt", promptOf(chart)]
      : []),
    ...more,
  ]
  return ["agent-statecharts", ...words.map(shellWord)].join(" ")
}
