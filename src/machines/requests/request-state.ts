import { counterKeys, systemKey } from "../data/system-keys.js"
import type { JsonObject } from "../data/json-object.js"
import type { SessionState } from "../data/session-state.js"
import { allEntries, toObject } from "../data/session-state.js"

/**
 * A request whose `state` is built when it is first read: many services in this process never do. It is a property of the request's own, so
 * that copies and JSON have it; one getter serves all requests, since objects with getters of their own are slow to make.
 */
class RequestWithState {
  /** Until the state has been read. */
  #state: SessionState | null
  readonly #iteration: number | null
  readonly #read: (state: SessionState) => Record<string, unknown>
  #built: JsonObject = noState

  static readonly #property = {
    enumerable: true,
    configurable: true,
    get(this: RequestWithState): JsonObject {
      if (this.#state !== null)
        this.#built = stateForService(this.#read(this.#state), this.#iteration)
      this.#state = null
      return this.#built
    },
  }

  constructor(
    state: SessionState,
    iteration: number | null,
    read: (state: SessionState) => Record<string, unknown>,
  ) {
    this.#state = state
    this.#iteration = iteration
    this.#read = read
  }

  withState(): this & { readonly state: JsonObject } {
    return Object.defineProperty(this, "state", RequestWithState.#property) as this & {
      readonly state: JsonObject
    }
  }
}

const noState: JsonObject = {}

type WithState<Fields> = Fields & { readonly state: JsonObject }

/** A request without its fields, which are then set one by one: to assign those of another object takes twice as long. */
export const beginRequest = <Fields extends object>(
  state: SessionState,
  iteration: number | null,
  read = toObject,
): Fields => new RequestWithState(state, iteration, read) as unknown as Fields

/** With all fields set it is given its state. */
export const endRequest = <Fields extends object>(fields: Fields): WithState<Fields> =>
  (fields as unknown as RequestWithState).withState() as unknown as WithState<Fields>

/** Adds the session state that a service receives (docs/semantics.md#model-calls): without the counters, and with the loop index only inside a loop. */
export const withState = <Fields extends object>(
  fields: Fields,
  state: SessionState,
  iteration: number | null,
): WithState<Fields> => endRequest(Object.assign(beginRequest<Fields>(state, iteration), fields))

/** The same for host code, with the artifacts among it. */
export const withHostState = <Fields extends object>(
  fields: Fields,
  state: SessionState,
  iteration: number | null,
): WithState<Fields> =>
  endRequest(Object.assign(beginRequest<Fields>(state, iteration, allEntries), fields))

function stateForService(entries: Record<string, unknown>, iteration: number | null): JsonObject {
  for (const key of counterKeys) delete entries[key]
  if (iteration === null) delete entries[systemKey.loopIteration]
  else entries[systemKey.loopIteration] = iteration
  return entries
}
