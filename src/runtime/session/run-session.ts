import { AgentStatechartsError, wordsOf } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { artifactsAmong } from "../../machines/contract/artifacts.js"
import { entriesSince } from "../../machines/contract/history.js"
import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import { getScope } from "../../machines/containers/orchestration-context.js"
import { activeAgentOf } from "../../machines/containers/teams.js"
import { allEntries, isHiddenKey } from "../../machines/data/session-state.js"
import type { JournalHeader } from "../journal/journal.js"
import type { Claim, SessionQueue } from "./session-queue.js"
import { ownerOf, scopeOf } from "./session-scopes.js"
import type { SessionChanges, SessionKey, SessionStore } from "../journal/session-store.js"
import type { Ready } from "../async/when-ready.js"
import { recover, whenReady } from "../async/when-ready.js"

/** What a run asks of its session. */
export interface RunSession {
  /** Waits until the run may have the session, or until it withdraws. `yieldSession` is called when another one waits. */
  hold(yieldSession: () => void): Ready<void>
  /** The same, then reads the session or makes it: the header of the run that goes on with it, null for one that withdrew. */
  enter(
    header: JournalHeader,
    now: () => number,
    yieldSession: () => void,
  ): Ready<JournalHeader | null>
  /** Stores what the run has changed since it read the session or saved it last. */
  save(
    header: JournalHeader,
    root: OrchestrationContext | undefined,
    progress: Progress,
  ): Ready<void>
  /** Whether another run waits for the session. */
  isWanted(): boolean
  /** Lets go of the session, or waits for it no longer. */
  release(): void
}

/** How far a run has come. */
export interface Progress {
  /** Records of its journal. */
  readonly records: number
  /** Whether anything has happened since the run was started or taken up. */
  readonly isNew: boolean
  readonly at: number
}

interface Changed {
  readonly runId: string
  readonly chart: AgentChart
  readonly root: OrchestrationContext
}

/** What the store has, as far as this run knows. */
interface Known {
  readonly entries: Readonly<Record<string, unknown>>
  readonly artifacts: Readonly<Record<string, unknown>>
  readonly said: number
  readonly version: number
}

const nothing: Known = { entries: {}, artifacts: {}, said: 0, version: 0 }

export function runSession(
  { appName, userId, sessionId }: SessionKey,
  store: SessionStore,
  queue: SessionQueue,
): RunSession {
  const key: SessionKey = { appName, userId, sessionId }
  const session = ownerOf(key, "session")
  let claim: Claim | null = null
  let stopWaiting = (): void => {}
  let known: Known | null = null
  let isResumed = true

  const hold = (yieldSession: () => void): Ready<void> => {
    let hasIt = false
    let begin = (): void => {
      hasIt = true
    }
    claim = { begin: () => begin(), yieldSession }
    queue.join(session, claim)
    if (hasIt) return
    return new Promise((resolve) => (begin = stopWaiting = resolve))
  }
  const open = (header: JournalHeader, now: number): Ready<JournalHeader> => {
    const { chart, input } = header
    const seed = Object.entries(chart.input.state)
    const own = Object.fromEntries(seed.filter(([name]) => scopeOf(name) === "session"))
    return whenReady(
      ask(() => store.load(key)),
      (found) =>
        whenReady(found ?? ask(() => store.create(key, own, now)), (held) => {
          // What others share is not written over by what a new session begins with; temp: keys begin with every run.
          const begun = seed.filter(
            ([name]) =>
              scopeOf(name) === "temp" || (found === null && !Object.hasOwn(held.state, name)),
          )
          return {
            ...header,
            at: now,
            input: {
              ...input,
              state: { ...Object.fromEntries(begun), ...input.state },
              session: held,
            },
          }
        }),
    )
  }
  return {
    hold,
    enter(header, now, yieldSession) {
      isResumed = false
      return whenReady(hold(yieldSession), () => (claim === null ? null : open(header, now())))
    },

    save({ runId, chart, input: { session: held } }, root, progress) {
      if (held === undefined || root === undefined) return
      known ??= {
        entries: held.state,
        artifacts: held.artifacts,
        said: held.history.length,
        version: held.version,
      }
      const { changes, next } = changesSince(known, { runId, chart, root, ...progress })
      const stored = (): void => {
        known = next
      }
      const failed = (cause: unknown): Ready<void> => {
        const code = cause instanceof AgentStatechartsError ? cause.code : null
        // A run that was taken up only to be looked at has nothing to say to a session that is gone or has gone on without it.
        if (!progress.isNew && (code === "session_conflict" || code === "session_unknown")) return
        // One that was taken up beside another store than it began with brings its session along.
        if (isResumed && code === "session_unknown")
          return whenReady(
            ask(() => store.create(key, {}, progress.at)),
            () => storeAll(),
          )
        throw cause
      }
      const storeAll = (): Ready<void> => {
        const all = changesSince(nothing, { runId, chart, root, ...progress })
        return whenReady(
          ask(() => store.save(key, all.changes)),
          () => {
            known = all.next
          },
        )
      }
      return recover(
        () =>
          whenReady(
            ask(() => store.save(key, changes)),
            stored,
          ),
        failed,
      )
    },

    isWanted: () => queue.isWanted(session),

    release() {
      if (claim !== null) queue.leave(session, claim)
      claim = null
      stopWaiting()
    },
  }
}

/** What a store throws of its own becomes a typed error. */
const ask = <Value>(act: () => Ready<Value>): Ready<Value> =>
  recover(act, (cause) => {
    if (cause instanceof AgentStatechartsError) throw cause
    throw new AgentStatechartsError(
      "session_store_failed",
      `the session store failed: ${wordsOf(cause)}`,
      { cause },
    )
  })

function changesSince(
  known: Known,
  { runId, chart, root, records, at }: Omit<Progress, "isNew"> & Changed,
): { readonly changes: SessionChanges; readonly next: Known } {
  const { state, history } = getScope(root, "")
  const all = Object.entries(allEntries(state))
  const entries = Object.fromEntries(
    all.filter(([key]) => !isHiddenKey(key) && scopeOf(key) !== "temp"),
  )
  const artifacts = artifactsAmong(Object.fromEntries(all))
  const length = history?.length ?? 0
  const changes: SessionChanges = {
    runId,
    records,
    version: known.version,
    set: changed(known.entries, entries),
    removed: Object.keys(known.entries).filter((key) => !Object.hasOwn(entries, key)),
    said: { from: known.said, entries: history === null ? [] : entriesSince(history, known.said) },
    artifacts: changed(known.artifacts, artifacts),
    activeAgent: activeAgentOf(root, chart),
    at,
  }
  return {
    changes,
    next: { entries, artifacts, said: Math.max(known.said, length), version: known.version + 1 },
  }
}

const changed = <Value>(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, Value>>,
): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => !Object.hasOwn(before, key) || !Object.is(before[key], value),
    ),
  )
