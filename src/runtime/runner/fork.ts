import { AgentStatechartsError } from "../../errors.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkRunInput } from "../run/check-run-input.js"
import type { JournalRecord, StoredRun } from "../journal/journal.js"
import type { RunControls } from "../run/run-controls.js"
import { CheckedControls } from "../run/run-controls.js"
import { pastRun } from "../history/replayed-run.js"
import { checkedPosition } from "../history/check-position.js"

/** Options of a fork. */
export interface ForkOptions {
  /** Number of records to copy. 0 copies none. A number beyond the end copies all. */
  readonly at: number
  /** Id of the new run. */
  readonly runId: string
  /** Entries to set in the session state at this position. */
  readonly state?: Readonly<Record<string, unknown>>
  /** Keys to remove from the session state at this position. */
  readonly remove?: readonly string[]
  /**
   * Another first message. Requires that `at` is 0, because later records depend on the first
   * message.
   */
  readonly prompt?: UserContent | null
  /** Answers the pending requests at this position, for example `(run) => run.say("Hello.")`. */
  readonly act?: (
    run: Pick<
      RunControls,
      "pending" | "approve" | "reject" | "answer" | "say" | "deliver" | "end" | "cancel"
    >,
  ) => void
  /**
   * Time of the changes in milliseconds since the epoch. Default: the time of the last copied
   * record.
   */
  readonly now?: number
}

/**
 * Returns a new run that starts with the first records of another run. This function does not
 * store the run. To store and resume it, use `runner.fork`. The other run does not change.
 *
 * @throws AgentStatechartsError `input_refused`, or `request_unknown` for an answer without a
 * pending request
 */
export function fork({ header, records }: StoredRun, options: ForkOptions): StoredRun {
  const { at, runId, state = {}, remove = [], prompt, act } = options
  const kept = records.slice(0, checkedPosition(at))
  if (runId === header.runId)
    throw refused(`a fork is a separate run: choose an id other than "${runId}"`)
  if (prompt !== undefined && kept.length > 0)
    throw refused(
      "a new first message is only possible at position 0; at a later position, answer the pending request instead",
    )
  checkRunInput({
    state: { ...Object.fromEntries(remove.map((key) => [key, null])), ...state },
    prompt,
  })
  const time = options.now ?? kept.at(-1)?.[3] ?? header.at
  const forked = {
    ...header,
    runId,
    input: { ...header.input, ...(prompt === undefined ? {} : { prompt }) },
    forkedFrom: { runId: header.runId, at: kept.length },
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
    `run "${runId}" had finished after ${at} records, so nothing reads its state; fork the run at an earlier position`,
  )

const refused = (message: string): AgentStatechartsError =>
  new AgentStatechartsError("input_refused", message)
