import { AgentStatechartsError } from "../../errors.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { checkRunInput } from "../run/check-run-input.js"
import type { JournalRecord, StoredRun } from "../journal/journal.js"
import type { RunControls } from "../run/run-controls.js"
import { CheckedControls } from "../run/run-controls.js"
import { pastRun } from "../history/replayed-run.js"
import { checkedPosition } from "../history/check-position.js"

export interface ForkOptions {
  /** How many records the new run begins with; 0 begins anew, more than there are takes all. */
  readonly at: number
  /** Id of the new run. */
  readonly runId: string
  /** Written over the session state as it stood there. */
  readonly state?: Readonly<Record<string, unknown>>
  /** Keys that are gone from it. */
  readonly remove?: readonly string[]
  /** Another first message; only where `at` is 0, as everything after it has heard the old one. */
  readonly prompt?: UserContent | null
  /** Answers what the run waited for there: `(run) => run.say("Other words.")`. */
  readonly act?: (
    run: Pick<
      RunControls,
      "pending" | "approve" | "reject" | "answer" | "say" | "deliver" | "end" | "cancel"
    >,
  ) => void
  /** The time of what is changed, in milliseconds since the epoch; that of the last record unless given. */
  readonly now?: number
}

/**
 * A new run that begins with the first records of another one and goes on from there. It is only made: store it, or give it to
 * `runner.fork`, and resume it like any other. The other run stays as it is.
 *
 * @throws AgentStatechartsError `input_refused`, `request_unknown` for an answer that nobody waits for there.
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
