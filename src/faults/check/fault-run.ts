import type { ScriptEntry } from "../../adapters/scripted/script-position.js"
import type { AssumedService } from "../contract/certificate.js"
import type { Violation } from "../contract/violation.js"
import type { ObservedRun } from "../run/observed-run.js"
import type { CheckedRun } from "./check-run.js"

/**
 * The data that the report needs about a run into which one fault was injected. It is plain JSON,
 * so that worker threads can send it.
 */
export interface FaultRun extends CheckedRun {
  /**
   * The services that received several requests with the same idempotency key. Services that ignore
   * idempotency keys are not included.
   */
  readonly repeated: readonly Omit<AssumedService, "runs">[]
  /** The scripted responses that the run has received. */
  readonly used: readonly Pick<ScriptEntry, "kind" | "id" | "index">[]
}

/**
 * Collects the data that the report needs about a run with one fault. `broken` contains the
 * policies that the run violates.
 */
export function faultRunOf(
  run: ObservedRun,
  { outcome, violations }: CheckedRun,
  broken: readonly Violation[],
  notIdempotent: ReadonlySet<string>,
): FaultRun {
  const repeated = new Map<string, Omit<AssumedService, "runs">>()
  for (const { kind, service, asked } of run.log.usedServices())
    if (asked > 1 && !notIdempotent.has(service))
      repeated.set(`${kind} ${service}`, { service, kind })
  return {
    outcome: broken.length === 0 ? outcome : "failed",
    violations: [...violations, ...broken],
    repeated: [...repeated.values()],
    used: [...run.answers.used].map(({ kind, id, index }) => ({ kind, id, index })),
  }
}
