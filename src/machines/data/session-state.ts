/**
 * The session state (docs/semantics.md#state) as an immutable layered map.
 *
 * A write costs the logarithm of the number of keys instead of a copy of all of them: chunks are kept smallest
 * first and merged when a newer one has grown to half the size of its elder. A branch writes chunks of its own above
 * a `base` that it shares with its siblings, so that its patch is simply what lies above the base.
 *
 * Plain JSON all the way down: a snapshot can be stored and read back. Keys such as `__proto__` are plain data.
 */
export interface SessionState {
  readonly base: SessionState | null
  readonly chunks: readonly Chunk[]
}

/** What a branch, a turn or a call changed. */
export interface StatePatch {
  readonly set: Readonly<Record<string, unknown>>
  /** Keys that lie below and are gone. */
  readonly removed: readonly string[]
}

/** A patch whose keys are counted: to count those of a large one takes as long as to copy it. */
export interface Chunk extends StatePatch {
  readonly size: number
}

/** No keys: one for all, and nobody can put anything in. */
export const nothing: readonly string[] = Object.freeze([])

const noChunks: readonly Chunk[] = []

const emptyState: SessionState = { base: null, chunks: noChunks }

export const emptyPatch: Chunk = { set: {}, removed: nothing, size: 0 }

export const isEmptyPatch = (patch: StatePatch): boolean => counted(patch).size === 0

const counted = (patch: StatePatch | Chunk): Chunk =>
  "size" in patch
    ? patch
    : {
        set: patch.set,
        removed: patch.removed,
        size: Object.keys(patch.set).length + patch.removed.length,
      }

export const stateFrom = (entries: Readonly<Record<string, unknown>>): SessionState =>
  applyPatch(emptyState, { set: entries, removed: nothing })

/** A state that starts as `base` and whose writes leave it alone. */
export const forkState = (base: SessionState): SessionState => ({ base, chunks: noChunks })

export function hasKey(state: SessionState, key: string): boolean {
  for (let layer: SessionState | null = state; layer !== null; layer = layer.base) {
    for (const chunk of layer.chunks) {
      if (Object.hasOwn(chunk.set, key)) return true
      if (chunk.removed.includes(key)) return false
    }
  }
  return false
}

export function readKey(state: SessionState, key: string): unknown {
  for (let layer: SessionState | null = state; layer !== null; layer = layer.base) {
    for (const chunk of layer.chunks) {
      if (Object.hasOwn(chunk.set, key)) return chunk.set[key]
      if (chunk.removed.includes(key)) return undefined
    }
  }
  return undefined
}

export const writeKey = (state: SessionState, key: string, value: unknown): SessionState =>
  push(state, { set: only(key, value), removed: nothing, size: 1 })

/** An entry by itself. Put in, which takes half as long as a literal with a computed name. */
export const only = (key: string, value: unknown): Record<string, unknown> => put({}, key, value)

export const removeKey = (state: SessionState, key: string): SessionState =>
  hasKey(state, key) ? push(state, { set: {}, removed: [key], size: 1 }) : state

export function applyPatch(state: SessionState, patch: StatePatch): SessionState {
  const chunk = counted(patch)
  return chunk.size === 0 ? state : push(state, chunk)
}

function push(state: SessionState, chunk: Chunk): SessionState {
  let newest = chunk
  let at = 0
  for (const elder of state.chunks) {
    if (newest.size * 2 < elder.size) break
    newest = merge(newest, elder)
    at++
  }
  return {
    base: state.base,
    chunks: at === state.chunks.length ? [newest] : [newest, ...state.chunks.slice(at)],
  }
}

function merge(newer: Chunk, elder: Chunk): Chunk {
  const set = bothOf(newer, elder)
  if (newer.removed.length > 0) withoutKeys(set, newer.removed, newer.set)
  const isNothing = newer.removed.length === 0 && elder.removed.length === 0
  const removed = isNothing
    ? nothing
    : [
        ...newer.removed,
        ...elder.removed.filter(
          (key) => !Object.hasOwn(newer.set, key) && !newer.removed.includes(key),
        ),
      ]
  return { set, removed, size: Object.keys(set).length + removed.length }
}

/** The larger one is copied, then the other's entries are put in. */
function bothOf(newer: Chunk, elder: Chunk): Record<string, unknown> {
  if (newer.size <= elder.size) return putAll(copyOf(elder), newer.set)
  const entries = copyOf(newer)
  for (const key in elder.set) if (!Object.hasOwn(entries, key)) put(entries, key, elder.set[key])
  return entries
}

const manyKeys = 100

const copyOf = ({ set, size }: Chunk): Record<string, unknown> =>
  size > manyKeys ? putAll(emptyTable(), set) : { ...set }

/**
 * An object that is a hash table from the beginning, as objects become that have lost a property: V8 gives another one a new shape for each
 * key that is added, and to copy one of a thousand keys takes four times as long and five times the memory.
 */
function emptyTable(): Record<string, unknown> {
  const table: Record<string, unknown> = { first: 0, second: 0 }
  delete table["first"]
  delete table["second"]
  return table
}

/** Entries as plain JSON. */
export function entriesFrom(map: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const entries = map.size > manyKeys ? emptyTable() : {}
  for (const [key, value] of map) put(entries, key, value)
  return entries
}

function putAll(
  into: Record<string, unknown>,
  entries: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  for (const key in entries) put(into, key, entries[key])
  return into
}

/** Defined where an assignment would not do: a key `__proto__` stays a plain entry. */
function put(into: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  if (key === "__proto__")
    Object.defineProperty(into, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else into[key] = value
  return into
}

function withoutKeys(
  entries: Record<string, unknown>,
  removed: readonly string[],
  keep: Readonly<Record<string, unknown>>,
): void {
  for (const key of removed) if (!Object.hasOwn(keep, key)) delete entries[key]
}

/** Keys that begin with U+0000 are not the user's: what shows the state leaves them out. */
export const isHiddenKey = (key: string): boolean => key.charCodeAt(0) === 0

/** What the user may see, as one object of its own, in no promised key order. */
export const toObject = (state: SessionState): Record<string, unknown> => toObjects(state).shown

/** What the user may see, and what is hidden. */
export function toObjects(state: SessionState): {
  readonly shown: Record<string, unknown>
  readonly hidden: Record<string, unknown>
} {
  const shown = allEntries(state)
  const hidden: Record<string, unknown> = {}
  for (const key in shown) {
    if (!isHiddenKey(key)) continue
    hidden[key] = shown[key]
    delete shown[key]
  }
  return { shown, hidden }
}

/** Hidden entries included. */
export function allEntries(state: SessionState): Record<string, unknown> {
  const layers: SessionState[] = []
  for (let layer: SessionState | null = state; layer !== null; layer = layer.base)
    layers.push(layer)
  let result: Record<string, unknown> | null = null
  for (const layer of layers.reverse()) {
    for (const chunk of layer.chunks.toReversed()) {
      // What lies lowest is the largest as a rule.
      if (result === null) result = copyOf(chunk)
      else putAll(result, chunk.set)
      withoutKeys(result, chunk.removed, chunk.set)
    }
  }
  return result ?? {}
}

/** The keys that `matches` chooses, hidden ones included. */
export function keysWhere(
  state: SessionState,
  matches: (key: string) => boolean,
): readonly string[] {
  const found = new Set<string>()
  for (let layer: SessionState | null = state; layer !== null; layer = layer.base) {
    for (const { set } of layer.chunks) for (const key in set) if (matches(key)) found.add(key)
  }
  return [...found].filter((key) => hasKey(state, key))
}

/** What was changed above the base. */
export function patchOf(state: SessionState): Chunk {
  const [first, ...elder] = state.chunks
  return first === undefined ? emptyPatch : elder.reduce(merge, first)
}
