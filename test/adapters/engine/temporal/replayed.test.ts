import * as fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"
import type { RunOrder } from "../../../../src/runtime/engine/execute-run.js"
import type { CallServices } from "../../../../src/runtime/host/call-services.js"
import { scriptedWorkflow } from "../../../support/arbitrary-workflow.js"
import { scriptedServices } from "../../../support/scripted-services.js"
import {
  agentTool,
  chartOf,
  httpTool,
  human,
  llm,
  loop,
  parallel,
  sequence,
} from "../../../support/workflow.js"
import type { HistoryEvent, HistoryOptions } from "./history.js"
import { historyOf, payloads } from "./history.js"
import { isReady, replayWorker, whyNot } from "./replay-worker.js"
import type { TraceOptions } from "./trace.js"
import { traceOf } from "./trace.js"
import { randomCases } from "../../../support/random-cases.js"

type Agents = Parameters<typeof chartOf>[0]

const orderOf = (agents: Agents, fields = {}): RunOrder => ({
  runId: "r",
  chart: chartOf(agents, fields),
  at: 1_800_000_000_000,
})

const calls = (...names: readonly string[]): object => ({
  content: null,
  toolCalls: names.map((name, index) => ({
    id: `c${index}`,
    function_name: name,
    function_args: { request: "x", agent_name: name.replace("to_", "") },
  })),
})

describe.skipIf(!isReady)(
  `histories of runs, replayed by the Temporal worker${isReady ? "" : ` (skipped: ${whyNot})`}`,
  () => {
    let replay: Awaited<ReturnType<typeof replayWorker>>
    beforeAll(async () => void (replay = await replayWorker()), 120_000)

    /** Replays the history that a server would have of a run in this process, and checks that the result is the same. */
    async function check(
      order: RunOrder,
      services: CallServices,
      {
        tracing = {},
        history = {},
      }: { readonly tracing?: TraceOptions; readonly history?: HistoryOptions } = {},
    ) {
      const trace = await traceOf(order, services, tracing)
      const events = historyOf(order, trace, history)
      const replayed = await replay(events, order.runId)
      expect(replayed).toEqual({ error: null, result: trace.result, refused: trace.refused })
      return { trace, types: events.map(({ eventType }) => eventType.replace("EVENT_TYPE_", "")) }
    }

    test("a sequence with a person replays to the same result", async () => {
      const { trace, types } = await check(
        orderOf([sequence("all", ["writer", "boss"]), llm("writer"), human("boss")]),
        scriptedServices({ writer: [{ content: "Once." }] }),
      )
      expect(trace.result).toMatchObject({
        status: "completed",
        state: { writer_text: "Once.", boss_answer: "yes" },
      })
      expect(types).toContain("WORKFLOW_EXECUTION_SIGNALED")
    })

    test("a parallel block replays to the same result if branches end in reverse order and in one task", async () => {
      const order = orderOf([
        parallel("all", ["one", "two", "three"]),
        llm("one"),
        llm("two"),
        llm("three"),
      ])
      const services = scriptedServices({
        one: [{ content: "1" }],
        two: [{ content: "2" }],
        three: [{ content: "3" }],
      })
      await check(order, services, {
        tracing: { pick: (inFlight) => inFlight - 1 },
        history: { together: (turn) => turn === 2 },
      })
    })

    test("a branch that fails replays with the cancelled calls of the other branches", async () => {
      const order = orderOf([
        parallel("all", ["one", "two", "three"]),
        llm("one"),
        llm("two"),
        llm("three"),
      ])
      const { types } = await check(
        order,
        scriptedServices({
          one: [{ status: 400 }],
          two: [{ content: "2" }],
          three: [{ content: "3" }],
        }),
      )
      expect(types.filter((type) => type === "ACTIVITY_TASK_CANCEL_REQUESTED")).toHaveLength(2)
    })

    test("a loop that ends by its exit condition replays to the same result", async () => {
      const order = orderOf([
        loop("all", ["writer", "critic"], 5, {
          loopExitCondition: "session_state['critic_text'] == 'good'",
        }),
        llm("writer"),
        llm("critic"),
      ])
      const { trace } = await check(
        order,
        scriptedServices({
          writer: [{ content: "a" }],
          critic: [{ content: "bad" }, { content: "bad" }, { content: "good" }],
        }),
      )
      expect(trace.result.state).toMatchObject({
        loop_exit_reason: "exit_condition",
        current_agent_loop_iteration: 2,
      })
    })

    test("retries replay with a timer for each pause", async () => {
      const retry = {
        activityConfig: {
          startToCloseTimeout: "5s",
          scheduleToCloseTimeout: "1m",
          retryPolicy: { maximumAttempts: 3, initialInterval: "2s" },
        },
      }
      const { types } = await check(
        orderOf([sequence("all", ["writer"]), llm("writer", retry)]),
        scriptedServices({ writer: [{ status: 503 }, { status: 503 }, { content: "at last" }] }),
      )
      expect(types.filter((type) => type === "TIMER_FIRED")).toHaveLength(2)
    })

    test("a handoff, a tool call and an AgentTool replay to the same result", async () => {
      const desk = llm("desk", { subAgents: [llm("billing", { tools: ["find", "ask"] })] })
      const order = orderOf([sequence("all", ["desk"]), desk, llm("expert")], {
        globalTools: [httpTool("find"), agentTool("ask", "expert")],
      })
      const transfer = {
        content: null,
        toolCalls: [
          { id: "t", function_name: "transfer_to_agent", function_args: { agent_name: "billing" } },
        ],
      }
      const { trace } = await check(
        order,
        scriptedServices(
          {
            desk: [transfer],
            billing: [calls("find", "ask"), { content: "paid" }],
            expert: [{ content: "5" }],
          },
          { find: [{ hits: 1 }] },
        ),
      )
      expect(trace.result).toMatchObject({
        status: "completed",
        usage: { modelCalls: 4, toolCalls: 2 },
      })
    })

    test("a host function that runs agents and steps replays to the same result", async () => {
      const services = {
        ...scriptedServices({ writer: [{ content: "Once." }, { content: "Twice." }] }),
        services: {
          editor: async (ctx: {
            runAgent(name: string): Promise<unknown>
            step(name: string, act: () => Promise<unknown>): Promise<unknown>
          }) => (
            await ctx.runAgent("writer"),
            await ctx.step("look", async () => 7),
            await ctx.runAgent("writer"),
            "done"
          ),
        },
      }
      const order = orderOf(
        [
          { type: "CustomAgent", id: "all", service: "editor", subAgents: [{ agentId: "writer" }] },
          llm("writer"),
        ],
        { dialect: "adk" },
      )
      const { types } = await check(order, services)
      expect(types.filter((type) => type === "ACTIVITY_TASK_COMPLETED").length).toBeGreaterThan(5)
    })

    test("a run that fails because of a missing service replays to the same result", async () => {
      const order = orderOf(
        [{ type: "CustomAgent", id: "all", service: "nobody", subAgents: [] }],
        { dialect: "adk" },
      )
      const { trace } = await check(order, scriptedServices({}))
      expect(trace.result).toMatchObject({ status: "failed", error: { code: "service_missing" } })
    })

    test("a run with a refused message and an early end replays to the same result", async () => {
      await check(
        orderOf([sequence("all", ["writer", "boss"]), llm("writer"), human("boss")]),
        scriptedServices({ writer: [{ content: "Once." }] }),
        {
          tracing: {
            interrupt: (_, turn) =>
              turn === 1 ? { type: "approve", id: "nothing" } : turn === 3 ? { type: "end" } : null,
          },
        },
      )
    })

    const twoAtWork = orderOf([
      parallel("all", ["one", "two"]),
      llm("one"),
      llm("two", {
        activityConfig: { retryPolicy: { maximumAttempts: 2, initialInterval: "1h" } },
      }),
    ])
    const cancelling: TraceOptions = {
      interrupt: (_, turn) => (turn === 2 ? { type: "cancel" } : null),
      pick: (inFlight) => inFlight - 1,
    }

    test.each([false, true])(
      "a cancelled run replays to the same result (cancelled by Temporal: %s)",
      async (cancelledByTemporal) => {
        const { trace, types } = await check(
          twoAtWork,
          scriptedServices({ one: [{ content: "1" }], two: [{ status: 503 }] }),
          { tracing: cancelling, history: { cancelledByTemporal } },
        )
        expect(trace.result.status).toBe("cancelled")
        expect(types).toEqual(
          expect.arrayContaining([
            "ACTIVITY_TASK_CANCEL_REQUESTED",
            "TIMER_CANCELED",
            cancelledByTemporal
              ? "WORKFLOW_EXECUTION_CANCEL_REQUESTED"
              : "WORKFLOW_EXECUTION_SIGNALED",
          ]),
        )
      },
    )

    test("random workflows replay to the same result, with calls in any order and a stop at any time", async () => {
      await fc.assert(
        fc.asyncProperty(
          scriptedWorkflow,
          fc.infiniteStream(fc.nat(7)),
          fc.option(fc.tuple(fc.nat(12), fc.constantFrom("end" as const, "cancel" as const))),
          async (workflow, choices, stop) => {
            const order = orderOf(workflow.agents, {
              ...workflow.fields,
              rootAgentId: "a0",
            })
            const tracing: TraceOptions = {
              pick: () => choices.next().value ?? 0,
              interrupt: (_, turn) =>
                stop !== null && stop[0] === turn ? { type: stop[1] } : null,
            }
            await check(order, scriptedServices(workflow.models, workflow.tools), {
              tracing,
              history: { together: () => (choices.next().value ?? 0) < 2 },
            })
          },
        ),
        { numRuns: randomCases(60) },
      )
    })

    describe("changed histories", () => {
      const order = orderOf([
        sequence("all", ["writer", "editor", "boss"]),
        llm("writer"),
        llm("editor"),
        human("boss"),
      ])
      const services = scriptedServices({ writer: [{ content: "w" }], editor: [{ content: "e" }] })
      const isActivity = ({ eventType }: HistoryEvent): boolean =>
        eventType === "EVENT_TYPE_ACTIVITY_TASK_SCHEDULED"
      type Scheduled = HistoryEvent & { readonly activityTaskScheduledEventAttributes: object }

      const changed = async (
        change: (events: HistoryEvent[]) => void,
      ): Promise<Awaited<ReturnType<typeof replay>>> => {
        const events = structuredClone(
          historyOf(order, await traceOf(order, services)),
        ) as HistoryEvent[]
        change(events)
        return replay(events, "r")
      }
      const renamed = (event: HistoryEvent | undefined, attributes: object): HistoryEvent => {
        const { activityTaskScheduledEventAttributes, ...rest } = event as Scheduled
        return {
          ...rest,
          activityTaskScheduledEventAttributes: {
            ...activityTaskScheduledEventAttributes,
            ...attributes,
          },
        }
      }

      test("a history with two calls in a different order is refused", async () => {
        const { error, result } = await changed((events) => {
          const [first = -1, second = -1] = events
            .flatMap((event, index) => (isActivity(event) ? [index] : []))
            .slice(1)
          const [one, two] = [events[first] as Scheduled, events[second] as Scheduled]
          events[first] = renamed(one, two.activityTaskScheduledEventAttributes)
          events[second] = renamed(two, one.activityTaskScheduledEventAttributes)
        })
        expect(error).toMatchObject({ name: "DeterminismViolationError" })
        expect(result).toBeNull()
      })

      test("a history with a call of a different kind is refused", async () => {
        const { error } = await changed((events) => {
          const last = events.findLastIndex(isActivity)
          events[last] = renamed(events[last], { activityType: { name: "callTool" } })
        })
        expect(error).toMatchObject({ name: "DeterminismViolationError" })
      })

      test("a history with a missing call is refused", async () => {
        const { error } = await changed((events) => {
          const last = events.findLastIndex(isActivity)
          events.splice(last)
          const eventId = String(last + 1)
          events.push({
            eventId,
            eventTime: events[0]?.eventTime ?? "",
            eventType: "EVENT_TYPE_TIMER_STARTED",
            timerStartedEventAttributes: {
              timerId: "1",
              startToFireTimeout: "1s",
              workflowTaskCompletedEventId: String(last),
            },
          })
        })
        expect(error).toMatchObject({ name: "DeterminismViolationError" })
      })

      test("a history with a different answer replays to a different result", async () => {
        const { error, result } = await changed((events) => {
          const told = events.findIndex(
            ({ eventType }) => eventType === "EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED",
          )
          const answer = { type: "answer", id: "all/boss#0", value: "no" }
          events[told] = {
            ...(events[told] as HistoryEvent),
            workflowExecutionSignaledEventAttributes: {
              signalName: "message",
              identity: "test",
              header: {},
              input: payloads(answer),
            },
          }
        })
        expect(error).toBeNull()
        expect(result?.state).toMatchObject({ boss_answer: "no" })
      })
    })
  },
)
