import type {
  EmittedEvent,
  RunBoundaryEvent,
  RunResult,
} from "../../machines/contract/run-event.js"
import type { MachineEvent } from "../../machines/contract/machine-event.js"
import { textOfContent } from "../../machines/contract/user-content.js"
import type { JournalHeader } from "../journal/journal.js"
import type { StateEdit } from "../driver/state-edit.js"

const wholeRun = ({ chart }: JournalHeader) => ({ agent: chart.id, path: "", branch: null })

export function runStarted(header: JournalHeader): RunBoundaryEvent {
  const { chart, input } = header
  return {
    agent: chart.id,
    path: "",
    branch: null,
    type: "run.started",
    prompt: input.prompt === null ? null : textOfContent(input.prompt),
    chart: chart.fingerprint,
  }
}

export const runFinished = (header: JournalHeader, result: RunResult): RunBoundaryEvent => ({
  agent: header.chart.id,
  path: "",
  branch: null,
  type: "run.finished",
  result,
})

export const warningOf = (header: JournalHeader, message: string): EmittedEvent => ({
  ...wholeRun(header),
  type: "warning",
  message,
})

/**
 * Returns the event `state.changed`, which reports the change of the session state that was
 * recorded when the run was forked.
 */
export function stateEdited(header: JournalHeader, event: MachineEvent): EmittedEvent {
  const { set, removed } = event as MachineEvent & StateEdit
  return { ...wholeRun(header), type: "state.changed", set, removed }
}
