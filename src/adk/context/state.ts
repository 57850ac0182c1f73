import type { HostState } from "../../runtime/host/host-function.js"

/**
 * The session state, as callbacks, tools and instructions access it. `get` returns copies, so write
 * changes back with `set`.
 */
export class State {
  readonly #state: HostState

  constructor(state: HostState) {
    this.#state = state
  }

  get<Value = unknown>(key: string): Value | undefined
  get<Value = unknown>(key: string, fallback: Value): Value
  get<Value>(key: string, fallback?: Value): Value | undefined {
    // The state is JSON of the user. As in ADK, the caller is responsible for the type.
    return this.#state.has(key) ? (this.#state.get(key) as Value) : fallback
  }

  has(key: string): boolean {
    return this.#state.has(key)
  }

  set(key: string, value: unknown): void {
    this.#state.set(key, value)
  }

  update(delta: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(delta)) this.#state.set(key, value)
  }

  toRecord(): Record<string, unknown> {
    return this.#state.toObject()
  }
}

/** Returns a live view of the state as an object: each access reads or writes the current value. */
export function stateRecord(state: HostState): Record<string, unknown> {
  const descriptor = (key: string): PropertyDescriptor | undefined =>
    state.has(key)
      ? { value: state.get(key), writable: true, enumerable: true, configurable: true }
      : undefined
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, key) => (typeof key === "string" ? state.get(key) : undefined),
      has: (_, key) => typeof key === "string" && state.has(key),
      ownKeys: () => Object.keys(state.toObject()),
      getOwnPropertyDescriptor: (_, key) => (typeof key === "string" ? descriptor(key) : undefined),
      set: (_, key, value) => {
        if (typeof key === "string") state.set(key, value)
        return typeof key === "string"
      },
      deleteProperty: (_, key) => {
        if (typeof key === "string") state.delete(key)
        return typeof key === "string"
      },
    },
  )
}
