import type { StepBudget } from "../limits/step-budget.js"
import { ConditionFailed } from "../limits/condition-failed.js"
import { hashKey } from "./hash-key.js"
import { type Dict, type List, Float, normalizeInteger, type Value } from "../values/values.js"

/**
 * Returns the session state as a Python dict. Properties are read only when the condition uses
 * them, so a large state costs nothing.
 *
 * The state is untrusted. Only own enumerable data properties are read, so no getter is called.
 * Values that JSON cannot represent are omitted from objects and are None in arrays.
 */
export function sessionState(state: unknown, budget: StepBudget): Dict {
  if (typeof state !== "object" || state === null || Array.isArray(state)) {
    throw new ConditionFailed("UnsupportedError", "the session state must be an object")
  }
  return new HostDict(state, budget)
}

/**
 * A Python dict whose content is an object of the session state. All keys are strings, so a lookup
 * with a key of another type finds nothing.
 */
class HostDict implements Dict {
  readonly kind = "dict"
  readonly host: object
  private readonly budget: StepBudget
  private containers: Map<string, Value> | undefined
  private names: readonly string[] | undefined

  constructor(host: object, budget: StepBudget) {
    this.host = host
    this.budget = budget
  }

  size(): number {
    return this.keys().length
  }

  get(key: Value): Value | undefined {
    if (typeof key !== "string") {
      hashKey(key)
      return undefined
    }
    const own = ownValue(this.host, key)
    if (typeof own !== "object" || own === null)
      return own === undefined || isNoData(own) ? undefined : scalar(own)
    const known = this.containers?.get(key)
    if (known !== undefined) return known
    const container = wrap(own, this.budget)
    this.containers ??= new Map()
    this.containers.set(key, container)
    return container
  }

  keys(): readonly string[] {
    this.names ??= ownNames(this.host, this.budget)
    return this.names
  }
}

class HostList implements List {
  readonly kind = "list"
  readonly length: number
  readonly host: readonly unknown[]
  private readonly budget: StepBudget
  private readonly containers = new Map<number, Value>()
  private items: readonly Value[] | undefined

  constructor(host: readonly unknown[], budget: StepBudget) {
    this.host = host
    this.budget = budget
    const length: unknown = Object.getOwnPropertyDescriptor(host, "length")?.value
    this.length = typeof length === "number" ? length : 0
  }

  itemAt(index: number): Value {
    if (this.items !== undefined) return this.items[index]!
    const own = ownValue(this.host, index)
    if (typeof own !== "object" || own === null)
      return own === undefined || isNoData(own) ? null : scalar(own)
    const known = this.containers.get(index)
    if (known !== undefined) return known
    const container = wrap(own, this.budget)
    this.containers.set(index, container)
    return container
  }

  toArray(): readonly Value[] {
    if (this.items === undefined) {
      this.budget.spend(this.length / 4)
      const items: Value[] = []
      for (let index = 0; index < this.length; index++) items.push(this.itemAt(index))
      this.items = items
    }
    return this.items
  }
}

function wrap(host: object, budget: StepBudget): Value {
  return Array.isArray(host) ? new HostList(host, budget) : new HostDict(host, budget)
}

function ownValue(host: object, key: string | number): unknown {
  const property = Object.getOwnPropertyDescriptor(host, key)
  return property !== undefined && property.enumerable === true && Object.hasOwn(property, "value")
    ? property.value
    : undefined
}

/**
 * Returns the names of an object's own data properties. First charges steps to the step budget,
 * because listing the names takes time even if no property is read.
 */
function ownNames(host: object, budget: StepBudget): readonly string[] {
  const names: string[] = []
  const all = Object.keys(host)
  budget.spend(all.length / 2)
  for (const name of all) {
    const own = ownValue(host, name)
    if (own !== undefined && !isNoData(own)) names.push(name)
  }
  return names
}

function isNoData(own: unknown): boolean {
  return typeof own === "function" || typeof own === "symbol"
}

function scalar(own: unknown): Value {
  switch (typeof own) {
    case "string":
    case "boolean":
      return own
    case "number":
      // JSON has neither -0 nor nan. Adding 0 converts -0 to the int 0.
      return Number.isNaN(own) ? new Float(own) : own + 0
    case "bigint":
      return normalizeInteger(own)
  }
  return null
}
