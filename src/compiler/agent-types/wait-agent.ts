import { commonFields, inBothDialects, bothDialects, required, whenField } from "./common.js"
import type { ObjectDescription } from "./field-description.js"

const oneTime = required(
  'Add "duration" with a duration such as "24h", or "until" with a time such as "{appointment}".',
  { unless: "until" },
)

/**
 * Describes the config fields of an agent that waits for a duration or until a time
 * (docs/semantics.md#waiting).
 */
export const waitAgent = {
  name: "a WaitAgent",
  fields: {
    ...commonFields,
    ...whenField,
    durationMs: {
      type: "duration",
      defaultText: "required without `until`",
      description: 'The [duration](#durations) of the wait, such as `"24h"`.',
      dialects: inBothDialects({
        name: "duration",
        synonyms: ["sleep", "delay", "for", "wait", "timeout"],
        ...oneTime,
      }),
    },
    until: {
      type: "text",
      description:
        "The time at which the wait ends, as an ISO time with a time zone such as `2026-11-23T08:00:00Z`, or as milliseconds since the epoch. A [template](#prompts-of-a-humanagent): `{key}` inserts a value of the session state. A time in the past ends the wait at once.",
      dialects: bothDialects,
    },
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription
