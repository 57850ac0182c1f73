import { conditionLiterals } from "../../expression/condition-literals.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Act } from "../behavior/act.js"
import { readCondition } from "../conditions/read-condition.js"
import { sampleFromSchema, samplesOfFields } from "../worst-case/schema-sample.js"

/**
 * The source of a value that a run reads. It is the initial state (`start`), a model (`text`), a
 * person (`answer`), or a tool or function (`any`). A model returns text, and a tool or function
 * can return any JSON value.
 */
export type ValueSource =
  | { readonly type: "start"; readonly given: unknown; readonly isGiven: boolean }
  | { readonly type: "text"; readonly agent: string }
  | { readonly type: "answer"; readonly agent: string | null }
  | { readonly type: "any" }

/**
 * Returns the source of the value in a response. For example, the source of the value in a model
 * response is `text`.
 */
export function sourceOf(act: Exclude<Act, { by: "clock" }>): ValueSource {
  switch (act.by) {
    case "model":
      return { type: "text", agent: act.agent }
    case "person":
      return { type: "answer", agent: act.agent }
    case "tool":
    case "function":
      return { type: "any" }
  }
}

const defaultText = "ok"

/**
 * Returns the values to try for a variable, starting with the most common. `sources` contains the
 * conditions that read the value, and example values as JSON. The literals in the conditions are
 * tried too.
 */
export function valueDomain(
  source: ValueSource,
  sources: ReadonlySet<string>,
  chart: AgentChart,
): readonly unknown[] {
  const literals = [...sources].map((text) =>
    readCondition(text) === null ? { texts: [], numbers: [] } : conditionLiterals(text),
  )
  const wanted = [...sources].flatMap(jsonOf)
  const texts = literals.flatMap((each) => each.texts)
  const numbers = literals
    .flatMap((each) => each.numbers)
    .flatMap((number) => [number, number + 1, number - 1])
  const allTexts = [
    ...wanted.filter((value) => typeof value === "string"),
    ...texts,
    ...numbers.map(String),
    "",
    "some longer text",
    "0",
    "7",
    "True",
    "False",
  ]
  const others = [...wanted, ...numbers, true, false, null, 7.5, [], ["some"], {}]
  const definition =
    (source.type === "text" || source.type === "answer") &&
    source.agent !== null &&
    Object.hasOwn(chart.agents, source.agent)
      ? chart.agents[source.agent]
      : undefined
  switch (source.type) {
    case "start":
      return unique(
        source.isGiven
          ? [source.given, ...allTexts, ...others]
          : [undefined, ...allTexts, ...others],
      )
    case "text": {
      const schema = definition?.type === "LlmAgent" ? (definition.adk?.outputSchema ?? null) : null
      return schema === null
        ? unique([defaultText, ...allTexts])
        : unique([sampleFromSchema(schema), ...samplesOfFields(schema)])
    }
    case "answer":
      return definition?.type === "HumanAgent" && definition.choices !== undefined
        ? definition.choices
        : unique([defaultText, ...allTexts, ...others])
    case "any":
      return unique([defaultText, ...allTexts, ...others])
  }
}

function jsonOf(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)]
  } catch (cause) {
    // A condition is usually not JSON.
    if (cause instanceof SyntaxError) return []
    throw cause
  }
}

function unique(values: readonly unknown[]): readonly unknown[] {
  const seen = new Map(values.map((value) => [JSON.stringify(value) ?? "", value]))
  return [...seen.values()]
}
