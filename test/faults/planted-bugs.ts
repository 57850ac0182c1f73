import type { Invariant } from "../../src/faults/contract/violation.js"
import type { Patch } from "../properties/plant-bugs.js"
import { plantedBugs as bugsOfProperties } from "../properties/planted-bugs.js"

/** A mistake in the runtime, an example on which `faults` finds it, and the invariant that it breaks. */
export interface BugOfFaults extends Patch {
  readonly what: string
  readonly example: string
  readonly invariant: Invariant
}

const ownBugs: readonly BugOfFaults[] = [
  {
    what: "a resumed run does not make the calls in flight again",
    file: "runtime/driver/calls-in-flight.ts",
    find: "leaf.stop = start(leaf)",
    put: "leaf.stop = () => start",
    example: "support-agent",
    invariant: "comes_to_rest",
  },
  {
    what: "a resumed run forgets its last record",
    file: "runtime/run/run-execution.ts",
    find: "for (const record of past ?? [])",
    put: "for (const record of (past ?? []).slice(0, -1))",
    example: "support-agent",
    invariant: "completed_once",
  },
  {
    what: "the delay of Retry-After is ignored",
    file: "machines/model-call/retry-policy.ts",
    find: "Math.max(interval, wanted)",
    put: "(wanted, interval)",
    example: "retries-and-errors",
    invariant: "paced",
  },
  {
    what: "the timer of an attempt that has ended is not cancelled",
    file: "runtime/host/attempt.ts",
    find: "    this.#complete = null\n    this.#cancelTimeout()\n",
    put: "    this.#complete = null\n",
    example: "support-agent",
    invariant: "comes_to_rest",
  },
  {
    what: "an answer is accepted after its request has expired",
    file: "runtime/run/replies.ts",
    find: "at < request.expiresAt) return",
    put: "at < Infinity) return",
    example: "agent-handoff",
    invariant: "answered_in_time",
  },
  {
    what: "the error for an answer to a request that is not pending has no code",
    file: "runtime/run/replies.ts",
    find: '  throw new AgentStatechartsError(\n    "request_unknown",\n    `the request',
    put: "  throw new Error(\n    `the request",
    example: "human-approval",
    invariant: "typed_error",
  },
]

export const bugsOfFaults: readonly BugOfFaults[] = [
  ...bugsOfProperties.flatMap(({ what, file, find, put, foundByFaults }) =>
    foundByFaults === undefined ? [] : [{ what, file, find, put, ...foundByFaults }],
  ),
  ...ownBugs,
]
