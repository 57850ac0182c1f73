import type {
  BuiltWorkflow,
  HandoffTargetsOf,
  IdsOf,
  OutputKeysOf,
  WorkflowBuilder,
} from "agent-statecharts/adk"
import {
  createAgentTool,
  createHttpTool,
  createLlmAgent,
  createLoopAgent,
  createSequentialAgent,
  createSubAgentReference,
  GraphCompose,
} from "agent-statecharts/adk"
import { describe, expect, expectTypeOf, test } from "vitest"

const served = { url: "http://llm.test/any", method: "POST" } as const
const writer = createLlmAgent({
  id: "writer",
  httpConfig: served,
  outputKey: "draft",
  tools: ["search"],
})
const desk = createLlmAgent({
  id: "desk",
  httpConfig: served,
  subAgents: [
    createLlmAgent({ id: "billing", httpConfig: served, outputKey: "bill" }),
    createLlmAgent({ id: "support", httpConfig: served }),
  ],
})
const search = createHttpTool({ id: "search", httpConfig: served, outputKey: "found" })
const pipeline = createSequentialAgent({
  id: "pipeline",
  subAgents: [createSubAgentReference("writer"), createSubAgentReference("desk")],
  outputKey: "result",
})

/**
 * Code that must not compile is marked, and `tsc` reports a mark that is no longer needed. These tests only check
 * types: nothing here throws at run time.
 */
describe("the TypeScript types of the references in a workflow", () => {
  const node = () => new GraphCompose().adk("x")

  test("ids, output keys and handoff targets are literal", () => {
    type Agents = typeof writer | typeof desk | typeof pipeline
    expectTypeOf<IdsOf<Agents>>().toEqualTypeOf<"writer" | "desk" | "pipeline">()
    expectTypeOf<OutputKeysOf<Agents>>().toEqualTypeOf<"draft" | "bill" | "result">()
    expectTypeOf<HandoffTargetsOf<Agents, "desk">>().toEqualTypeOf<"billing" | "support">()
    expectTypeOf<HandoffTargetsOf<Agents, "writer">>().toEqualTypeOf<never>()
  })

  test("the type of the result state contains all output keys", () => {
    const graph = node()
      .withWorkflow((builder) =>
        builder
          .rootAgent("pipeline")
          .agent(pipeline)
          .agent(writer)
          .agent(desk)
          .httpTool(search)
          .build(),
      )
      .end()
    type State = Awaited<ReturnType<typeof graph.execute>>["state"]
    expectTypeOf<"draft" | "bill" | "result" | "found">().toExtend<keyof State>()
  })

  test("a workflow with valid references can be built", () => {
    node().withWorkflow((builder) => {
      const built = builder
        .rootAgent("pipeline")
        .agent(pipeline)
        .agent(writer)
        .agent(desk)
        .httpTool(search)
        .build()
      expectTypeOf(built).toExtend<BuiltWorkflow>()
      return built
    })
  })

  test("a missing root agent does not compile", () => {
    node().withWorkflow((builder) =>
      // @ts-expect-error: rootAgent("typo"): no agent of this builder has this id
      builder
        .rootAgent("typo")
        .agent(createLlmAgent({ id: "a", httpConfig: served }))
        .build(),
    )
    node().withWorkflow((builder) =>
      // @ts-expect-error: the builder has no root
      builder.agent(createLlmAgent({ id: "a", httpConfig: served })).build(),
    )
  })

  test("a missing sub-agent does not compile", () => {
    node().withWorkflow((builder) =>
      // @ts-expect-error: the agent "pipeline" refers to the agent "desk", which is not in this builder
      builder.rootAgent("pipeline").agent(pipeline).agent(writer).httpTool(search).build(),
    )
    node().withWorkflow((builder) =>
      // @ts-expect-error: an agent inside another agent cannot be referenced as a sub-agent
      builder
        .rootAgent("s")
        .agent(createSequentialAgent({ id: "s", subAgents: [{ agentId: "billing" }] }))
        .agent(desk)
        .build(),
    )
  })

  test("a missing tool or target of a tool does not compile", () => {
    // @ts-expect-error: the agent "writer" names the tool "search", which is not in this builder
    node().withWorkflow((builder) => builder.rootAgent("writer").agent(writer).build())
    node().withWorkflow((builder) =>
      // @ts-expect-error: the AgentTool "ask" runs the agent "expert", which is not in this builder
      builder
        .rootAgent("desk")
        .agent(desk)
        .agentTool(createAgentTool({ id: "ask", targetAgentId: "expert" }))
        .build(),
    )
  })

  test("the type error contains the unknown id", () => {
    const typo = (builder: WorkflowBuilder) =>
      builder.rootAgent("typo").agent(createLlmAgent({ id: "a", httpConfig: served }))
    expectTypeOf<
      ThisParameterType<ReturnType<typeof typo>["build"]>
    >().toEqualTypeOf<'rootAgent("typo"): no agent of this builder has this id'>()
  })

  test("unknown fields, missing fields and invalid values do not compile", () => {
    // @ts-expect-error: "outputkey" is not a field of LlmAgent
    createLlmAgent({ id: "a", httpConfig: served, outputkey: "x" })
    // @ts-expect-error: a loop needs a maximum
    createLoopAgent({ id: "a", subAgents: [{ agentId: "b" }] })
    // @ts-expect-error: a method that HTTP does not have
    createHttpTool({ id: "a", httpConfig: { url: "http://a.test", method: "SEND" } })
  })

  test("ids that are only known at run time are accepted by TypeScript", () => {
    const id: string = ["a", "b"].join("")
    const graph = node()
      .withWorkflow((builder) =>
        builder
          .rootAgent("s")
          .agent(createSequentialAgent({ id: "s", subAgents: [{ agentId: "ab" }] }))
          .agent(createLlmAgent({ id, httpConfig: served }))
          .build(),
      )
      .end()
    expect(graph.toConfig().agents.map((agent) => agent.id)).toEqual(["s", "ab"])
  })
})
