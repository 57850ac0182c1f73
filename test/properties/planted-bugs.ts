import type { Invariant } from "../../src/faults/contract/violation.js"
import type { PropertyName } from "./all-properties.js"
import type { Patch } from "./plant-bugs.js"

export interface PlantedBug extends Patch {
  readonly what: string
  /** The property that must find the bug. */
  readonly caughtBy: PropertyName
  /** Seed of the random cases, by default 1. A seed with which one of the first cases finds the bug saves seconds. */
  readonly seed?: number
  /** An example on which the command `faults` finds it, too, and the invariant that it breaks. */
  readonly foundByFaults?: { readonly example: string; readonly invariant: Invariant }
}

/** Typical mistakes, each in a different part of the source. The properties must find all of them. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    what: "the journal stores no failures, so a resumed run repeats the failed call",
    file: "runtime/run/run-journal.ts",
    find: "    return withTypedErrors(() => this.#journal.append(this.#header.runId, record))",
    put: "    return record[1] === false ? undefined : withTypedErrors(() => this.#journal.append(this.#header.runId, record))",
    caughtBy: "survives",
    foundByFaults: { example: "retries-and-errors", invariant: "completed_once" },
  },
  {
    what: "parallel branches are joined in the order in which they ended, not in the declared order",
    file: "machines/containers/fan-context.ts",
    find: "linksOf(results).toSorted((one, other) => one.index - other.index)",
    put: "linksOf(results)",
    caughtBy: "ends and agrees",
  },
  {
    what: "an early completion also joins branches that have failed or were skipped",
    file: "machines/containers/fan-join.ts",
    find: "ended.filter(({ joined }) => joined)",
    put: "ended",
    caughtBy: "ends and agrees",
    seed: 12,
  },
  {
    what: "a loop runs one iteration more than its maximum",
    file: "machines/containers/orchestration-guards.ts",
    find: "(context.loops[params.place] ?? 0) + 1 >= params.max",
    put: "(context.loops[params.place] ?? 0) >= params.max",
    caughtBy: "ends and agrees",
    seed: 7,
  },
  {
    what: "a team makes one handoff more than maxHandoffs",
    file: "machines/containers/orchestration-guards.ts",
    find: "(context.teams[params.team] ?? noTeam).handoffs >= params.max",
    put: "(context.teams[params.team] ?? noTeam).handoffs > params.max",
    caughtBy: "ends and agrees",
    seed: 2,
  },
  {
    what: "a retry policy allows one attempt more than its maximum",
    file: "machines/model-call/retry-policy.ts",
    find: "attempt >= activity.maximumAttempts",
    put: "attempt > activity.maximumAttempts",
    caughtBy: "ends and agrees",
    foundByFaults: { example: "support-agent", invariant: "paced" },
  },
  {
    what: "the calls of a stopped machine continue",
    file: "runtime/driver/driver.ts",
    find: "    child.stop?.()\n",
    put: "",
    caughtBy: "ends and agrees",
    foundByFaults: { example: "pull-request-review", invariant: "comes_to_rest" },
  },
  {
    what: "a request expires later than its deadline",
    file: "machines/requests/expiry.ts",
    find: "const input: Deadline = { until: expiresAt, awaits: id }",
    put: "const input: Deadline = { until: expiresAt + 5_000, awaits: id }",
    caughtBy: "ends and agrees",
    foundByFaults: { example: "agent-handoff", invariant: "declared" },
  },
  {
    what: "the events of a machine are emitted after the events of its children",
    file: "runtime/driver/macrostep.ts",
    find: "    this.#observer.emitted(event, this.#current as Instance)\n",
    put: '    const at = this.#current as Instance\n    if (event.type === "tool.called") queueMicrotask(() => this.#observer.emitted(event, at))\n    else this.#observer.emitted(event, at)\n',
    caughtBy: "ends and agrees",
  },
  {
    what: "the id of a request does not depend on the call that made it",
    file: "machines/agent/turn-pauses.ts",
    find: "`${input.path}#${calls - 1}`",
    put: "`${input.path}#0`",
    caughtBy: "ends and agrees",
  },
  {
    what: "a budget allows twice its limit",
    file: "machines/contract/budget.ts",
    find: "if (used >= limit) return",
    put: "if (used >= 2 * limit) return",
    caughtBy: "ends and agrees",
    seed: 6,
  },
  {
    what: "an expired request stays open",
    file: "runtime/run/chart-execution.ts",
    find: 'case "human.answered":\n      case "request.expired":',
    put: 'case "human.answered":',
    caughtBy: "ends and agrees",
    seed: 5,
    foundByFaults: { example: "adk-human-approval", invariant: "comes_to_rest" },
  },
  {
    what: "a resumed host function forgets its first step and executes it again",
    file: "runtime/host/host-coroutine.ts",
    find: "this.#recorded = request.steps.filter((step) => !isConcurrent(step))",
    put: "this.#recorded = request.steps.filter((step) => !isConcurrent(step)).slice(1)",
    caughtBy: "survives",
    seed: 6,
    foundByFaults: { example: "adk-story-flow", invariant: "same_result" },
  },
  {
    what: "a value of a wrong type is only a warning",
    file: "compiler/diagnostics/config-location.ts",
    find: 'fix, severity = "error", part',
    put: 'fix, severity = code === "wrong_type" ? "warning" : "error", part',
    caughtBy: "breaks",
  },
]
