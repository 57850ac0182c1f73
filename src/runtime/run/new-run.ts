import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkRunInput } from "./check-run-input.js"
import type { RunPolicySets } from "../policies/run-policy-sets.js"
import type { JournalHeader } from "../journal/journal.js"

/** The input of a new run, such as its prompt and its initial state. */
export interface RunInput {
  /**
   * First user message, as text or a list of parts. Default: the prompt of the chart. If null,
   * there is no message.
   */
  readonly prompt?: UserContent | null
  /**
   * State entries that are added to the initial state of the chart. An entry replaces the entry of
   * the chart with the same key.
   */
  readonly state?: Readonly<Record<string, unknown>>
  /** Artifacts (texts or bytes) by name, available from the start of the run. */
  readonly artifacts?: Artifacts
  /** Values that replace values of the graph's `context`. Only for charts of graphs. */
  readonly context?: Readonly<Record<string, unknown>>
  /**
   * JSON that is stored unchanged in the journal with the run. A program that resumes the run can
   * read it.
   */
  readonly about?: Readonly<Record<string, unknown>>
}

/**
 * Creates the journal header of a new run. If `inSession` is true, the header does not contain the
 * initial state of the chart, because the session adds this state.
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
