import { decompose } from "../numbers/decimal-expansion.js"
import { hashKey } from "./hash-key.js"
import { amountOf, type Value } from "../values/values.js"

interface Slot {
  /** The item in this slot of the hash table. Undefined if the item was removed. */
  item: Value | undefined
  /** Python's hash of the item, as an unsigned 64-bit integer. */
  readonly hash: bigint
}

/**
 * A reimplementation of CPython's hash table for sets. It reproduces the iteration order of numbers
 * and tuples of numbers. The hashes of strings and None differ between Python processes, so sets
 * that contain them are iterated in insertion order instead.
 */
export class SetTable {
  /** Number of slots of the hash table that are in use, including the slots of removed items. */
  private filled = 0
  private count = 0
  private slots: (Slot | undefined)[]

  constructor(size = 8) {
    this.slots = Array.from({ length: size })
  }

  /**
   * Adds an item that is not in the table. The table grows when three fifths of its slots are used.
   */
  add(item: Value): void {
    this.place({ item, hash: pythonHash(item) ?? 0n })
    if (this.isFull(this.filled)) this.resize(this.count * 4)
  }

  remove(item: Value): void {
    const key = hashKey(item)
    for (const slot of this.slots) {
      if (slot?.item === undefined || hashKey(slot.item) !== key) continue
      slot.item = undefined
      this.count--
      return
    }
  }

  /**
   * Copies the items into a table of minimum size. Python does the same for a set that is created
   * from another set, so the iteration order is the same.
   */
  copy(): SetTable {
    const copy = new SetTable()
    if (copy.isFull(this.count)) copy.resize(this.count * 2)
    if (copy.slots.length === this.slots.length && this.filled === this.count) {
      copy.slots = Array.from(this.slots, (slot) => slot && { ...slot })
      copy.filled = copy.count = this.count
      return copy
    }
    for (const slot of this.slots) if (slot?.item !== undefined) copy.place({ ...slot })
    return copy
  }

  /**
   * Enlarges the table for `more` items of another set that will be added next. A single
   * enlargement prevents the table from growing repeatedly.
   */
  makeRoom(more: number): void {
    if (more > 0 && this.isFull(this.filled + more)) this.resize((this.count + more) * 2)
  }

  /** Rebuilds the hash table if it contains many slots of removed items. */
  tidy(): void {
    if (this.filled - this.count > Math.floor((this.slots.length - 1) / 4))
      this.resize(this.count * 4)
  }

  items(): readonly Value[] {
    const items: Value[] = []
    for (const slot of this.slots) if (slot?.item !== undefined) items.push(slot.item)
    return items
  }

  private isFull(filled: number): boolean {
    return filled * 5 >= (this.slots.length - 1) * 3
  }

  private resize(least: number): void {
    let size = 8
    while (size <= least) size *= 2
    const before = this.slots
    this.slots = Array.from({ length: size })
    this.filled = this.count = 0
    for (const slot of before) if (slot?.item !== undefined) this.place(slot)
  }

  /**
   * Stores an item in the first free position of its search sequence. Like CPython, the search
   * first visits up to ten adjacent positions. Then it jumps to a position that depends on more
   * bits of the hash.
   */
  private place(slot: Slot): void {
    const mask = this.slots.length - 1
    let perturb = slot.hash
    let index = Number(slot.hash & BigInt(mask))
    let abandoned = -1
    for (;;) {
      const last = index + 9 <= mask ? index + 9 : index
      for (let probe = index; probe <= last; probe++) {
        const other = this.slots[probe]
        if (other === undefined) {
          if (abandoned < 0) this.filled++
          this.slots[abandoned < 0 ? probe : abandoned] = slot
          this.count++
          return
        }
        // The slot of a removed item is reused only after the search has shown that the item is
        // new.
        if (other.item === undefined) abandoned = probe
      }
      perturb >>= 5n
      index = Number((BigInt(index) * 5n + 1n + perturb) & BigInt(mask))
    }
  }
}

/**
 * Creates a hash table and adds the items in order. Returns null if Python's hash of an item
 * differs between processes, such as the hash of a string.
 */
export function grownTable(items: readonly Value[]): SetTable | null {
  if (!items.every(isOrdered)) return null
  const table = new SetTable()
  for (const item of items) table.add(item)
  return table
}

/**
 * Creates the hash table of a set literal. CPython creates the set from constants at compile time
 * and copies it, which affects the iteration order. Returns null if Python's hash of an item
 * differs between processes.
 */
export function displayTable(items: readonly Value[]): SetTable | null {
  const table = grownTable(items)
  return table && (grownTable(table.items())?.copy() ?? null)
}

function isOrdered(item: Value): boolean {
  return pythonHash(item) !== null
}

/** Returns Python's hash of an item. Returns null if the hash differs between Python processes. */
function pythonHash(item: Value): bigint | null {
  const amount = amountOf(item)
  if (amount !== undefined) return Number.isNaN(amount) ? null : numberHash(amount)
  return typeof item === "object" && item?.kind === "tuple" ? tupleHash(item.items) : null
}

const tuplePrimes = [11400714785074694791n, 14029467366897019727n, 2870177450012600261n] as const

/**
 * Returns Python's hash of a tuple, which is a variant of xxHash over the hashes of the items.
 * Returns null if Python's hash of an item differs between processes.
 */
function tupleHash(items: readonly Value[]): bigint | null {
  const [first, second, fifth] = tuplePrimes
  let mixed: bigint = fifth
  for (const item of items) {
    const hash = pythonHash(item)
    if (hash === null) return null
    mixed = BigInt.asUintN(64, mixed + hash * second)
    mixed = BigInt.asUintN(64, ((mixed << 31n) | (mixed >> 33n)) * first)
  }
  mixed = BigInt.asUintN(64, mixed + (BigInt(items.length) ^ fifth ^ 3527539n))
  return mixed === 0xffffffffffffffffn ? 1546275796n : mixed
}

const modulus = (1n << 61n) - 1n

/** Returns Python's hash of a number, which is the number modulo the prime 2 ** 61 - 1. */
function numberHash(amount: number | bigint): bigint {
  let hash: bigint
  if (typeof amount === "bigint" || Number.isSafeInteger(amount)) {
    const integer = BigInt(amount)
    hash = (integer < 0n ? -integer : integer) % modulus
  } else if (!Number.isFinite(amount)) {
    hash = 314159n
  } else {
    const { mantissa, exponent } = decompose(amount)
    hash = (mantissa << BigInt(((exponent % 61) + 61) % 61)) % modulus
  }
  if (amount < 0) hash = -hash
  return BigInt.asUintN(64, hash === -1n ? -2n : hash)
}
