import { describe, expect, test } from "vitest"
import type { CompileOptions } from "../../src/compiler/index.js"
import { compile, folderOf } from "../../src/compiler/index.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { calls, scriptedModel } from "../support/in-both-interpreters.js"

const agent = (tools: readonly unknown[], more: object = {}) => ({
  name: "clerk",
  model: "any",
  instruction: "Work.",
  tools,
  ...more,
})

const compiled = (tools: readonly unknown[], options: CompileOptions = {}) =>
  compile(agent(tools), options)

const prefixes = ["", "google.adk.tools.", "google.adk.tools.some_module."]

describe.each(prefixes)("a tool class of ADK, written as %sClass", (prefix) => {
  test.each([
    ["FunctionTool", {}],
    ["LongRunningFunctionTool", { longRunning: true }],
  ])("%s becomes a tool that calls the function in its args", (name, fields) => {
    const args = { func: "my.ask", require_confirmation: true }
    const { chart, diagnostics } = compiled([{ name: `${prefix}${name}`, args }])
    expect(diagnostics).toEqual([])
    expect(chart?.tools).toEqual({
      ask: {
        type: "FunctionTool",
        service: "my.ask",
        outputKey: null,
        expiresInMs: null,
        requireConfirmation: true,
        ...fields,
      },
    })
    expect(chart?.services).toEqual({ "my.ask": { kind: "tool", usedBy: "clerk" } })
  })

  test("a FunctionTool or a LongRunningFunctionTool without a function is reported", () => {
    const found = ["FunctionTool", { name: "LongRunningFunctionTool", args: {} }].map((tool) =>
      typeof tool === "string" ? `${prefix}${tool}` : { ...tool, name: `${prefix}${tool.name}` },
    )
    expect(compiled(found).diagnostics.map(({ code }) => code)).toEqual([
      "missing_field",
      "missing_field",
    ])
  })

  test.each(["ExampleTool", "GoogleApiToolset", "LoadMemoryTool"])(
    "%s is reported as unsupported, with and without args",
    (name) => {
      const found = compiled([`${prefix}${name}`])
      const withArgs = compiled([{ name: `${prefix}${name}`, args: { examples: [] } }])
      for (const { chart, diagnostics } of [found, withArgs]) {
        expect(chart).toBeNull()
        expect(diagnostics[0]).toMatchObject({ code: "unsupported_feature", severity: "error" })
        expect(diagnostics[0]?.message).toContain(name)
      }
    },
  )

  test("a hosted tool is omitted from the chart with a warning, with and without args", () => {
    const args = { data_store_id: "d" }
    for (const tool of [
      `${prefix}VertexAiSearchTool`,
      { name: `${prefix}VertexAiSearchTool`, args },
    ]) {
      const { chart, diagnostics } = compiled([tool])
      expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
        ["hosted_tool", "warning"],
      ])
      expect(chart?.tools).toEqual({})
    }
  })

  test("a registered tool with the name of a class replaces the class and receives the args", () => {
    const services = [{ name: "ExampleTool", kind: "tool" as const }]
    const args = { examples: ["a"] }
    const { chart } = compiled([{ name: `${prefix}ExampleTool`, args }], { services })
    expect(chart?.tools["ExampleTool"]).toMatchObject({
      type: "FunctionTool",
      service: "ExampleTool",
      factory: args,
    })
  })
})

test("an unknown class of google.adk is reported as unsupported", () => {
  const { diagnostics } = compiled(["google.adk.labs.Thing"])
  expect(diagnostics.map(({ code }) => code)).toEqual(["unsupported_feature"])
})

test("several agents can use the same function as one tool", () => {
  const tool = { name: "LongRunningFunctionTool", args: { func: "my.ask" } }
  const { chart, diagnostics } = compile(
    agent([tool], { sub_agents: [{ name: "helper", tools: [tool] }] }),
  )
  expect(diagnostics).toEqual([])
  expect(Object.keys(chart?.tools ?? {})).toEqual(["ask"])
})

test("a run waits for the result of a LongRunningFunctionTool", async () => {
  const { chart } = compiled([{ name: "LongRunningFunctionTool", args: { func: "my.ask" } }])
  if (chart === null) throw new Error("no chart")
  const { models } = scriptedModel({ clerk: [calls("ask"), { content: "done" }] })
  const run = createRunner({ models, services: { "my.ask": () => "ticket-1" } }).start(chart, {
    prompt: "go",
  })
  expect((await run.whenSettled()).status).toBe("waiting")
  expect(run.pending()).toMatchObject([{ kind: "tool", details: { ticket: "ticket-1" } }])
})

describe("an agent that is defined in code", () => {
  test("an agent in code gets the name that its service declares", () => {
    const services = [{ name: "x.agent.root_agent", kind: "agent" as const, shownAs: "expert" }]
    const root = { agent_class: "SequentialAgent", name: "root_agent" }
    const { chart, diagnostics } = compile(
      { ...root, sub_agents: [{ code: "x.agent.root_agent" }] },
      { services },
    )
    expect(diagnostics).toEqual([])
    expect(chart?.services?.["x.agent.root_agent"]?.usedBy).toBe("expert")
  })

  test.each([undefined, [{ name: "x.agent.root_agent", kind: "agent" as const }]])(
    "an agent in code gets the full name of its service if the service declares no name",
    (services) => {
      const root = { agent_class: "SequentialAgent", name: "root_agent" }
      const { chart, diagnostics } = compile(
        { ...root, sub_agents: [{ code: "x.agent.root_agent" }] },
        services && { services },
      )
      expect(diagnostics).toEqual([])
      expect(chart?.services?.["x.agent.root_agent"]?.usedBy).toBe("x.agent.root_agent")
    },
  )

  test("the service of a custom agent class receives the fields of the agent", async () => {
    const seen: unknown[] = []
    const { chart, diagnostics } = compile({
      agent_class: "my.agents.Greeter",
      name: "greeter",
      greeting: "Hello",
      max_words: 5,
      nested: { snake_key: [1] },
    })
    expect(diagnostics).toEqual([])
    if (chart === null) throw new Error("no chart")
    const services = {
      "my.agents.Greeter": ({ factory }: { readonly factory: unknown }) => void seen.push(factory),
    }
    await createRunner({ services }).start(chart, { prompt: "go" }).whenSettled()
    expect(seen).toEqual([{ greeting: "Hello", max_words: 5, nested: { snake_key: [1] } }])
  })
})

test.each([
  ["a text", "Be kind."],
  ["a Content", { role: "user", parts: [{ text: "Be kind." }] }],
  ["a list of parts", [{ text: "Be" }, { text: "kind." }]],
])("static_instruction may be %s", (_, written) => {
  const { chart, diagnostics } = compile({ ...agent([]), static_instruction: written })
  expect(diagnostics).toEqual([])
  const clerk = chart?.agents["clerk"]
  expect(clerk?.type === "LlmAgent" && clerk.adk?.staticInstruction?.replace("\n", " ")).toBe(
    "Be kind.",
  )
})

test("static_instruction with an image is reported as unsupported", () => {
  const parts = [{ text: "Look:" }, { inline_data: { data: "aGk=" } }]
  const { diagnostics } = compile({ ...agent([]), static_instruction: { parts } })
  expect(diagnostics.map(({ code, field }) => [code, field])).toEqual([
    ["unsupported_feature", "static_instruction.parts[1]"],
  ])
})

describe("a config file with two references", () => {
  const line = (...files: readonly string[]) =>
    folderOf({
      "root_agent.yaml": `agent_class: SequentialAgent\nname: line\nsub_agents:\n${files.map((file) => `  - config_path: ${file}`).join("\n")}`,
      "front.yaml":
        "name: front\nmodel: m\ninstruction: Ask.\ntools: [{name: AgentTool, args: {agent: expert.yaml}}]",
      "expert.yaml": "name: expert\nmodel: m\ninstruction: Answer.",
    })

  test.each([
    ["before", ["front.yaml", "expert.yaml"]],
    ["after", ["expert.yaml", "front.yaml"]],
  ])("a file can be the target of a tool %s it is listed as a sub-agent", (_, files) => {
    const { chart, diagnostics } = compile(line(...files))
    expect(diagnostics).toEqual([])
    expect(chart?.tools["expert"]).toMatchObject({ type: "AgentTool", targetAgent: "expert" })
    expect(Object.keys(chart?.agents ?? {}).toSorted()).toEqual(["expert", "front"])
  })

  test("a file that is listed as two sub-agents is reported as a duplicate with a fix", () => {
    const { diagnostics } = compile(line("expert.yaml", "expert.yaml"))
    expect(diagnostics).toMatchObject([{ code: "duplicate_id", line: 5 }])
    expect(diagnostics[0]?.message).toMatch(/duplicate/)
    expect(diagnostics[0]?.fix).toMatch(/Copy expert.yaml.*"expert_2".*AgentTool/)
  })
})
