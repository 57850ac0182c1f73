import { createActor } from "xstate"
import { describe, expect, test } from "vitest"
import { recordCassette } from "../../src/adapters/cassette/index.js"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { ModelRequest, ModelService } from "../../src/machines/contract/services.js"
import type { DeltaStream } from "../../src/machines/contract/delta-stream.js"
import type { EmittedEvent, RunEvent } from "../../src/machines/contract/run-event.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { RunnerOptions } from "../../src/runtime/runner/runner-options.js"
import { createRunner } from "../../src/runtime/runner/runner.js"

const chartOf = (agents: readonly object[]): AgentChart => {
  const { chart, diagnostics } = compile({ rootAgentId: "all", agents }, { dialect: "adk" })
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const speaker = { type: "LlmAgent", name: "all", model: "m" }
const pair = chartOf([
  { type: "LoopAgent", name: "all", maxIterations: 2, subAgents: [{ agentId: "both" }] },
  { type: "ParallelAgent", name: "both", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
  { type: "LlmAgent", name: "a", model: "m" },
  { type: "LlmAgent", name: "b", model: "m" },
])

/** Streams two words and responds with both, after the caller has subscribed to the events. */
const talking: ModelService = {
  async call({ agent }, { live }) {
    await new Promise((resolve) => setTimeout(resolve))
    for (const word of [`${agent}: `, "hello"]) live?.write(word)
    return { content: `${agent}: hello` }
  },
}

const asked: { readonly request: ModelRequest; readonly live: DeltaStream | undefined }[] = []
const keeping = (service: ModelService): ModelService => ({
  call: (request, options) => {
    asked.push({ request, live: options.live })
    return service.call(request, options)
  },
})

async function listened(chart: AgentChart, options: RunnerOptions): Promise<readonly RunEvent[]> {
  const run = createRunner(options).start(chart, { prompt: "Go.", runId: "r" })
  const events: RunEvent[] = []
  run.events$.subscribe((event) => events.push(event))
  await run.result
  return events
}

async function played(
  chart: AgentChart,
  models: Readonly<Record<string, ModelService>>,
): Promise<readonly EmittedEvent[]> {
  const events: EmittedEvent[] = []
  const actor = createActor(toMachine(chart, { models, onEvent: (event) => events.push(event) }), {
    input: { prompt: "Go.", runId: "r" },
  })
  const { result } = controlActor(actor)
  actor.start()
  await result
  return events
}

const deltasIn = (events: readonly (EmittedEvent | RunEvent)[]): readonly unknown[] =>
  events
    .flatMap((event) =>
      event.type === "model.delta"
        ? [[event.path, event.agent, event.branch, event.call, event.attempt, event.text].join(" ")]
        : [],
    )
    .sort()

describe("model.delta", () => {
  test("a delta contains the identity of its call, and both interpreters emit the same deltas", async () => {
    const events = await listened(pair, { models: { m: talking } })
    const called = events.flatMap((event) => (event.type === "model.called" ? [event] : []))
    expect(called).toHaveLength(4)
    const expected = called
      .flatMap(({ path, agent, branch, call }) =>
        [`${agent}: `, "hello"].map((text) => [path, agent, branch, call, 1, text].join(" ")),
      )
      .sort()
    expect(deltasIn(events)).toEqual(expected)
    expect(deltasIn(await played(pair, { m: talking }))).toEqual(expected)
  })

  test("a delta follows the earlier events, even for a subscriber that is added by a subscriber", async () => {
    const run = createRunner({ models: { m: talking } }).start(chartOf([speaker]), {
      prompt: "Go.",
    })
    const order: string[] = []
    const inner: string[] = []
    run.events$.subscribe((event) => {
      order.push(`${event.seq} ${event.type}`)
      if (event.type === "model.delta" && inner.length === 0)
        run.events$.subscribe((late) => inner.push(late.type))
    })
    await run.result
    const seqs = order.map((line) => Number(line.split(" ")[0]))
    expect(seqs).toEqual([...seqs].sort((one, other) => one - other))
    expect(order.filter((line) => line.endsWith("model.delta"))).toHaveLength(2)
    // The subscriber that was added at the first word received the past events and the second word.
    expect(inner.slice(0, 4)).toEqual([
      "run.started",
      "agent.started",
      "model.called",
      "model.delta",
    ])
  })

  test("a service can check for subscribers, and deltas without a subscriber or after the call are dropped", async () => {
    asked.length = 0
    const early: ModelService = {
      async call(_request, { live }) {
        live?.write("too early")
        return { content: "done" }
      },
    }
    const run = createRunner({ models: { m: keeping(early) } }).start(chartOf([speaker]), {
      prompt: "Go.",
    })
    const live = asked[0]?.live
    expect(live?.hasSubscribers()).toBe(false)
    const events: RunEvent[] = []
    const listening = run.events$.subscribe((event) => events.push(event))
    expect(live?.hasSubscribers()).toBe(true)
    listening.unsubscribe()
    expect(live?.hasSubscribers()).toBe(false)
    run.events$.subscribe((event) => events.push(event))
    await run.result
    expect(live?.hasSubscribers()).toBe(false)
    live?.write("too late")
    expect(deltasIn(events)).toEqual([])
  })

  test("a call that has timed out emits no more deltas", async () => {
    let end = (): void => {}
    const stubborn: ModelService = {
      call: (_request, { signal, live }) =>
        new Promise((resolve) => {
          end = () => resolve({ content: "never mind" })
          signal.addEventListener("abort", () => {
            live?.write("after the end")
            end()
          })
        }),
    }
    const events = await listened(
      chartOf([
        {
          ...speaker,
          activityConfig: { startToCloseTimeout: "20ms", retryPolicy: { maximumAttempts: 1 } },
        },
      ]),
      { models: { m: stubborn } },
    )
    expect(events.at(-1)).toMatchObject({
      type: "run.finished",
      result: { error: { code: "service_timeout" } },
    })
    expect(deltasIn(events)).toEqual([])
  })

  test("a resumed run emits the deltas of the repeated call, and no earlier deltas", async () => {
    const journal = memoryJournal()
    const silent: ModelService = {
      call: ({ agent }, options) =>
        agent === "a" ? talking.call({ agent } as ModelRequest, options) : new Promise(() => {}),
    }
    const chart = chartOf([
      { type: "SequentialAgent", name: "all", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
      { ...speaker, name: "a" },
      { ...speaker, name: "b" },
    ])
    const first = createRunner({ models: { m: silent }, journal })
    const run = first.start(chart, { prompt: "Go.", runId: "r" })
    await new Promise<void>((resolve) =>
      run.events$.subscribe(
        (event) => event.type === "model.called" && event.agent === "b" && resolve(),
      ),
    )
    await first.close()
    const events: RunEvent[] = []
    const again = await createRunner({ models: { m: talking }, journal }).resume("r")
    again.events$.subscribe((event) => events.push(event))
    await again.result
    expect(deltasIn(events)).toEqual([
      expect.stringMatching(/b: $/),
      expect.stringMatching(/hello$/),
    ])
    expect(JSON.stringify(journal.toJSON())).not.toContain("model.delta")
  })

  test("deltas are emitted for a model with callbacks and a cassette recorder", async () => {
    const { services, cassette } = recordCassette({ models: { m: talking } })
    const chart = chartOf([{ ...speaker, afterModelCallbacks: [{ name: "calm" }] }])
    const calm = (): null => null
    expect(deltasIn(await listened(chart, { ...services, services: { calm } }))).toHaveLength(2)
    expect(cassette().entries).toMatchObject([{ answer: { content: "all: hello" } }])
  })
})
