import type { StepBudget } from "../limits/step-budget.js"
import { type HashKey, hashKey } from "./hash-key.js"
import { grownTable, type SetTable } from "./set-table.js"
import type { Dict, SetValue, Value } from "../values/values.js"

interface Entry {
  readonly key: Value
  value: Value
}

/**
 * A Python dict that a condition has created, such as `{'a': 1}`. Iterates in insertion order. If
 * an inserted key equals an existing key, the dict keeps the existing key.
 */
export class HashDict implements Dict {
  readonly kind = "dict"
  private readonly entries = new Map<HashKey, Entry>()

  size(): number {
    return this.entries.size
  }

  get(key: Value): Value | undefined {
    return this.entries.get(hashKey(key))?.value
  }

  set(key: Value, value: Value, budget: StepBudget): void {
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

/**
 * Inserts the items, in this order, into the hash table that Python would create for a set. Returns
 * null if Python's iteration order is not deterministic, because the hash of an item differs
 * between processes.
 */
export type Arrangement = (items: readonly Value[]) => SetTable | null

/**
 * A Python set. Its iteration order is the same as in Python, unless Python's order differs between
 * processes.
 */
export class HashSet implements SetValue {
  readonly kind = "set"
  private readonly items = new Map<HashKey, Value>()
  private readonly arrange: Arrangement
  private arranged: SetTable | null | undefined

  constructor(arrange: Arrangement = grownTable) {
    this.arrange = arrange
  }

  size(): number {
    return this.items.size
  }

  has(item: Value): boolean {
    return this.items.has(hashKey(item))
  }

  add(item: Value, budget: StepBudget): void {
    const hash = readKey(item, budget)
    if (this.items.has(hash)) return
    this.items.set(hash, item)
    budget.collection(this.items.size)
  }

  delete(item: Value): void {
    this.items.delete(hashKey(item))
  }

  /**
   * Returns the hash table that Python creates for this set, which determines the iteration order.
   * Returns null if Python's hash of an item differs between processes. Must be called only when
   * the set is complete.
   */
  table(): SetTable | null {
    if (this.arranged === undefined) this.arranged = this.arrange(Array.from(this.items.values()))
    return this.arranged
  }

  toArray(): readonly Value[] {
    return this.table()?.items() ?? Array.from(this.items.values())
  }
}

export function makeSet(
  items: Iterable<Value>,
  budget: StepBudget,
  arrange?: Arrangement,
): HashSet {
  const set = new HashSet(arrange)
  for (const item of items) set.add(item, budget)
  return set
}

function readKey(key: Value, budget: StepBudget): HashKey {
  const hash = hashKey(key)
  if (typeof hash !== "string") return hash
  if (typeof key === "string") budget.read(key)
  else budget.spend(hash.length / 3)
  return hash
}
