import { outputOf } from "../contract/machine-event.js"
import type { OnExpiry } from "../contract/activity.js"
import type { Envelope } from "../contract/services.js"
import type { PendingRequest } from "../contract/pending-request.js"
import type { AgentLocation, RunError } from "../contract/run-event.js"
import type { Step } from "../contract/machine-kind.js"
import type { MachineEvent } from "../contract/machine-event.js"

/** Input of a timer for the expiry of a pending request or the end of a `maxDuration`. */
export interface Deadline {
  /** Time at which the timer ends, in milliseconds since the epoch. */
  readonly until: number
  /** Id of the request that expires, or what `maxDuration` limits, such as `the run`. */
  readonly awaits: string
}

/**
 * Returns whether a value is the input of a timer for a request's expiry or for a `maxDuration`.
 */
export const isDeadline = (input: unknown): input is Deadline =>
  typeof input === "object" && input !== null && "awaits" in input

/** Returns whether a value is the input of a timer that ends at or before the time `now`. */
export const isOverdue = (input: unknown, now: number): boolean =>
  isDeadline(input) && input.until <= now

/**
 * The default effect of an expired request, by request kind: an unapproved call is rejected, and an
 * unanswered question fails the run.
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
 * Starts a timer as a child actor if the request has an `expiresAt`. If the process restarts, the
 * timer still ends at the same time.
 */
export function awaitExpiry(step: Step, child: string, { id, expiresAt }: PendingRequest): void {
  if (expiresAt === undefined) return
  const input: Deadline = { until: expiresAt, awaits: id }
  step.start(child, "sleepUntil", input)
}

/**
 * Stops the timer of a request that was answered or withdrawn. Does nothing if there is no request.
 */
export function stopExpiry(step: Step, child: string, request: PendingRequest | null): void {
  if (request?.expiresAt !== undefined) step.stop(child)
}

/**
 * Returns the time at which a timer ended, from its done event, in milliseconds since the epoch.
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
