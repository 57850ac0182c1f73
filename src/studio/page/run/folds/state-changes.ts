import type { RunEvent } from "../../../api.js"

/**
 * A change of one key of the session state. `before` and `after` are values as JSON text. Undefined
 * means that the key has no value.
 */
export interface StateChange {
  readonly key: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Maximum number of values per state key for which the author is stored, which is the agent that
 * set the value. Authors are needed when parallel branches are merged.
 */
const maxValues = 1_000

/**
 * Computes the changes of a run's session state from its events. Each parallel branch has its own
 * values until its parallel block ends and merges the branches. Each event is processed only once.
 */
export class StateChanges {
  /**
   * The current value of each state key as JSON text. Each key of the map consists of a branch and
   * a state key, separated by a space.
   */
  readonly #values = new Map<string, string>()
  readonly #changes = new Map<number, readonly StateChange[]>()
  readonly #writers = new Map<string, string>()
  /**
   * The path of the agent that set each value. The outer key is the state key, and the inner key is
   * the JSON text of the value.
   */
  readonly #authors = new Map<string, Map<string, string>>()
  #last: ReadonlySet<string> = new Set()

  /** The path of the agent that last set each state key, by state key. */
  get writers(): ReadonlyMap<string, string> {
    return this.#writers
  }

  /** The state keys that the latest `state.changed` event has set or removed. */
  get last(): ReadonlySet<string> {
    return this.#last
  }

  /**
   * Returns the changes of the `state.changed` event with the number `seq`. Returns an empty list
   * for other events.
   */
  of(seq: number): readonly StateChange[] {
    return this.#changes.get(seq) ?? []
  }

  /** Drops the changes of all events whose number is less than `seq`. The current values remain. */
  dropBefore(seq: number): void {
    for (const changed of this.#changes.keys()) {
      if (changed >= seq) break
      this.#changes.delete(changed)
    }
  }

  /** Updates the values with the next event of the run. */
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
   * branches, the block sets the values of the branches again. The authors are still the agents in
   * the branches.
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
