import { inputGuardrail, outputGuardrail } from "../../agent-types/guardrails.js"
import { guardrails as description } from "../../agent-types/guardrails.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { ParsedValues } from "../config/agent-config.js"
import type { ParsedGuardrail } from "../config/parsed-guardrails.js"
import type { ParserLocation } from "../context/parser-context.js"
import { useService } from "../context/service-uses.js"
import { describedTable, readDescribed } from "./described-table.js"
import type { Reader } from "./field-table.js"
import { identifier } from "./identifier.js"
import { count, filledText, list, objectOf, refuseType } from "./plain-values.js"

const guardrailService: Reader<string> = (value, location) => {
  const name = filledText(value, location)
  return name === null ? null : useService(name, "guardrail", location)
}

const entryReaders = { toolId: identifier, guardrailService, filledText, model: filledText, count }

const inputTable = describedTable(inputGuardrail, "graph-compose", entryReaders)
const outputTable = describedTable(outputGuardrail, "graph-compose", entryReaders)

const onlyFunction = (service: string): ParsedGuardrail => ({
  name: service,
  service,
  instructions: null,
  model: null,
  mode: "before",
  onTrip: "fail",
  answer: null,
  maxRepairs: null,
})

type Entry = Omit<ParsedGuardrail, "name"> & { readonly name: string | null }

const readInput = (object: Readonly<Record<string, unknown>>, location: ParserLocation) => {
  const { values, locationOf: fieldAt } = readDescribed(object, inputTable, location)
  if (values.mode === "beside" && values.onTrip === "replace")
    report(fieldAt("onTrip"), {
      code: "bad_value",
      problem:
        'is "replace", but with "mode": "beside" the model is called before the verdict is known',
      fix: 'Set "mode" to "before", or write "fail" or "answer".',
    })
  return checked({ ...values, maxRepairs: null }, fieldAt)
}

const readOutput = (object: Readonly<Record<string, unknown>>, location: ParserLocation) => {
  const { values, locationOf: fieldAt } = readDescribed(object, outputTable, location)
  if (values.maxRepairs !== null && values.onTrip !== "repair")
    report(fieldAt("maxRepairs"), {
      code: "no_effect",
      severity: "warning",
      problem: `has no effect, because "onTrip" is "${values.onTrip}"`,
      fix: 'Set "onTrip" to "repair", or remove "maxRepairs".',
    })
  return checked({ ...values, mode: "before" }, fieldAt)
}

/**
 * Reports the fields of a guardrail that contradict each other. Returns the guardrail with its
 * name, or null if it has no name and no service.
 */
function checked(entry: Entry, fieldAt: (key: string) => ParserLocation): ParsedGuardrail | null {
  const { name, service, instructions, model, onTrip, answer } = entry
  for (const [field, value] of [
    ["instructions", instructions],
    ["model", model],
  ] as const)
    if (service !== null && value !== null)
      report(fieldAt(field), {
        code: "bad_value",
        problem: `cannot be combined with "service", because the function ${describeValue(service)} checks the text`,
        fix: `Remove "service" or "${field}".`,
      })
  if (onTrip === "answer" && answer === null)
    report(fieldAt("answer"), {
      code: "missing_field",
      problem: 'is missing: with "onTrip": "answer", the agent returns this text',
      fix: 'Add a text, such as "answer": "I cannot help with that."',
    })
  if (onTrip !== "answer" && answer !== null)
    report(fieldAt("answer"), {
      code: "no_effect",
      severity: "warning",
      problem: `has no effect, because "onTrip" is "${onTrip}"`,
      fix: 'Set "onTrip" to "answer", or remove "answer".',
    })
  const known = name ?? service
  return known === null ? null : { ...entry, name: known }
}

/**
 * Returns a function that parses a list of guardrails. Each entry is an object or the name of a
 * host function. `read` parses the objects.
 */
function entries(
  read: (
    object: Readonly<Record<string, unknown>>,
    location: ParserLocation,
  ) => ParsedGuardrail | null,
): Reader<readonly ParsedGuardrail[]> {
  return (value, location) => {
    const values = list(value, location)
    return (
      values?.flatMap((one, index) => {
        const entryLocation = fieldOf(location, index)
        if (typeof one === "string") {
          const service = guardrailService(one, entryLocation)
          return service === null ? [] : [onlyFunction(service)]
        }
        const object = objectOf(one)
        const entry =
          object === null
            ? refuseType(one, entryLocation, "the name of a function or an object", '"NAME"')
            : read(object, entryLocation)
        return entry === null ? [] : [entry]
      }) ?? null
    )
  }
}

const table = describedTable(description, "graph-compose", {
  inputGuardrails: entries(readInput),
  outputGuardrails: entries(readOutput),
})

/**
 * Parses the guardrails of an agent. Guardrails check the input and the final texts of the agent.
 */
export const guardrails: Reader<ParsedValues["guardrails"]> = (value, location) => {
  const object = objectOf(value)
  if (object === null)
    return refuseType(value, location, "an object", '{"input": ["FUNCTION"], "output": []}')
  const { values, locationOf: fieldAt, has } = readDescribed(object, table, location)
  const input = values.input ?? []
  const output = values.output ?? []
  if (!has("input") && !has("output"))
    return report(location, {
      code: "bad_value",
      problem: "contains no guardrails",
      fix: 'Add "input" or "output" with a list of guardrails, or remove the field.',
    })
  const names = new Set<string>()
  for (const [field, guards] of [
    ["input", input],
    ["output", output],
  ] as const)
    for (const { name } of guards) {
      if (names.has(name))
        report(fieldAt(field), {
          code: "duplicate_id",
          problem: `contains the guardrail ${describeValue(name)} twice, or another list of the agent contains it too`,
          fix: 'Give each guardrail of the agent its own "name".',
        })
      names.add(name)
    }
  const { stream } = values
  const holdsText = stream === null ? output.length > 0 : stream === "hold"
  return { input, output, holdsText }
}
