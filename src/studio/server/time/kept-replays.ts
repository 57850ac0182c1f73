import type { JournalHeader, JournalRecord, StoredRun } from "../../../runtime/journal/journal.js"

/**
 * A replay of a run that has processed the first records of the run's journal, and can process the
 * next records.
 */
interface OpenReplay {
  /**
   * The number of events that the run had emitted, by number of processed records. The first entry
   * is the number of events before the first record.
   */
  readonly eventCounts: readonly number[]
  advance(records: readonly JournalRecord[]): void
}

interface ReplayFunctions<Replay, Query, View> {
  /** Starts a replay of a run, before its first journal record. */
  start(header: JournalHeader): Replay
  /**
   * Returns the result of a query at the current position of the replay. The result is cached, so
   * the returned object must not change later.
   */
  read(replay: Replay, query: Query): View
}

/**
 * Limits of the cache. `runs` is the number of runs. `replays` and `views` are the numbers per run.
 * `window` is the number of positions whose data is read together when the user steps backwards.
 */
export const keptReplays = { runs: 3, replays: 2, views: 200, window: 32 }

/**
 * Cache for query results about runs at earlier positions (views). Replays stay in memory at their
 * last position, so that a step forward only processes the new records. A replay cannot move
 * backwards. Therefore a step backwards replays the run from its start. This replay also reads the
 * views of the preceding positions, so that the next steps backwards find them in the cache.
 */
export class KeptReplays<Replay extends OpenReplay, Query, View> {
  readonly #functions: ReplayFunctions<Replay, Query, View>
  /** The cached runs by id, least recently used first. */
  readonly #runs = new Map<string, KeptRun<Replay, Query, View>>()

  constructor(functions: ReplayFunctions<Replay, Query, View>) {
    this.#functions = functions
  }

  /**
   * Returns the result of a query at a position in the history of a run. The position is the number
   * of journal records before it.
   */
  view(stored: StoredRun, position: number, query: Query): View {
    return this.#runOf(stored).view(Math.min(position, stored.records.length), query)
  }

  /**
   * Returns the first position at which the run had emitted at least `seen` events. A position is a
   * number of journal records.
   */
  positionOf(stored: StoredRun, seen: number): number {
    return this.#runOf(stored).positionOf(seen)
  }

  #runOf(stored: StoredRun): KeptRun<Replay, Query, View> {
    const { runId } = stored.header
    const known = this.#runs.get(runId)
    const run = known?.update(stored) === true ? known : new KeptRun(stored, this.#functions)
    this.#runs.delete(runId)
    this.#runs.set(runId, run)
    deleteOldest(this.#runs, keptReplays.runs)
    return run
  }
}

class KeptRun<Replay extends OpenReplay, Query, View> {
  readonly #functions: ReplayFunctions<Replay, Query, View>
  readonly #header: string
  #stored: StoredRun
  /** The replays of the run, least recently used first. */
  #replays: Replay[] = []
  readonly #views = new Map<string, { readonly view: View }>()
  /**
   * The number of events that the run had emitted, by number of replayed records. The first entry
   * is the number of events before the first record.
   */
  #eventCounts: readonly number[] = []

  constructor(stored: StoredRun, functions: ReplayFunctions<Replay, Query, View>) {
    this.#functions = functions
    this.#stored = stored
    this.#header = JSON.stringify(stored.header)
  }

  /**
   * Replaces the known records with those of `stored`. Returns false if `stored` does not begin
   * with the known records, for example after a migration.
   */
  update(stored: StoredRun): boolean {
    const { records } = this.#stored
    const last = records.length - 1
    const isContinued =
      stored.records.length >= records.length &&
      JSON.stringify(stored.records[last]) === JSON.stringify(records[last]) &&
      JSON.stringify(stored.header) === this.#header
    if (isContinued) this.#stored = stored
    return isContinued
  }

  view(position: number, query: Query): View {
    const known = this.#views.get(keyOf(position, query))
    if (known !== undefined) return known.view
    const isBackwards = this.#replays.length > 0
    const replay = latest(this.#replays.filter((each) => positionOf(each) <= position))
    if (replay !== undefined) return this.#read(replay, position, query)
    const fresh = this.#start()
    if (isBackwards)
      for (let before = Math.max(0, position - keptReplays.window + 1); before < position; before++)
        this.#read(fresh, before, query)
    return this.#read(fresh, position, query)
  }

  positionOf(seen: number): number {
    const { records } = this.#stored
    if ((this.#eventCounts.at(-1) ?? -1) < seen) {
      const replay = latest(this.#replays) ?? this.#start()
      while ((this.#eventCounts.at(-1) ?? -1) < seen && positionOf(replay) < records.length)
        this.#moveTo(replay, positionOf(replay) + 1)
    }
    const position = this.#eventCounts.findIndex((count) => count >= seen)
    return position === -1 ? records.length : position
  }

  #start(): Replay {
    const replay = this.#functions.start(this.#stored.header)
    this.#replays = [...this.#replays, replay].slice(-keptReplays.replays)
    return replay
  }

  #read(replay: Replay, position: number, query: Query): View {
    this.#moveTo(replay, position)
    const view = this.#functions.read(replay, query)
    this.#views.set(keyOf(position, query), { view })
    deleteOldest(this.#views, keptReplays.views)
    return view
  }

  #moveTo(replay: Replay, target: number): void {
    const position = positionOf(replay)
    if (target > position) replay.advance(this.#stored.records.slice(position, target))
    this.#replays = [...this.#replays.filter((each) => each !== replay), replay]
    if (replay.eventCounts.length >= this.#eventCounts.length)
      this.#eventCounts = replay.eventCounts
  }
}

const keyOf = (position: number, query: unknown): string => `${position} ${JSON.stringify(query)}`

/** Returns the position of a replay, which is the number of records that it has processed. */
const positionOf = ({ eventCounts }: OpenReplay): number => eventCounts.length - 1

/**
 * Returns the replay that has processed the most records. Returns undefined if there are no
 * replays.
 */
const latest = <Replay extends OpenReplay>(replays: readonly Replay[]): Replay | undefined =>
  replays.toSorted((one, other) => positionOf(one) - positionOf(other)).at(-1)

/** Deletes the oldest entries of a map until at most `most` entries remain. */
function deleteOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
