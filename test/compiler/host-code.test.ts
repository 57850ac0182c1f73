import { describe, expect, test } from "vitest"
import type { ReadOptions } from "../../src/compiler/read-workflow.js"
import { readWorkflow } from "../../src/compiler/read-workflow.js"
import { llm, resolved as resolvedAs } from "./resolved.js"

const adk: ReadOptions = { dialect: "adk" }

const resolved = (config: object) => resolvedAs(config, adk)

const codes = (config: object) => readWorkflow(config, adk).diagnostics.map(({ code }) => code)

const writer = { name: "writer", model: "large", instruction: "Write." }

describe("a custom agent", () => {
  test("a custom agent calls the service of its field `service`, of its class or of its name", () => {
    const service = (agent: object) => resolved({ name: "flow", ...agent }).root
    expect(service({ agent_class: "CustomAgent" })).toEqual({
      type: "CustomAgent",
      id: "flow",
      description: null,
      pointer: "",
      service: "flow",
      fields: null,
      subAgents: [],
      hooks: null,
    })
    expect(service({ type: "CustomAgent", service: "stories" })).toMatchObject({
      service: "stories",
    })
    expect(service({ agent_class: "my_agents.StoryFlow" })).toMatchObject({
      type: "CustomAgent",
      service: "my_agents.StoryFlow",
    })
    expect(service({ agent_class: "my_agents.StoryFlow", service: "stories" })).toMatchObject({
      service: "stories",
    })
  })

  test("a custom agent has inline or referenced sub-agents, which inherit the model of an agent above", () => {
    const inside = resolved({
      ...writer,
      subAgents: [
        {
          agentClass: "a.Flow",
          name: "flow",
          subAgents: [{ name: "critic" }, { agentClass: "b.Check", name: "check" }],
        },
      ],
    })
    expect(inside.agents.get("flow")).toMatchObject({
      subAgents: [
        { id: "critic", model: "large" },
        { id: "check", type: "CustomAgent" },
      ],
    })
    const listed = resolved({
      rootAgentId: "flow",
      agents: [
        { type: "CustomAgent", id: "flow", subAgents: [{ agentId: "writer" }] },
        { id: "writer", model: "m" },
      ],
    })
    expect(listed.root).toMatchObject({ subAgents: [{ id: "writer" }] })
  })

  test("a custom agent counts as a parent and cannot contain itself", () => {
    const flow = { type: "CustomAgent", id: "flow", subAgents: [{ agentId: "writer" }] }
    const line = {
      type: "SequentialAgent",
      id: "line",
      subAgents: [{ agentId: "flow" }, { agentId: "writer" }],
    }
    expect(
      codes({
        rootAgentId: "line",
        agents: [line, flow, { ...writer, id: "writer", name: undefined }],
      }),
    ).toEqual(["second_parent"])
    expect(
      codes({ rootAgentId: "flow", agents: [{ ...flow, subAgents: [{ agentId: "flow" }] }] }),
    ).toContain("reference_cycle")
  })
})

describe("callbacks", () => {
  const hooks = (fields: object) => llm(resolved({ ...writer, ...fields }), "writer").adk?.hooks

  test("callbacks are one or several names of services, in each spelling", () => {
    expect(hooks({ beforeModelCallback: "guard" })).toEqual({ beforeModel: ["guard"] })
    expect(
      hooks({ before_model_callbacks: [{ name: "guards.first" }, { service: "second" }, "third"] }),
    ).toEqual({ beforeModel: ["guards.first", "second", "third"] })
    expect(hooks({ afterToolCallbacks: [], afterModelCallback: null })).toBeUndefined()
  })

  test("an LlmAgent has eight kinds of callbacks", () => {
    const moments = [
      "beforeAgent",
      "afterAgent",
      "beforeModel",
      "afterModel",
      "onModelError",
      "beforeTool",
      "afterTool",
      "onToolError",
    ]
    const given = Object.fromEntries(moments.map((moment) => [`${moment}Callback`, moment]))
    expect(hooks(given)).toEqual(Object.fromEntries(moments.map((moment) => [moment, [moment]])))
  })

  test("callbacks of plugins are before the callbacks of every LlmAgent", () => {
    const found = resolved({
      agent_class: "SequentialAgent",
      name: "line",
      sub_agents: [
        { ...writer, afterModelCallback: "own" },
        { ...writer, name: "critic" },
      ],
      plugins: [
        { type: "Plugin", name: "audit", after_model_callback: "first" },
        { name: "more", afterModelCallback: ["second"], beforeToolCallback: "third" },
      ],
    })
    expect(llm(found, "writer").adk?.hooks).toEqual({
      afterModel: ["first", "second", "own"],
      beforeTool: ["third"],
    })
    expect(llm(found, "critic").adk?.hooks).toEqual({
      afterModel: ["first", "second"],
      beforeTool: ["third"],
    })
  })
})

test("the policy engines of the workflow apply to every LlmAgent", () => {
  const plugins = [
    { type: "SecurityPlugin", policyEngine: "rules" },
    { type: "SecurityPlugin", policy_engine: { service: "budget" } },
  ]
  expect(llm(resolved({ ...writer, plugins }), "writer").adk?.policies).toEqual(["rules", "budget"])
  expect(llm(resolved(writer), "writer").adk).not.toHaveProperty("policies")
})

test("an instruction may be a service", () => {
  expect(
    llm(resolved({ ...writer, instruction: { service: "greeting" } }), "writer").adk,
  ).toMatchObject({ instruction: null, instructionService: "greeting" })
  expect(llm(resolved(writer), "writer").adk).not.toHaveProperty("instructionService")
})

describe("function tools", () => {
  test("function tools can be defined in the tools of the workflow", () => {
    const tool = {
      type: "FunctionTool",
      id: "count",
      description: "Counts.",
      parameters: { type: "object" },
      require_confirmation: true,
      expires_in: "1h",
    }
    const found = resolved({
      rootAgentId: "writer",
      agents: [{ ...writer, tools: ["count", "sum"] }],
      globalTools: [tool, { type: "FunctionTool", name: "sum", service: "maths.sum" }],
    })
    const common = {
      type: "FunctionTool",
      description: null,
      parameters: null,
      requireConfirmation: false,
      expiresInMs: null,
      onExpiry: null,
      longRunning: false,
      factory: null,
    }
    expect(found.tools.get("count")).toEqual({
      ...common,
      id: "count",
      service: "count",
      description: "Counts.",
      parameters: { type: "object" },
      requireConfirmation: true,
      expiresInMs: 3_600_000,
      pointer: "/globalTools/0",
    })
    expect(found.tools.get("sum")).toEqual({
      ...common,
      id: "sum",
      service: "maths.sum",
      pointer: "/globalTools/1",
    })
  })

  test("in a config of nested agents, every other name in a tool list is a function tool", () => {
    const found = resolved({
      ...writer,
      tools: [
        "look_up",
        "toolbox.search",
        { name: "toolbox.search" },
        { name: "my.tools.count", args: {} },
      ],
    })
    expect(llm(found, "writer").tools).toEqual(["look_up", "search", "count"])
    expect(
      [...found.tools.values()].map(
        (tool) => tool.type === "FunctionTool" && [tool.id, tool.service],
      ),
    ).toEqual([
      ["look_up", "look_up"],
      ["search", "toolbox.search"],
      ["count", "my.tools.count"],
    ])
  })

  test("in a list of agents, a dotted name that no listed tool has is a function tool", () => {
    const http = {
      type: "HttpTool",
      id: "web.search",
      httpConfig: { url: "http://tools.test/search", method: "POST" },
    }
    const found = resolved({
      rootAgentId: "writer",
      agents: [{ ...writer, tools: ["web.search", "maths.sum"] }],
      globalTools: [http],
    })
    expect(llm(found, "writer").tools).toEqual(["web.search", "sum"])
    expect(found.tools.get("web.search")?.type).toBe("HttpTool")
    expect(found.tools.get("sum")).toMatchObject({ type: "FunctionTool", service: "maths.sum" })
    expect(codes({ rootAgentId: "writer", agents: [{ ...writer, tools: ["sum"] }] })).toEqual([
      "unknown_tool",
    ])
  })
})

describe("a config that uses host functions", () => {
  const loop = (child: object) => ({
    agent_class: "LoopAgent",
    name: "rounds",
    sub_agents: [child],
  })

  test("keys that a host function may write are not reported", () => {
    const reader = { ...writer, instruction: "Use {facts}." }
    expect(codes(reader)).toEqual(["key_never_written"])
    expect(codes({ ...reader, afterModelCallback: "remember" })).toEqual([])
    expect(codes({ ...reader, tools: ["remember"] })).toEqual([])
    expect(
      codes({
        agent_class: "SequentialAgent",
        name: "line",
        sub_agents: [{ agent_class: "my.Facts", name: "facts" }, reader],
      }),
    ).toEqual([])
  })

  test("loops that a host function may end are not reported", () => {
    expect(codes(loop(writer))).toEqual(["endless_loop"])
    expect(codes(loop({ agent_class: "my.Check", name: "check" }))).toEqual([])
    expect(codes(loop({ ...writer, tools: ["check"] }))).toEqual([])
  })
})
