import { describe, expect, test } from "vitest"
import type { ReadOptions } from "../../src/compiler/read-workflow.js"
import { readWorkflow } from "../../src/compiler/read-workflow.js"
import { httpTool, llmAgent, workflow } from "./example-configs.js"

const definition = workflow([llmAgent("writer")], { context: { from: "definition" } })
const node = { id: "helpers", type: "adk", dependencies: ["fetch"], config: definition }

function read(config: object, options?: ReadOptions) {
  const { workflow: found, diagnostics } = readWorkflow(config, options)
  return {
    id: found?.id,
    context: found?.context,
    codes: diagnostics.map(({ code }) => code),
    pointer: found?.root.pointer,
  }
}

describe("a workflow definition", () => {
  test("a workflow definition is a complete config", () => {
    expect(read(definition)).toEqual({
      id: "writer",
      context: { from: "definition" },
      codes: [],
      pointer: "/agents/0",
    })
  })

  test("a workflow definition in a node gets the id of the node", () => {
    expect(read(node)).toEqual({
      id: "helpers",
      context: { from: "definition" },
      codes: [],
      pointer: "/config/agents/0",
    })
    expect(read({ type: "adk", config: definition }).id).toBe("writer")
  })

  test("the context of a graph overrides the context of a workflow definition in it", () => {
    const graph = {
      id: "graph",
      name: "A graph",
      nodes: [node],
      context: { from: "graph" },
      webhookUrl: "http://hook.test",
    }
    expect(read(graph)).toEqual({
      id: "helpers",
      context: { from: "graph" },
      codes: [],
      pointer: "/nodes/0/config/agents/0",
    })
  })

  test("the option `node` selects a workflow definition, and the other nodes are ignored", () => {
    const graph = { nodes: [node, { ...node, id: "others" }, { id: "fetch", type: "http" }] }
    expect(read(graph, { node: "others" })).toMatchObject({
      id: "others",
      codes: ["nodes_ignored"],
      pointer: "/nodes/1/config/agents/0",
    })
  })

  test("the option `dialect` overrides the detected dialect", () => {
    const config = { rootAgentId: "writer", agents: [{ type: "LlmAgent", name: "writer" }] }
    expect(read(config).codes).toEqual(["missing_model"])
    expect(read(config, { dialect: "graph-compose" }).codes).toContain("missing_field")
  })
})

describe("field names in snake_case", () => {
  test("snake_case is accepted for every field, also together with camelCase", () => {
    const config = {
      root_agent_id: "boss",
      global_tools: [
        httpTool("find", {
          output_key: "hits",
          activity_config: { start_to_close_timeout: "5s", retry_policy: { maximum_attempts: 2 } },
        }),
        { type: "AgentTool", id: "ask", target_agent_id: "expert", skip_summarization: true },
      ],
      agents: [
        llmAgent("boss", {
          tools: ["find", "ask"],
          sub_agents: [llmAgent("clerk", { disallow_transfer_to_parent: true })],
          outputKey: "reply",
        }),
        {
          type: "LlmAgent",
          id: "expert",
          http_config: { url: "http://llm.test/expert", method: "POST" },
        },
      ],
      max_orchestration_cycles: 2,
      max_model_calls_per_turn: 3,
      on_condition_error: "continue",
      sub_agent_exit_flow: "agent",
      state_merge: { some_key: "append" },
      initial_user_input: "hello",
    }
    const { workflow: found, diagnostics } = readWorkflow(config)
    expect(diagnostics).toEqual([])
    expect(found).toMatchObject({
      input: { prompt: "hello" },
      settings: {
        maxOrchestrationCycles: 2,
        maxModelCallsPerTurn: 3,
        stateMerge: { some_key: "append" },
      },
    })
    expect(found?.tools.get("find")).toMatchObject({
      outputKey: "hits",
      activity: { startToCloseMs: 5000, maximumAttempts: 2 },
    })
  })

  test("the keys of data keep their spelling", () => {
    const data = { output_key: 1, outputKey: 2, sub_agents: [] }
    const headers = { output_key: "a", outputKey: "b" }
    const config = workflow(
      [
        llmAgent("writer", {
          tools: ["find"],
          httpConfig: { url: "http://llm.test/x", method: "POST", headers, body: data },
        }),
      ],
      {
        globalTools: [httpTool("find", { parameters: data })],
        state: data,
        context: data,
        metadata: data,
      },
    )
    const { workflow: found, diagnostics } = readWorkflow(config)
    expect(diagnostics).toEqual([])
    expect(found).toMatchObject({ context: data, input: { state: data } })
    expect(found?.root).toHaveProperty("endpoint", {
      url: "http://llm.test/x",
      method: "POST",
      headers,
      body: data,
    })
    expect(found?.tools.get("find")).toHaveProperty("parameters", data)
  })
})
