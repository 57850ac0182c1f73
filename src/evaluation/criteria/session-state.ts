import { thrownMessage } from "../../errors.js"
import { compileCondition, type CompiledCondition } from "../../expression/index.js"
import { sameJson } from "../../runtime/history/equal-json.js"
import { objectSchema, requiredFieldSchema } from "../reading/json-schema.js"
import { fieldOf, isMissing, itemsOf, type LocatedValue } from "../reading/located-value.js"
import { shownText } from "./call-text.js"
import type { CriterionInput, CriterionType } from "./criterion.js"
import { readWholeNumber, wholeNumber } from "./option-values.js"
import { scoreEntries } from "./reference-score.js"

/**
 * Criterion `final_session_state_v1`, which compares the final session state with the field
 * `final_session_state` of the case.
 */
export const finalSessionState: CriterionType = {
  options: {},
  read: () => ({
    score({ evalCase, run }) {
      const state = run.turns.at(-1)?.state ?? {}
      return scoreEntries(
        Object.entries(evalCase.finalState ?? {}).map(([key, value]) => ({
          isSatisfied: Object.hasOwn(state, key) && sameJson(value, state[key]),
          text: `${key}: expected ${shownJson(value)}, actual ${Object.hasOwn(state, key) ? shownJson(state[key]) : "no value"}`,
        })),
      )
    },
  }),
}

interface Assertion {
  /**
   * Index of the turn after which the condition on the session state is evaluated. Null means after
   * the last turn.
   */
  readonly after: number | null
  readonly condition: CompiledCondition
}

const conditions = "conditions"

/** Criterion `state_assertions_v1`, which checks conditions on the session state after a turn. */
export const stateAssertions: CriterionType = {
  options: {
    [conditions]: {
      description: "Conditions on the session state.",
      type: "array",
      items: {
        anyOf: [
          { type: "string" },
          {
            ...objectSchema({
              after: {
                description: "Index of the turn, from 0. Default: the last.",
                ...wholeNumber,
              },
              condition: { type: "string" },
            }),
            ...requiredFieldSchema("condition"),
          },
        ],
      },
    },
  },
  requiredOption: conditions,
  read(input) {
    const { options, read } = input
    const list = read.requiredList(fieldOf(options, conditions))
    const assertions = (list === null ? [] : itemsOf(list)).flatMap(
      (item) => readAssertion(item, input) ?? [],
    )
    return {
      score: ({ run }) =>
        scoreEntries(
          assertions.map(({ after, condition }) => {
            const turn = run.turns[after ?? run.turns.length - 1]
            const failure =
              turn === undefined ? "its turn did not happen" : failureOf(condition, turn.state)
            return {
              isSatisfied: failure === null,
              text: `${shownText(condition.source)}: ${failure ?? "true"}`,
            }
          }),
        ),
    }
  },
}

function readAssertion(item: LocatedValue, input: CriterionInput): Assertion | null {
  const { read } = input
  if (typeof item.value === "string") {
    const condition = parse(item.value, item.pointer, input)
    return condition === null ? null : { after: null, condition }
  }
  const object = read.requiredObject(item)
  if (object === null) return null
  const after = fieldOf(object, "after")
  const source = fieldOf(object, "condition")
  const text = read.requiredText(source)
  const condition = text === null ? null : parse(text, source.pointer, input)
  const turn = isMissing(after) ? null : readWholeNumber(after, input)
  return condition === null ? null : { after: turn, condition }
}

function parse(
  source: string,
  pointer: string,
  { mistakes }: Pick<CriterionInput, "mistakes">,
): CompiledCondition | null {
  try {
    return compileCondition(source)
  } catch (error) {
    mistakes.add(
      "criterion_invalid",
      pointer,
      `the condition does not parse: ${thrownMessage(error)}`,
      "Write an expression such as session_state['total'] > 3.",
    )
    return null
  }
}

/** Returns the reason why a condition is not satisfied, or null if it is satisfied. */
function failureOf(
  condition: CompiledCondition,
  state: Readonly<Record<string, unknown>>,
): string | null {
  try {
    return condition.evaluate(state).truthy ? null : "false"
  } catch (error) {
    return thrownMessage(error)
  }
}

const shownJson = (value: unknown): string => shownText(JSON.stringify(value) ?? "no value")
