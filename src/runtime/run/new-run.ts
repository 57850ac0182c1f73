import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkRunInput } from "./check-run-input.js"
import type { JournalHeader } from "../journal/journal.js"

/** The input of a new run. */
export interface RunInput {
  /**
   * The first user message, a text or parts. Default: the prompt of the chart. null: no message.
   */
  readonly prompt?: UserContent | null
  /** Entries added to the initial state of the chart. They replace entries with the same key. */
  readonly state?: Readonly<Record<string, unknown>>
  /** Artifacts (texts or bytes) by name that exist when the run starts. */
  readonly artifacts?: Artifacts
  /** JSON stored unchanged in the journal header, for the program that resumes the run. */
  readonly about?: Readonly<Record<string, unknown>>
}

/**
 * Creates the journal header of a run. With `inSession`, the initial state of the chart is left
 * out, because the session provides it.
 *
 * @throws AgentStatechartsError `input_refused`.
 */
export function newRun(
  chart: AgentChart,
  { prompt, state = {}, artifacts, about }: RunInput,
  {
    runId,
    at,
    inSession = false,
  }: { readonly runId: string; readonly at: number; readonly inSession?: boolean },
): JournalHeader {
  checkRunInput({ prompt, state, artifacts })
  const input = {
    prompt: prompt === undefined ? chart.input.prompt : prompt,
    state: inSession ? state : { ...chart.input.state, ...state },
    ...(artifacts === undefined ? {} : { artifacts }),
  }
  return { format: 1, runId, chart, input, at, ...(about === undefined ? {} : { about }) }
}
