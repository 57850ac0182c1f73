import type { StatelyActorEvent, StatelyInspectionEvent } from "@statelyai/inspect"
import { describe, expect, test } from "vitest"
import { statelyInspector } from "../../../src/adapters/inspect/stately/index.js"
import type { ServiceMessage } from "../../../src/adapters/inspect/xstate-inspect/index.js"
import { xstateInspectBridge } from "../../../src/adapters/inspect/xstate-inspect/index.js"
import { createRunner } from "../../../src/runtime/index.js"
import { begin, interpreters } from "../../support/in-both-interpreters.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { chartOf, human, llm, sequence } from "../../support/workflow.js"
import { createActor } from "xstate"
import { toMachine } from "../../../src/runtime/index.js"
import { pathsOf } from "./play-inspected.js"
import { eventually } from "../../support/eventually.js"

const nested = (depth: number): readonly object[] => [
  ...Array.from({ length: depth }, (_, at) =>
    sequence(`level${at}`, [at + 1 === depth ? "writer" : `level${at + 1}`]),
  ),
  llm("writer"),
]
const talk = chartOf([sequence("line", ["writer", "boss"]), llm("writer"), human("boss")])
const said = "a text ".repeat(1_000)

describe("Stately's inspector", () => {
  const collect = () => {
    const sent: StatelyInspectionEvent[] = []
    return {
      sent,
      inspector: statelyInspector({
        send: (text) => sent.push(JSON.parse(text) as StatelyInspectionEvent),
      }),
    }
  }

  test("a chart with 40 nested levels is sent completely", async () => {
    const chart = chartOf(nested(40) as never)
    const { sent, inspector } = collect()
    const run = createRunner({
      ...scriptedServices({ writer: [{ content: "x" }] }),
      inspect: inspector.inspect,
    }).start(chart)
    await run.result
    await inspector.close()
    const [root] = sent.filter(
      (event): event is StatelyActorEvent => event.type === "@xstate.actor",
    )
    const config = JSON.parse(root?.definition ?? "") as {
      readonly id: string
      readonly states: object
    }
    expect(pathsOf(config).toSorted()).toEqual(
      pathsOf(chart.machines[chart.root] as never).toSorted(),
    )
    const deepest = sent
      .filter(({ type, sessionId }) => type === "@xstate.snapshot" && sessionId === root?.sessionId)
      .map((event) => JSON.stringify(event))
    expect(deepest.some((event) => event.includes('"level39":"writer"'))).toBe(true)
  })

  test.each(interpreters)(
    "secrets are omitted and long texts are truncated (%s)",
    async (interpreter) => {
      const { sent, inspector } = collect()
      const services = scriptedServices({ writer: [{ content: said }] })
      const input = { state: { apiKey: "hunter2", city: "Lagos" } }
      if (interpreter === "run")
        await createRunner({ ...services, inspect: inspector.inspect })
          .start(talk, input)
          .whenSettled()
      else {
        createActor(toMachine(talk, services), { input, inspect: inspector.inspect }).start()
        await eventually(() => expect(JSON.stringify(sent)).toContain("waitingForHuman"))
      }
      await inspector.close()
      const text = JSON.stringify(sent)
      expect(text).toContain("Lagos")
      expect(text).toContain(`(${said.length} characters)`)
      expect(text).not.toContain("hunter2")
      expect(text).not.toContain(said)
    },
  )

  test("a viewer in a frame receives the events as soon as it has connected", async () => {
    const told: StatelyInspectionEvent[] = []
    const listeners: ((event: object) => void)[] = []
    const contentWindow = {
      postMessage: (event: StatelyInspectionEvent) => told.push(structuredClone(event)),
    }
    const loads: (() => void)[] = []
    const iframe = {
      contentWindow,
      addEventListener: (_: string, heard: () => void) => loads.push(heard),
      setAttribute: () => {},
    }
    const window = {
      addEventListener: (_: string, heard: (event: object) => void) => listeners.push(heard),
    }
    // The parts of a window and of a frame that the package uses.
    const inspector = statelyInspector({ window: window as never, iframe: iframe as never })
    await createRunner({
      ...scriptedServices({ writer: [{ content: "x" }] }),
      inspect: inspector.inspect,
    })
      .start(talk)
      .whenSettled()
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(told).toEqual([])
    for (const load of loads) load()
    for (const listener of listeners) listener({ data: { type: "@statelyai.connected" } })
    expect(told.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["@xstate.actor", "@xstate.event", "@xstate.snapshot"]),
    )
    await inspector.close()
  })

  test("an inspector whose relay is not running can be closed", async () => {
    const inspector = statelyInspector({ url: "ws://127.0.0.1:9/nobody" })
    await expect(inspector.close()).resolves.toBeUndefined()
  })
})

describe("the bridge to @xstate/inspect", () => {
  const collect = (remembered?: number) => {
    const sent: ServiceMessage[] = []
    return {
      sent,
      bridge: xstateInspectBridge({
        send: (message) => sent.push(message),
        ...(remembered === undefined ? {} : { remembered }),
      }),
    }
  }
  const play = async (bridge: ReturnType<typeof collect>["bridge"]) => {
    const run = createRunner({
      ...scriptedServices({ writer: [{ content: said }] }),
      inspect: bridge.inspect,
    }).start(talk, { runId: "r", state: { apiKey: "hunter2" } })
    await run.whenSettled()
    return run
  }
  const typesAndIds = (sent: readonly ServiceMessage[]) =>
    sent.map(({ type, sessionId }) => `${type} ${sessionId}`)

  test("a viewer receives the registration, the events, the states and the stop of a machine", async () => {
    const { sent, bridge } = collect()
    const run = await play(bridge)
    expect(typesAndIds(sent).filter((one) => one.endsWith(":1"))).toEqual([
      "service.register r:1",
      "service.event r:1",
      "service.event r:1",
      "service.state r:1",
      "service.stop r:1",
    ])
    run.answer(run.pending()[0]?.id ?? "", "yes")
    await run.result
    expect(typesAndIds(sent).at(-1)).toBe("service.stop r:0")
  })

  test("an event contains the id of the machine that sent it", async () => {
    const { sent, bridge } = collect()
    await play(bridge)
    const events = sent.flatMap((message) =>
      message.type === "service.event"
        ? [JSON.parse(message.event) as { readonly name: string; readonly origin?: string }]
        : [],
    )
    expect(events).toContainEqual(
      expect.objectContaining({
        name: expect.stringMatching(/^done\.invoke\./) as string,
        origin: "r:1",
      }),
    )
  })

  test("a new viewer receives all machines with their current states", async () => {
    const { sent, bridge } = collect()
    await play(bridge)
    sent.length = 0
    bridge.receive('{"type":"xstate.inspecting"}')
    expect(typesAndIds(sent)).toEqual([
      "service.register r:0",
      "service.register r:1",
      "service.stop r:1",
      "service.register r:2",
    ])
    const [, , , boss] = sent
    expect(JSON.parse(boss?.type === "service.register" ? boss.state : "{}")).toMatchObject({
      value: "waitingForHuman",
    })
  })

  test("the option remembered limits the number of stopped machines that a new viewer receives", async () => {
    const { sent, bridge } = collect(0)
    await play(bridge)
    sent.length = 0
    bridge.receive({ type: "xstate.inspecting" })
    expect(typesAndIds(sent)).toEqual(["service.register r:0", "service.register r:2"])
  })

  test("events of a viewer for a machine and invalid messages are ignored", async () => {
    const { sent, bridge } = collect()
    const run = await play(bridge)
    sent.length = 0
    for (const message of [
      { type: "xstate.event", event: '{"name":"human.answered"}', service: "r:2" },
      "{",
      null,
      7,
      { type: 8 },
    ])
      bridge.receive(message)
    expect(sent).toEqual([])
    expect(run.pending()).toHaveLength(1)
  })

  test("secrets are omitted and long texts are truncated", async () => {
    const { sent, bridge } = collect()
    await play(bridge)
    const text = JSON.stringify(sent)
    expect(text).not.toContain("hunter2")
    expect(text).not.toContain(said)
    expect(text).toContain(`(${said.length} characters)`)
  })
})

test("a run without an inspector works as usual", async () => {
  const { controls } = begin("run", talk, scriptedServices({ writer: [{ content: "x" }] }))
  expect((await controls.whenSettled()).status).toBe("waiting")
})
