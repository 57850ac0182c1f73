import { counterKeys, systemKey } from "../data/system-keys.js"
import type { JsonObject } from "../data/json-object.js"
import type { SessionState } from "../data/session-state.js"
import { allEntries, toObject } from "../data/session-state.js"

/**
 * A request to a service whose field `state` is computed when it is first read, because many
 * services never read it. `state` is an own property, so copies and JSON contain it. All requests
 * share one getter, because a getter for each object would be slow to create.
 */
class RequestWithState {
  /**
   * The session state from which the field `state` is computed. It becomes null at the first read,
   * because the computed field is then stored.
   */
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

/**
 * Creates an empty request to a service. The caller sets the fields one by one, which takes half as
 * long as `Object.assign`, and then calls `endRequest`.
 */
export const beginRequest = <Fields extends object>(
  state: SessionState,
  iteration: number | null,
  read = toObject,
): Fields => new RequestWithState(state, iteration, read) as unknown as Fields

/**
 * Adds the field `state` to a request that `beginRequest` created. Call it after all other fields
 * are set.
 */
export const endRequest = <Fields extends object>(fields: Fields): WithState<Fields> =>
  (fields as unknown as RequestWithState).withState() as unknown as WithState<Fields>

/**
 * Returns a request to a service with these fields, and with the session state as `state`
 * (docs/semantics.md#model-calls). The state omits the counters of user messages and of cycles of
 * the root agent. It contains the index of the loop iteration only if `iteration` is not null.
 */
export const withState = <Fields extends object>(
  fields: Fields,
  state: SessionState,
  iteration: number | null,
): WithState<Fields> => endRequest(Object.assign(beginRequest<Fields>(state, iteration), fields))

/**
 * Returns a request for a host function with these fields and the session state as `state`. The
 * state includes artifacts under hidden keys.
 */
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
