/**
 * The session state (docs/semantics.md#state) of a run, as an immutable map with layers.
 *
 * The entries are stored in chunks, ordered from newest and smallest to oldest and largest. A write
 * adds a chunk. A chunk is merged with the next chunk when it reaches half its size. A write
 * therefore takes logarithmic time in the number of keys, because only small chunks are copied.
 *
 * Each branch of a parallel block writes its own chunks above a shared `base`, which is the state
 * before the block. Its patch consists of these chunks.
 *
 * The state is plain JSON and can be stored in snapshots. Keys such as `__proto__` are ordinary
 * keys.
 */
export interface SessionState {
  readonly base: SessionState | null
  readonly chunks: readonly Chunk[]
}

/** Changes of the session state. They consist of entries to set and keys to remove. */
export interface StatePatch {
  readonly set: Readonly<Record<string, unknown>>
  /** Keys that the patch removes from the state. */
  readonly removed: readonly string[]
}

/**
 * One entry in the list of changes of a session state. `size` is the number of keys in the patch.
 * It is stored because counting the keys of a large patch is slow.
 */
export interface Chunk extends StatePatch {
  readonly size: number
}

/** A frozen empty list, shared by all state patches that remove no keys. */
export const noRemovedKeys: readonly string[] = Object.freeze([])

const noChunks: readonly Chunk[] = []

const emptyState: SessionState = { base: null, chunks: noChunks }

export const emptyPatch: Chunk = { set: {}, removed: noRemovedKeys, size: 0 }

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
  applyPatch(emptyState, { set: entries, removed: noRemovedKeys })

/**
 * Returns a new state with the same entries as `base`. It refers to `base` instead of copying the
 * entries. Writes to the new state do not change `base`.
 */
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
  push(state, { set: singleEntry(key, value), removed: noRemovedKeys, size: 1 })

/**
 * Returns an object with one entry. An object literal with a computed key, such as `{ [key]: value
 * }`, takes twice as long.
 */
export const singleEntry = (key: string, value: unknown): Record<string, unknown> =>
  setEntry({}, key, value)

export const removeKey = (state: SessionState, key: string): SessionState =>
  hasKey(state, key) ? push(state, { set: {}, removed: [key], size: 1 }) : state

export function applyPatch(state: SessionState, patch: StatePatch): SessionState {
  const chunk = counted(patch)
  return chunk.size === 0 ? state : push(state, chunk)
}

function push(state: SessionState, chunk: Chunk): SessionState {
  let newest = chunk
  let merged = 0
  for (const older of state.chunks) {
    if (newest.size * 2 < older.size) break
    newest = merge(newest, older)
    merged++
  }
  return {
    base: state.base,
    chunks: merged === state.chunks.length ? [newest] : state.chunks.toSpliced(0, merged, newest),
  }
}

function merge(newer: Chunk, older: Chunk): Chunk {
  const set = mergeEntries(newer, older)
  if (newer.removed.length > 0) withoutKeys(set, newer.removed, newer.set)
  const hasNoRemovals = newer.removed.length === 0 && older.removed.length === 0
  const removed = hasNoRemovals
    ? noRemovedKeys
    : [
        ...newer.removed,
        ...older.removed.filter(
          (key) => !Object.hasOwn(newer.set, key) && !newer.removed.includes(key),
        ),
      ]
  return { set, removed, size: Object.keys(set).length + removed.length }
}

/**
 * Merges the entries of two chunks. If both contain a key, the result has the value of the newer
 * chunk. Copies the larger chunk and adds the entries of the smaller chunk.
 */
function mergeEntries(newer: Chunk, older: Chunk): Record<string, unknown> {
  if (newer.size <= older.size) return setEntries(copyOf(older), newer.set)
  const entries = copyOf(newer)
  for (const key in older.set)
    if (!Object.hasOwn(entries, key)) setEntry(entries, key, older.set[key])
  return entries
}

const hashTableThreshold = 100

const copyOf = ({ set, size }: Chunk): Record<string, unknown> =>
  size > hashTableThreshold ? setEntries(emptyTable(), set) : { ...set }

/**
 * Returns an empty object that V8 stores as a hash table. Deleting a property causes this. Without
 * a hash table, V8 creates a new hidden class for each added key. Copying an object with 1,000 keys
 * then takes four times as long and five times the memory.
 */
function emptyTable(): Record<string, unknown> {
  const table: Record<string, unknown> = { first: 0, second: 0 }
  delete table["first"]
  delete table["second"]
  return table
}

/**
 * Converts a map to an object with the same entries. The key `__proto__` becomes an ordinary
 * property.
 */
export function entriesFrom(map: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const entries = map.size > hashTableThreshold ? emptyTable() : {}
  for (const [key, value] of map) setEntry(entries, key, value)
  return entries
}

function setEntries(
  into: Record<string, unknown>,
  entries: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  for (const key in entries) setEntry(into, key, entries[key])
  return into
}

/**
 * Sets an entry of the object `into` and returns the object. Defines the key `__proto__` as an own
 * property, because an assignment would set the prototype.
 */
function setEntry(
  into: Record<string, unknown>,
  key: string,
  value: unknown,
): Record<string, unknown> {
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

/**
 * Returns whether a key of the session state is hidden from users. Hidden keys start with U+0000.
 */
export const isHiddenKey = (key: string): boolean => key.charCodeAt(0) === 0

/**
 * Returns all entries of a session state, except those with hidden keys, as a new object. The order
 * of the keys is unspecified.
 */
export const toObject = (state: SessionState): Record<string, unknown> => toObjects(state).shown

/**
 * Returns the entries with visible keys and the entries with hidden keys as two new objects. Hidden
 * keys start with U+0000 and contain internal data, such as artifacts.
 */
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

/** Returns all entries of a session state as a new object, including entries with hidden keys. */
export function allEntries(state: SessionState): Record<string, unknown> {
  const layers: SessionState[] = []
  for (let layer: SessionState | null = state; layer !== null; layer = layer.base)
    layers.push(layer)
  let result: Record<string, unknown> | null = null
  for (const layer of layers.reverse()) {
    for (const chunk of layer.chunks.toReversed()) {
      // The lowest chunk is usually the largest.
      if (result === null) result = copyOf(chunk)
      else setEntries(result, chunk.set)
      withoutKeys(result, chunk.removed, chunk.set)
    }
  }
  return result ?? {}
}

/** Returns the keys of a state for which `matches` returns true, including hidden keys. */
export function keysWhere(
  state: SessionState,
  matches: (key: string) => boolean,
): readonly string[] {
  let keys: Set<string> | null = null
  for (let layer: SessionState | null = state; layer !== null; layer = layer.base) {
    for (const { set } of layer.chunks)
      for (const key in set) if (matches(key)) (keys ??= new Set()).add(key)
  }
  return keys === null ? noRemovedKeys : [...keys].filter((key) => hasKey(state, key))
}

/** Returns the changes that were made to a session state since it was created by `forkState`. */
export function patchOf(state: SessionState): Chunk {
  const { chunks } = state
  return chunks.length === 0 ? emptyPatch : chunks.reduce(merge)
}
