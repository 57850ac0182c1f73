import type { RunResult } from "../../machines/contract/run-event.js"
import { abbreviateValue } from "../../runtime/history/abbreviate-value.js"
import { describeKnownCall, type KnownCall } from "../../runtime/history/call-key.js"
import { compareStates } from "../../runtime/history/compare-states.js"
import { sameJson } from "../../runtime/history/equal-json.js"
import type { ObservedRun } from "../run/observed-run.js"
import { jsonComparer } from "../environment/json-comparer.js"
import { requestDifference } from "../environment/request-difference.js"
import { withoutRunId } from "../environment/without-run-id.js"

/** The first call that differs between two runs, with a description of the difference. */
export interface CallDifference {
  /** Name of the called tool or host function. For a model call, the name of the agent. */
  readonly subject: string
  readonly message: string
}

/** Returns the first difference between the calls of two runs, or null if the calls are equal. */
export function callDifference(one: ObservedRun, run: ObservedRun): CallDifference | null {
  const { calls: before } = one.log
  const { calls: after } = run.log
  const same = jsonComparer()
  for (const [id, call] of before) {
    const other = after.get(id)
    if (other === undefined)
      return {
        subject: subjectOfCall(call),
        message: `this call is missing: ${describeKnownCall(call)}`,
      }
    const difference = requestDifference(call, other, same)
    if (difference !== null)
      return {
        subject: subjectOfCall(call),
        message: `this call has a different request: ${describeKnownCall(call)}: ${difference.lines.join("; ")}`,
      }
  }
  for (const [id, call] of after)
    if (!before.has(id))
      return {
        subject: subjectOfCall(call),
        message: `this call is not in the run without the fault: ${describeKnownCall(call)}`,
      }
  return null
}

const subjectOfCall = ({ kind, of, agent }: KnownCall): string =>
  (kind === "model" ? agent : of) ?? agent ?? ""

/**
 * Returns a text that describes how the results of two runs differ. Returns null if the results are
 * equal.
 */
export const resultDifference = (one: ObservedRun, run: ObservedRun): string | null =>
  differenceOf(one.result, run.result) === null
    ? null
    : differenceOf(withoutRunId(one.result, one.runId), withoutRunId(run.result, run.runId))

function differenceOf(before: RunResult, after: RunResult): string | null {
  const fields = [
    inField("status", before.status, after.status),
    inField("text", before.text, after.text),
    inField("error", before.error?.code ?? null, after.error?.code ?? null),
    ...compareStates(before.state, after.state).map((change) =>
      inField(`the state key "${change.key}"`, change.before, change.after),
    ),
    inField("artifacts", before.artifacts ?? {}, after.artifacts ?? {}),
  ].filter((difference) => difference !== null)
  return fields.length === 0 ? null : fields.join("; ")
}

const inField = (name: string, before: unknown, after: unknown): string | null =>
  sameJson(before, after)
    ? null
    : `${name} is ${abbreviateValue(after)} instead of ${abbreviateValue(before)}`
