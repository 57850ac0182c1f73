import { createActor } from "xstate"
import { describe, expect, test } from "vitest"
import { traceMachine, traceRun } from "../../../src/adapters/telemetry/otel/index.js"
import { createHttpServices } from "../../../src/adapters/http/index.js"
import { startScriptedService } from "../../../src/adapters/scripted/index.js"
import type { AgentChart } from "../../../src/machines/index.js"
import { controlActor, createRunner, memoryJournal, toMachine } from "../../../src/runtime/index.js"
import { examples } from "../../examples/example-folder.js"
import { give } from "../../examples/give-answer.js"
import { scriptedCalls } from "../../examples/scripted-calls.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { simulatedClock } from "../../support/simulated-clock.js"
import {
  agentTool,
  chartOf,
  httpTool,
  human,
  llm,
  loop,
  parallel,
  sequence,
} from "../../support/workflow.js"
import { called, millisOf, outline, spansKept } from "./spans-of.js"

const call = (name: string, id: string, args: object = {}) => ({
  content: null,
  toolCalls: [{ id, function_name: name, function_args: args }],
})

const usage = { inputTokens: 7, outputTokens: 3 }

describe("the spans of a run", () => {
  test("form a tree of the workflow, its agents by path, and their model calls and tool calls", async () => {
    const chart = chartOf(
      [
        sequence("pipeline", ["writer", "editor"]),
        llm("writer", { description: "Writes.", tools: ["look"] }),
        llm("editor"),
      ],
      { globalTools: [httpTool("look", { description: "Looks." })] },
    )
    const { tracer, spans, open } = spansKept()
    const services = scriptedServices(
      {
        writer: [
          { ...call("look", "c1", { secret: "argument" }), usage },
          { content: "a draft", usage },
        ],
        editor: [{ content: "a text", usage }],
      },
      { look: ["a result"] },
    )
    const run = createRunner(services).start(chart, { runId: "r", prompt: "a prompt" })
    traceRun(run, { tracer, chart, provider: "acme", conversationId: "talk" })
    await run.result
    expect(outline(spans())).toEqual([
      "invoke_workflow pipeline",
      "  invoke_agent pipeline",
      "    invoke_agent writer",
      "      chat",
      "      execute_tool look",
      "      chat",
      "    invoke_agent editor",
      "      chat",
    ])
    expect(open()).toBe(0)
    expect(called(spans(), "invoke_workflow pipeline").attributes).toEqual({
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": "pipeline",
      "gen_ai.conversation.id": "talk",
      "agent_statecharts.run.id": "r",
      "agent_statecharts.chart": chart.fingerprint,
      "agent_statecharts.status": "completed",
    })
    expect(called(spans(), "invoke_agent writer").attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "writer",
      "gen_ai.agent.description": "Writes.",
      "gen_ai.conversation.id": "talk",
      "gen_ai.usage.input_tokens": 14,
      "gen_ai.usage.output_tokens": 6,
      "agent_statecharts.agent.kind": "LlmAgent",
      "agent_statecharts.agent.path": "pipeline/writer",
      "agent_statecharts.outcome": "done",
    })
    expect(called(spans(), "chat").attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "acme",
      "gen_ai.agent.name": "writer",
      "gen_ai.conversation.id": "talk",
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.output_tokens": 3,
      "agent_statecharts.attempt": 1,
    })
    expect(called(spans(), "execute_tool look").attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.agent.name": "writer",
      "gen_ai.tool.name": "look",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.description": "Looks.",
    })
  })

  test("contain prompts, responses, arguments and results only with captureContent", async () => {
    const chart = chartOf([llm("writer", { tools: ["look"] })], { globalTools: [httpTool("look")] })
    const told = async (captureContent: boolean): Promise<string> => {
      const { tracer, spans } = spansKept()
      const services = scriptedServices(
        { writer: [call("look", "c1", { where: "ARGUMENT" }), { content: "ANSWER" }] },
        { look: ["RESULT"] },
      )
      const run = createRunner(services).start(chart, { prompt: "PROMPT" })
      traceRun(run, { tracer, captureContent })
      await run.result
      return JSON.stringify(
        spans().map(({ attributes, events, status }) => ({ attributes, events, status })),
      )
    }
    expect(await told(false)).not.toMatch(/PROMPT|ANSWER|ARGUMENT|RESULT/)
    const all = await told(true)
    for (const said of ["PROMPT", "ANSWER", "ARGUMENT", "RESULT"]) expect(all).toContain(said)
  })

  test("have the times of the events", async () => {
    const clock = simulatedClock(1000)
    const chart = chartOf([
      sequence("all", ["writer"]),
      llm("writer", {
        activityConfig: { retryPolicy: { maximumAttempts: 2, initialInterval: "5s" } },
      }),
    ])
    const { tracer, spans, open } = spansKept()
    const run = createRunner({
      ...scriptedServices({ writer: [{ status: 503 }, { content: "late" }] }),
      clock,
    }).start(chart)
    traceRun(run, { tracer })
    await clock.runUntilIdle()
    expect(outline(spans())).toEqual([
      "invoke_workflow all",
      "  invoke_agent all",
      "    invoke_agent writer",
      "      chat !model_call_failed",
      "      chat",
    ])
    const chats = spans().filter(({ name }) => name === "chat")
    expect(
      chats.map(({ startTime, endTime, attributes }) => [
        millisOf(startTime),
        millisOf(endTime),
        attributes["agent_statecharts.attempt"],
      ]),
    ).toEqual([
      [1000, 1000, 1],
      [6000, 6000, 2],
    ])
    const workflow = called(spans(), "invoke_workflow all")
    expect([millisOf(workflow.startTime), millisOf(workflow.endTime)]).toEqual([1000, 6000])
    expect(open()).toBe(0)
    expect(
      called(spans(), "invoke_agent writer").events.map(({ name, time, attributes }) => [
        name,
        millisOf(time),
        attributes?.["agent_statecharts.attempt"],
        attributes?.["error.type"],
      ]),
    ).toEqual([["retry.scheduled", 1000, 2, "model_call_failed"]])
  })

  test("have an error status after a failure, and its message only with captureContent", async () => {
    const chart = chartOf([
      sequence("pipeline", ["writer"]),
      llm("writer", { activityConfig: { retryPolicy: { maximumAttempts: 1 } } }),
    ])
    for (const captureContent of [false, true]) {
      const { tracer, spans, open } = spansKept()
      const run = createRunner(scriptedServices({ writer: [{ status: 400 }] })).start(chart)
      traceRun(run, { tracer, captureContent })
      expect((await run.result).status).toBe("failed")
      expect(outline(spans())).toEqual([
        "invoke_workflow pipeline !model_call_failed",
        "  invoke_agent pipeline !failed",
        "    invoke_agent writer !model_call_failed",
        "      chat !model_call_failed",
      ])
      expect(called(spans(), "chat").status.message).toBe(
        captureContent ? `agent "writer" failed: HTTP 400` : undefined,
      )
      expect(open()).toBe(0)
    }
  })

  test("include failed tool calls, with their attempts as events, and calls of unknown tools", async () => {
    const clock = simulatedClock(1000)
    const chart = chartOf([sequence("all", ["writer"]), llm("writer", { tools: ["look"] })], {
      globalTools: [
        httpTool("look", {
          activityConfig: { retryPolicy: { maximumAttempts: 2, initialInterval: "5s" } },
        }),
      ],
    })
    const { tracer, spans } = spansKept()
    const services = scriptedServices(
      {
        writer: [
          {
            content: null,
            toolCalls: [...call("look", "a/1").toolCalls, ...call("guess", "b").toolCalls],
          },
          { content: "done" },
        ],
      },
      { look: [{ status: 503 }] },
    )
    const run = createRunner({ ...services, clock }).start(chart)
    traceRun(run, { tracer })
    await clock.runUntilIdle()
    expect([...outline(spans())].sort()).toEqual(
      [
        "invoke_workflow all",
        "  invoke_agent all",
        "    invoke_agent writer",
        "      chat",
        "      execute_tool guess !tool_call_failed",
        "      execute_tool look !tool_call_failed",
        "      chat",
      ].sort(),
    )
    const look = called(spans(), "execute_tool look")
    expect(
      look.events.map(({ name, time, attributes }) => [
        name,
        millisOf(time),
        attributes?.["agent_statecharts.attempt"],
      ]),
    ).toEqual([
      ["retry.scheduled", 1000, 2],
      ["tool.called", 6000, 2],
    ])
    expect(millisOf(look.endTime)).toBe(6000)
  })

  test("the span of an AgentTool call contains the span of its target agent", async () => {
    const chart = chartOf(
      [sequence("all", ["boss"]), llm("boss", { tools: ["ask"] }), llm("helper")],
      { globalTools: [agentTool("ask", "helper")] },
    )
    const { tracer, spans } = spansKept()
    const run = createRunner(
      scriptedServices({
        boss: [call("ask", "c/1", { request: "help" }), { content: "done" }],
        helper: [{ content: "helped" }],
      }),
    ).start(chart)
    traceRun(run, { tracer, chart })
    await run.result
    expect(outline(spans())).toEqual([
      "invoke_workflow all",
      "  invoke_agent all",
      "    invoke_agent boss",
      "      chat",
      "      execute_tool ask",
      "        invoke_agent helper",
      "          chat",
      "      chat",
    ])
  })

  test("each loop iteration and each parallel branch has its own agent span", async () => {
    const chart = chartOf([
      sequence("all", ["rounds", "both"]),
      loop("rounds", ["writer"], 2),
      parallel("both", ["left", "right"]),
      llm("writer"),
      llm("left"),
      llm("right"),
    ])
    const { tracer, spans, open } = spansKept()
    const one = [{ content: "x" }]
    const run = createRunner(scriptedServices({ writer: one, left: one, right: one })).start(chart)
    traceRun(run, { tracer, chart })
    await run.result
    expect(outline(spans()).filter((line) => line.includes("invoke_agent"))).toEqual([
      "  invoke_agent all",
      "    invoke_agent rounds",
      "      invoke_agent writer",
      "      invoke_agent writer",
      "    invoke_agent both",
      "      invoke_agent left",
      "      invoke_agent right",
    ])
    expect(called(spans(), "invoke_agent rounds").events.map(({ name }) => name)).toEqual([
      "loop.iterated",
      "loop.ended",
    ])
    expect(called(spans(), "invoke_agent both").events.map(({ name }) => name)).toEqual([
      "parallel.joined",
    ])
    expect(
      called(spans(), "invoke_agent left").attributes["agent_statecharts.agent.branch"],
    ).toMatch(/both/)
    expect(open()).toBe(0)
  })

  test("the agent span after a handoff has a link to the span of the previous agent", async () => {
    const chart = chartOf([llm("desk", { subAgents: [llm("billing")] })])
    const { tracer, spans } = spansKept()
    const run = createRunner(
      scriptedServices({
        desk: [call("transfer_to_agent", "t", { agent_name: "billing" })],
        billing: [{ content: "paid" }],
      }),
    ).start(chart)
    traceRun(run, { tracer, chart })
    await run.result
    const desks = spans().filter(
      ({ name, attributes }) =>
        name === "invoke_agent desk" && attributes["agent_statecharts.outcome"] === "handedOff",
    )
    expect(
      called(spans(), "invoke_agent billing").links.map(({ context }) => context.spanId),
    ).toEqual(desks.map((span) => span.spanContext().spanId))
    expect(
      spans()
        .flatMap(({ events }) => events)
        .find(({ name }) => name === "handoff")?.attributes,
    ).toEqual({
      "agent_statecharts.handoff.from": "desk",
      "agent_statecharts.handoff.to": "billing",
    })
  })

  test("a request to a person and its answer are events of the agent span", async () => {
    const { tracer, spans, open } = spansKept()
    const run = createRunner().start(chartOf([human("boss")]), { runId: "r" })
    traceRun(run, { tracer })
    await run.whenSettled()
    run.answer(run.pending()[0]?.id ?? "", "SECRET WISH")
    await run.result
    expect(
      called(spans(), "invoke_agent boss").events.map(({ name, attributes }) => [
        name,
        attributes?.["agent_statecharts.request.kind"],
      ]),
    ).toEqual([
      ["human.asked", "human"],
      ["human.answered", undefined],
    ])
    expect(
      JSON.stringify(spans().map(({ attributes, events }) => [attributes, events])),
    ).not.toContain("SECRET WISH")
    expect(open()).toBe(0)
  })

  test("no span stays open if a run is cancelled or suspended, or if its trace is ended", async () => {
    const chart = chartOf(
      [parallel("both", ["left", "right"]), llm("left", { tools: ["look"] }), llm("right")],
      { globalTools: [httpTool("look")] },
    )
    const silent = scriptedServices(
      { left: [call("look", "c")], right: [{ content: "x" }] },
      { look: ["never"] },
      ({ agent, path }) =>
        agent === "right" || path.includes("tool:") ? new Promise(() => {}) : Promise.resolve(),
    )
    for (const stop of ["cancel", "close", "end"] as const) {
      const { tracer, spans, open } = spansKept()
      const runner = createRunner(silent)
      const run = runner.start(chart)
      const traced = traceRun(run, { tracer, chart })
      await new Promise((resolve) => setImmediate(resolve))
      expect(open()).toBeGreaterThan(3)
      if (stop === "cancel") await run.cancel()
      else if (stop === "close") await runner.close()
      else traced.end()
      expect(open()).toBe(0)
      expect(called(spans(), "invoke_workflow both").attributes["agent_statecharts.status"]).toBe(
        stop === "cancel" ? "cancelled" : undefined,
      )
      if (stop === "end") await runner.close()
    }
  })

  test("a resumed run continues in a new trace with a link, without spans of its past", async () => {
    const chart = chartOf([
      sequence("all", ["writer", "boss", "editor"]),
      llm("writer"),
      human("boss"),
      llm("editor"),
    ])
    const journal = memoryJournal()
    const services = scriptedServices({
      writer: [{ content: "a draft" }],
      editor: [{ content: "a text" }],
    })
    const first = spansKept()
    const runner = createRunner({ ...services, journal })
    const begun = runner.start(chart, { runId: "r" })
    const link = traceRun(begun, { tracer: first.tracer, chart })
    await begun.whenSettled()
    await runner.close()
    expect(first.open()).toBe(0)
    expect(outline(first.spans())).toEqual([
      "invoke_workflow all",
      "  invoke_agent all",
      "    invoke_agent writer",
      "      chat",
      "    invoke_agent boss",
    ])

    const second = spansKept()
    const context = link.spanContext()
    if (context === null) throw new Error("the run had a span")
    const run = await createRunner({ ...services, journal }).resume("r", {
      before: (resumed) =>
        void traceRun(resumed, { tracer: second.tracer, chart, resumed: { link: context } }),
    })
    run.answer(run.pending()[0]?.id ?? "", "yes")
    await run.result
    expect(outline(second.spans())).toEqual([
      "invoke_workflow all",
      "  invoke_agent all",
      "    invoke_agent boss",
      "    invoke_agent editor",
      "      chat",
    ])
    const workflow = called(second.spans(), "invoke_workflow all")
    expect(workflow.links.map(({ context: { traceId, spanId } }) => ({ traceId, spanId }))).toEqual(
      [{ traceId: context.traceId, spanId: context.spanId }],
    )
    expect(workflow.spanContext().traceId).not.toBe(context.traceId)
    expect(second.open()).toBe(0)
  })
})

describe("an actor", () => {
  test("has the same spans as a run", async () => {
    const chart = chartOf(
      [sequence("all", ["writer", "editor"]), llm("writer", { tools: ["look"] }), llm("editor")],
      { globalTools: [httpTool("look")] },
    )
    const services = () =>
      scriptedServices(
        { writer: [call("look", "c"), { content: "a draft" }], editor: [{ status: 400 }] },
        { look: ["x"] },
      )
    const run = spansKept()
    const running = createRunner(services()).start(chart)
    traceRun(running, { tracer: run.tracer, chart })
    await running.result
    const actor = spansKept()
    const traced = traceMachine({ tracer: actor.tracer, chart })
    const acting = createActor(toMachine(chart, { ...services(), onEvent: traced.onEvent }))
    const controls = controlActor(acting)
    acting.start()
    traced.end(await controls.result)
    expect(outline(actor.spans())).toEqual(outline(run.spans()))
    expect(actor.open()).toBe(0)
  })
})

describe.each(examples)(
  "the example $name",
  ({ chart: stored, scenario, answers, services, expected }) => {
    const chart = stored as AgentChart

    test("has a span for each model call, and no open spans", async () => {
      const { tracer, spans, open } = spansKept()
      const service = await startScriptedService(scenario)
      const http = createHttpServices({ dispatcher: service.dispatcher() })
      try {
        const run = createRunner(scriptedCalls({ chart, services }, http)).start(chart)
        traceRun(run, { tracer, chart })
        for (const answer of answers) {
          await run.whenSettled()
          give(answer, run)
        }
        const { usage: used } = await run.whenSettled()
        // Between the messages of a user, a run of the adk dialect is idle.
        if (chart.dialect === "adk") await run.end()
        expect(open()).toBe(0)
        const chats = spans().filter(
          ({ attributes }) => attributes["gen_ai.operation.name"] === "chat",
        )
        expect(
          chats.filter(({ attributes }) => attributes["agent_statecharts.attempt"] === 1).length,
        ).toBe(used.modelCalls)
        // The calls of a child run belong to the child run, which has its own spans. Messages to
        // a remote agent are not model calls.
        const called = Object.values(chart.workflows ?? {})
        const own = Object.entries(expected.calls).filter(
          ([agent]) =>
            chart.agents[agent]?.type !== "WorkflowAgent" &&
            !called.some(({ agents }) => Object.hasOwn(agents, agent)),
        )
        expect(chats.length).toBe(own.reduce((sum, [, count]) => sum + count, 0))
        const byId = new Map(spans().map((span) => [span.spanContext().spanId, span]))
        for (const { parentSpanContext, attributes, startTime, endTime } of spans()) {
          const parent = parentSpanContext === undefined ? null : byId.get(parentSpanContext.spanId)
          expect(millisOf(endTime)).toBeGreaterThanOrEqual(millisOf(startTime))
          if (attributes["gen_ai.operation.name"] === "invoke_workflow") expect(parent).toBeNull()
          else expect(parent, String(attributes["agent_statecharts.agent.path"])).toBeTruthy()
        }
      } finally {
        await http.close()
        await service.close()
      }
    })
  },
)
