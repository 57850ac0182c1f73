import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { injectedRetryAfterMs, isAbsorbed } from "../contract/fault.js"
import type { Violation } from "../contract/violation.js"
import type { ObservedRun, PlacedFault } from "../run/observed-run.js"
import type { PossibleFault } from "../run/fault-positions.js"
import { callDifference, resultDifference } from "./compare-runs.js"
import { isDeclared } from "./declared.js"

/**
 * The outcome of a run with one fault, and the invariants that the run broke. `equal` means the
 * result of the run without a fault. `declared` means a different result that an event explains.
 */
export interface CheckedRun {
  readonly outcome: "equal" | "declared" | "failed"
  readonly violations: readonly Violation[]
}

/**
 * Checks the invariants of a run with one fault by comparing it with `baseline`, the run without a
 * fault.
 */
export function checkRun(
  chart: AgentChart,
  fault: PossibleFault,
  baseline: ObservedRun,
  run: ObservedRun,
  notIdempotent: ReadonlySet<string>,
): CheckedRun {
  const { kind } = fault
  const result = resultDifference(baseline, run)
  const calls = isAbsorbed(kind) ? callDifference(baseline, run) : null
  const isEqual = result === null && calls === null
  const mayDiffer = !isAbsorbed(kind) || kind === "clock-ahead" || kind === "late"
  const isDeclaredDifference = !isEqual && mayDiffer && isDeclared(fault, baseline, run)
  const differences: Violation[] = []
  if (!isEqual && !isDeclaredDifference) {
    const { id } = chart
    if (calls !== null) differences.push({ invariant: "same_calls", ...calls })
    if (result !== null && isAbsorbed(kind))
      differences.push({
        invariant: "same_result",
        subject: id,
        message: `the result differs from the run without the fault: ${result}`,
      })
    if (result !== null && !isAbsorbed(kind))
      differences.push({
        invariant: "declared",
        subject: id,
        message: `the result differs from the run without the fault, and no event explains the difference: ${result}`,
      })
  }
  const violations = [
    ...run.violations,
    ...effectsOf(run, notIdempotent),
    ...paceOf(chart, fault, run),
    ...differences,
  ]
  return {
    outcome: violations.length > 0 ? "failed" : isEqual ? "equal" : "declared",
    violations,
  }
}

/**
 * Returns a violation for each service that carried out the same work, such as an order, more than
 * once. Checks only services that ignore idempotency keys.
 */
const effectsOf = (
  { log }: ObservedRun,
  notIdempotent: ReadonlySet<string>,
): readonly Violation[] =>
  notIdempotent.size === 0
    ? []
    : log
        .usedServices()
        .filter(({ service, carriedOut }) => carriedOut > 1 && notIdempotent.has(service))
        .map(({ service, key, carriedOut }) => ({
          invariant: "effect_once",
          subject: service,
          message: `${service} did its work ${carriedOut} times for the idempotency key ${key}`,
        }))

/**
 * Returns violations of the retry limits. A call must not have more attempts than
 * `maximumAttempts`. After the injected 429 response, the next attempt must wait for the
 * `Retry-After` time. The `maximumInterval` of the retry policy limits this wait.
 */
function paceOf(
  chart: AgentChart,
  { kind, attempt: target }: PlacedFault,
  { log }: ObservedRun,
): readonly Violation[] {
  const violations: Violation[] = []
  let refusedAt: number | null = null
  for (const made of log.attempts) {
    if (made.attempt <= made.maximumAttempts && kind !== "status-429") continue
    const { key, attempt, maximumAttempts, service, agent, time } = made
    if (attempt > maximumAttempts)
      violations.push({
        invariant: "paced",
        subject: service,
        message: `${service} was called ${attempt} times with the idempotency key ${key}, but maximumAttempts is ${maximumAttempts}`,
      })
    if (kind !== "status-429" || key !== target?.key) continue
    if (attempt === target.attempt) refusedAt = time
    const wait = Math.min(injectedRetryAfterMs, longestInterval(chart, made.kind, service, agent))
    if (attempt === target.attempt + 1 && refusedAt !== null && time < refusedAt + wait)
      violations.push({
        invariant: "paced",
        subject: service,
        message: `${service} was called again ${time - refusedAt} ms after it responded with status 429 and a Retry-After of ${injectedRetryAfterMs} ms (${key})`,
      })
  }
  return violations
}

/**
 * Returns the longest pause before a retry, in milliseconds. This is the `maximumInterval` of the
 * retry policy, which also limits `Retry-After`. Returns Infinity if there is no limit.
 */
function longestInterval(
  { agents, tools }: AgentChart,
  kind: string,
  service: string,
  agent: string,
): number {
  const definition = kind === "tool" ? tools[service] : agents[agent]
  const activity =
    definition !== undefined && "activity" in definition ? definition.activity : undefined
  return activity?.maximumIntervalMs ?? Number.POSITIVE_INFINITY
}
