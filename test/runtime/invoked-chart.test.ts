import { assign, createActor, sendTo, setup, waitFor } from "xstate"
import { describe, expect, test } from "vitest"
import { compileOrThrow } from "../../src/compiler/index.js"
import type { PendingRequest } from "../../src/machines/contract/pending-request.js"
import type { RunResult } from "../../src/machines/contract/run-event.js"
import type { MachineServices } from "../../src/runtime/index.js"
import { controlActor, pendingRequests, toMachine } from "../../src/runtime/index.js"
import { scriptedServices } from "../support/scripted-services.js"

const httpConfig = { url: "http://agents.test/", method: "POST" } as const

const chart = compileOrThrow({
  rootAgentId: "trip",
  agents: [
    {
      type: "SequentialAgent",
      id: "trip",
      subAgents: [{ agentId: "planner" }, { agentId: "boss" }, { agentId: "booker" }],
    },
    { type: "LlmAgent", id: "planner", httpConfig, outputKey: "plan" },
    { type: "HumanAgent", id: "boss", prompt: "Shall we book it?", outputKey: "verdict" },
    { type: "LlmAgent", id: "booker", httpConfig, outputKey: "booking" },
  ],
})
const machineOf = (services: MachineServices = scriptedServices(script)) =>
  toMachine(chart, services)

const script = { planner: [{ content: "Rome" }], booker: [{ content: "Booked." }] }

/** A user-defined machine that invokes a chart, answers its request and keeps its result. */
const office = (trip: ReturnType<typeof machineOf>) =>
  setup({
    types: {
      context: {} as { pending: readonly PendingRequest[]; result: RunResult | null },
      events: {} as { type: "decide"; value: string } | { type: "abort" } | { type: "leave" },
    },
    actors: { trip },
  }).createMachine({
    context: { pending: [], result: null },
    initial: "traveling",
    states: {
      traveling: {
        invoke: {
          id: "trip",
          src: "trip",
          input: { prompt: "A weekend, please.", runId: "trip-1" },
          onSnapshot: {
            actions: assign({ pending: ({ event }) => pendingRequests(event.snapshot) }),
          },
          onDone: { target: "home", actions: assign({ result: ({ event }) => event.output }) },
          onError: "home",
        },
        on: {
          decide: {
            actions: sendTo("trip", ({ context, event }) => ({
              type: "answer",
              id: context.pending[0]?.id ?? "none",
              value: event.value,
            })),
          },
          abort: { actions: sendTo("trip", { type: "cancel" }) },
          leave: "home",
        },
      },
      home: { type: "final" },
    },
  })

describe("a chart as a child actor of another machine", () => {
  test("receives its input, is answered by an event and returns the result of the run", async () => {
    const actor = createActor(office(machineOf())).start()
    const { context } = await waitFor(actor, (snapshot) => snapshot.context.pending.length > 0)
    expect(context.pending).toMatchObject([{ kind: "human", prompt: "Shall we book it?" }])
    actor.send({ type: "decide", value: "yes" })
    const { context: last } = await waitFor(actor, (snapshot) => snapshot.status === "done")
    expect(last.result).toMatchObject({
      runId: "trip-1",
      status: "completed",
      text: "Booked.",
      state: { plan: "Rome", verdict: "yes", booking: "Booked." },
      usage: { modelCalls: 2 },
      error: null,
    })
    expect(last.pending).toEqual([])
  })

  test("is cancelled by an event, and its output has the status and the finished work", async () => {
    const actor = createActor(office(machineOf())).start()
    await waitFor(actor, (snapshot) => snapshot.context.pending.length > 0)
    actor.send({ type: "abort" })
    const { context } = await waitFor(actor, (snapshot) => snapshot.status === "done")
    expect(context.result).toMatchObject({ status: "cancelled", state: { plan: "Rome" } })
  })

  test("emits the events of its run, and refused messages with their error", async () => {
    const actor = createActor(machineOf(), { input: { runId: "r" } })
    const seen: string[] = []
    const refused: string[] = []
    actor.on("*", ({ type }) => seen.push(type))
    actor.on("human.asked", ({ request }) => seen.push(request.agent))
    actor.on("message.refused", ({ error }) => refused.push(error.code))
    actor.start()
    await waitFor(actor, (snapshot) => pendingRequests(snapshot).length > 0)
    actor.send({ type: "answer", id: "nobody", value: 1 })
    actor.send({ type: "approve", id: pendingRequests(actor.getSnapshot())[0]?.id ?? "" })
    await expect.poll(() => refused).toEqual(["request_unknown", "input_refused"])
    actor.send({
      type: "answer",
      id: pendingRequests(actor.getSnapshot())[0]?.id ?? "",
      value: "ok",
    })
    await waitFor(actor, (snapshot) => snapshot.status === "done")
    expect(seen).toContain("boss")
    expect(seen.filter((type) => type === "model.called")).toHaveLength(2)
    expect(seen.filter((type) => type === "message.refused")).toHaveLength(2)
  })

  test("continues with the persisted snapshot of its parent", async () => {
    const first = createActor(office(machineOf())).start()
    await waitFor(first, (snapshot) => snapshot.context.pending.length > 0)
    const stored = JSON.parse(JSON.stringify(first.getPersistedSnapshot())) as never
    first.stop()
    const services = scriptedServices({ booker: [{ content: "Booked." }] })
    const second = createActor(office(machineOf(services)), { snapshot: stored }).start()
    second.send({ type: "decide", value: "yes" })
    const { context } = await waitFor(second, (snapshot) => snapshot.status === "done")
    expect(context.result).toMatchObject({ status: "completed", state: { booking: "Booked." } })
    expect(services.modelCalls.map(({ agent }) => agent)).toEqual(["booker"])
  })

  test("two charts that one machine invokes have separate limits and usage", async () => {
    const limited = compileOrThrow({
      rootAgentId: "pair",
      maxModelCalls: 2,
      agents: [
        {
          type: "SequentialAgent",
          id: "pair",
          subAgents: [{ agentId: "one" }, { agentId: "two" }],
        },
        { type: "LlmAgent", id: "one", model: "any" },
        { type: "LlmAgent", id: "two", model: "any" },
      ],
    })
    const any = { call: async () => ({ content: "x" }) }
    const parent = setup({
      types: { context: {} as { results: readonly RunResult[] } },
      actors: { pair: toMachine(limited, { models: { any } }) },
    }).createMachine({
      context: { results: [] },
      type: "parallel",
      states: {
        left: {
          initial: "on",
          states: {
            on: {
              invoke: {
                src: "pair",
                onDone: {
                  target: "off",
                  actions: assign({
                    results: ({ context, event }) => [...context.results, event.output],
                  }),
                },
              },
            },
            off: { type: "final" },
          },
        },
        right: {
          initial: "on",
          states: {
            on: {
              invoke: {
                src: "pair",
                onDone: {
                  target: "off",
                  actions: assign({
                    results: ({ context, event }) => [...context.results, event.output],
                  }),
                },
              },
            },
            off: { type: "final" },
          },
        },
      },
    })
    const actor = createActor(parent).start()
    const { context } = await waitFor(actor, (snapshot) => snapshot.status === "done")
    expect(context.results).toMatchObject([
      { status: "completed", usage: { modelCalls: 2 } },
      { status: "completed", usage: { modelCalls: 2 } },
    ])
  })

  test("a run that exceeds its maximum duration ends with status limit, and the parent continues", async () => {
    const slow = compileOrThrow({
      rootAgentId: "boss",
      maxDuration: "20ms",
      agents: [{ type: "HumanAgent", id: "boss", prompt: "Well?" }],
    })
    const actor = createActor(office(toMachine(slow) as never)).start()
    const { context } = await waitFor(actor, (snapshot) => snapshot.status === "done")
    expect(context.result).toMatchObject({ status: "limit", error: { code: "limit_reached" } })
  })

  test("the calls of the run are aborted when the parent leaves the invoking state", async () => {
    let calls = 0
    let isAborted = false
    const any = {
      call: (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          calls++
          signal.addEventListener("abort", () => {
            isAborted = true
            reject(new Error("aborted"))
          })
        }),
    }
    const actor = createActor(office(machineOf({ http: { model: any, tool: any } }))).start()
    await expect.poll(() => calls).toBe(1)
    actor.send({ type: "leave" })
    expect(actor.getSnapshot().status).toBe("done")
    await expect.poll(() => isAborted).toBe(true)
  })

  test("controlActor returns the same controls for a child", async () => {
    const parent = setup({ actors: { trip: machineOf() } }).createMachine({
      invoke: { id: "trip", src: "trip" },
    })
    const actor = createActor(parent).start()
    const { trip } = actor.getSnapshot().children
    if (trip === undefined) throw new Error("no child")
    const controls = controlActor(trip)
    expect(controlActor(trip)).toBe(controls)
    await controls.whenSettled()
    controls.answer(controls.pending()[0]?.id ?? "", "yes")
    expect(await controls.result).toMatchObject({ status: "completed", text: "Booked." })
  })
})
