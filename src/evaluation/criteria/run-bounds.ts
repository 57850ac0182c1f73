import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import { fieldOf, isMissing, itemsOf, type LocatedValue } from "../reading/located-value.js"
import type { CaseRun, TurnUsage } from "../run/case-run.js"
import type { CriterionInput, CriterionType } from "./criterion.js"
import { amount, readAmount } from "./option-values.js"
import { type CriterionEntry, scoreEntries } from "./reference-score.js"

const sumOf = (run: CaseRun, field: (usage: TurnUsage) => number): number =>
  run.turns.reduce((sum, { usage }) => sum + field(usage), 0)

/**
 * Functions that measure a run, by the option that limits the measured value, such as `max_cost`.
 */
const measures: Readonly<Record<string, (run: CaseRun) => number>> = {
  max_model_calls: (run) => sumOf(run, ({ modelCalls }) => modelCalls),
  max_tool_calls: (run) => sumOf(run, ({ toolCalls }) => toolCalls),
  max_input_tokens: (run) => sumOf(run, ({ inputTokens }) => inputTokens),
  max_output_tokens: (run) => sumOf(run, ({ outputTokens }) => outputTokens),
  max_tokens: (run) => sumOf(run, ({ inputTokens, outputTokens }) => inputTokens + outputTokens),
  max_cost: (run) => sumOf(run, ({ cost }) => cost ?? 0),
  max_handoffs: ({ handoffs }) => handoffs,
  max_duration: (run) => sumOf(run, ({ durationMs }) => durationMs) / 1000,
}

const durationPattern = /^(\d+(?:\.\d+)?) ?(ms|s|m|h)$/

/**
 * JSON Schema of the values that `readDuration` accepts. A value is a number of seconds, or a text
 * with a unit such as `90s`.
 */
const durationSchema: SchemaObject = {
  anyOf: [amount, { type: "string", pattern: durationPattern.source, examples: ["90s"] }],
}

/** Tolerance for rounding errors in the sum of the costs of a run. */
const costTolerance = 1e-12

const runStatuses = ["completed", "failed", "cancelled", "limit", "waiting"] as const

/**
 * Criterion `run_bounds_v1`, which checks that a run stays within limits, such as a maximum cost,
 * and ends in an allowed status.
 */
export const runBounds: CriterionType = {
  options: {
    ...Object.fromEntries(
      Object.keys(measures).map((name) => [
        name,
        {
          description: `The largest number of the run: ${name.replace("max_", "").replaceAll("_", " ")}.`,
          ...(name === "max_duration" ? durationSchema : amount),
        },
      ]),
    ),
    status: {
      description: "The statuses in which the run may end.",
      anyOf: [{ enum: runStatuses }, { type: "array", items: { enum: runStatuses } }],
    },
  },
  read(input) {
    const { options } = input
    const limits = Object.keys(measures).flatMap((name) => {
      const option = fieldOf(options, name)
      const most = name === "max_duration" ? readDuration(option, input) : readAmount(option, input)
      return most === null ? [] : [{ name, most }]
    })
    const statuses = readStatuses(fieldOf(options, "status"), input)
    const cost = fieldOf(options, "max_cost")
    return {
      ...(statuses !== null && { allowedStatuses: statuses }),
      check({ unpriced, report }) {
        if (!isMissing(cost) && unpriced !== null)
          report(
            input.mistakes.file,
            "prices_missing",
            cost.pointer,
            `max_cost needs the prices of the models, but ${unpriced}`,
            "Pass --prices with a price for each model.",
          )
      },
      score({ run }) {
        const entries: CriterionEntry[] = limits.map(({ name, most }) => {
          const actual = measures[name]?.(run) ?? 0
          return {
            isSatisfied: actual <= most + (name === "max_cost" ? costTolerance : 0),
            text: `${name}: at most ${most}, actual ${actual}`,
          }
        })
        if (statuses !== null)
          entries.push({
            isSatisfied: statuses.includes(run.status),
            text: `status: expected ${statuses.join(" or ")}, actual ${run.status}`,
          })
        return scoreEntries(entries)
      },
    }
  },
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 }

function readDuration(located: LocatedValue, reading: CriterionInput): number | null {
  const { value, pointer } = located
  if (typeof value !== "string") return readAmount(located, reading)
  const [, count, unit] = durationPattern.exec(value) ?? []
  if (count !== undefined && unit !== undefined) return Number(count) * (unitSeconds[unit] ?? 1)
  reading.mistakes.add(
    "criterion_invalid",
    pointer,
    `${JSON.stringify(value)} is not a duration`,
    'Write a number of seconds, or a text such as "90s" or "2m".',
  )
  return null
}

function readStatuses(
  located: LocatedValue,
  { mistakes }: Pick<CriterionInput, "mistakes">,
): readonly string[] | null {
  if (isMissing(located)) return null
  const { value, pointer } = located
  const items = Array.isArray(value) ? itemsOf({ value, pointer }) : [located]
  return items.flatMap((item) => {
    const status = runStatuses.find((name) => name === item.value)
    if (status !== undefined) return [status]
    mistakes.add(
      "criterion_invalid",
      item.pointer,
      `${JSON.stringify(item.value)} is not a status of a run`,
      `Write ${runStatuses.join(", ")}, or a list of them.`,
    )
    return []
  })
}
