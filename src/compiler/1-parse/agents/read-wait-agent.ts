import { parseTime } from "../../../machines/wait/wait-time.js"
import type { waitAgent } from "../../agent-types/wait-agent.js"
import { report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { ParsedWaitAgent } from "../config/wait-agent.js"
import type { ParserLocation } from "../context/parser-context.js"
import type { ReadDescribed } from "../fields/described-table.js"

/**
 * Parses a WaitAgent, which pauses the workflow. Reports an error if both a duration and an end
 * time are set, or if the end time is invalid.
 */
export function readWaitAgent(
  { values, locationOf: fieldAt, has }: ReadDescribed<typeof waitAgent.fields>,
  location: ParserLocation,
): ParsedWaitAgent {
  const { until } = values
  if (has("durationMs") && has("until"))
    report(fieldAt("until"), {
      code: "bad_value",
      problem: 'is set in addition to "duration", but an agent waits once',
      fix: 'Remove "duration" or "until".',
      part: "key",
    })
  else if (until !== null && !/[{}]/.test(until) && parseTime(until) === null)
    report(fieldAt("until"), {
      code: "bad_value",
      problem: `is ${describeValue(until)}, which is not a time`,
      fix: 'Write an ISO time with a time zone, such as "2026-11-23T08:00:00Z", or a placeholder for a state key, such as "{appointment}". For a duration, write "duration" instead.',
    })
  return { type: "WaitAgent", ...values, location, fieldAt }
}
