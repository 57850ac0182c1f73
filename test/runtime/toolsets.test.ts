import { describe, expect, test } from "vitest"
import { drawMermaid } from "../../src/drawing/index.js"
import type { Toolset } from "../../src/runtime/host/host-service.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import type { CallServices } from "../../src/runtime/host/call-services.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import {
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
  toldByTools,
} from "../support/in-both-interpreters.js"

const done = { content: "done" }

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] }

/** A toolset that records its calls. */
function files(log: unknown[] = []): Toolset {
  return {
    list: ({ agent }) => {
      log.push(`listed for ${agent}`)
      return [
        { name: "read", description: "Reads a file.", parameters },
        { name: "write", parameters },
        { name: "stat" },
      ]
    },
    call: (_context, name, args) => {
      log.push([name, args])
      if (name === "write") throw new Error("the disk is full")
      return `${name} ${String(args["path"])}`
    },
  }
}

const clerk = (toolset: object = {}, fields: object = {}, more: object = {}) =>
  chartOf({
    rootAgentId: "clerk",
    initialUserInput: "go",
    agents: [
      {
        type: "LlmAgent",
        id: "clerk",
        model: "any",
        instruction: "Work.",
        tools: ["files"],
        ...fields,
      },
    ],
    globalTools: [{ type: "Toolset", id: "files", ...toolset }],
    ...more,
  })

describe.each(interpreters)("a toolset (%s)", (interpreter) => {
  test("a toolset lists its tools once per turn before the first model call, and the model can call them", async () => {
    const log: unknown[] = []
    const { asked, models } = scriptedModel({ clerk: [calls("read", { path: "a.txt" }), done] })
    const { rested } = await play(interpreter, clerk(), { models, services: { files: files(log) } })
    expect(rested).toMatchObject({ status: "completed", text: "done" })
    expect(log).toEqual(["listed for clerk", ["read", { path: "a.txt" }]])
    expect(toldByTools(asked)).toEqual({ result: "read a.txt" })
    const declared = [
      { type: "function", function: { name: "read", description: "Reads a file.", parameters } },
      { type: "function", function: { name: "write", description: "write", parameters } },
      {
        type: "function",
        function: {
          name: "stat",
          description: "stat",
          parameters: { type: "object", properties: {}, required: [] },
        },
      },
    ]
    expect(asked.map(({ tools }) => tools)).toEqual([declared, declared])
  })

  test("a toolset provides only the tools in its toolFilter, with its prefix", async () => {
    const log: unknown[] = []
    const { asked, models } = scriptedModel({
      clerk: [calls("fs_read", { path: "a" }), calls("read", { path: "a" }), done],
    })
    const { events } = await play(
      interpreter,
      clerk({ toolFilter: ["read", "erase"], prefix: "fs" }),
      { models, services: { files: files(log) } },
    )
    expect(asked[0]?.tools.map((tool) => tool.function.name)).toEqual(["fs_read"])
    expect(log).toEqual(["listed for clerk", ["read", { path: "a" }]])
    expect(toldByTools(asked)).toEqual({
      error: 'there is no tool "read"; your tools are: fs_read',
    })
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "warning",
        message: 'the toolset "files" does not have the tool "erase", which its toolFilter lists',
      }),
    )
  })

  test("the tools of the agent and of earlier toolsets take precedence over a toolset, with a warning", async () => {
    const chart = clerk(
      {},
      { tools: ["read", "files", "more"] },
      {
        globalTools: [
          { type: "Toolset", id: "files" },
          { type: "Toolset", id: "more" },
          { type: "FunctionTool", id: "read" },
        ],
      },
    )
    const more: Toolset = {
      list: () => [{ name: "stat" }, { name: "transfer_to_agent" }, { name: "erase" }],
      call: () => null,
    }
    const { asked, models } = scriptedModel({ clerk: [calls("read"), done] })
    const { events } = await play(interpreter, chart, {
      models,
      services: { files: files(), more, read: () => "my own" },
    })
    expect(asked[0]?.tools.map((tool) => tool.function.name)).toEqual([
      "read",
      "write",
      "stat",
      "erase",
    ])
    expect(toldByTools(asked)).toEqual({ result: "my own" })
    expect(events.flatMap((event) => (event.type === "warning" ? [event.message] : []))).toEqual([
      'the tool "read" of the toolset "files" is not available: the agent already has a tool with this name',
      'the tool "stat" of the toolset "more" is not available: the agent already has a tool with this name',
      'the tool "transfer_to_agent" of the toolset "more" is not available: its name is reserved for handoffs',
    ])
  })

  test.each([
    [{ path: 7 }, "read", /"read" do not match its parameters schema: \/path/],
    [{ path: "a" }, "write", /the disk is full/],
  ])(
    "the model receives the error of a failed call of a toolset's tool: %j",
    async (args, name, error) => {
      const { asked, models } = scriptedModel({ clerk: [calls(name, args), done] })
      await play(interpreter, clerk(), { models, services: { files: files() } })
      expect((toldByTools(asked) as { readonly error: string }).error).toMatch(error)
    },
  )

  test("policies, confirmations and callbacks apply to the tools of a toolset", async () => {
    const log: unknown[] = []
    const chart = clerk(
      { requireConfirmation: true },
      { beforeToolCallback: "look" },
      { plugins: [{ type: "SecurityPlugin", policyEngine: "rules" }] },
    )
    const services = {
      files: files(log),
      rules: (_context: unknown, input: unknown) =>
        void log.push(`judged ${(input as { tool: string }).tool}`),
      look: () => void log.push("looked at"),
    }
    const { models } = scriptedModel({ clerk: [calls("read", { path: "a" }), done] })
    const { controls, rested } = await play(interpreter, chart, { models, services })
    expect(rested.status).toBe("waiting")
    controls.approve(controls.pending()[0]?.id ?? "", { args: { path: "b" } })
    await controls.whenSettled()
    expect(log).toEqual(["listed for clerk", "judged read", "looked at", ["read", { path: "b" }]])
  })

  test.each([
    [
      new Error("the server is down"),
      /the toolset "files" of agent "clerk" did not return its tools: .*the server is down/,
    ],
    [
      [{ description: "no name" }],
      /the toolset "files" of agent "clerk" did not return its tools: it must return a list/,
    ],
    [null, /it must return a list/],
  ])(
    "an agent fails before its first model call if its toolset returns no valid list: %j",
    async (answer, message) => {
      const broken = {
        list: () => {
          if (answer instanceof Error) throw answer
          return answer as never
        },
        call: () => null,
      }
      const { asked, models } = scriptedModel({ clerk: [done] })
      const { rested } = await play(interpreter, clerk(), { models, services: { files: broken } })
      expect(rested).toMatchObject({
        status: "failed",
        error: { agent: "clerk", message: expect.stringMatching(message) },
      })
      expect(asked).toEqual([])
    },
  )

  test("a toolset can be a function, which receives the request", async () => {
    const told: unknown[] = []
    const answer = (_context: unknown, input: unknown) => {
      told.push(input)
      return (input as { verb: string }).verb === "list" ? [{ name: "read", parameters }] : "read"
    }
    const { models } = scriptedModel({ clerk: [calls("read", { path: "a" }), done] })
    await play(interpreter, clerk(), { models, services: { files: answer } })
    expect(told).toEqual([
      { verb: "list" },
      { verb: "call", tool: "read", arguments: { path: "a" } },
    ])
  })

  test.each([
    [{}, /agent "clerk" needs the service "files"/],
    [
      { files: { beforeModel: () => null } },
      /needs "files" as a toolset, but the service registered under this name is a plugin/,
    ],
    [
      { files: "files" },
      /needs "files" as a toolset, but the service registered under this name is "files", which is not a service/,
    ],
  ])(
    "a run fails before its first model call if a toolset is missing or is another kind of service",
    async (services, message) => {
      const { asked, models } = scriptedModel({ clerk: [done] })
      const { rested } = await play(interpreter, clerk(), {
        models,
        services: services as NonNullable<CallServices["services"]>,
      })
      expect(rested).toMatchObject({
        status: "failed",
        error: { code: "service_missing", message: expect.stringMatching(message) },
      })
      expect(asked).toEqual([])
    },
  )
})

test("a chart lists its toolsets, including inline toolsets, and each use of a service", () => {
  const inline = { type: "Toolset", id: "web", service: "mcp.web", toolFilter: ["search"] }
  const chart = clerk(
    { service: "shared" },
    { tools: ["files", inline], beforeAgentCallback: "shared" },
  )
  expect(chart.agents["clerk"]).toMatchObject({ tools: [], toolsets: ["files", "web"] })
  expect(chart.tools["web"]).toEqual({
    type: "Toolset",
    service: "mcp.web",
    toolFilter: ["search"],
  })
  expect(chart.services).toEqual({
    shared: { kind: "callback", usedBy: "clerk", also: [{ kind: "toolset", usedBy: "clerk" }] },
    "mcp.web": { kind: "toolset", usedBy: "clerk" },
  })
  expect(drawMermaid(chart)).toContain("tools of files, web")
})

test("a resumed run does not request a recorded list of a toolset again", async () => {
  const journal = memoryJournal()
  const script = { clerk: [calls("read", { path: "a" }), done] }
  const result = await createRunner({
    ...scriptedModel(script),
    services: { files: files() },
    journal,
  })
    .start(clerk(), { runId: "r" })
    .whenSettled()
  const { header, records } = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
  for (let length = 0; length <= records.length; length++) {
    const log: unknown[] = []
    const answered = records
      .slice(0, length)
      .filter(([, , value]) => JSON.stringify(value ?? null).includes('"toolCalls"')).length
    const { models } = scriptedModel({ clerk: script.clerk.slice(answered) })
    const resumed = await createRunner({
      models,
      services: { files: files(log) },
      journal: memoryJournal({ r: { header, records: records.slice(0, length) } }),
    }).resume("r")
    expect(await resumed.whenSettled(), `resumed after ${length} records`).toEqual(result)
    const wasListed = JSON.stringify(records.slice(0, length)).includes("Reads a file.")
    expect(log.includes("listed for clerk")).toBe(!wasListed)
  }
})

describe.each(interpreters)("a global instruction from a service (%s)", (interpreter) => {
  test("a global instruction precedes each agent's instruction, and texts from functions are not templates", async () => {
    const chart = chartOf({
      name: "front",
      model: "any",
      globalInstruction: { service: "house" },
      instruction: { service: "own" },
      tools: ["ask"],
      initialUserInput: "go",
      subAgents: [{ name: "expert", instruction: "Answer {topic?}." }],
    })
    const { asked, models } = scriptedModel({
      front: [calls("transfer_to_agent", { agent_name: "expert" })],
      expert: [done],
    })
    const services = {
      house: ({ agent }: { readonly agent: string }) => `Be kind, {${agent}}.`,
      own: () => "Route.",
      ask: () => null,
    }
    const { rested } = await play(interpreter, chart, { models, services })
    expect(rested.status).toBe("completed")
    expect(
      asked.map(({ messages }) => (messages[0] as { readonly content: string }).content),
    ).toEqual([
      expect.stringMatching(/^You are the agent "front"\.\n\nBe kind, \{front\}\.\n\nRoute\./),
      expect.stringMatching(/^You are the agent "expert"\.\n\nBe kind, \{expert\}\.\n\nAnswer \./),
    ])
  })
})
