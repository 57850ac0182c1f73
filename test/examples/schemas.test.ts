import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Schema } from "@cfworker/json-schema"
import { Validator } from "@cfworker/json-schema"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { readScenario } from "../../src/adapters/scripted/index.js"
import { scenarioSchema } from "../../src/adapters/scripted/scenario-schema.js"
import { policySchema } from "../../src/compiler/schema/policy-schema.js"
import { compile, readPolicies } from "../../src/index.js"
import { cli, folderWith, isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"

const patterns = [
  /^examples\/[\w-]+\/(workflow|scenario|schedules|webhooks)\.json$/,
  /^examples\/[\w-]+\/(test_config|\w+\.evalset)\.json$/,
  /^examples\/(?!deploy\/|openapi-shop\/).*\.yaml$/,
  /^templates\/workflows\/\w+\/(graph-compose\/workflow|all\/scenario)\.json$/,
  /^templates\/workflows\/.*\.yaml$/,
]
const files = ["examples", "templates"]
  .flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  .filter((file) => patterns.some((pattern) => pattern.test(file)))
  .sort()

const validators = new Map<string, Validator>()

function errorsOf(value: unknown, schema: string): readonly string[] {
  const validator =
    validators.get(schema) ??
    new Validator(JSON.parse(readFileSync(schema, "utf8")) as Schema, "2020-12")
  validators.set(schema, validator)
  return validator
    .validate(value)
    .errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}

/** Returns the path of the schema of a file, as an editor resolves it. A template refers to the installed package. */
function schemaOf(file: string, text: string): string {
  const [, path = ""] = /\$schema(?:": "|=)([^"\s]+)/.exec(text) ?? []
  const [, inPackage] = /node_modules\/agent-statecharts\/(.*)/.exec(path) ?? []
  return inPackage === undefined
    ? resolve(projectFolder, dirname(file), path)
    : join(projectFolder, inPackage)
}

describe.skipIf(!isBuilt)("the schema that a file names", () => {
  test("the checked files include files of examples and templates", () => {
    expect(files.length).toBeGreaterThan(60)
    expect(files.filter((file) => file.includes("templates")).length).toBeGreaterThan(11)
  })

  test.each(files)("the schema that %s names accepts this file", (file) => {
    const text = readFileSync(join(projectFolder, file), "utf8")
    const schema = schemaOf(file, text)
    expect(existsSync(schema), schema).toBe(true)
    expect(schema).toContain(file.endsWith("scenario.json") ? "scenario.schema" : "schema/")
    expect(errorsOf(file.endsWith(".yaml") ? parse(text) : JSON.parse(text), schema)).toEqual([])
  })

  test.each([
    "graph-compose",
    "adk",
    "scenario",
    "policy",
    "eval-set",
    "eval-config",
    "schedules",
    "webhooks",
  ])("the command `schema %s` prints the schema file of the package", async (name) => {
    const { code, stdout } = await cli(["schema", name])
    expect(code).toBe(0)
    const file = join(projectFolder, "dist", "schema", `${name}.schema.json`)
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(file, "utf8")))
  })
})

test("`schema` without a name prints the schema of Graph Compose, and rejects unknown names", async () => {
  expect(JSON.parse((await cli(["schema"])).stdout)).toMatchObject({
    title: "A workflow in the graph-compose dialect of agent-statecharts",
  })
  const { code, stderr } = await cli(["schema", "yaml"])
  expect(code).toBe(2)
  expect(stderr).toContain(
    "Allowed choices are graph-compose, adk, scenario, policy, eval-set, eval-config, schedules, webhooks.",
  )
})

const accepts = (value: unknown): boolean =>
  new Validator(scenarioSchema(), "2020-12").validate(value).valid

test.each([
  [{ llm: "writer" }],
  [{ llm: { writer: { content: "Hi" } } }],
  [{ llm: { writer: ["Hi"] } }],
  [{ llm: { writer: [{ content: "Hi", delayMs: "5" }] } }],
  [{ llm: { writer: [{ httpStatus: 20 }] } }],
  [{ llm: { writer: [{ reset: false }] } }],
  [{ tools: { search: [5] } }],
])("the schema of scenarios rejects %j, as the parser does", (scenario) => {
  expect(accepts(scenario)).toBe(false)
  expect(() => readScenario(scenario)).toThrow("is not a valid scenario")
})

test.each([
  [{}],
  [{ $schema: "./scenario.schema.json", about: "a note", llm: {} }],
  [{ llm: { writer: [{ content: 5, toolCalls: "none", own: true }, { malformed: "{" }] } }],
  [{ tools: { search: [{ delayMs: "data" }, { text: "plain", delayMs: 3 }, { json: [1] }] } }],
])("the schema of scenarios accepts %j, as the parser does", (scenario) => {
  expect(accepts(scenario)).toBe(true)
  expect(() => readScenario(scenario)).not.toThrow()
})

const isPolicyFile = (value: unknown): boolean =>
  new Validator(policySchema(), "2020-12").validate(value).valid

const call = { call: "pay" }

test.each([
  [{ name: "a" }],
  [{ name: "a b", never: call }],
  [{ name: "a", never: { call: "pay", start: "clerk" } }],
  [{ name: "a", never: { calls: "pay" } }],
  [{ name: "a", never: { by: "clerk" } }],
  [{ name: "a", never: [] }],
  [{ name: "a", never: call, atMost: 2 }],
  [{ name: "a", allow: call }],
  [{ name: "a", whenever: call }],
  [{ name: "a", atMost: -1, of: call }],
  [{ name: "a", notTogether: [{ agent: "x" }] }],
  [{ name: "a", notTogether: [{ agent: "x" }, { tool: "y" }] }],
  [{ name: "a", noFlow: { from: { result: "x" } } }],
  [{ name: "a", noFlow: { from: { arguments: "x" }, to: { arguments: "y" } } }],
  [{ name: "a", budget: {} }],
  [{ name: "a", never: call, per: "turn" }],
  [{ name: "a", never: call, onViolation: "stop" }],
  [{ name: "a", never: call, enforce: "yes" }],
  [{ name: "a", never: { finish: "x", outcome: "over" } }],
])("the schema of policy files rejects %j, as the parser does", (policy) => {
  const file = { policies: [policy] }
  expect(isPolicyFile(file)).toBe(false)
  expect(readPolicies(JSON.stringify(file)).policies).toBeNull()
})

test.each([
  [{ policies: [] }],
  [
    {
      $schema: "./policy.schema.json",
      functions: { tidy: {}, "*": { mayCall: [], mayWrite: "x", passes: false } },
      toolsets: { shop: { lists: ["pay"] } },
      assume: { modelSignals: "none", startState: "chart", session: "any", toolRounds: 2 },
      prices: { small: { perCall: 1 } },
      limits: { states: 10 },
      policies: [
        { name: "a.b-c", never: [call, { start: ["x", "y*"] }] },
        { name: "b", allow: call, onlyAfter: "approval", onViolation: "fail", description: "No." },
        { name: "c", allow: call, onlyAfter: { finish: "x", outcome: ["done", "failed"] } },
        { name: "d", never: call, after: { write: "k", equals: { a: 1 } }, in: "x", per: "run" },
        // oxlint-disable-next-line unicorn/no-thenable -- a field of policy files has this name
        { name: "e", whenever: { run: "started" }, then: call, evenIf: ["failed"] },
        { name: "f", atMost: 0, of: { call: "*", approved: false, except: "a", by: "x" } },
        { name: "g", notTogether: [{ agent: "x" }, { call: "y" }], per: "agent x" },
        {
          name: "h",
          noFlow: { from: [{ result: "x" }, { server: "y" }], to: { arguments: "z" } },
          unless: ["approval", { text: "x" }],
          per: "iteration of x",
        },
        { name: "i", budget: { modelCalls: 3, cost: 1.5 }, enforce: false },
      ],
    },
  ],
])("the schema of policy files accepts %j, as the parser does", (file) => {
  expect(readPolicies(JSON.stringify(file)).diagnostics).toEqual([])
  expect(isPolicyFile(file)).toBe(true)
})

test("every file of an ADK config may contain `$schema`, but a nested agent may not", async () => {
  const { openFolder } = await import("../../src/adapters/files/index.js")
  const folder = folderWith({
    "root_agent.yaml":
      "$schema: ./adk.schema.json\nagent_class: SequentialAgent\nname: line\nsub_agents:\n  - config_path: writer.yaml\n",
    "writer.yaml": "$schema: ./adk.schema.json\nname: writer\nmodel: large\ninstruction: Write.\n",
  })
  expect(compile(openFolder(folder)).diagnostics).toEqual([])
  const nested = { name: "writer", model: "large", instruction: "Write.", $schema: "x" }
  const { diagnostics } = compile({
    agent_class: "SequentialAgent",
    name: "line",
    sub_agents: [nested],
  })
  expect(diagnostics).toMatchObject([{ code: "unknown_field" }])
})
