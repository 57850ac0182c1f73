import type { HostChanges, HostRequest } from "../../machines/contract/services.js"
import type { HostState } from "./host-function.js"
import { copyJson, toJson } from "./host-json.js"

/**
 * The session state that a host function reads and writes. It records all changes since the last
 * step of the function.
 */
export class RecordingState implements HostState {
  /**
   * The request of the function. It provides the initial state, which is computed when it is first
   * read.
   */
  readonly #request: HostRequest
  /**
   * All values that the function has changed since its start, by state key. A removed key has the
   * value undefined.
   */
  readonly #changed = new Map<string, unknown>()
  /** Values that the host function has set since its last step, by state key. */
  readonly #set = new Map<string, unknown>()
  readonly #removed = new Set<string>()

  constructor(request: HostRequest) {
    this.#request = request
  }

  get #initial(): Readonly<Record<string, unknown>> {
    return this.#request.state
  }

  get(key: string): unknown {
    return copyJson(
      this.#changed.has(key)
        ? this.#changed.get(key)
        : Object.hasOwn(this.#initial, key)
          ? this.#initial[key]
          : undefined,
    )
  }

  has(key: string): boolean {
    return this.#changed.has(key)
      ? this.#changed.get(key) !== undefined
      : Object.hasOwn(this.#initial, key)
  }

  set(key: string, value: unknown): void {
    const json = toJson(value, `the value of the state key "${key}"`)
    this.#changed.set(key, json)
    this.#set.set(key, json)
    this.#removed.delete(key)
  }

  delete(key: string): void {
    this.#changed.set(key, undefined)
    this.#set.delete(key)
    this.#removed.add(key)
  }

  toObject(): Record<string, unknown> {
    const all = new Map([...Object.entries(this.#initial), ...this.#changed])
    return copyJson(
      Object.fromEntries([...all].filter(([, value]) => value !== undefined)),
    ) as Record<string, unknown>
  }

  /**
   * Applies the state changes of a recorded step when the host function repeats this step. The
   * changes are not recorded again.
   */
  apply({ set, removed }: HostChanges): void {
    for (const [key, value] of Object.entries(set)) this.#changed.set(key, value)
    for (const key of removed) this.#changed.set(key, undefined)
  }

  /**
   * Returns the state changes since the last step of the host function, and starts to record new
   * changes.
   */
  takeChanges(): HostChanges {
    const changes = { set: Object.fromEntries(this.#set), removed: [...this.#removed] }
    this.#set.clear()
    this.#removed.clear()
    return changes
  }
}
