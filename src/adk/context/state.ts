import { scopePrefixes } from "../../machines/data/key-scope.js"
import type { HostState } from "../../runtime/host/host-function.js"

/**
 * The session state, as callbacks, tools and instructions access it. `get` returns copies, so write
 * changes back with `set`. A state that you construct yourself reads and writes the objects that
 * you pass.
 */
export class State {
  static readonly APP_PREFIX = scopePrefixes.app
  static readonly USER_PREFIX = scopePrefixes.user
  static readonly TEMP_PREFIX = scopePrefixes.temp
  #state: HostState
  #hasDelta: boolean

  /**
   * Creates a state. `value` contains the current values, and `delta` contains the changed values.
   * The method `set` writes to both objects.
   */
  constructor(value: Record<string, unknown> = {}, delta: Record<string, unknown> = {}) {
    this.#state = stateOf(value, delta)
    this.#hasDelta = Object.keys(delta).length > 0
  }

  /** Returns the state of the run that calls a host function. @internal */
  static ofRun(state: HostState): State {
    const live = new State()
    live.#state = state
    return live
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
    this.#hasDelta = true
  }

  /**
   * Returns whether a value was set through this object or was passed to the constructor as
   * `delta`.
   */
  hasDelta(): boolean {
    return this.#hasDelta
  }

  update(delta: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(delta)) this.set(key, value)
  }

  toRecord(): Record<string, unknown> {
    return this.#state.toObject()
  }
}

/** Creates a state that reads and writes two objects. Values of `delta` take precedence. */
function stateOf(value: Record<string, unknown>, delta: Record<string, unknown>): HostState {
  const has = (key: string): boolean => Object.hasOwn(value, key) || Object.hasOwn(delta, key)
  return {
    has,
    get: (key) => (Object.hasOwn(delta, key) ? delta : value)[key],
    set(key, next) {
      for (const record of [value, delta])
        Object.defineProperty(record, key, {
          value: next,
          enumerable: true,
          writable: true,
          configurable: true,
        })
    },
    delete(key) {
      delete value[key]
      delete delta[key]
    },
    toObject: () => ({ ...value, ...delta }),
  }
}

/**
 * Returns a live view of the state as an object. Each property access reads or writes the current
 * value.
 */
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
