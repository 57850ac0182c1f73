import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkRunInput } from "./check-run-input.js"
import type { RunPolicySets } from "../policies/run-policy-sets.js"
import type { JournalHeader } from "../journal/journal.js"

/** Input of a new run, such as its prompt and its initial state. */
export interface RunInput {
  /**
   * First user message, as a text or a list of parts. Default: the prompt in the chart. If null,
   * the run starts without a message.
   */
  readonly prompt?: UserContent | null
  /**
   * State keys and values that are added to the initial state in the chart. They replace values of
   * the chart with the same key.
   */
  readonly state?: Readonly<Record<string, unknown>>
  /** Artifacts (texts or bytes) by name. Agents can read them from the start of the run. */
  readonly artifacts?: Artifacts
  /**
   * Values that replace values in the `context` of the graph. Only allowed if the chart is a task
   * graph.
   */
  readonly context?: Readonly<Record<string, unknown>>
  /**
   * JSON data that is stored unchanged with the run in the journal. A program that resumes the run
   * can read it.
   */
  readonly about?: Readonly<Record<string, unknown>>
}

/**
 * Creates the journal header of a new run. `at` is the start time in milliseconds since the epoch.
 * If `inSession` is true, the header does not contain the initial state of the chart, because the
 * session adds it.
 *
 * @throws AgentStatechartsError `input_refused` if the input cannot be stored
 */
export function newRun(
  chart: AgentChart,
  { prompt, state = {}, artifacts, context, about }: RunInput,
  {
    runId,
    at,
    inSession = false,
    policies = null,
  }: {
    readonly runId: string
    readonly at: number
    readonly inSession?: boolean
    readonly policies?: RunPolicySets | null
  },
): JournalHeader {
  checkRunInput({ prompt, state, artifacts, context }, chart)
  const input = {
    prompt: prompt === undefined ? chart.input.prompt : prompt,
    state: inSession ? state : { ...chart.input.state, ...state },
    ...(artifacts !== undefined && { artifacts }),
    ...(context !== undefined && { context }),
  }
  return {
    format: 1,
    runId,
    chart,
    input,
    at,
    ...(policies !== null && { policies }),
    ...(about !== undefined && { about }),
  }
}
