import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Validator } from "@cfworker/json-schema"
import type { Schema } from "@cfworker/json-schema"
import { describe, expect, test } from "vitest"
import type { Dialect } from "../../src/compiler/agent-types/dialects.js"
import { dialects } from "../../src/compiler/agent-types/dialects.js"
import { readWorkflow } from "../../src/compiler/read-workflow.js"
import { configSchema } from "../../src/compiler/schema/config-schema.js"
import { withServices } from "../conformance/stand-ins.mjs"

const validators = new Map(
  dialects.map((dialect) => [dialect, new Validator(configSchema(dialect) as Schema, "2020-12")]),
)

function errorsOf(config: unknown, dialect: Dialect): readonly string[] {
  const result = validators.get(dialect)?.validate(config)
  if (result === undefined) throw new Error(`there is no schema for ${dialect}`)
  return result.valid
    ? []
    : result.errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}

const jsonFiles = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".json") && !file.includes("node_modules"))
        .map((file) => join(folder, file))
    : []

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A config compiles if it has no errors. Unknown fields are warnings, but the schema rejects them. */
function compiles(config: object, dialect: Dialect): boolean {
  const { diagnostics } = readWorkflow(config, { dialect, allowProcesses: true })
  return diagnostics.every(({ severity, code }) => severity !== "error" && code !== "unknown_field")
}

describe("the schema of a dialect", () => {
  const folder = fileURLToPath(new URL("../conformance/vectors/", import.meta.url))
  const vectors = jsonFiles(folder).map((file) => JSON.parse(readFileSync(file, "utf8")))

  test.skipIf(vectors.length === 0)(
    "the schema accepts every conformance vector that compiles",
    () => {
      let checked = 0
      const wrong = vectors.flatMap((vector) => {
        const { config } = { ...vector, ...withServices(vector, []) }
        const { id, dialect } = vector
        if (!isObject(config) || !compiles(config, dialect)) return []
        checked++
        const errors = errorsOf(config, dialect)
        return errors.length === 0 ? [] : [{ id, errors: errors.slice(-3) }]
      })
      expect(wrong).toEqual([])
      expect(checked).toBeGreaterThan(280)
    },
  )

  test("the schema accepts every example config", () => {
    const examples = fileURLToPath(new URL("../../examples/", import.meta.url))
    let checked = 0
    for (const file of jsonFiles(examples)) {
      const config: unknown = JSON.parse(readFileSync(file, "utf8"))
      if (!isObject(config) || !("agents" in config || "agent_class" in config)) continue
      for (const dialect of dialects) {
        if (!compiles(config, dialect)) continue
        checked++
        expect({ file, errors: errorsOf(config, dialect) }).toEqual({ file, errors: [] })
      }
    }
    expect(checked).toBeGreaterThan(3)
  })
})

const httpConfig = { url: "https://example.com/writer", method: "POST" }

const graphCompose = {
  rootAgentId: "rounds",
  agents: [
    {
      type: "LoopAgent",
      id: "rounds",
      subAgents: [{ agentId: "writer" }],
      maxAgentLoopIterations: 3,
    },
    { type: "LlmAgent", id: "writer", httpConfig, tools: ["search"] },
    { type: "ParallelAgent", id: "fan", subAgents: [{ agentId: "writer" }] },
    { type: "HumanAgent", id: "editor", prompt: "Publish?" },
  ],
  globalTools: [{ type: "HttpTool", id: "search", httpConfig }],
}

const adk = {
  agent_class: "LoopAgent",
  name: "rounds",
  max_iterations: 3,
  sub_agents: [
    { name: "writer", model: "large", instruction: "Write.", output_key: "draft" },
    { agent_class: "HumanAgent", name: "editor", prompt: "Publish?" },
  ],
}

/** Sets one value in a copy of a config; `undefined` removes it. */
function changed(config: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(config))
    return config.map((entry, index) => (index === key ? changed(entry, rest, value) : entry))
  if (!isObject(config)) throw new Error(`there is no object at ${key}`)
  const { [key]: old, ...others } = config
  const inner = changed(old, rest, value)
  return inner === undefined ? others : { ...others, [key]: inner }
}

type Mistake = readonly [path: readonly (string | number)[], value: unknown]

const graphComposeMistakes: readonly Mistake[] = [
  [["rootAgentId"], undefined],
  [["rootAgentId"], 5],
  [["agents"], []],
  [["agents"], "writer"],
  [["maxModelCalls"], 0],
  [["maxModelCalls"], "5"],
  [["onConditionError"], "ignore"],
  [["stateMerge"], { total: "sum" }],
  [["state"], []],
  [["budget"], { maxTokens: -1 }],
  [["budget"], { onExceeded: "stop" }],
  [["maxDuration"], "soon"],
  [["agentz"], []],
  [["agents", 0, "type"], "LopAgent"],
  [["agents", 0, "type"], undefined],
  [["agents", 0, "id"], undefined],
  [["agents", 0, "id"], "two words"],
  [["agents", 0, "maxAgentLoopIterations"], undefined],
  [["agents", 0, "maxAgentLoopIterations"], 1.5],
  [["agents", 0, "max_agent_loop_iterations"], 4],
  [["agents", 0, "subAgents"], []],
  [["agents", 0, "subAgents", 0], "writer"],
  [["agents", 0, "subAgents", 0, "agentId"], undefined],
  [["agents", 0, "loopExitCondition"], 5],
  [["agents", 1, "httpConfig"], undefined],
  [["agents", 1, "httpConfig", "url"], "example.com"],
  [["agents", 1, "httpConfig", "method"], "SEND"],
  [["agents", 1, "httpConfig", "verb"], "POST"],
  [["agents", 1, "tools"], "search"],
  [["agents", 1, "outputKey"], "loop_exit_reason"],
  [["agents", 1, "disallowTransferToPeers"], "yes"],
  [["agents", 1, "activityConfig"], { retryPolicy: { maximumAttempts: 0 } }],
  [["agents", 1, "expiresIn"], -1],
  [["agents", 1, "instruction"], "Write."],
  [["agents", 2, "outputKey"], "draft"],
  [["agents", 2, "failurePolicy"], "ignore"],
  [["agents", 2, "maxConcurrency"], 0],
  [["agents", 3, "model"], "large"],
  [["agents", 3, "onExpiry"], "wait"],
  [["globalTools", 0, "type"], "FtpTool"],
  [["globalTools", 0, "httpConfig"], undefined],
  [["globalTools", 0, "parameters"], "none"],
]

const adkMistakes: readonly Mistake[] = [
  [["agent_class"], "LopAgent"],
  [["name"], undefined],
  [["name"], "two words"],
  [["max_iterations"], 0],
  [["maxIterations"], 4],
  [["sub_agents"], []],
  [["sub_agents"], undefined],
  [["instruction"], "Write."],
  [["max_model_calls"], "many"],
  [["sub_agents", 0, "include_contents"], "all"],
  [["sub_agents", 0, "output_schema"], 5],
  [["sub_agents", 0, "output_key"], ""],
  [["sub_agents", 0, "instructions"], "Write."],
  [["sub_agents", 0, "planner"], {}],
  [["sub_agents", 0, "tools"], [5]],
  [["sub_agents", 0, "before_model_callback"], 5],
  [["sub_agents", 1, "model"], "large"],
  [["sub_agents", 1, "expires_in"], "soon"],
]

describe.each([
  ["graph-compose", graphCompose, graphComposeMistakes],
  ["adk", adk, adkMistakes],
] as const)("the schema of the %s dialect", (dialect, config, mistakes) => {
  test("accepts the config without a mistake", () => {
    expect(errorsOf(config, dialect)).toEqual([])
    expect(compiles(config, dialect)).toBe(true)
  })

  test.each(mistakes.map(([path, value]) => [path.join("."), value, path] as const))(
    "rejects %s = %j",
    (_, value, path) => {
      const wrong = changed(config, path, value)
      expect(errorsOf(wrong, dialect)).not.toEqual([])
      // The compiler reports it, too.
      expect(readWorkflow(wrong as object, { dialect }).diagnostics).not.toEqual([])
    },
  )
})
