import { describeArgument, refuseArgument } from "../../../machines/data/check-arguments.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import { ModelGate } from "./model-gate.js"
import type { ModelLimit, ModelLimits } from "./model-limit.js"
import type { SharedLimits } from "./shared-limits.js"

/** Options of {@link modelLimits}. */
export interface ModelLimitsOptions {
  /**
   * Limits that count the calls of all processes together. An example is the result of
   * `postgresLimits`. Default: each process has its own limits. Circuit breakers are never shared
   * between processes.
   */
  readonly shared?: SharedLimits
}

/**
 * Creates limits for model calls. Pass the result to the option `modelLimits` of `createRunner`.
 * The keys of `limits` are model names, or URLs of agents with an `httpConfig`. The limits of the
 * key `"*"` apply separately to each model that is not listed.
 *
 * @throws AgentStatechartsError `argument_invalid`
 * @example
 * createRunner({ models, modelLimits: modelLimits({ "openai:gpt-5": { maxConcurrent: 8 } }) })
 */
export function modelLimits(
  limits: Readonly<Record<string, ModelLimit>>,
  { shared }: ModelLimitsOptions = {},
): ModelLimits {
  checkLimits(limits)
  if (shared !== undefined && typeof shared.admit !== "function")
    refuseArgument(
      `shared of modelLimits must be an object with the function admit, but is ${describeArgument(shared)}. Write modelLimits(limits, { shared: postgresLimits(url) }).`,
    )
  const known = new Map(Object.entries(limits))
  const others = known.get("*")
  const gates = new Map<string, ModelGate>()
  return {
    states: () => Object.fromEntries([...gates].map(([model, gate]) => [model, gate.state])),
    start(model, call) {
      const limit = known.get(model) ?? others
      if (limit === undefined) return call.start(call.complete)
      const gate = gates.get(model) ?? new ModelGate(model, limit, shared)
      gates.set(model, gate)
      return gate.enter(call)
    },
  }
}

/** Names of the fields in `ModelLimit` whose values are numbers. */
const limitNames: readonly string[] = [
  "maxConcurrent",
  "requestsPerMinute",
  "tokensPerMinute",
  "maxRetryAfterMs",
] satisfies readonly (keyof ModelLimit)[]

const example = '{ "openai:gpt-5": { maxConcurrent: 8 } }'

function checkLimits(limits: unknown): void {
  if (!isJsonObject(limits))
    return refuseArgument(
      `modelLimits needs an object with the limits of each model such as ${example}, but received ${describeArgument(limits)}`,
    )
  for (const [model, limit] of Object.entries(limits)) {
    const owner = `the limits of the model ${JSON.stringify(model)}`
    const { circuitBreaker, ...others } = fieldsOf(limit, owner)
    const unknown = Object.keys(others).find((name) => !limitNames.includes(name))
    if (unknown !== undefined)
      refuseUnknown(unknown, owner, `${limitNames.join(", ")} and circuitBreaker`)
    const set = limitNames.filter((name) => others[name] !== undefined)
    if (set.length === 0 && circuitBreaker === undefined)
      refuseArgument(`${owner} are empty. Set one of ${limitNames.join(", ")} and circuitBreaker.`)
    for (const name of set) checkCount(others[name], `${name} in ${owner}`)
    if (circuitBreaker === undefined) continue
    const inside = `circuitBreaker in ${owner}`
    const { failures, resetMs, ...more } = fieldsOf(circuitBreaker, inside)
    const [wrong] = Object.keys(more)
    if (wrong !== undefined) refuseUnknown(wrong, inside, "failures and resetMs")
    checkCount(failures, `failures of ${inside}`)
    checkCount(resetMs, `resetMs of ${inside}`)
  }
}

const fieldsOf = (value: unknown, owner: string): Readonly<Record<string, unknown>> =>
  isJsonObject(value)
    ? value
    : refuseArgument(`${owner} must be an object, but is ${describeArgument(value)}`)

const refuseUnknown = (name: string, owner: string, known: string): void =>
  refuseArgument(`${owner} must not contain "${name}". The fields are ${known}.`)

function checkCount(value: unknown, what: string): void {
  if (!Number.isSafeInteger(value) || Number(value) < 1)
    refuseArgument(
      `${what} must be a whole number, 1 or greater, but is ${describeArgument(value)}`,
    )
}
