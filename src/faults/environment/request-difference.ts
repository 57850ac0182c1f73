import type { HostRequest } from "../../machines/contract/services.js"
import type { KnownCall } from "../../runtime/history/call-key.js"
import { compareRequests, type RequestDifference } from "../../runtime/history/compare-requests.js"
import type { JsonComparer } from "./json-comparer.js"
import { withoutRunId, withoutTimes } from "./without-run-id.js"

/**
 * Returns the first difference between two requests of the same call, or null if they are equal.
 * Ignores run ids, because the requests may belong to two runs of one workflow. `same` compares the
 * values of a field.
 */
export function requestDifference(
  before: KnownCall,
  after: KnownCall,
  same?: JsonComparer,
): RequestDifference | null {
  if (before === after) return null
  const difference = compareRequests(before, after, same)
  return difference === null || runIdOf(before) === runIdOf(after)
    ? difference
    : compareRequests(comparable(before), comparable(after))
}

/** Returns a copy of a call without values that differ between runs, such as the run id. */
function comparable(known: KnownCall): KnownCall {
  const { n, src, input } = known.call
  const { request } = input as { readonly request?: unknown }
  const timeless = known.kind === "node" ? withoutTimes(request) : request
  const own = withoutRunId({ request: timeless }, runIdOf(known))
  return { ...known, call: { n, src, input: own } }
}

/**
 * Returns the run id in the request of a call. Must not be called for pauses, which have no
 * request. This is safe, because pauses are never compared.
 */
const runIdOf = ({ call }: KnownCall): string =>
  (call.input as { readonly request: Pick<HostRequest, "runId"> }).request.runId
