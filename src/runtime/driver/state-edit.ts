import type { Chain } from "../../machines/contract/linked-list.js"
import { linksOf } from "../../machines/contract/linked-list.js"
import type { GraphContext } from "../../machines/graph/graph-context.js"
import type { Writes } from "../../machines/graph/graph-writes.js"
import type { OrchestrationContext } from "../../machines/containers/orchestration-context.js"
import type { SessionState, StatePatch } from "../../machines/data/session-state.js"
import { applyPatch } from "../../machines/data/session-state.js"

/** A change of the session state as the journal of a fork has it. */
export interface StateEdit extends StatePatch {
  readonly at: number
}

type Change = (state: SessionState) => SessionState

/**
 * Changes the lowest layer of a state, which all agents and branches of a run share: what an open branch or turn has itself written
 * stays above it. Layers that were shared are shared afterwards.
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

/** Where machines hold session states, whatever their kind. */
type Holder = {
  input: { readonly state?: SessionState }
  state?: SessionState
} & Partial<{ -readonly [Field in "scopes" | "hosts"]: OrchestrationContext[Field] }> &
  Partial<Graph>

type Graph = Pick<GraphContext, "writes" | "arrivals" | "running" | "ends">

export function editContext(machine: object, change: Change): void {
  // Kinds are erased; what is asked for here stands under one name in all of them.
  const context = machine as Holder
  const { state: given } = context.input
  if (given !== undefined) context.input = { ...context.input, state: change(given) }
  if (context.state !== undefined) context.state = change(context.state)
  if (context.scopes !== undefined)
    context.scopes = mapped(context.scopes, (scope) => ({ ...scope, state: change(scope.state) }))
  if (context.hosts !== undefined) {
    context.hosts = mapped(context.hosts, ({ start, running, ...host }) => ({
      ...host,
      start: change(start),
      running: running === null ? null : { ...running, before: change(running.before) },
    }))
  }
  if (context.writes !== undefined) editGraph(context as Graph, change)
}

/** What was written on each way through a graph; where ways part and meet, they have it in common. */
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
  const inside = <Holding extends { readonly writes: Writes }>(holding: Holding): Holding => ({
    ...holding,
    writes: written(holding.writes),
  })
  context.writes = written(context.writes)
  context.arrivals = context.arrivals.map((arrival) => ({
    ...arrival,
    came: eachLink(arrival.came, inside) ?? arrival.came,
  }))
  context.running = {
    ...context.running,
    byNode: context.running.byNode.map((run) => (run === null ? null : inside(run))),
  }
  context.ends = eachLink(context.ends, inside)
}

const eachLink = <Link>(
  chain: Chain<Link> | null,
  change: (link: Link) => Link,
): Chain<Link> | null =>
  linksOf(chain).reduce<Chain<Link> | null>(
    (before, link) => ({ link: change(link), before }),
    null,
  )

const mapped = <Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

/** The state as a request shows it: plain JSON. */
interface Told {
  readonly request?: { readonly state: Readonly<Record<string, unknown>> }
}

/** The input of a call that an update of its machine has made. */
export function inputWith(input: unknown, { set, removed }: StatePatch): unknown {
  const { request } = input as Told
  if (request === undefined) return input
  const state = Object.fromEntries(
    Object.entries({ ...request.state, ...set }).filter(
      ([key]) => Object.hasOwn(set, key) || !removed.includes(key),
    ),
  )
  return { ...(input as object), request: { ...request, state } }
}
