import type { StatelyInspectionEvent } from "@statelyai/inspect"
import { createWebSocketReceiver } from "@statelyai/inspect"
import type { HeardMessage } from "xstate-inspect-receiver"
import { hear } from "xstate-inspect-receiver"
import { describe, expect, onTestFinished, test } from "vitest"
import type { InspectRelay } from "../../../src/adapters/inspect/relay/index.js"
import { startInspectRelay } from "../../../src/adapters/inspect/relay/index.js"
import { statelyInspector } from "../../../src/adapters/inspect/stately/index.js"
import { xstateInspectBridge } from "../../../src/adapters/inspect/xstate-inspect/index.js"
import type { AgentChart } from "../../../src/machines/index.js"
import { examples } from "../../examples/example-folder.js"
import { pathsInChart, pathsOf, playInspected, standsAt } from "./play-inspected.js"
import { eventually } from "../../support/eventually.js"

const shown = [
  "travel-planner",
  "content-loop",
  "agent-handoff",
  "human-approval",
  "retries-and-errors",
  "adk-writer-pipeline",
  "adk-coordinator",
  "adk-report-team",
  "adk-story-flow",
  "adk-workflow-graph",
]
const cases = examples
  .filter(({ name }) => shown.includes(name))
  .flatMap((example) =>
    (["run", "actor"] as const).map((interpreter) => ({ ...example, interpreter })),
  )

test("all examples for the inspectors exist", () =>
  expect(new Set(cases.map(({ name }) => name))).toEqual(new Set(shown)))

async function relayHere(): Promise<InspectRelay> {
  const relay = await startInspectRelay()
  onTestFinished(() => relay.close())
  return relay
}

describe("@statelyai/inspect, over a WebSocket", () => {
  test.each(cases)(
    "a viewer receives the states of the chart of $name ($interpreter)",
    async ({ interpreter, ...example }) => {
      const chart = example.chart as AgentChart
      const relay = await relayHere()
      const heard: StatelyInspectionEvent[] = []
      createWebSocketReceiver({ server: relay.stately.url }).subscribe((event) => heard.push(event))
      const inspector = statelyInspector({ url: relay.stately.url })
      await eventually(() => expect(relay.connected()).toBe(2))

      await playInspected(interpreter, example, inspector.inspect)
      await inspector.close()

      const actors = heard.filter((event) => event.type === "@xstate.actor")
      const machines = actors.flatMap(({ sessionId, definition }) => {
        const config = JSON.parse(definition ?? "{}") as {
          readonly id: string
          readonly states?: object
        }
        return config.states === undefined
          ? []
          : [{ sessionId, id: config.id, paths: pathsOf({ ...config, states: config.states }) }]
      })
      await eventually(() =>
        expect(endsOf(heard).get(machines[0]?.sessionId ?? "")).not.toBe("active"),
      )
      expectPaths(chart, machines)
      for (const event of heard) {
        const machine =
          event.type === "@xstate.snapshot"
            ? machines.find(({ sessionId }) => sessionId === event.sessionId)
            : undefined
        if (event.type !== "@xstate.snapshot" || machine === undefined) continue
        expect(machine.paths).toEqual(
          expect.arrayContaining([
            ...standsAt(
              machine.id,
              (event.snapshot as unknown as { readonly value: unknown }).value,
            ),
          ]),
        )
      }
      expect([...endsOf(heard).values()].filter((status) => status === "active")).toEqual([])
    },
  )

  const endsOf = (heard: readonly StatelyInspectionEvent[]): ReadonlyMap<string, string> =>
    new Map(
      heard.flatMap((event) =>
        event.type === "@xstate.snapshot"
          ? [[event.sessionId, event.snapshot.status] as const]
          : [],
      ),
    )
})

describe("@xstate/inspect with XState 4, over a WebSocket", () => {
  test.each(cases)(
    "a viewer receives the states of the chart of $name ($interpreter)",
    async ({ interpreter, ...example }) => {
      const chart = example.chart as AgentChart
      const relay = await relayHere()
      const heard: HeardMessage[] = []
      const bridge = xstateInspectBridge({
        send: (message) => relay.xstateInspect.send(JSON.stringify(message)),
      })
      // A viewer that starts inspecting gets every running machine again, so the run starts after that.
      const viewerIsInspecting = new Promise<void>((resolve) => {
        relay.xstateInspect.onMessage((message) => {
          bridge.receive(message)
          if (String(message).includes("xstate.inspecting")) resolve()
        })
      })
      hear(relay.xstateInspect.url, (message) => heard.push(message))
      await viewerIsInspecting

      await playInspected(interpreter, example, bridge.inspect)

      const stops = (): readonly string[] =>
        heard.flatMap(({ type, sessionId }) => (type === "service.stop" ? [sessionId] : []))
      const machines = (): readonly Sent[] =>
        heard.flatMap((message) =>
          message.type === "service.register"
            ? [{ sessionId: message.sessionId, ...message.machine }]
            : [],
        )
      await eventually(() => expect(stops()).toContain(machines()[0]?.sessionId))
      expect([...stops()].sort()).toEqual(
        machines()
          .map(({ sessionId }) => sessionId)
          .sort(),
      )
      expectPaths(chart, machines())
      for (const message of heard) {
        if (message.type !== "service.state") continue
        const machine = machines().find(({ sessionId }) => sessionId === message.sessionId)
        expect(machine?.paths).toEqual(
          expect.arrayContaining(message.state.map((state) => `${machine?.id}.${state}`)),
        )
      }
    },
  )
})

interface Sent {
  readonly sessionId: string
  readonly id: string
  readonly paths: readonly string[]
}

/** Checks that all machines of the chart were sent, and that each sent machine has all of its states. */
function expectPaths(chart: AgentChart, sent: readonly Sent[]): void {
  const known = pathsInChart(chart)
  const found = new Map(sent.map(({ id, paths }) => [id, paths]))
  expect([...found.keys()]).toEqual(
    expect.arrayContaining(Object.values(chart.machines).map(({ id }) => id)),
  )
  for (const [id, paths] of found)
    expect([...paths].sort(), id).toEqual([...(known.get(id) ?? [])].sort())
}
