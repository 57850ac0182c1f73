import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Artifacts } from "../../machines/contract/artifacts.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkRunInput } from "./check-run-input.js"
import type { JournalHeader } from "../journal/journal.js"

/** What a run is begun with. */
export interface RunInput {
  /** The user's first message, a text or parts; the chart's own unless given, null for none. */
  readonly prompt?: UserContent | null
  /** Added to the chart's initial state, key by key. */
  readonly state?: Readonly<Record<string, unknown>>
  /** Texts and bytes by name, as if they had been saved before the run. */
  readonly artifacts?: Artifacts
  /** Kept in the header of the journal as it is, for whoever takes the run up. */
  readonly about?: Readonly<Record<string, unknown>>
}

/**
 * The first record of a run. `inSession`: the state of the chart belongs to the session then, which may exist already.
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
