import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Schema } from "@cfworker/json-schema"
import { Validator } from "@cfworker/json-schema"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { readScenario } from "../../src/adapters/scripted/index.js"
import { scenarioSchema } from "../../src/adapters/scripted/scenario-schema.js"
import { compile } from "../../src/index.js"
import { cli, folderWith, isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"

const patterns = [
  /^examples\/[\w-]+\/(workflow|scenario)\.json$/,
  /^examples\/.*(?<!\.policy)\.yaml$/,
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

/** The schema that a file refers to, as an editor finds it. A template is copied into a project. */
function schemaOf(file: string, text: string): string {
  const [, path = ""] = /\$schema(?:": "|=)([^"\s]+)/.exec(text) ?? []
  const [, inPackage] = /node_modules\/agent-statecharts\/(.*)/.exec(path) ?? []
  return inPackage === undefined
    ? resolve(projectFolder, dirname(file), path)
    : join(projectFolder, inPackage)
}

describe.skipIf(!isBuilt)("the schema that a file names", () => {
  test("is found by the files of all examples and templates", () => {
    expect(files.length).toBeGreaterThan(60)
    expect(files.filter((file) => file.includes("templates")).length).toBeGreaterThan(11)
  })

  test.each(files)("accepts %s", (file) => {
    const text = readFileSync(join(projectFolder, file), "utf8")
    const schema = schemaOf(file, text)
    expect(existsSync(schema), schema).toBe(true)
    expect(schema).toContain(file.endsWith("scenario.json") ? "scenario.schema" : "schema/")
    expect(errorsOf(file.endsWith(".yaml") ? parse(text) : JSON.parse(text), schema)).toEqual([])
  })

  test.each(["graph-compose", "adk", "scenario"])(
    "is the one that `schema %s` prints",
    async (name) => {
      const { code, stdout } = await cli(["schema", name])
      expect(code).toBe(0)
      const file = join(projectFolder, "dist", "schema", `${name}.schema.json`)
      expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(file, "utf8")))
    },
  )
})

test("`schema` without a name prints the schema of Graph Compose, and refuses other names", async () => {
  expect(JSON.parse((await cli(["schema"])).stdout)).toMatchObject({
    title: "A workflow in the graph-compose dialect of agent-statecharts",
  })
  const { code, stderr } = await cli(["schema", "yaml"])
  expect(code).toBe(2)
  expect(stderr).toContain("Allowed choices are graph-compose, adk, scenario.")
})

const accepts = (value: unknown): boolean =>
  new Validator(scenarioSchema() as Schema, "2020-12").validate(value).valid

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

test("every file of an ADK config may name its schema", async () => {
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
