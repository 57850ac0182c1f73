import type { JsonObject } from "./contract.js"
import type { SessionState } from "./session-state.js"
import { allEntries, toObject } from "./session-state.js"

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
      if (this.#state !== null) this.#built = stateForService(this.#read(this.#state), this.#iteration)
      this.#state = null
      return this.#built
    },
  }

  constructor(fields: object, state: SessionState, iteration: number | null, read: (state: SessionState) => Record<string, unknown>) {
    this.#state = state
    this.#iteration = iteration
    this.#read = read
    Object.assign(this, fields)
    Object.defineProperty(this, "state", RequestWithState.#property)
  }
}

const noState: JsonObject = {}

type WithState<Fields> = Fields & { readonly state: JsonObject }

/** With the session state as a service sees it (SPEC section 2): without the counters, the loop index only inside a loop. */
export const withState = <Fields extends object>(fields: Fields, state: SessionState, iteration: number | null): WithState<Fields> =>
  new RequestWithState(fields, state, iteration, toObject) as unknown as WithState<Fields>

/** The same for host code, with the artifacts among it. */
export const withHostState = <Fields extends object>(fields: Fields, state: SessionState, iteration: number | null): WithState<Fields> =>
  new RequestWithState(fields, state, iteration, allEntries) as unknown as WithState<Fields>

function stateForService(entries: Record<string, unknown>, iteration: number | null): JsonObject {
  delete entries["_user_message_count"]
  delete entries["orchestration_cycle_count"]
  if (iteration === null) delete entries["current_agent_loop_iteration"]
  else entries["current_agent_loop_iteration"] = iteration
  return entries
}
