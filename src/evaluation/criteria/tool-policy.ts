import { jsonValidator } from "../../runtime/validation/json-validator.js"
import type { EvalCall } from "../eval-set/eval-set.js"
import { orNull } from "../reading/json-schema.js"
import { entriesOf, fieldOf, isMissing, itemsOf } from "../reading/located-value.js"
import type { CriterionInput, CriterionType } from "./criterion.js"
import { readTexts, readWholeNumber, texts, wholeNumber } from "./option-values.js"
import { type CriterionEntry, scoreEntries } from "./reference-score.js"

/** Checks all tool calls of a run against one rule of the criterion. */
type CallRule = (calls: readonly EvalCall[]) => CriterionEntry

const countOf = (calls: readonly EvalCall[], tool: string): number =>
  calls.filter(({ name }) => name === tool).length

/**
 * Criterion `tool_policy_v1`, which checks every tool call of a run against rules. Calls inside
 * AgentTools are included.
 */
export const toolPolicy: CriterionType = {
  options: {
    forbidden: { description: "Tools that must not be called.", ...texts },
    required: { description: "Tools that must be called.", ...texts },
    allowed: { description: "No other tool may be called.", ...texts },
    before: {
      description: "Pairs of tools. The first must be called before the second.",
      type: "array",
      items: { ...texts, minItems: 2, maxItems: 2 },
    },
    max_calls: {
      description: "Maximum number of calls, by tool name.",
      type: "object",
      additionalProperties: orNull(wholeNumber),
    },
    arguments: {
      description: "The JSON Schema of the arguments by the name of the tool.",
      type: "object",
      additionalProperties: { type: "object" },
    },
  },
  read(input) {
    const rules = [
      ...readForbidden(input),
      ...readRequired(input),
      ...readAllowed(input),
      ...readBefore(input),
      ...readMaxCalls(input),
      ...readArguments(input),
    ]
    return { score: ({ run }) => scoreEntries(rules.map((rule) => rule(run.allCalls))) }
  },
}

const readForbidden = (input: CriterionInput): readonly CallRule[] =>
  readTexts(fieldOf(input.options, "forbidden"), input).map(
    ({ text: tool }): CallRule =>
      (calls) => {
        const count = countOf(calls, tool)
        return {
          isSatisfied: count === 0,
          text: `${tool} is forbidden, but was called ${times(count)}`,
        }
      },
  )

const readRequired = (input: CriterionInput): readonly CallRule[] =>
  readTexts(fieldOf(input.options, "required"), input).map(
    ({ text: tool }): CallRule =>
      (calls) => ({
        isSatisfied: countOf(calls, tool) > 0,
        text: `${tool} is required, but was not called`,
      }),
  )

function readAllowed(input: CriterionInput): readonly CallRule[] {
  const option = fieldOf(input.options, "allowed")
  if (isMissing(option)) return []
  const allowed = new Set(readTexts(option, input).map(({ text }) => text))
  return [
    (calls) => {
      const others = new Set(calls.map(({ name }) => name).filter((name) => !allowed.has(name)))
      return {
        isSatisfied: others.size === 0,
        text: `only ${[...allowed].join(", ")} are allowed, but ${[...others].join(", ")} was called`,
      }
    },
  ]
}

function readBefore(input: CriterionInput): readonly CallRule[] {
  const list = input.read.list(fieldOf(input.options, "before"))
  return (list === null ? [] : itemsOf(list)).flatMap((item): readonly CallRule[] => {
    const [first, then, ...others] = readTexts(item, input).map(({ text }) => text)
    if (first === undefined || then === undefined || others.length > 0) {
      input.mistakes.add(
        "criterion_invalid",
        item.pointer,
        "must be a pair of tools",
        'Write a pair such as ["check", "pay"].',
      )
      return []
    }
    return [
      (calls) => {
        const position = calls.findIndex(({ name }) => name === then)
        const before = calls.findIndex(({ name }) => name === first)
        return {
          isSatisfied: position === -1 || (before !== -1 && before < position),
          text: `${first} must be called before ${then}`,
        }
      },
    ]
  })
}

function readMaxCalls(input: CriterionInput): readonly CallRule[] {
  const counts = input.read.object(fieldOf(input.options, "max_calls"))
  return (counts === null ? [] : entriesOf(counts)).flatMap(([tool, item]): readonly CallRule[] => {
    const most = readWholeNumber(item, input)
    return most === null
      ? []
      : [
          (calls) => {
            const count = countOf(calls, tool)
            return {
              isSatisfied: count <= most,
              text: `${tool} may be called at most ${times(most)}, but was called ${times(count)}`,
            }
          },
        ]
  })
}

function readArguments(input: CriterionInput): readonly CallRule[] {
  const schemas = input.read.object(fieldOf(input.options, "arguments"))
  const violationOf = jsonValidator()
  return (schemas === null ? [] : entriesOf(schemas)).flatMap(
    ([tool, item]): readonly CallRule[] => {
      const schema = input.read.requiredObject(item)?.value
      return schema === undefined
        ? []
        : [
            (calls) => {
              const violation = calls
                .filter(({ name }) => name === tool)
                .map(({ args }) => violationOf(schema, args))
                .find((found) => found !== null)
              return {
                isSatisfied: violation === undefined,
                text: `the arguments of ${tool} are not valid: ${violation ?? ""}`,
              }
            },
          ]
    },
  )
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`)
