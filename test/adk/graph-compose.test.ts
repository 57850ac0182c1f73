import { startScriptedService } from "agent-statecharts/adapters/scripted"
import {
  createAgentTool,
  createHttpTool,
  createHumanAgent,
  createLlmAgent,
  createLoopAgent,
  createParallelAgent,
  createSubAgentReference,
  GraphCompose,
} from "agent-statecharts/adk"
import { describe, expect, test } from "vitest"
import { tryVector } from "../conformance/play.mjs"
import { load, snippetNamed } from "./snippet.js"

const chains = ["11", "12"].map(snippetNamed)

describe("a program of Graph Compose's client", () => {
  test.each(chains)("the config of $file is the config in its header", async ({ file, header }) => {
    const { graph } = (await load(file)) as { readonly graph: GraphCompose }
    if (header.config !== undefined) expect(graph.toConfig()).toEqual(header.config)
    expect(JSON.parse(JSON.stringify(graph.toConfig()))).toStrictEqual(graph.toConfig())
  })

  for (const { file, header } of chains) {
    test.each(["run", "actor"] as const)(
      `${file} has the result in its header, as %s`,
      async (interpreter) => {
        const { graph } = (await load(file)) as { readonly graph: GraphCompose }
        const { llm, tools = {}, expect: expected } = header
        const vector = {
          id: file,
          title: file,
          theme: "client",
          dialect: "graph-compose",
          config: graph.toConfig(),
          llm,
          tools,
          expect: expected,
        }
        expect(await tryVector(vector as never, interpreter)).toEqual([])
      },
    )
  }

  test.each(chains)("execute() runs $file over HTTP", async ({ file, header }) => {
    const { graph } = (await load(file)) as { readonly graph: GraphCompose }
    const service = await startScriptedService({
      llm: header.llm,
      tools: header.tools ?? {},
    })
    try {
      const { status, state } = await graph.execute({ dispatcher: service.dispatcher() })
      expect({ status, state }).toMatchObject({
        status: "completed",
        state: header.expect["state"],
      })
      expect(service.unused()).toEqual([])
    } finally {
      await service.close()
    }
  })
})

const served = { url: "http://llm.test/a", method: "POST" } as const

describe("the builder", () => {
  const answering = {
    models: { small: { call: async () => ({ content: "Done.", exitFlow: true }) } },
  }
  const greeter = createLlmAgent({ id: "greeter", model: "small", outputKey: "greeting" })

  test("the result of execute() has the output keys of the graph", async () => {
    const graph = new GraphCompose({ token: "any" })
      .adk("hello")
      .withWorkflow((builder) => builder.rootAgent("greeter").agent(greeter).build())
      .end()
    const { state } = await graph.execute(answering)
    expect(state.greeting).toBe("Done.")
  })

  test("withMaxCycles of the graph overrides withMaxCycles of the workflow", () => {
    const graph = new GraphCompose()
    graph
      .adk("hello")
      .withMaxCycles(7)
      .withWorkflow((builder) =>
        builder.rootAgent("greeter").agent(greeter).withMaxCycles(3).build(),
      )
      .end()
    expect(graph.toConfig().maxOrchestrationCycles).toBe(7)
  })

  test("execute() resolves when the run waits for a person", async () => {
    const graph = new GraphCompose()
      .adk("ask")
      .withWorkflow((builder) =>
        builder
          .rootAgent("boss")
          .agent(createHumanAgent({ id: "boss", prompt: "Go?" }))
          .build(),
      )
      .end()
    expect((await graph.execute()).status).toBe("waiting")
  })

  test("the error of execute() contains every problem of a graph that does not compile", async () => {
    const loop = createLoopAgent({
      id: "rounds",
      subAgents: [createSubAgentReference("greeter")],
      maxAgentLoopIterations: 0,
      loopExitCondition: "open +",
    })
    const graph = new GraphCompose()
      .adk("x")
      .withWorkflow((builder) => builder.rootAgent("rounds").agent(loop).agent(greeter).build())
      .end()
    await expect(graph.execute(answering)).rejects.toMatchObject({
      code: "definition_refused",
      message: expect.stringMatching(/maxAgentLoopIterations[^]*loopExitCondition/),
    })
  })

  test("a second node and a graph without a workflow are refused with a fix", () => {
    const graph = new GraphCompose()
    expect(() => graph.toConfig()).toThrow(/withWorkflow/)
    expect(() => graph.adk("one").end()).toThrow(/withWorkflow/)
    expect(() => graph.adk("two")).toThrow(/already has the adk node "one"/)
  })

  test("every create function returns plain data", () => {
    expect([
      createParallelAgent({
        id: "both",
        subAgents: [createSubAgentReference("a", { when: "session_state.get('x')" })],
        maxConcurrency: 1,
      }),
      createHttpTool({ id: "pay", httpConfig: served }),
      createAgentTool({ id: "ask", targetAgentId: "greeter", skipSummarization: true }),
    ]).toEqual([
      {
        type: "ParallelAgent",
        id: "both",
        subAgents: [{ agentId: "a", when: "session_state.get('x')" }],
        maxConcurrency: 1,
      },
      { type: "HttpTool", id: "pay", httpConfig: served },
      { type: "AgentTool", id: "ask", targetAgentId: "greeter", skipSummarization: true },
    ])
  })
})
