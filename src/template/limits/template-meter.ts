import { TemplateFailed } from "./template-errors.js"
import { type TemplateLimits, templateLimits } from "./template-limits.js"

/**
 * Yields to the event loop. Resolves after other tasks have run. Rejects if the call was aborted in
 * the meantime.
 */
export type Pause = () => Promise<void>

interface Measured {
  /**
   * The number of characters in all texts and keys of the value's JSON, plus one for each value. A
   * nested value that occurs twice counts twice.
   */
  readonly size: number
  /**
   * Cost of visiting the value and all nested values once, in units of work. A unit takes about one
   * microsecond.
   */
  readonly work: number
}

/**
 * Counts the units of work for the templates of one call, and throws when they exceed the limit. If
 * the meter has a `pause` function, it pauses long evaluations, because JSONata does not yield to
 * the event loop. The counts depend only on the template and the state, never on the clock.
 */
export class TemplateMeter {
  readonly limits: TemplateLimits
  readonly #pause: Pause | undefined
  #left: number
  #slice: number
  #pausing: Promise<void> | null = null
  #measured = new WeakMap<object, Measured>()

  constructor(pause?: Pause, limits: TemplateLimits = templateLimits) {
    this.limits = limits
    this.#pause = pause
    this.#left = limits.work
    this.#slice = limits.slice
  }

  /** Units of work that the templates of this call have used so far. */
  get spent(): number {
    return this.limits.work - this.#left
  }

  spend(units: number): void {
    this.#left -= units
    this.#slice -= units
    if (this.#left < 0)
      throw new TemplateFailed(
        `the templates of this call exceed the limit of ${this.limits.work} units of work. Use simpler templates or less data`,
      )
  }

  /**
   * Returns a promise to await before the next step, or undefined if no pause is due. If several
   * parts of an expression run in parallel, they receive the same promise.
   */
  pauseIfDue(): Promise<void> | undefined {
    if (this.#pausing !== null) return this.#pausing
    if (this.#slice > 0 || this.#pause === undefined) return undefined
    this.#slice = this.limits.slice
    this.#pausing = this.#pause().finally(() => {
      this.#pausing = null
    })
    return this.#pausing
  }

  /**
   * Charges the meter for visits of a value and all of its nested values. `times` is the number of
   * visits.
   */
  walk(value: unknown, times = 1): void {
    this.spend(times * this.#measure(value).work)
  }

  /**
   * Throws if a value that an expression created is too large. Caches the size of each nested
   * value, so that each value is measured only once.
   */
  checkSize(value: unknown): void {
    const { sequence, size } = this.limits
    if (Array.isArray(value) && value.length > sequence)
      throw tooLarge(`a list of more than ${sequence} values`)
    if (this.#measure(value).size > size) throw tooLarge(`a value of more than ${size} characters`)
  }

  sizeOf(value: unknown): number {
    return this.#measure(value).size
  }

  /** Discards all cached sizes. Must be called after a value was modified. */
  discardSizes(): void {
    this.#measured = new WeakMap()
  }

  #measure(value: unknown): Measured {
    if (typeof value === "string") return { size: value.length + 1, work: value.length / 512 }
    if (typeof value !== "object" || value === null) return small
    const known = this.#measured.get(value)
    if (known !== undefined) return known
    // JSONata's function objects reference their environment, which must not be measured.
    if ("_jsonata_lambda" in value || "_jsonata_function" in value) return small
    // Store an infinite size first, so that a value that contains itself exceeds every limit.
    this.#measured.set(value, endless)
    this.spend(1 / 8)
    let size = 1
    let work = 1 / 8
    const add = (inner: unknown): boolean => {
      const part = this.#measure(inner)
      size += part.size
      work += part.work + 1 / 8
      return size <= this.limits.size
    }
    if (Array.isArray(value)) {
      this.spend(value.length / 16)
      value.every(add)
    } else {
      const keys = Object.keys(value)
      this.spend(keys.length / 8)
      for (const key of keys) {
        size += key.length
        if (!add((value as Readonly<Record<string, unknown>>)[key])) break
      }
    }
    const measured = { size, work }
    this.#measured.set(value, measured)
    return measured
  }
}

const small: Measured = { size: 1, work: 0 }
const endless: Measured = { size: Number.POSITIVE_INFINITY, work: Number.POSITIVE_INFINITY }

export const tooLarge = (what: string): TemplateFailed =>
  new TemplateFailed(`an expression creates ${what}, which exceeds the limit for templates`)
