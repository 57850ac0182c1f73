import { AgentStatechartsError } from "../../errors.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkRunInput } from "../run/check-run-input.js"
import type { JournalRecord, StoredRun } from "../journal/journal.js"
import type { RunControls } from "../run/run-controls.js"
import { CheckedControls } from "../run/run-controls.js"
import { pastRun } from "../history/replayed-run.js"
import { checkedPosition } from "../history/check-position.js"

/** Options of `fork`, which creates a new run from the first records of another run. */
export interface ForkOptions {
  /**
   * Number of records to copy. If it is 0, the new run starts from the beginning. If it is greater
   * than the number of records, all records are copied.
   */
  readonly at: number
  /** Id of the new run. It must differ from the id of the other run. */
  readonly runId: string
  /**
   * Session state values that the new run sets when all copied records have been processed, by
   * state key.
   */
  readonly state?: Readonly<Record<string, unknown>>
  /** Session state keys that the new run removes when all copied records have been processed. */
  readonly remove?: readonly string[]
  /**
   * A different first message. Only allowed if `at` is 0, because later records depend on the first
   * message. If null, the new run starts without a message.
   */
  readonly prompt?: UserContent | null
  /**
   * Function that answers pending requests of the new run, for example `(run) =>
   * run.say("Hello.")`. The answers are added to the records of the new run.
   */
  readonly act?: (
    run: Pick<
      RunControls,
      "pending" | "approve" | "reject" | "answer" | "say" | "deliver" | "end" | "cancel"
    >,
  ) => void
  /**
   * Time of the changes by `state` and `remove` and of the answers by `act`, in milliseconds since
   * the epoch. Default: the time of the last copied record.
   */
  readonly now?: number
}

/**
 * Returns a new run that starts with the first records of another run. The other run is not
 * changed, and the new run is not stored. To store and resume the new run, call `runner.fork`
 * instead.
 *
 * @throws AgentStatechartsError `input_refused`, `run_finished` if the state of a finished run
 * would be changed, or `request_unknown` if `act` answers a request that is not pending
 */
export function fork({ header, records }: StoredRun, options: ForkOptions): StoredRun {
  const { at, runId, state = {}, remove = [], prompt, act } = options
  const kept = records.slice(0, checkedPosition(at))
  if (runId === header.runId)
    throw refused(`a fork is a separate run: choose an id other than "${runId}"`)
  if (prompt !== undefined && kept.length > 0)
    throw refused(
      "only a fork at position 0 can have another `prompt`. Remove `prompt`, and answer the pending request of the fork instead",
    )
  checkRunInput(
    {
      state: { ...Object.fromEntries(remove.map((key) => [key, null])), ...state },
      prompt,
    },
    header.chart,
  )
  const time = options.now ?? kept.at(-1)?.[3] ?? header.at
  const forked = {
    ...header,
    runId,
    input: { ...header.input, ...(prompt !== undefined && { prompt }) },
    forkedFrom: {
      runId: header.runId,
      at: kept.length,
      ...(options.now !== undefined && { time: options.now }),
    },
  }
  const past: JournalRecord[] = [...kept]
  if (Object.keys(state).length > 0 || remove.length > 0) {
    if (!pastRun({ header, past: kept }).run.isOpen()) throw finished(header.runId, kept.length)
    past.push([
      -1,
      "",
      {
        type: "state.edited",
        set: { ...state },
        removed: remove.filter((key) => !Object.hasOwn(state, key)),
        at: time,
      },
      time,
    ])
  }
  if (act !== undefined) {
    const added: JournalRecord[] = []
    const { run } = pastRun({
      header: forked,
      past,
      now: () => time,
      append: (record) => void added.push(record),
    })
    act(new CheckedControls(run))
    past.push(...added)
  }
  return { header: forked, records: past }
}

const finished = (runId: string, at: number): AgentStatechartsError =>
  new AgentStatechartsError(
    "run_finished",
    `run "${runId}" had already finished after ${at} records, so a change of the state would have no effect; fork the run at an earlier record`,
  )

const refused = (message: string): AgentStatechartsError =>
  new AgentStatechartsError("input_refused", message)
