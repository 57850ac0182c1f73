import type { RunEvent } from "../../../api.js"

/**
 * A change to one key of the session state. The values are JSON texts. undefined means that the key
 * has no value.
 */
export interface StateChange {
  readonly key: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Maximum number of values per state key whose authors are kept in memory. The authors are needed
 * when parallel branches are merged.
 */
const maxValues = 1_000

/**
 * A log of the changes to a run's session state. Each parallel branch has its own values until its
 * parallel block ends and merges the branches. Each event is processed once.
 */
export class StateChanges {
  /** The current value of each key as JSON text, by branch and key. */
  readonly #values = new Map<string, string>()
  readonly #changes = new Map<number, readonly StateChange[]>()
  readonly #writers = new Map<string, string>()
  /** The path of the agent that set each value, by state key and then by the value's JSON text. */
  readonly #authors = new Map<string, Map<string, string>>()
  #last: ReadonlySet<string> = new Set()

  /** The path of the agent that last set each key. */
  get writers(): ReadonlyMap<string, string> {
    return this.#writers
  }

  /** The keys that the last change has set or removed. */
  get last(): ReadonlySet<string> {
    return this.#last
  }

  /** Returns the changes that a `state.changed` event contains. `seq` is the event's number. */
  of(seq: number): readonly StateChange[] {
    return this.#changes.get(seq) ?? []
  }

  /** Drops the changes of all events with a number less than `seq`. The current values are kept. */
  dropBefore(seq: number): void {
    for (const changed of this.#changes.keys()) {
      if (changed >= seq) break
      this.#changes.delete(changed)
    }
  }

  /** Adds the next event of the run. */
  apply(event: RunEvent): void {
    if (event.type !== "state.changed") return
    const inBranch = (key: string): string => `${event.branch ?? ""} ${key}`
    const changed = (key: string, after: string | undefined): StateChange => ({
      key,
      before: this.#values.get(inBranch(key)) ?? this.#values.get(` ${key}`),
      after,
    })
    const changes = [
      ...Object.entries(event.set).map(([key, value]) => changed(key, JSON.stringify(value))),
      ...event.removed.map((key) => changed(key, undefined)),
    ]
    for (const { key, after } of changes) {
      if (after === undefined) this.#values.delete(inBranch(key))
      else this.#values.set(inBranch(key), after)
    }
    for (const { key, after } of changes)
      if (after !== undefined) this.#writers.set(key, this.#authorOf(key, after, event.path))
    this.#last = new Set(changes.map(({ key }) => key))
    this.#changes.set(event.seq, changes)
  }

  /**
   * Returns the path of the agent that originally set a value. When a parallel block merges its
   * branches, it sets their values again, but the agents in the branches remain the authors.
   */
  #authorOf(key: string, value: string, path: string): string {
    const authors = this.#authors.get(key) ?? new Map<string, string>()
    this.#authors.set(key, authors)
    const inner = authors.get(value)
    const isInside = inner?.startsWith(path) === true && /^[/[]/.test(inner.slice(path.length))
    const author = inner !== undefined && isInside ? inner : path
    // The latest value is the last one of the map, so that the oldest values are dropped.
    authors.delete(value)
    authors.set(value, author)
    const [oldest] = authors.keys()
    if (authors.size > maxValues && oldest !== undefined) authors.delete(oldest)
    return author
  }
}
