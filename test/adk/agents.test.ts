import { compile } from "agent-statecharts"
import {
  AgentTool,
  BaseAgent,
  BasePlugin,
  EXIT_LOOP,
  FunctionTool,
  LlmAgent,
  LongRunningFunctionTool,
  LoopAgent,
  ParallelAgent,
  programOf,
  SecurityPlugin,
  SequentialAgent,
} from "agent-statecharts/adk"
import type { Event } from "agent-statecharts/adk"
import { describe, expect, test } from "vitest"
import * as z from "zod"

const model = "small"
const llm = (name: string, more: object = {}) =>
  new LlmAgent({ name, model, instruction: "Answer.", ...more })

describe("a tree of agents", () => {
  test("agents have parents, a root and names as in ADK", () => {
    const leaf = llm("leaf")
    const loop = new LoopAgent({ name: "rounds", subAgents: [leaf] })
    const root = new SequentialAgent({ name: "root", subAgents: [loop, llm("other")] })
    expect([leaf.parentAgent, leaf.rootAgent, root.parentAgent]).toEqual([loop, root, undefined])
    expect([
      root.findAgent("leaf"),
      root.findAgent("root"),
      root.findSubAgent("root"),
      root.findAgent("nobody"),
    ]).toEqual([leaf, root, undefined, undefined])
  })

  test("a second parent of an agent is refused with an error that names both parents", () => {
    const leaf = llm("leaf")
    new SequentialAgent({ name: "first", subAgents: [leaf] })
    expect(() => new ParallelAgent({ name: "second", subAgents: [leaf] })).toThrow(
      expect.objectContaining({
        code: "definition_refused",
        message: expect.stringMatching(/"leaf".*"first".*"second"/),
      }),
    )
    expect(() => new SequentialAgent({ name: "third", subAgents: [leaf, leaf] })).toThrow(/"leaf"/)
  })

  test("an agent cannot contain itself", () => {
    const tools: AgentTool[] = []
    const inner = llm("inner", { tools })
    const outer = llm("outer", { tools: [new AgentTool({ agent: inner })] })
    Object.assign(inner, { tools: [new AgentTool({ agent: outer })] })
    expect(() => programOf(outer)).toThrow(/"outer" contains itself/)
  })

  test("an overridden runAsyncImpl of an LlmAgent and unsupported options of ADK are refused", () => {
    class Own extends LlmAgent {
      protected override async *runAsyncImpl(): AsyncGenerator<Event, void, void> {}
    }
    expect(() => new Own({ name: "own", model })).toThrow(/runAsyncImpl.*Extend BaseAgent/)
    expect(() => llm("planning", { planner: {} })).toThrow(/"planning" has "planner"/)
    expect(() => llm("coding", { codeExecutor: {} })).toThrow(/Give the agent a tool/)
  })
})

describe("an agent as JSON", () => {
  const answer = z.object({ city: z.string() })
  const search = new FunctionTool({
    name: "search",
    description: "Finds.",
    parameters: z.object({ query: z.string() }),
    execute: () => "found",
  })
  const book = new LongRunningFunctionTool({
    name: "book",
    description: "Books.",
    execute: () => ({ pending: true }),
    requireConfirmation: true,
  })
  const tree = () =>
    new SequentialAgent({
      name: "trip",
      description: "Plans.",
      subAgents: [
        new ParallelAgent({
          name: "research",
          subAgents: [llm("food", { tools: [search] }), llm("sights", { tools: [search, book] })],
          maxConcurrency: 1,
        }),
        new LoopAgent({
          name: "rounds",
          maxIterations: 3,
          subAgents: [
            llm("writer", { outputKey: "plan", generateContentConfig: { temperature: 0 } }),
            llm("critic", { tools: [EXIT_LOOP], includeContents: "none" }),
          ],
        }),
        llm("picker", {
          outputSchema: answer,
          instruction: () => "Pick.",
          beforeModelCallback: [() => undefined, () => undefined],
          disallowTransferToPeers: true,
        }),
      ],
    })

  test("the JSON of an agent is a config of nested agents that refers to functions by name", () => {
    expect(JSON.parse(JSON.stringify(tree()))).toEqual({
      agentClass: "SequentialAgent",
      name: "trip",
      description: "Plans.",
      subAgents: [
        {
          agentClass: "ParallelAgent",
          name: "research",
          maxConcurrency: 1,
          subAgents: [
            {
              agentClass: "LlmAgent",
              name: "food",
              model,
              instruction: "Answer.",
              tools: ["search"],
            },
            {
              agentClass: "LlmAgent",
              name: "sights",
              model,
              instruction: "Answer.",
              tools: ["search", "book"],
            },
          ],
        },
        {
          agentClass: "LoopAgent",
          name: "rounds",
          maxIterations: 3,
          subAgents: [
            {
              agentClass: "LlmAgent",
              name: "writer",
              model,
              instruction: "Answer.",
              outputKey: "plan",
              generateContentConfig: { temperature: 0 },
            },
            {
              agentClass: "LlmAgent",
              name: "critic",
              model,
              instruction: "Answer.",
              includeContents: "none",
              tools: ["google.adk.tools.exit_loop"],
            },
          ],
        },
        {
          agentClass: "LlmAgent",
          name: "picker",
          model,
          instruction: { service: "picker.instruction" },
          disallowTransferToPeers: true,
          outputSchema: {
            type: "object",
            properties: { city: { type: "string" } },
            required: ["city"],
          },
          beforeModelCallback: ["picker.beforeModelCallback", "picker.beforeModelCallback.2"],
        },
      ],
      globalTools: [
        {
          type: "FunctionTool",
          id: "search",
          description: "Finds.",
          parameters: {
            type: "object",
            properties: { query: { type: "string" } },
            required: ["query"],
          },
        },
        {
          type: "LongRunningFunctionTool",
          id: "book",
          description: "Books.",
          requireConfirmation: true,
        },
      ],
    })
  })

  test("compile accepts the agent itself and returns the chart of its config", () => {
    const agent = tree()
    const { chart, diagnostics } = compile(agent)
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
    expect(chart).toEqual(compile(programOf(agent).config).chart)
    expect(Object.keys(chart?.services ?? {}).sort()).toEqual(
      Object.keys(programOf(agent).services).sort(),
    )
  })

  test("an agent from classes has the same chart as the equivalent config", () => {
    const byHand = {
      name: "code",
      agent_class: "SequentialAgent",
      sub_agents: [
        { name: "writer", model, instruction: "Write.", output_key: "code" },
        { name: "judge", model, instruction: "Judge {code}" },
      ],
    }
    const byClass = new SequentialAgent({
      name: "code",
      subAgents: [
        new LlmAgent({ name: "writer", model, instruction: "Write.", outputKey: "code" }),
        new LlmAgent({ name: "judge", model, instruction: "Judge {code}" }),
      ],
    })
    expect(compile(byClass).chart?.fingerprint).toBe(compile(byHand).chart?.fingerprint)
  })

  test("the budget and the maxDuration of an agent are in the chart", () => {
    const clerk = new LlmAgent({
      name: "clerk",
      model,
      instruction: "Answer.",
      budget: { maxTokens: 5, maxDuration: "2s" },
      maxDuration: "1m",
    })
    const { chart } = compile(new SequentialAgent({ name: "office", subAgents: [clerk] }))
    expect(chart?.agents["clerk"]).toMatchObject({
      budget: { maxTokens: 5, maxDurationMs: 2000, onExceeded: "limit" },
      maxDurationMs: 60_000,
    })
    // The budget of the root agent is the budget of the run.
    const alone = compile(
      new LlmAgent({ name: "clerk", model, instruction: "Answer.", budget: { maxTokens: 5 } }),
    )
    expect(alone.chart?.settings.budget).toEqual({ maxTokens: 5, onExceeded: "limit" })
  })

  test("a model object and an instruction function are registered under names of the agent", () => {
    const service = { call: async () => ({ content: "Hi." }) }
    const { config, models } = programOf(
      new LlmAgent({
        name: "greeter",
        model: service,
        globalInstruction: ({ agentName }) => `Be nice, ${agentName}.`,
      }),
    )
    expect(config).toMatchObject({
      model: "greeter.model",
      globalInstruction: { service: "greeter.globalInstruction" },
    })
    expect(models).toEqual({ "greeter.model": service })
  })

  test("several agents can share an agent as a tool", () => {
    const expert = llm("expert")
    const root = new SequentialAgent({
      name: "all",
      subAgents: [
        llm("a", { tools: [new AgentTool({ agent: expert })] }),
        llm("b", { tools: [new AgentTool({ agent: expert })] }),
      ],
    })
    const { chart } = compile(root)
    expect(chart?.tools).toMatchObject({ expert: { type: "AgentTool", targetAgent: "expert" } })
    expect([chart?.agents["a"], chart?.agents["b"]]).toMatchObject([
      { tools: ["expert"] },
      { tools: ["expert"] },
    ])
  })

  test("two different tools with the same name are refused", () => {
    const other = new FunctionTool({ name: "search", description: "Another.", execute: () => null })
    const root = new SequentialAgent({
      name: "all",
      subAgents: [llm("a", { tools: [search] }), llm("b", { tools: [other] })],
    })
    const wrong = /"a" and "b" have two different tools with the name "search"/
    expect(() => programOf(root)).toThrow(wrong)
    expect(compile(root)).toMatchObject({
      chart: null,
      diagnostics: [{ code: "config_shape", message: expect.stringMatching(wrong) }],
    })
  })

  test("the functions of plugins have names that differ from those of agents", () => {
    class Watch extends BasePlugin {
      override async beforeModelCallback() {
        return undefined
      }
    }
    const { config, services } = programOf(llm("watch"), {
      plugins: [new Watch("watch"), new SecurityPlugin()],
    })
    expect(config["plugins"]).toEqual([
      { type: "Plugin", name: "watch", beforeModelCallback: "plugins.watch.beforeModelCallback" },
      {
        type: "SecurityPlugin",
        name: "security_plugin",
        policyEngine: "plugins.security_plugin.policyEngine",
      },
    ])
    expect(Object.keys(services)).toEqual([
      "plugins.watch.beforeModelCallback",
      "plugins.security_plugin.policyEngine",
    ])
    expect(() =>
      programOf(llm("a"), { plugins: [new Watch("twice"), new Watch("twice")] }),
    ).toThrow(/"plugins.twice.beforeModelCallback"/)
  })

  test("the JSON of a custom agent contains the name of its function", () => {
    class Twice extends BaseAgent {
      protected override async *runAsyncImpl(): AsyncGenerator<Event, void, void> {}
    }
    expect(new Twice({ name: "twice", subAgents: [llm("inner")] }).toJSON()).toMatchObject({
      agentClass: "CustomAgent",
      name: "twice",
      service: "twice.runAsyncImpl",
      subAgents: [{ name: "inner" }],
    })
  })
})
