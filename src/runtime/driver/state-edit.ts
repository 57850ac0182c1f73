import { mapValues } from "../../machines/data/map-values.js"
import type { LinkedList } from "../../machines/data/linked-list.js"
import { linksOf } from "../../machines/data/linked-list.js"
import type { GraphContext } from "../../machines/graph/graph-context.js"
import type { Writes } from "../../machines/graph/graph-writes.js"
import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import type { SessionState, StatePatch } from "../../machines/data/session-state.js"
import { applyPatch } from "../../machines/data/session-state.js"

/**
 * A change of the session state at the start of a forked run. The journal of the fork stores it.
 * `at` is in milliseconds since the epoch.
 */
export interface StateEdit extends StatePatch {
  readonly at: number
}

type Change = (state: SessionState) => SessionState

/**
 * Returns a function that applies `patch` to a session state. Only the base layer of the state is
 * changed, which all agents and branches share. The layers above it contain the values of
 * unfinished branches and turns, and stay unchanged.
 *
 * If two states share a base layer, they also share the changed base layer.
 */
export function stateEdit(patch: StatePatch): Change {
  const done = new Map<SessionState, SessionState>()
  const change: Change = (state) => {
    const known = done.get(state)
    if (known !== undefined) return known
    const changed =
      state.base === null
        ? applyPatch(state, patch)
        : { base: change(state.base), chunks: state.chunks }
    done.set(state, changed)
    return changed
  }
  return change
}

/**
 * The fields of a machine context that contain session states. Each kind of machine has only some
 * of these fields.
 */
type StateFields = {
  input: { readonly state?: SessionState }
  state?: SessionState
} & Partial<{ -readonly [Field in "scopes" | "hosts"]: OrchestrationContext[Field] }> &
  Partial<Graph>

type Graph = Pick<GraphContext, "writes" | "arrivals" | "running" | "ends">

/**
 * Applies `change` to every session state in a machine's context, and changes the context in place.
 */
export function editContext(machine: object, change: Change): void {
  // The cast is safe: these fields have the same names in the contexts of all machines.
  const context = machine as StateFields
  const { state: given } = context.input
  if (given !== undefined) context.input = { ...context.input, state: change(given) }
  if (context.state !== undefined) context.state = change(context.state)
  if (context.scopes !== undefined)
    context.scopes = mapValues(context.scopes, (scope) => ({
      ...scope,
      state: change(scope.state),
    }))
  if (context.hosts !== undefined) {
    context.hosts = mapValues(context.hosts, ({ start, running, ...host }) => ({
      ...host,
      start: change(start),
      running: running === null ? null : { ...running, before: change(running.before) },
    }))
  }
  if (context.writes !== undefined) editGraph(context as Graph, change)
}

/**
 * Applies `change` to the session states of all paths through a running workflow graph. If two
 * paths share a state, they also share the changed state.
 */
function editGraph(context: Graph, change: Change): void {
  const done = new Map<Writes, Writes>()
  const written = (last: Writes): Writes => {
    const open: Writes[] = []
    for (let one: Writes | null = last; one !== null && !done.has(one); one = one.before)
      open.push(one)
    for (const one of open.reverse())
      done.set(one, {
        ...one,
        state: change(one.state),
        before: one.before === null ? null : (done.get(one.before) ?? null),
      })
    return done.get(last) ?? last
  }
  const editWrites = <Value extends { readonly writes: Writes }>(value: Value): Value => ({
    ...value,
    writes: written(value.writes),
  })
  context.writes = written(context.writes)
  context.arrivals = context.arrivals.map((arrival) => ({
    ...arrival,
    came: mapLinks(arrival.came, editWrites) ?? arrival.came,
  }))
  context.running = {
    ...context.running,
    byNode: context.running.byNode.map((run) => (run === null ? null : editWrites(run))),
  }
  context.ends = mapLinks(context.ends, editWrites)
}

const mapLinks = <Link>(
  chain: LinkedList<Link> | null,
  change: (link: Link) => Link,
): LinkedList<Link> | null =>
  linksOf(chain).reduce<LinkedList<Link> | null>(
    (before, link) => ({ link: change(link), before }),
    null,
  )

/** Input of a call, such as a tool call, that receives the session state as a JSON object. */
interface StateInRequest {
  readonly request?: { readonly state: Readonly<Record<string, unknown>> }
}

/**
 * Returns the input of a call with the changed session state in its request. `set` contains the new
 * values by key, and `removed` lists the deleted keys. An input without a request is returned
 * unchanged.
 */
export function inputWith(input: unknown, { set, removed }: StatePatch): unknown {
  const { request } = input as StateInRequest
  if (request === undefined) return input
  const state = Object.fromEntries(
    Object.entries({ ...request.state, ...set }).filter(
      ([key]) => Object.hasOwn(set, key) || !removed.includes(key),
    ),
  )
  return { ...(input as object), request: { ...request, state } }
}
