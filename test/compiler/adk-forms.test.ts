import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import type { ReadOptions } from "../../src/compiler/read-workflow.js"
import { readWorkflow } from "../../src/compiler/read-workflow.js"
import { httpTool, llmAgent, workflow } from "./example-configs.js"
import { llm, resolved } from "./resolved.js"
import { meaning } from "./workflow-meaning.js"

const codes = (config: object, options?: ReadOptions) =>
  readWorkflow(config, options).diagnostics.map(({ code }) => code)

const adk: ReadOptions = { dialect: "adk" }

describe("a config of nested agents in the adk dialect", () => {
  test("a config with a single agent has the defaults of ADK", () => {
    const found = resolved({ name: "writer", model: "large", instruction: "Write." })
    expect(found).toMatchObject({
      id: "writer",
      dialect: "adk",
      context: {},
      input: { prompt: null, state: {} },
    })
    expect(found.root).toEqual({
      type: "LlmAgent",
      id: "writer",
      description: null,
      pointer: "",
      model: "large",
      endpoint: null,
      instructions: null,
      outputKey: null,
      tools: [],
      activity: {
        startToCloseMs: null,
        scheduleToCloseMs: null,
        maximumAttempts: 1,
        initialIntervalMs: 1000,
        backoffCoefficient: 2,
        maximumIntervalMs: null,
      },
      expiresInMs: null,
      cacheMs: null,
      fallback: null,
      routes: null,
      onExpiry: null,
      maxDurationMs: null,
      budget: null,
      compaction: null,
      guardrails: null,
      memoryService: null,
      stateInPrompt: true,
      subAgents: [],
      disallowTransferToParent: false,
      disallowTransferToPeers: false,
      adk: {
        instruction: "Write.",
        staticInstruction: null,
        globalInstruction: null,
        includeContents: "default",
        outputSchema: null,
        inputSchema: null,
        structuredOutputWithTools: false,
        generateContentConfig: null,
      },
    })
  })

  test("every field of an LlmAgent is accepted in snake_case and camelCase, and data is not changed", () => {
    const schema = { type: "object", properties: { output_key: { type: "string" } } }
    const config = { top_k: 3, topP: 0.5, safety_settings: [{ block_none: true }] }
    const snake = {
      agent_class: "google.adk.agents.llm_agent.LlmAgent",
      name: "writer",
      model: "large",
      description: "Writes.",
      instruction: "Write.",
      static_instruction: "You are a writer.",
      global_instruction: "Be brief.",
      include_contents: "none",
      output_key: "draft",
      output_schema: schema,
      input_schema: schema,
      structured_output_with_tools: true,
      generate_content_config: config,
      disallow_transfer_to_parent: true,
      disallow_transfer_to_peers: true,
      tools: ["exit_loop"],
      activity_config: { start_to_close_timeout: "2s" },
      expires_in: "1h",
    }
    const camel = Object.fromEntries(
      Object.entries(snake).map(([key, value]) => [
        key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    )
    expect(codes(snake)).toEqual([])
    expect(resolved(camel).root).toEqual(resolved(snake).root)
    expect(resolved(snake).root).toMatchObject({
      description: "Writes.",
      outputKey: "draft",
      tools: ["exit_loop"],
      activity: { startToCloseMs: 2000 },
      expiresInMs: 3_600_000,
      disallowTransferToParent: true,
      disallowTransferToPeers: true,
      adk: {
        instruction: "Write.",
        staticInstruction: "You are a writer.",
        globalInstruction: "Be brief.",
        includeContents: "none",
        outputSchema: schema,
        inputSchema: schema,
        structuredOutputWithTools: true,
        generateContentConfig: config,
      },
    })
  })

  test("settings of the workflow are fields of the root agent, and options of the caller override them", () => {
    const config = {
      name: "writer",
      model: "m",
      maxModelCalls: 7,
      max_handoffs: 8,
      state: { a_b: 1 },
      initial_user_input: "Go.",
      context: { c: 1 },
      dialect: "adk",
    }
    expect(codes(config)).toEqual([])
    const found = resolved(config, { maxHandoffs: 9 })
    expect(found).toMatchObject({
      input: { prompt: "Go.", state: { a_b: 1 } },
      context: { c: 1 },
      settings: { maxModelCalls: 7, maxHandoffs: 9 },
    })
  })

  test("tools that the agents share are a field of the root agent", () => {
    const search = {
      type: "FunctionTool",
      id: "google_search",
      description: "Searches.",
      service: "find",
    }
    const { workflow, diagnostics } = readWorkflow({
      name: "reader",
      model: "m",
      instruction: "i",
      tools: ["google_search"],
      global_tools: [search],
    })
    expect(diagnostics).toEqual([])
    expect(workflow?.tools.get("google_search")).toMatchObject({
      type: "FunctionTool",
      service: "find",
      description: "Searches.",
    })
  })

  test.each([{ agent_class: "Workflow" }, { agentClass: "Workflow" }, { type: "Workflow" }])(
    "a root Workflow can define its own nodes: %j",
    (itsClass) => {
      const { workflow, diagnostics } = readWorkflow({
        ...itsClass,
        name: "flow",
        edges: [["START", "writer"]],
        nodes: [{ name: "writer", model: "m", instruction: "i" }],
      })
      expect(diagnostics).toEqual([])
      expect(workflow).toMatchObject({
        dialect: "adk",
        root: { type: "Workflow", subAgents: [{ id: "writer" }] },
      })
    },
  )

  test("a node of a graph can contain a config of nested agents", () => {
    const node = { id: "team", type: "adk", config: { name: "writer", model: "m" } }
    expect(resolved({ nodes: [node], context: { from: "graph" } })).toMatchObject({
      id: "team",
      dialect: "adk",
      context: { from: "graph" },
      root: { pointer: "/nodes/0/config" },
    })
    expect(resolved(node)).toMatchObject({ id: "team", root: { id: "writer", pointer: "/config" } })
  })

  test("nested agents have the class that one of three fields names", () => {
    const found = resolved({
      agent_class: "SequentialAgent",
      name: "line",
      outputKey: "last",
      sub_agents: [
        {
          agentClass: "LoopAgent",
          name: "rounds",
          outputKey: "text",
          subAgents: [
            { type: "Agent", name: "critic", model: "m", tools: [{ name: "exit_loop" }] },
          ],
        },
        {
          type: "google.adk.agents.ParallelAgent",
          name: "fan",
          failure_policy: "collect",
          max_concurrency: 1,
          sub_agents: [{ name: "one", model: "m" }],
        },
        { type: "HumanAgent", name: "boss", prompt: "Well?" },
      ],
    })
    expect([...found.agents].map(([id, { type }]) => `${id}: ${type}`)).toEqual([
      "line: SequentialAgent",
      "rounds: LoopAgent",
      "critic: LlmAgent",
      "fan: ParallelAgent",
      "one: LlmAgent",
      "boss: HumanAgent",
    ])
    expect(found.agents.get("rounds")).toMatchObject({
      maxIterations: null,
      exitCondition: null,
      outputKey: "text",
      pointer: "/sub_agents/0",
    })
    expect(found.agents.get("fan")).toMatchObject({ failurePolicy: "collect", maxConcurrency: 1 })
  })

  test("agents in a container can have conditions", () => {
    const when = "session_state.get('open') == 'yes'"
    const { root } = resolved({
      type: "SequentialAgent",
      name: "line",
      state: { open: "yes" },
      subAgents: [
        { name: "one", model: "m", when },
        { name: "two", model: "m" },
      ],
    })
    if (root.type !== "SequentialAgent") throw new Error("no sequence")
    expect(
      root.subAgents.map((position) => [position.agent.id, position.when, position.pointer]),
    ).toEqual([
      ["one", when, "/subAgents/0"],
      ["two", null, "/subAgents/1"],
    ])
  })

  test("a config of nested agents is detected automatically", () => {
    for (const config of [
      { name: "a", model: "m" },
      { agent_class: "LlmAgent", name: "a", model: "m" },
      { name: "a", model: "m", sub_agents: [] },
    ]) {
      expect(resolved(config).dialect).toBe("adk")
    }
    expect(codes({ type: "LlmAgent", id: "a" })).toEqual(["config_shape"])
    expect(resolved({ type: "LlmAgent", id: "a", model: "m" }, adk).id).toBe("a")
  })
})

describe("a list of agents in the adk dialect", () => {
  test("a list of agents resolves to the same workflow as nested agents", () => {
    const listed = resolved(
      workflow(
        [
          {
            type: "SequentialAgent",
            id: "line",
            subAgents: [
              { agentId: "writer" },
              { agentId: "rounds", when: "session_state.get('draft') != ''" },
            ],
          },
          llmAgent("writer", {
            instruction: "Write.",
            outputKey: "draft",
            includeContents: "none",
          }),
          { type: "LoopAgent", id: "rounds", subAgents: [{ agentId: "critic" }], maxIterations: 3 },
          llmAgent("critic", { instruction: "Judge {draft}.", tools: ["exit_loop", "expert"] }),
          llmAgent("expert"),
        ],
        {
          globalTools: [
            { type: "AgentTool", id: "expert", targetAgentId: "expert", skipSummarization: true },
          ],
        },
      ),
      adk,
    )
    const own = resolved({
      agentClass: "SequentialAgent",
      name: "line",
      subAgents: [
        {
          name: "writer",
          model: "m",
          instruction: "Write.",
          outputKey: "draft",
          includeContents: "none",
        },
        {
          agentClass: "LoopAgent",
          name: "rounds",
          when: "session_state.get('draft') != ''",
          maxIterations: 3,
          subAgents: [
            {
              name: "critic",
              model: "m",
              instruction: "Judge {draft}.",
              tools: [
                "exit_loop",
                {
                  name: "AgentTool",
                  args: { agent: { name: "expert", model: "m" }, skipSummarization: true },
                },
              ],
            },
          ],
        },
      ],
    })
    expect(meaning(own)).toEqual(meaning(listed))
  })

  test("a container in a list of agents can contain inline agents", () => {
    const found = resolved(
      workflow([
        { type: "SequentialAgent", id: "line", subAgents: [llmAgent("one"), { agentId: "two" }] },
        llmAgent("two"),
      ]),
      adk,
    )
    expect(found.root).toMatchObject({
      subAgents: [{ agent: { id: "one" } }, { agent: { id: "two" } }],
    })
  })

  test("tools of a list can require a confirmation", () => {
    const globalTools = [httpTool("pay", { requireConfirmation: true }), httpTool("look")]
    const found = resolved(
      workflow([llmAgent("clerk", { tools: ["pay", { name: "look" }] })], { globalTools }),
      adk,
    )
    expect(llm(found, "clerk").tools).toEqual(["pay", "look"])
    expect([...found.tools.values()]).toMatchObject([
      { requireConfirmation: true },
      { requireConfirmation: false },
    ])
  })
})

describe("inheritance and tools in the adk dialect", () => {
  test("an agent without a model inherits the model of the nearest LlmAgent above it", () => {
    const found = resolved({
      name: "front",
      model: "large",
      subAgents: [
        {
          type: "SequentialAgent",
          name: "line",
          subAgents: [
            { name: "heir" },
            { name: "own", model: "small", subAgents: [{ name: "grandchild" }] },
          ],
        },
        { name: "lent", httpConfig: { url: "http://llm.test/lent", method: "POST" } },
      ],
      tools: [{ name: "AgentTool", args: { agent: { name: "expert" } } }],
    })
    const models = Object.fromEntries(
      ["front", "heir", "own", "grandchild", "lent", "expert"].map((id) => [
        id,
        llm(found, id).model,
      ]),
    )
    expect(models).toEqual({
      front: "large",
      heir: "large",
      own: "small",
      grandchild: "small",
      lent: null,
      expert: null,
    })
  })

  test("a model is also inherited through references, at any position of the parent in the list", () => {
    const agents = [
      {
        id: "front",
        model: "large",
        subAgents: [{ type: "SequentialAgent", id: "line", subAgents: [{ agentId: "outer" }] }],
      },
      { id: "deep" },
      { type: "SequentialAgent", id: "inner", subAgents: [{ agentId: "deep" }] },
      { type: "SequentialAgent", id: "outer", subAgents: [{ agentId: "inner" }] },
    ]
    expect(llm(resolved({ rootAgentId: "front", agents }, adk), "deep").model).toBe("large")
  })

  test("the global instruction of the root applies to every agent", () => {
    const found = resolved({
      name: "front",
      model: "m",
      globalInstruction: "Be kind.",
      subAgents: [{ name: "clerk", globalInstruction: "Be rude." }],
    })
    expect(llm(found, "front").adk?.globalInstruction).toBe("Be kind.")
    expect(llm(found, "clerk").adk?.globalInstruction).toBe("Be kind.")
  })

  test("exit_loop is one tool for all agents and all spellings", () => {
    const tools = [
      ["exit_loop"],
      [{ name: "exit_loop" }],
      ["google.adk.tools.exit_loop"],
      [{ name: "google.adk.tools.exit_loop_tool.exit_loop", args: {} }],
    ]
    const found = resolved({
      type: "LoopAgent",
      name: "rounds",
      subAgents: tools.map((own, index) => ({ name: `a${index}`, model: "m", tools: own })),
    })
    expect([...found.tools.values()]).toEqual([
      { type: "ExitLoopTool", id: "exit_loop", pointer: "/subAgents/0/tools/0" },
    ])
    expect(tools.map((_, index) => llm(found, `a${index}`).tools)).toEqual(
      tools.map(() => ["exit_loop"]),
    )
  })

  test("a user's tool named exit_loop replaces the built-in tool for the agents that list it", () => {
    const agents = (tools: readonly unknown[], more: object = {}) => ({
      type: "LoopAgent",
      name: "rounds",
      maxIterations: 2,
      subAgents: [
        { name: "own", model: "m", tools },
        { name: "built_in", model: "m", tools: ["google.adk.tools.exit_loop"] },
      ],
      ...more,
    })
    const globalTools = [{ type: "FunctionTool", id: "exit_loop" }]
    const services = [{ name: "exit_loop", kind: "tool" as const }]
    const forms = [
      compile(agents(["exit_loop"], { globalTools })),
      compile(agents(["exit_loop"]), { services }),
      compile(agents(["my.tools.exit_loop"])),
      compile(agents([{ name: "my.tools.exit_loop", args: { now: true } }])),
    ]
    for (const { chart } of forms) {
      expect(chart?.tools["exit_loop"]?.type).toBe("FunctionTool")
      expect(chart?.tools["google.adk.tools.exit_loop"]).toEqual({ type: "ExitLoopTool" })
      expect(
        Object.values(chart?.agents ?? {}).map((agent) =>
          agent.type === "LlmAgent" ? agent.declarations.map((one) => one.function.name) : [],
        ),
      ).toEqual([["exit_loop"], ["exit_loop"]])
    }
  })

  test("exit_loop is not a tool of the graph-compose dialect", () => {
    expect(codes(workflow([llmAgent("writer", { tools: ["exit_loop"] })]))).toEqual([
      "unknown_tool",
    ])
  })

  test("a tool that Google hosts is omitted", () => {
    const found = resolved({ name: "finder", model: "m", tools: ["google_search", "exit_loop"] })
    expect(llm(found, "finder").tools).toEqual(["exit_loop"])
  })
})
