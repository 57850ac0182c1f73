import { outputOf } from "../contract/machine-event.js"
import type { OnExpiry } from "../contract/activity.js"
import type { Envelope } from "../contract/services.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { AgentLocation, RunError } from "../contract/run-event.js"
import type { Step } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"

/** Input of a timer that ends a pending request or enforces a `maxDuration`. */
export interface Deadline {
  /** Time at which the timer must end, in milliseconds since the epoch. */
  readonly until: number
  /**
   * The reason for the timer. It is the id of the request that expires, or a text such as `the run`
   * for the `maxDuration` of a run.
   */
  readonly awaits: string
}

/**
 * Returns whether a timer ends a pending request or enforces a `maxDuration`, from the input of the
 * timer. The input of other timers, such as delays of retries, has no field `awaits`.
 */
export const isDeadline = (input: unknown): input is Deadline =>
  typeof input === "object" && input !== null && "awaits" in input

/**
 * Returns whether a pending request has expired or a `maxDuration` has been exceeded at the time
 * `now`. `input` is the input of the timer.
 */
export const isOverdue = (input: unknown, now: number): boolean =>
  isDeadline(input) && input.until <= now

/**
 * Default effect of a request that expires, by the kind of the request. An unapproved call is
 * rejected, and an unanswered question fails the run.
 */
const defaultOnExpiry: Readonly<Record<PendingRequest["kind"], OnExpiry>> = {
  approval: "reject",
  tool: "reject",
  auth: "reject",
  human: "fail",
  input: "fail",
}

export const onExpiryOf = (
  kind: PendingRequest["kind"],
  { onExpiry }: { readonly onExpiry?: OnExpiry },
): OnExpiry => onExpiry ?? defaultOnExpiry[kind]

/**
 * Starts a timer as a child actor of the machine if the request has an `expiresAt`. If the process
 * restarts, the timer still ends at the same time.
 */
export function awaitExpiry(step: Step, child: string, { id, expiresAt }: PendingRequest): void {
  if (expiresAt === undefined) return
  const input: Deadline = { until: expiresAt, awaits: id }
  step.start(child, "sleepUntil", input)
}

/**
 * Stops the timer of a request that was answered or withdrawn. Does nothing if the request is null
 * or never expires.
 */
export function stopExpiry(step: Step, child: string, request: PendingRequest | null): void {
  if (request?.expiresAt !== undefined) step.stop(child)
}

/**
 * Returns the time at which a timer ended, in milliseconds since the epoch. Reads it from the
 * timer's done event.
 */
export const expiryTime = (event: MachineEvent): number => outputOf<Envelope>(event).at

export const expiredReason = "nobody answered in time"

export function emitExpired(
  step: Step,
  location: AgentLocation,
  id: string,
  onExpiry: OnExpiry,
): void {
  const { agent, path, branch } = location
  step.emit({ agent, path, branch, type: "request.expired", id, onExpiry })
}

export const expiredError = (agent: string, id: string): RunError => ({
  code: "request_expired",
  agent,
  message: `${expiredReason}: the request "${id}" of agent "${agent}" has expired`,
})
