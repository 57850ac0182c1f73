import type { Budget } from "./budget.js"
import { type HashKey, hashKey } from "./hash-key.js"
import type { Dict, SetValue, Value } from "./values.js"

interface Entry {
  readonly key: Value
  value: Value
}

/** A dict that an expression made: in order of insertion, the first of equal keys kept. */
export class HashDict implements Dict {
  readonly kind = "dict"
  private readonly entries = new Map<HashKey, Entry>()

  size(): number {
    return this.entries.size
  }

  get(key: Value): Value | undefined {
    return this.entries.get(hashKey(key))?.value
  }

  set(key: Value, value: Value, budget: Budget): void {
    const hash = readKey(key, budget)
    const entry = this.entries.get(hash)
    if (entry !== undefined) {
      entry.value = value
      return
    }
    this.entries.set(hash, { key, value })
    budget.collection(this.entries.size)
  }

  keys(): readonly Value[] {
    return Array.from(this.entries.values(), (entry) => entry.key)
  }
}

/** A set, in order of insertion. */
export class HashSet implements SetValue {
  readonly kind = "set"
  private readonly items = new Map<HashKey, Value>()

  size(): number {
    return this.items.size
  }

  has(item: Value): boolean {
    return this.items.has(hashKey(item))
  }

  add(item: Value, budget: Budget): void {
    const hash = readKey(item, budget)
    if (this.items.has(hash)) return
    this.items.set(hash, item)
    budget.collection(this.items.size)
  }

  delete(item: Value): void {
    this.items.delete(hashKey(item))
  }

  toArray(): readonly Value[] {
    return Array.from(this.items.values())
  }
}

export function makeSet(items: Iterable<Value>, budget: Budget): HashSet {
  const set = new HashSet()
  for (const item of items) set.add(item, budget)
  return set
}

function readKey(key: Value, budget: Budget): HashKey {
  const hash = hashKey(key)
  if (typeof hash === "string") budget.read(hash)
  return hash
}
