import { AgentStatechartsError, thrownMessage } from "../../errors.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { artifactsAmong } from "../../machines/contract/artifacts.js"
import { entriesSince } from "../../machines/contract/history.js"
import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import { getScope } from "../../machines/containers/orchestration-context.js"
import { activeAgentOf } from "../../machines/containers/teams.js"
import { allEntries, isHiddenKey } from "../../machines/data/session-state.js"
import { keyScopeOf } from "../../machines/data/key-scope.js"
import { isSummaryKey } from "../../machines/model-call/stored-summary.js"
import type { UserContent } from "../../machines/contract/user-content.js"
import { isContextKey } from "../../machines/workflow-agent/remote-context.js"
import type { JournalHeader } from "../journal/journal.js"
import type { SessionClaim, SessionQueue } from "./session-queue.js"
import { stateOwnerKey } from "./state-owner.js"
import type { SessionChanges, SessionKey, SessionStore } from "../journal/session-store.js"
import type { MaybePromise, Steps } from "../async/maybe-promise.js"
import { recover, runSteps, wait } from "../async/maybe-promise.js"

/**
 * The session of one run. After `acquire` or `open`, no other run can use the session until
 * `release` is called.
 */
export interface RunSession {
  readonly key: SessionKey
  /**
   * Waits until no other run uses the session, or until `release` is called. `onRequested` is
   * called when another run starts to wait for the session.
   */
  acquire(onRequested: () => void): MaybePromise<void>
  /**
   * Waits until no other run uses the session, and then loads the session or creates it. Returns a
   * copy of `header` that contains the session. Returns null if `release` was called before the
   * session was free.
   */
  open(
    header: JournalHeader,
    now: () => number,
    onRequested: () => void,
  ): MaybePromise<JournalHeader | null>
  /**
   * Stores the changes of the session that the run has made since the session was loaded or last
   * saved. `root` is the context of the run's root machine.
   */
  save(
    header: JournalHeader,
    root: OrchestrationContext | null,
    progress: RunProgress,
  ): MaybePromise<void>
  /** Returns true if another run is waiting for the session. */
  isWanted(): boolean
  /**
   * Releases the session for the next run. If this run is still waiting for the session, it stops
   * waiting.
   */
  release(): void
}

/** Progress of a run at the time when it saves its session. */
export interface RunProgress {
  /** Number of records in the journal of the run. Records of `end` and `cancel` are not counted. */
  readonly records: number
  /** True if the run has added records since it was started or resumed. */
  readonly isNew: boolean
  readonly at: number
}

interface ChangedRun {
  readonly runId: string
  readonly chart: AgentChart
  readonly prompt: UserContent | null
  readonly root: OrchestrationContext
}

/**
 * Content of a session when its run last loaded or saved it. The next save stores only the
 * differences from this content.
 */
interface SavedContent {
  readonly entries: Readonly<Record<string, unknown>>
  readonly artifacts: Readonly<Record<string, unknown>>
  /** Number of history entries of the session. */
  readonly historyLength: number
  readonly version: number
}

const nothingSaved: SavedContent = { entries: {}, artifacts: {}, historyLength: 0, version: 0 }

/**
 * Creates the `RunSession` of a run, which loads and saves the session with this key. Runs that
 * share `queue` use the same session one after the other.
 */
export const runSession = (
  { appName, userId, sessionId }: SessionKey,
  store: SessionStore,
  queue: SessionQueue,
): RunSession => new QueuedSession({ appName, userId, sessionId }, store, queue)

class QueuedSession implements RunSession {
  readonly key: SessionKey
  readonly #store: SessionStore
  readonly #queue: SessionQueue
  readonly #session: string
  #claim: SessionClaim | null = null
  #stopWaiting = (): void => {}
  #saved: SavedContent | null = null
  /**
   * True if the run was resumed. A resumed run does not load its session from the store, because
   * its journal header contains the session.
   */
  #isResumed = true

  constructor(key: SessionKey, store: SessionStore, queue: SessionQueue) {
    this.key = key
    this.#store = store
    this.#queue = queue
    this.#session = stateOwnerKey(key, "session")
  }

  acquire(onRequested: () => void): MaybePromise<void> {
    let isAcquired = false
    let onAcquired = (): void => {
      isAcquired = true
    }
    this.#claim = { acquired: () => onAcquired(), requested: onRequested }
    this.#queue.join(this.#session, this.#claim)
    if (isAcquired) return
    return new Promise((resolve) => (onAcquired = this.#stopWaiting = resolve))
  }

  open(
    header: JournalHeader,
    now: () => number,
    onRequested: () => void,
  ): MaybePromise<JournalHeader | null> {
    this.#isResumed = false
    return runSteps(() => this.#open(header, now, onRequested))
  }

  *#open(
    header: JournalHeader,
    now: () => number,
    onRequested: () => void,
  ): Steps<JournalHeader | null> {
    yield* wait(this.acquire(onRequested))
    if (this.#claim === null) return null
    const { chart, input } = header
    const at = now()
    const initial = Object.entries(chart.input.state)
    const own = Object.fromEntries(initial.filter(([name]) => keyScopeOf(name) === "session"))
    const found = yield* wait(withTypedErrors(() => this.#store.load(this.key)))
    const session =
      found ?? (yield* wait(withTypedErrors(() => this.#store.create(this.key, own, at))))
    // The initial state of the chart does not overwrite shared keys that exist in the store. Keys
    // that start with `temp:` have their initial value in every run.
    const missing = initial.filter(
      ([name]) =>
        keyScopeOf(name) === "temp" || (found === null && !Object.hasOwn(session.state, name)),
    )
    const state = { ...Object.fromEntries(missing), ...input.state }
    return { ...header, at, input: { ...input, state, session } }
  }

  save(
    { runId, chart, input: { prompt, session } }: JournalHeader,
    root: OrchestrationContext | null,
    progress: RunProgress,
  ): MaybePromise<void> {
    if (session === undefined || root === null) return
    this.#saved ??= {
      entries: session.state,
      artifacts: session.artifacts,
      historyLength: session.history.length,
      version: session.version,
    }
    return runSteps(() => this.#save({ runId, chart, prompt, root }, progress))
  }

  *#save(run: ChangedRun, progress: RunProgress): Steps<void> {
    try {
      yield* this.#saveChanges(this.#saved ?? nothingSaved, run, progress)
    } catch (cause) {
      const code = cause instanceof AgentStatechartsError ? cause.code : null
      // A resumed run without new records has nothing to save. Therefore, it does not matter if its
      // session was deleted or changed.
      if (!progress.isNew && (code === "session_conflict" || code === "session_unknown")) return
      if (!this.#isResumed || code !== "session_unknown") throw cause
      // The store does not contain the session, because the run was resumed with a different
      // session store.
      yield* wait(withTypedErrors(() => this.#store.create(this.key, {}, progress.at)))
      yield* this.#saveChanges(nothingSaved, run, progress)
    }
  }

  *#saveChanges(saved: SavedContent, run: ChangedRun, progress: RunProgress): Steps<void> {
    const { changes, next } = changesSince(saved, { ...run, ...progress })
    yield* wait(withTypedErrors(() => this.#store.save(this.key, changes)))
    this.#saved = next
  }

  isWanted(): boolean {
    return this.#queue.isWanted(this.#session)
  }

  release(): void {
    if (this.#claim !== null) this.#queue.leave(this.#session, this.#claim)
    this.#claim = null
    this.#stopWaiting()
  }
}

/**
 * Calls `act` and returns its result. If the session store throws an error without a code, the
 * error is converted to `session_store_failed`.
 */
const withTypedErrors = <Value>(act: () => MaybePromise<Value>): MaybePromise<Value> =>
  recover(act, (cause) => {
    if (cause instanceof AgentStatechartsError) throw cause
    throw new AgentStatechartsError(
      "session_store_failed",
      `the session store failed: ${thrownMessage(cause)}`,
      { cause },
    )
  })

/**
 * Returns true if a hidden state key is stored in the session. This is the case for summaries of
 * conversations and for contexts.
 */
const isKeptKey = (key: string): boolean => isSummaryKey(key) || isContextKey(key)

/**
 * Returns the changes to save, and the content of the session after the save. `saved` is the
 * content at the last save.
 */
function changesSince(
  saved: SavedContent,
  { runId, chart, prompt, root, records, at }: Omit<RunProgress, "isNew"> & ChangedRun,
): { readonly changes: SessionChanges; readonly next: SavedContent } {
  const { state, history, lastText } = getScope(root, "")
  const all = Object.entries(allEntries(state))
  const entries = Object.fromEntries(
    all.filter(([key]) => (!isHiddenKey(key) || isKeptKey(key)) && keyScopeOf(key) !== "temp"),
  )
  const artifacts = artifactsAmong(Object.fromEntries(all))
  const length = history?.length ?? 0
  const changes: SessionChanges = {
    runId,
    records,
    version: saved.version,
    set: changed(saved.entries, entries),
    removed: Object.keys(saved.entries).filter((key) => !Object.hasOwn(entries, key)),
    said: {
      from: saved.historyLength,
      entries: history === null ? [] : entriesSince(history, saved.historyLength),
    },
    ...(history === null && { exchange: { prompt, text: lastText } }),
    artifacts: changed(saved.artifacts, artifacts),
    activeAgent: activeAgentOf(root, chart),
    at,
  }
  return {
    changes,
    next: {
      entries,
      artifacts,
      historyLength: Math.max(saved.historyLength, length),
      version: saved.version + 1,
    },
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
