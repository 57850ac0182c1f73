import { describe, expect, test } from "vitest"
import { httpTool, llmAgent, sequence, workflow } from "./example-configs.js"
import { llm, resolved } from "./resolved.js"

describe("a resolved workflow", () => {
  test("has the documented defaults", () => {
    const found = resolved(workflow([llmAgent("writer")]))
    expect(found).toMatchObject({
      id: "writer",
      dialect: "graph-compose",
      context: {},
      input: { prompt: null, state: {} },
    })
    expect(found.settings).toEqual({
      maxModelCalls: 500,
      maxModelCallsPerTurn: 100,
      maxOrchestrationCycles: 25,
      maxHandoffs: 25,
      maxDuration: null,
      budget: null,
      onConditionError: "fail",
      subAgentExitFlow: "workflow",
      stateMerge: {},
    })
    expect(found.root).toEqual({
      type: "LlmAgent",
      id: "writer",
      description: null,
      pointer: "/agents/0",
      model: null,
      endpoint: { url: "http://llm.test/writer", method: "POST" },
      instructions: null,
      stateInPrompt: true,
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
      subAgents: [],
      disallowTransferToParent: false,
      disallowTransferToPeers: false,
      adk: null,
    })
  })

  test("uses the same node for two references to an agent", () => {
    const { root } = resolved(
      workflow([sequence("steps", ["writer", "writer"]), llmAgent("writer")]),
    )
    if (root.type !== "SequentialAgent") throw new Error("no sequence")
    expect(root.subAgents[0]?.agent).toBe(root.subAgents[1]?.agent)
    expect(root.subAgents.map(({ pointer }) => pointer)).toEqual([
      "/agents/0/subAgents/0",
      "/agents/0/subAgents/1",
    ])
  })

  test("contains inline and unreachable agents, and the agents that tools run", () => {
    const config = workflow(
      [
        llmAgent("boss", { tools: ["ask", "ask"], subAgents: [llmAgent("clerk")] }),
        llmAgent("expert"),
        llmAgent("lost"),
      ],
      {
        globalTools: [
          { type: "AgentTool", id: "ask", targetAgentId: "expert", skipSummarization: true },
        ],
      },
    )
    const found = resolved(config)
    expect([...found.agents.keys()]).toEqual(["boss", "clerk", "expert", "lost"])
    expect(llm(found, "boss").subAgents).toEqual([found.agents.get("clerk")])
    expect(llm(found, "boss").tools).toEqual(["ask"])
    expect(found.tools.get("ask")).toMatchObject({
      type: "AgentTool",
      skipSummarization: true,
      outputKey: null,
      pointer: "/globalTools/0",
    })
    expect(found.tools.get("ask")).toHaveProperty("target", found.agents.get("expert"))
  })

  test("can contain an agent and a tool with the same id", () => {
    const found = resolved(
      workflow([llmAgent("search", { tools: ["search"] })], { globalTools: [httpTool("search")] }),
    )
    expect(found.agents.has("search") && found.tools.has("search")).toBe(true)
  })

  test("contains HTTP methods in upper case and durations in milliseconds", () => {
    const activityConfig = {
      startToCloseTimeout: "1.5s",
      scheduleToCloseTimeout: "5 minutes",
      retryPolicy: { maximumAttempts: 4, initialInterval: 250, maximumInterval: "0.5ms" },
    }
    const writer = llmAgent("writer", {
      httpConfig: {
        url: "http://llm.test/writer",
        method: "put",
        headers: { "X-A": "b" },
        body: { a: 1 },
      },
      activityConfig,
    })
    expect(llm(resolved(workflow([writer])), "writer")).toMatchObject({
      endpoint: {
        url: "http://llm.test/writer",
        method: "PUT",
        headers: { "X-A": "b" },
        body: { a: 1 },
      },
      activity: {
        startToCloseMs: 1500,
        scheduleToCloseMs: 300_000,
        maximumAttempts: 4,
        initialIntervalMs: 250,
        backoffCoefficient: 2,
        maximumIntervalMs: 1,
      },
    })
  })

  test("contains the settings of the config, which options of the caller override", () => {
    const config = workflow([llmAgent("writer")], {
      maxModelCalls: 7,
      maxHandoffs: 8,
      stateMerge: { notes: "append" },
      subAgentExitFlow: "agent",
    })
    expect(
      resolved(config, { maxHandoffs: 9, stateMerge: { total: "add" } }).settings,
    ).toMatchObject({
      maxModelCalls: 7,
      maxHandoffs: 9,
      stateMerge: { total: "add" },
      subAgentExitFlow: "agent",
    })
  })

  test.each([
    "{{ state.base }}/chat",
    "http://{{ state.host }}:{{ state.port }}/x?q={{ state.q }}",
    "https://{{ a }}.{{ b }}.{{ c }}.{{ d }}.{{ e }}/",
    "https://api-{{ state.stage }}.example.com/",
    "HTTPS://EXAMPLE.COM",
    "http://[::1]:8080/x",
  ])("accepts the URL %s", (url) => {
    expect(
      llm(
        resolved(workflow([llmAgent("writer", { httpConfig: { url, method: "POST" } })])),
        "writer",
      ).endpoint?.url,
    ).toBe(url)
  })
})
