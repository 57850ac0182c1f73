import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { folderOf } from "../../src/compiler/1-parse/files/config-folder.js"
import type { ReadOptions } from "../../src/compiler/read-workflow.js"
import { readWorkflow } from "../../src/compiler/read-workflow.js"
import { httpTool, llmAgent, sequence, workflow } from "./example-configs.js"
import { randomCases } from "../support/random-cases.js"

const valid = workflow(
  [
    sequence("line", ["fan", "rounds", "asker"], { outputKey: "report" }),
    {
      ...sequence("fan", ["news", "facts"]),
      type: "ParallelAgent",
      failurePolicy: "collect",
      maxConcurrency: 2,
    },
    llmAgent("news", {
      tools: ["find", "ask"],
      outputKey: "news_text",
      activityConfig: { startToCloseTimeout: "5s", retryPolicy: { maximumAttempts: 2 } },
    }),
    llmAgent("facts", { subAgents: [llmAgent("checker")] }),
    {
      ...sequence("rounds", ["news"]),
      type: "LoopAgent",
      maxAgentLoopIterations: 3,
      loopExitCondition: "session_state.get('news_text') == 'done'",
    },
    { type: "HumanAgent", id: "asker", prompt: "Which?", outputKey: "choice" },
    llmAgent("expert"),
  ],
  {
    globalTools: [
      httpTool("find", { parameters: {} }),
      { type: "AgentTool", id: "ask", targetAgentId: "expert" },
    ],
    state: { budget: 3 },
    stateMerge: { notes: "append" },
    maxModelCalls: 5,
  },
)

const validAdk = {
  name: "front",
  model: "large",
  instruction: "Speak {tongue} and follow {artifact.rules.md}.",
  tools: ["exit_loop", { name: "AgentTool", args: { agent: { name: "expert", model: "small" } } }],
  subAgents: [
    {
      type: "SequentialAgent",
      name: "line",
      subAgents: [
        {
          name: "writer",
          outputKey: "draft",
          outputSchema: { type: "object" },
          generateContentConfig: { topK: 1 },
        },
        {
          type: "LoopAgent",
          name: "rounds",
          when: "session_state.get('draft') != ''",
          subAgents: [{ name: "critic", tools: ["exit_loop"] }],
        },
        {
          type: "ParallelAgent",
          name: "fan",
          failurePolicy: "collect",
          subAgents: [{ name: "one" }, { type: "HumanAgent", name: "asker", prompt: "Which?" }],
        },
      ],
    },
  ],
  state: { tongue: "Dutch" },
  maxModelCalls: 5,
}

/** Checks that the result is a workflow or has an error, and that every diagnostic is complete. */
function expectAnswer(source: string | object, options: ReadOptions = {}): void {
  const { workflow: found, diagnostics } = readWorkflow(source, options)
  expect(found === null).toBe(diagnostics.some(({ severity }) => severity === "error"))
  for (const { message, fix, pointer } of diagnostics)
    expect(message !== "" && fix !== "" && (pointer === "" || pointer.startsWith("/"))).toBe(true)
}

/** Puts a value into a copy of the config. The numbers choose the location and the key. */
function mutated(
  config: unknown,
  choices: readonly number[],
  value: unknown,
  key: string | null,
): unknown {
  if (typeof config !== "object" || config === null) return value
  const copy: Record<string, unknown> | unknown[] = Array.isArray(config)
    ? [...config]
    : { ...config }
  const keys = Object.keys(copy)
  const [choice = 0, ...rest] = choices
  const chosen = rest.length === 0 && key !== null ? key : keys[choice % keys.length]
  if (chosen === undefined) return value
  Object.defineProperty(copy, chosen, {
    value: rest.length === 0 ? value : mutated(Reflect.get(copy, chosen), rest, value, key),
    configurable: true,
    enumerable: true,
    writable: true,
  })
  return copy
}

const words = fc.constantFrom(
  "line",
  "fan",
  "news",
  "LoopAgent",
  "HttpTool",
  "transfer_to_agent",
  "",
  "{{",
  "5s",
  "__proto__",
  "subAgents",
  "agentId",
  "when",
  "nodes",
  "config",
  "name",
  "agent_class",
  "Workflow",
  "x.Y",
  "exit_loop",
  "AgentTool",
  "args",
  "tools",
  "planner",
  "beforeAgentCallbacks",
)
const anyJson = fc.oneof(
  { weight: 2, arbitrary: fc.jsonValue() },
  words,
  fc.constant(null),
  fc.array(fc.record({ agentId: words })),
  fc.record({ type: words, id: words }),
)

const validYaml: Readonly<Record<string, string>> = {
  "root_agent.yaml":
    "agent_class: SequentialAgent\nname: all\nsub_agents:\n  - config_path: team/writer.yaml\n  - code: shop.engine\n  - agent_class: Workflow\n    name: flow\n    edges:\n      - [START, shop.split, team/done.yaml]\n",
  "team/writer.yaml":
    "name: writer\nmodel: &model large\ninstruction: |\n  Write {it?}.\ntools:\n  - name: shop.find\n    args: { top_k: 5 }\n  - name: McpToolset\n    args: { streamable_http_connection_params: { url: 'https://tools.example.com' } }\n",
  "team/done.yaml": "name: done\nagent_class: JoinNode\n",
}

const yamlBits = fc.constantFrom(
  "&a ",
  "*a",
  "*model",
  "<<: ",
  "? ",
  "- ",
  "---\n",
  "...\n",
  "!!map ",
  "!<",
  "%YAML 9.9\n",
  "|",
  ">",
  "\t",
  "'",
  '"',
  "{",
  "}",
  "[",
  "]",
  ":",
  ": ",
  "#",
  "\n",
  "\r",
  "  ",
  "root_agent.yaml",
  "../",
  "\u0000",
  "\ud800",
  "=",
  "~",
  "name",
  "@",
  "`",
)

describe("reading invalid workflows", () => {
  test("a valid config has no diagnostics", () => {
    expect(readWorkflow(valid).diagnostics).toEqual([])
    expect(readWorkflow(validAdk).diagnostics).toEqual([])
  })

  test("readWorkflow does not throw for any JSON, as an object or as a text", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expectAnswer(JSON.stringify(json))
        if (typeof json === "object" && json !== null) expectAnswer(json)
        expectAnswer(JSON.stringify(json), { dialect: "adk" })
      }),
      { numRuns: randomCases(300) },
    )
  })

  test("readWorkflow does not throw for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => expectAnswer(text)),
      { numRuns: randomCases(300) },
    )
  })

  test("readWorkflow does not throw for a config with removed or inserted characters", () => {
    const text = JSON.stringify(valid, null, 2)
    const intruder = fc.oneof(
      fc.constantFrom("", ",", "}", "]", "{", '"', "'", ":", "//", "\\", "\n"),
      fc.string({ maxLength: 5 }),
    )
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(20), intruder, (start, length, put) => {
        expectAnswer(text.slice(0, start) + put + text.slice(start + length))
      }),
      { numRuns: randomCases(500) },
    )
  })

  test.each([
    ["graph-compose", valid, {}],
    ["graph-compose, read as adk", valid, { dialect: "adk" }],
    ["adk, detected", validAdk, {}],
    ["adk, read as adk", validAdk, { dialect: "adk" }],
  ] as const)(
    "readWorkflow does not throw for a config with a random value (%s)",
    (_, given, options) => {
      const places = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 })
      fc.assert(
        fc.property(places, anyJson, fc.option(words), (choices, value, key) => {
          const config = mutated(given, choices, value, key)
          expectAnswer(JSON.stringify(config), options)
          if (typeof config === "object" && config !== null) expectAnswer(config, options)
        }),
        { numRuns: randomCases(1000) },
      )
    },
  )

  test("readWorkflow does not throw for folders of YAML with inserted pieces of YAML", () => {
    expect(readWorkflow(folderOf(validYaml)).diagnostics).toEqual([])
    const files = Object.keys(validYaml)
    const edits = fc.array(fc.record({ at: fc.nat(400), drop: fc.nat(6), bit: yamlBits }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.constantFrom(...files), edits, (file, given) => {
        let text = validYaml[file] ?? ""
        for (const { at, drop, bit } of given)
          text = text.slice(0, at % text.length) + bit + text.slice((at % text.length) + drop)
        expectAnswer(folderOf({ ...validYaml, [file]: text }))
        expectAnswer(text)
      }),
      { numRuns: randomCases(1000) },
    )
  })
})
