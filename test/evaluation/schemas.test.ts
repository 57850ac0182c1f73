import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Validator } from "@cfworker/json-schema"
import { describe, expect, test } from "vitest"
import { readEvalConfig, readEvalSet } from "../../src/evaluation/index.js"
import { evalConfigSchema } from "../../src/evaluation/schema/eval-config-schema.js"
import { evalSetSchema } from "../../src/evaluation/schema/eval-set-schema.js"

const setValidator = new Validator(evalSetSchema(), "2020-12")
const configValidator = new Validator(evalConfigSchema(), "2020-12")

const formats = {
  "eval set": {
    schemaAccepts: (value: unknown) => setValidator.validate(value).valid,
    readerAccepts: (value: unknown) =>
      readEvalSet(JSON.stringify(value), { file: "a.evalset.json" }).set !== null,
  },
  config: {
    schemaAccepts: (value: unknown) => configValidator.validate(value).valid,
    readerAccepts: (value: unknown) =>
      readEvalConfig(JSON.stringify(value), { file: "test_config.json" }).config !== null,
  },
} as const

const content = { parts: [{ text: "Cancel order 9." }] }

const rubrics = [
  {
    rubric_id: "polite",
    rubric_content: { text_property: "Is polite." },
    type: "TOOL_USE_QUALITY",
  },
]

const evalSet = {
  $schema: "./node_modules/agent-statecharts/dist/schema/eval-set.schema.json",
  eval_set_id: "orders",
  eval_cases: [
    {
      eval_id: "cancel",
      session_input: { state: { customer: "Ada" } },
      conversation: [
        {
          invocation_id: "1",
          user_content: content,
          final_response: content,
          intermediate_data: { tool_uses: [{ name: "cancel_order", args: { id: "9" } }] },
          rubrics,
        },
      ],
      final_session_state: { order: null },
      rubrics,
      x_agent_statecharts: {
        answers: [
          [
            { approve: true, args: {}, id: "1" },
            { reject: true, reason: "no" },
            { answer: 5 },
            { user: "hello" },
          ],
        ],
        criteria: {},
      },
    },
  ],
}

const camelCaseSet = {
  evalCases: [
    {
      evalId: "mail",
      conversation: [
        {
          userContent: content,
          intermediateData: {
            invocationEvents: [
              { content: { parts: [{ functionCall: { name: "mail", args: {} } }] } },
            ],
          },
        },
      ],
    },
  ],
}

const oldTestFile = [
  {
    query: "Cancel order 9.",
    expected_tool_use: [{ tool_name: "cancel_order", tool_input: { id: "9" } }],
    reference: "Done.",
  },
]

const oldEvalSet = [{ name: "cancel", data: oldTestFile, initial_session: { state: {} } }]

const config = {
  criteria: {
    tool_trajectory_avg_score: { threshold: 1, match_type: "in_order", ignore_args: false },
    response_match_score: 0.8,
    final_response_match_v2: {
      threshold: 0.5,
      judge_model_options: { judge_model: "small", num_samples: 3 },
    },
    rubric_based_tool_use_quality_v1: { rubrics },
    safety_v1: 3,
  },
  x_agent_statecharts: {
    criteria: {
      tool_parameter_match_v1: 0.8,
      final_session_state_v1: { threshold: 1 },
      statechart_path_v1: {
        visited: ["writer"],
        avoided: ["editor"],
        order: ["writer"],
        counts: { writer: { min: 1, max: 3 } },
      },
      state_assertions_v1: {
        conditions: ["session_state['total'] > 3", { after: 0, condition: "not True" }],
      },
      run_bounds_v1: {
        max_cost: 0.5,
        max_duration: "90s",
        maxModelCalls: 5,
        status: ["completed"],
      },
      tool_policy_v1: {
        forbidden: ["delete"],
        required: ["find"],
        allowed: ["find"],
        before: [["find", "refund"]],
        max_calls: { refund: 1 },
        arguments: { refund: { type: "object" } },
      },
      response_text_v1: {
        contains: ["order"],
        not_contains: ["sorry"],
        matches: ["^Order"],
        max_words: 40,
        invocation: -1,
        case_sensitive: true,
      },
    },
  },
}

const documents: readonly (readonly [string, keyof typeof formats, unknown])[] = [
  ["an eval set", "eval set", evalSet],
  ["an eval set in camelCase", "eval set", camelCaseSet],
  ["an old test file", "eval set", oldTestFile],
  ["an old eval set", "eval set", oldEvalSet],
  ["a config", "config", config],
]

/** The values that replace each value of a document, one at a time. */
const replacements: readonly unknown[] = [null, true, 7, -1, 0.5, "1", [], ["1"], {}]

interface Mutation {
  readonly label: string
  readonly value: unknown
}

/** Returns copies of a value in which one value is replaced or removed, or has another key. */
function mutationsOf(value: unknown, path = ""): readonly Mutation[] {
  const replaced = replacements.map((replacement) => ({
    label: `${path} = ${JSON.stringify(replacement)}`,
    value: replacement,
  }))
  if (typeof value !== "object" || value === null) return replaced
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  const copyOf = (changed: readonly (readonly [string, unknown])[]): unknown =>
    isList ? changed.map(([, item]) => item) : Object.fromEntries(changed)
  const inside = entries.flatMap(([key, item], index) => {
    const at = `${path}/${key}`
    const misspelled = {
      label: `${at} misspelled`,
      value: copyOf(entries.with(index, [`${key}s`, item])),
    }
    return [
      ...mutationsOf(item, at).map(({ label, value: mutated }) => ({
        label,
        value: copyOf(entries.with(index, [key, mutated])),
      })),
      { label: `${at} removed`, value: copyOf(entries.toSpliced(index, 1)) },
      ...(isList ? [] : [misspelled]),
    ]
  })
  return [...replaced, ...inside]
}

describe.each(documents)("the schema for %s", (_, format, document) => {
  const { schemaAccepts, readerAccepts } = formats[format]

  test("the schema and the reader accept the file", () => {
    expect([schemaAccepts(document), readerAccepts(document)]).toEqual([true, true])
  })

  test("the schema and the reader accept and reject the same changed files", () => {
    const mutations = mutationsOf(document)
    expect(mutations.length).toBeGreaterThan(40)
    expect(
      mutations
        .filter(({ value }) => schemaAccepts(value) !== readerAccepts(value))
        .map(
          ({ label, value }) =>
            `${label}: only the ${schemaAccepts(value) ? "schema" : "reader"} accepts it`,
        ),
    ).toEqual([])
  })
})

test.each([
  [
    { criteria: { short: 5 }, custom_metrics: { short: { code_config: { name: "m.short" } } } },
    true,
  ],
  [{ criteria: { short: 5 }, customMetrics: { short: { codeConfig: { name: "m.short" } } } }, true],
  [{ criteria: { short: 5 } }, false],
  [{ criteria: { short: 5 }, custom_metrics: { short: { code_config: {} } } }, false],
  [{ criteria: { token_usage_v1: 5 }, custom_metrics: {} }, false],
])("the schema of configs supports custom metrics: %j is valid: %j", (value, isValid) => {
  const { schemaAccepts, readerAccepts } = formats.config
  expect([schemaAccepts(value), readerAccepts(value)]).toEqual([isValid, isValid])
})

test("a file that the reader accepts satisfies the schema", () => {
  const folders = ["vectors", "../../examples"].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  )
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /(^|[\w.]*\W)(evalset|test_config|\w+\.test)\.json$/.test(file))
      .map((file) => join(folder, file)),
  )
  expect(files.length).toBeGreaterThan(60)
  const rejected = files.filter((file) => {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"))
    const format = formats[file.endsWith("test_config.json") ? "config" : "eval set"]
    return format.readerAccepts(value) && !format.schemaAccepts(value)
  })
  expect(rejected).toEqual([])
})
