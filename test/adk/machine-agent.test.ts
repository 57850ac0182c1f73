import type { AnyStateMachine } from "xstate"
import { assign, createMachine, emit, fromCallback, fromPromise, setup } from "xstate"
import { describe, expect, test } from "vitest"
import {
  InMemoryRunner,
  LlmAgent,
  LoopAgent,
  MachineAgent,
  SequentialAgent,
  agentActor,
  getFunctionCalls,
  programOf,
} from "../../src/adk/index.js"
import type { Event, Part } from "../../src/adk/index.js"
import { analyzeChart } from "../../src/analysis/index.js"
import { compile, compileOrThrow } from "../../src/compiler/index.js"
import { drawMermaid } from "../../src/drawing/index.js"
import type { StoredRun } from "../../src/runtime/index.js"
import { createRunner, memoryJournal, runAt } from "../../src/runtime/index.js"
import { begin, interpreters } from "../support/in-both-interpreters.js"

interface Cart {
  readonly items: readonly string[]
  readonly total: number
}

/** Charges a card, asks an agent for advice after a failure, and waits for a decision. */
const checkout = setup({
  types: {
    input: {} as { cart: Cart },
    context: {} as { cart: Cart; receipt: string | null; advice: string | null },
    events: {} as { type: "RETRY" } | { type: "CANCEL"; reason?: string },
    emitted: {} as { type: "charged"; receipt: string },
  },
  actors: {
    charge: fromPromise<{ receipt: string }, { total: number }>(async ({ input }) => {
      if (input.total > 100) throw new Error("card declined")
      return { receipt: `paid ${input.total}` }
    }),
    advisor: agentActor<string>(),
  },
  guards: { isEmpty: ({ context }) => context.cart.items.length === 0 },
}).createMachine({
  id: "checkout",
  context: ({ input }) => ({ cart: input.cart, receipt: null, advice: null }),
  initial: "checking",
  states: {
    checking: { always: [{ guard: "isEmpty", target: "empty" }, { target: "paying" }] },
    paying: {
      invoke: {
        src: "charge",
        input: ({ context }) => ({ total: context.cart.total }),
        onDone: {
          target: "paid",
          actions: [
            assign({ receipt: ({ event }) => event.output.receipt }),
            emit(({ event }) => ({ type: "charged", receipt: event.output.receipt })),
          ],
        },
        onError: "advising",
      },
    },
    advising: {
      invoke: {
        src: "advisor",
        input: ({ context }) => `The payment of ${context.cart.total} failed.`,
        onDone: {
          target: "deciding",
          actions: assign({ advice: ({ event }) => event.output.text }),
        },
      },
    },
    deciding: {
      after: { 60_000: "cancelled" },
      on: {
        RETRY: {
          target: "paying",
          actions: assign({ cart: ({ context }) => ({ ...context.cart, total: 50 }) }),
        },
        CANCEL: "cancelled",
      },
    },
    paid: { type: "final" },
    cancelled: { type: "final" },
    empty: { type: "final" },
  },
  output: ({ context }) => ({ receipt: context.receipt, advice: context.advice }),
})

const desk = (cart: Cart) => {
  const agent = new SequentialAgent({
    name: "desk",
    subAgents: [
      new MachineAgent({
        name: "checkout",
        machine: checkout,
        input: ["cart"],
        outputKey: "order",
        subAgents: [
          new LlmAgent({
            name: "advisor",
            model: "any",
            instruction: "Advise.",
            outputKey: "advice",
          }),
        ],
      }),
      new LlmAgent({ name: "thanks", model: "any", instruction: "Say thanks." }),
    ],
  })
  const { config, services } = programOf(agent)
  const asked: string[] = []
  const any = {
    call: async ({ agent: id, messages }: { agent: string; messages: readonly unknown[] }) => {
      asked.push(`${id}: ${JSON.stringify(messages.at(-1))}`)
      return { content: id === "advisor" ? "Pay in two parts." : "Thank you." }
    },
  }
  const chart = compileOrThrow({ ...config, state: { cart } }, { dialect: "adk" })
  return { chart, options: { services, models: { any } }, asked }
}

/** A clock that only advances when `wakeUntil` is called, which also ends the timers that are due. */
function manualClock() {
  let now = 1_000
  const sleeping: { readonly at: number; readonly wake: () => void }[] = []
  const clock = {
    now: () => now,
    wakeAt: (at: number, wake: () => void) => {
      const sleep = { at, wake }
      sleeping.push(sleep)
      return () => {
        if (sleeping.includes(sleep)) sleeping.splice(sleeping.indexOf(sleep), 1)
      }
    },
  }
  const wakeUntil = (time: number): void => {
    now = time
    // Waking starts and stops other timers.
    for (const { wake } of sleeping.filter(({ at }) => at <= time)) wake()
  }
  return { clock, sleeping, wakeUntil }
}

describe.each(interpreters)("MachineAgent (%s)", (interpreter) => {
  test("a MachineAgent runs a machine with a promise and saves its output", async () => {
    const { chart, options } = desk({ items: ["tea"], total: 20 })
    const { controls, events } = begin(interpreter, chart, options, { prompt: "Buy it." })
    const result = await controls.result
    expect(result).toMatchObject({
      status: "completed",
      text: "Thank you.",
      state: { order: { receipt: "paid 20", advice: null } },
    })
    expect(
      events.flatMap((event) => (event.type === "machine.entered" ? [event.states] : [])),
    ).toEqual([["paying"], ["paid"]])
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "host.emitted",
        name: "charged",
        data: { type: "charged", receipt: "paid 20" },
        agent: "checkout",
      }),
    )
    expect(events.filter(({ agent }) => agent === "checkout").map(({ type }) => type)).toEqual([
      "agent.started",
      "machine.entered",
      "machine.entered",
      "host.emitted",
      "agent.finished",
      "state.changed",
    ])
  })

  test("a machine runs an agent, waits for an event and refuses an unknown event", async () => {
    const { chart, options, asked } = desk({ items: ["piano"], total: 900 })
    const { controls, events } = begin(interpreter, chart, options, { prompt: "Buy it." })
    expect((await controls.whenSettled()).status).toBe("waiting")
    const [request] = controls.pending()
    expect(request).toMatchObject({
      kind: "human",
      agent: "checkout",
      path: "desk/checkout",
      details: { states: ["deciding"], events: ["RETRY", "CANCEL"] },
    })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain("The payment of 900 failed.")
    expect(
      events.find(({ type, agent }) => type === "agent.started" && agent === "advisor"),
    ).toMatchObject({ path: "desk/checkout[1]/advisor" })
    expect(() => controls.answer(request?.id ?? "", "REFUND")).toThrow(/answerSchema/)
    controls.answer(request?.id ?? "", { type: "RETRY" })
    expect((await controls.result).state).toMatchObject({
      advice: "Pay in two parts.",
      order: { receipt: "paid 50", advice: "Pay in two parts." },
    })
  })

  test("a canceled run keeps the state that the agents of its machine have written", async () => {
    const { chart, options } = desk({ items: ["piano"], total: 900 })
    const { controls } = begin(interpreter, chart, options, { prompt: "Buy it." })
    await controls.whenSettled()
    controls.cancel()
    expect(await controls.result).toMatchObject({
      status: "cancelled",
      state: { advice: "Pay in two parts." },
    })
  })

  test("a machine takes delayed transitions according to the clock of the host", async () => {
    const { chart, options } = desk({ items: ["piano"], total: 900 })
    const { clock, sleeping, wakeUntil } = manualClock()
    const { controls, events } = begin(interpreter, chart, { ...options, clock }, {})
    await controls.whenSettled()
    expect(controls.pending()).toHaveLength(1)
    const timers = sleeping.filter(({ at }) => at === 61_000)
    expect(timers).toHaveLength(1)
    wakeUntil(61_000)
    expect((await controls.result).state["order"]).toEqual({
      receipt: null,
      advice: "Pay in two parts.",
    })
    expect(events.filter(({ type }) => type === "machine.entered").at(-1)).toMatchObject({
      states: ["cancelled"],
    })
  })
})

/** Runs one machine as the root agent. */
const alone = (
  machine: AnyStateMachine,
  {
    names = [],
    ...fields
  }: { readonly names?: readonly string[]; readonly maxAgentRuns?: number } = {},
) => {
  const subAgents = names.map(
    (name) => new LlmAgent({ name, model: "any", instruction: "Work.", outputKey: `${name}_text` }),
  )
  const { config, services } = programOf(
    new MachineAgent({ name: "own", machine, subAgents, outputKey: "result", ...fields }),
  )
  const any = { call: async ({ agent }: { agent: string }) => ({ content: `by ${agent}` }) }
  return {
    chart: compileOrThrow(config, { dialect: "adk" }),
    options: { services, models: { any } },
  }
}

const both = setup({ actors: { left: agentActor(), right: agentActor() } }).createMachine({
  type: "parallel",
  states: {
    left: {
      initial: "at",
      states: { at: { invoke: { src: "left", onDone: "end" } }, end: { type: "final" } },
    },
    right: {
      initial: "at",
      states: { at: { invoke: { src: "right", onDone: "end" } }, end: { type: "final" } },
    },
  },
})

describe.each(interpreters)("machines of users (%s)", (interpreter) => {
  const play = async (
    machine: AnyStateMachine,
    fields: Parameters<typeof alone>[1] = {},
  ): ReturnType<typeof controlsOf> => controlsOf(machine, fields)
  const controlsOf = (machine: AnyStateMachine, fields: Parameters<typeof alone>[1]) => {
    const { chart, options } = alone(machine, fields)
    return begin(interpreter, chart, options, { prompt: "Go." }).controls.result
  }

  test("a machine runs two agents at the same time", async () => {
    const result = await play(both, { names: ["left", "right"] })
    expect(result).toMatchObject({
      status: "completed",
      state: { left_text: "by left", right_text: "by right" },
      usage: { modelCalls: 2 },
    })
  })

  test("a machine inside a machine runs promises and agents", async () => {
    const inner = setup({
      types: { context: {} as { sum: number; text: string | null } },
      actors: { add: fromPromise(async () => 2), writer: agentActor() },
    }).createMachine({
      context: { sum: 0, text: null },
      initial: "adding",
      states: {
        adding: {
          invoke: {
            src: "add",
            onDone: { target: "writing", actions: assign({ sum: ({ event }) => event.output }) },
          },
        },
        writing: {
          invoke: {
            src: "writer",
            onDone: { target: "end", actions: assign({ text: ({ event }) => event.output.text }) },
          },
        },
        end: { type: "final" },
      },
      output: ({ context }) => context,
    })
    const outer = setup({ actors: { inner } }).createMachine({
      context: { seen: null },
      initial: "at",
      states: {
        at: {
          invoke: {
            src: "inner",
            onDone: { target: "end", actions: assign({ seen: ({ event }) => event.output }) },
          },
        },
        end: { type: "final" },
      },
      output: ({ context }) => context.seen,
    })
    expect((await play(outer, { names: ["writer"] })).state).toMatchObject({
      result: { sum: 2, text: "by writer" },
    })
  })

  test("leaving a state stops its agent", async () => {
    const hurried = setup({
      actors: { slow: agentActor(), quick: fromPromise(async () => null) },
    }).createMachine({
      type: "parallel",
      states: {
        work: {
          initial: "at",
          states: { at: { invoke: { src: "slow" }, on: { late: "end" } }, end: { type: "final" } },
        },
        timer: {
          initial: "at",
          states: {
            at: { invoke: { src: "quick", onDone: "end" } },
            end: { type: "final", entry: ({ self }) => self.send({ type: "late" }) },
          },
        },
      },
    })
    const { chart, options } = alone(hurried, { names: ["slow"] })
    let isAborted = false
    const any = {
      call: (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            isAborted = true
            reject(new Error("aborted"))
          }),
        ),
    }
    const { controls } = begin(interpreter, chart, { ...options, models: { any } }, {})
    expect((await controls.result).status).toBe("completed")
    expect(isAborted).toBe(true)
  })

  test.each([
    [
      "an error in an action",
      createMachine({
        initial: "at",
        states: {
          at: {
            entry: () => {
              throw new Error("no stock")
            },
          },
        },
      }),
      { code: "host_code_failed", message: 'the machine of "own" failed: no stock' },
    ],
    [
      "a rejected promise without onError",
      setup({
        actors: { load: fromPromise(() => Promise.reject(new Error("no file"))) },
      }).createMachine({
        initial: "at",
        states: { at: { invoke: { src: "load" } } },
      }),
      { message: 'the machine of "own" failed: no file' },
    ],
    [
      "a state without a way out",
      createMachine({ initial: "dead", states: { dead: {} } }),
      {
        message: expect.stringMatching(
          /cannot continue: its state "dead" accepts no event/,
        ) as string,
      },
    ],
    [
      "a promise that is spawned without a name",
      createMachine({
        context: ({ spawn }) => ({ ref: spawn(fromPromise(async () => 1)) }),
        initial: "at",
        states: { at: { on: { GO: {} } } },
      }),
      { message: expect.stringMatching(/starts the actor .* cannot be recorded/) as string },
    ],
  ])("%s fails the run with a typed error", async (_name, machine, error) => {
    expect(await play(machine)).toMatchObject({
      status: "failed",
      error: { agent: "own", ...error },
    })
  })

  test("a machine can keep the error of a promise in its context", async () => {
    const careful = setup({
      actors: {
        load: fromPromise(() => Promise.reject(new Error("no file"))),
        wait: fromPromise(async () => null),
      },
    }).createMachine({
      context: { error: null },
      initial: "loading",
      states: {
        loading: {
          invoke: {
            src: "load",
            onError: { target: "waiting", actions: assign({ error: ({ event }) => event.error }) },
          },
        },
        waiting: { invoke: { src: "wait", onDone: "end" } },
        end: { type: "final" },
      },
      output: ({ context }) => (context.error as Error).message,
    })
    expect(await play(careful)).toMatchObject({ status: "completed", text: "no file" })
  })

  test("a timer of an outer state continues while an inner state waits for an event or the timer", async () => {
    const outer = createMachine({
      initial: "open",
      states: {
        open: {
          after: { 500: "closed" },
          initial: "asking",
          states: { asking: { on: { GO: "waiting" } }, waiting: {} },
        },
        closed: { type: "final" },
      },
      output: "closed",
    })
    const { chart, options } = alone(outer)
    const { clock, wakeUntil } = manualClock()
    const { controls } = begin(interpreter, chart, { ...options, clock }, {})
    expect((await controls.whenSettled()).status).toBe("waiting")
    controls.answer(controls.pending()[0]?.id ?? "", "GO")
    await expect.poll(() => controls.pending()).toEqual([])
    expect(controls.snapshot().status).toBe("running")
    // Let the transition end before the time passes.
    await new Promise((resolve) => setImmediate(resolve))
    wakeUntil(1_500)
    expect(await controls.result).toMatchObject({ status: "completed", text: "closed" })
  })

  test("an agent above maxAgentRuns ends the run with a limit", async () => {
    const endless = setup({ actors: { writer: agentActor() } }).createMachine({
      initial: "at",
      states: { at: { invoke: { src: "writer", onDone: { target: "at", reenter: true } } } },
    })
    expect(await play(endless, { names: ["writer"], maxAgentRuns: 3 })).toMatchObject({
      status: "limit",
      error: { code: "limit_reached" },
      usage: { modelCalls: 3 },
    })
  })
})

test("a machine that is resumed after any record does not repeat finished promises", async () => {
  let charges = 0
  const machine = checkout.provide({
    actors: {
      charge: fromPromise<{ receipt: string }, { total: number }>(async ({ input }) => {
        charges++
        if (input.total > 100) throw new Error("card declined")
        return { receipt: `paid ${input.total}` }
      }),
    },
  })
  const { chart, options } = desk({ items: ["piano"], total: 900 })
  const services = { "checkout.machine": machine }
  const journal = memoryJournal()
  const play = async (stored: ReturnType<typeof memoryJournal>, isNew: boolean) => {
    const runner = createRunner({ ...options, services, journal: stored })
    const run = isNew
      ? runner.start(chart, { runId: "r", prompt: "Buy." })
      : await runner.resume("r")
    await run.whenSettled()
    for (const { id } of run.pending()) run.answer(id, "RETRY")
    return run.result
  }
  const whole = await play(journal, true)
  expect(whole.state["order"]).toEqual({ receipt: "paid 50", advice: "Pay in two parts." })
  const stored = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
  const repeated: number[] = []
  for (let kept = 0; kept < stored.records.length; kept++) {
    charges = 0
    const past = memoryJournal({ r: { ...stored, records: stored.records.slice(0, kept) } })
    expect((await play(past, false)).state).toEqual(whole.state)
    repeated.push(charges)
  }
  // The first resumed run makes both payments, and a payment with a stored result is not repeated.
  expect([repeated[0], repeated.at(-1)]).toEqual([2, 0])
  expect(repeated).toEqual(repeated.toSorted((one, other) => other - one))
})

describe("a chart with a MachineAgent", () => {
  const { chart } = desk({ items: ["tea"], total: 20 })

  test("the states of a machine and their agents are in the chart and in its drawing", () => {
    expect(JSON.parse(JSON.stringify(chart))).toEqual(chart)
    const drawing = drawMermaid(chart)
    for (const part of [
      "paying",
      "advising",
      "deciding",
      "RETRY",
      "after 60000 ms",
      "advisor",
      "calls charge",
      "done charge",
      "error charge",
      "done advisor",
      "#91;isEmpty#93;",
    ])
      expect(drawing).toContain(part)
  })

  test("the model calls of a machine are bounded only with maxAgentRuns", () => {
    const machine = setup({ actors: { writer: agentActor() } }).createMachine({
      invoke: { src: "writer" },
    })
    const checked = (fields: { readonly maxAgentRuns?: number }) =>
      analyzeChart(alone(machine, { names: ["writer"], ...fields }).chart)
    const { cycles, bounds, state } = checked({})
    expect(cycles).toMatchObject([{ kind: "code", agent: "own", boundedBy: "host code" }])
    expect(bounds.modelCalls).toMatchObject({ ofChart: null, limitedBy: ["maxModelCalls"] })
    expect(state).toMatchObject({ hostCode: true })
    expect(state.keys.map(({ key }) => key)).toEqual(["writer_text", "result"])
    expect(checked({ maxAgentRuns: 3 })).toMatchObject({
      cycles: [],
      bounds: { modelCalls: { ofChart: 3 } },
    })
  })

  test("runAt returns the state of the machine after a record of a run", async () => {
    const { options, chart: failing } = desk({ items: ["piano"], total: 900 })
    const journal = memoryJournal()
    const run = createRunner({ ...options, journal }).start(failing, { runId: "r", prompt: "Buy." })
    await run.whenSettled()
    const stored = journal.toJSON()["r"]
    if (stored === undefined) throw new Error("not stored")
    expect(runAt(stored).machines).toContainEqual(
      expect.objectContaining({
        machine: "machineAgent",
        path: "desk/checkout",
        states: ["running.deciding"],
      }),
    )
    run.cancel()
    await run.result
  })

  test("a run fails before its first transition if another machine is registered", async () => {
    const other = createMachine({ id: "checkout", initial: "idle", states: { idle: {} } })
    const { options } = desk({ items: [], total: 0 })
    const services = { ...options.services, "checkout.machine": other }
    expect(await createRunner({ ...options, services }).start(chart).result).toMatchObject({
      status: "failed",
      error: {
        code: "host_code_failed",
        message: expect.stringMatching(
          /differs from the machine in the chart, first in the state "checkout"/,
        ) as string,
      },
    })
    expect(
      await createRunner({ ...options, services: { "checkout.machine": () => null } }).start(chart)
        .result,
    ).toMatchObject({
      status: "failed",
      error: {
        code: "service_missing",
        message: expect.stringContaining("is a function") as string,
      },
    })
    expect(
      await createRunner({
        ...options,
        // The cast passes an input that is not a function, as a JavaScript program could.
        services: { "checkout.machine": { machine: other, input: "items" } as never },
      }).start(chart).result,
    ).toMatchObject({
      status: "failed",
      error: {
        code: "service_missing",
        message: expect.stringContaining("whose `input` is not a function") as string,
      },
    })
  })

  test("a config can define a MachineAgent with only the name of the machine", async () => {
    const { chart: written, diagnostics } = compile(
      {
        name: "own",
        agent_class: "MachineAgent",
        service: "adder",
        input: { first: "a", second: "b" },
        output_key: "sum",
        state: { a: 1, b: 2 },
      },
      { dialect: "adk" },
    )
    expect(diagnostics).toEqual([])
    const adder = setup({
      types: { input: {} as { first: number; second: number }, context: {} as { sum: number } },
    }).createMachine({
      context: ({ input }) => ({ sum: input.first + input.second }),
      initial: "end",
      states: { end: { type: "final" } },
      output: ({ context }) => context.sum,
    })
    if (written === null) throw new Error("not compiled")
    const { state, text } = await createRunner({ services: { adder } }).start(written).result
    expect(state).toMatchObject({ a: 1, b: 2, sum: 3 })
    expect(text).toBe("3")
  })

  test("invalid fields of a MachineAgent are reported with their location", () => {
    const { diagnostics } = compile(
      {
        name: "own",
        agent_class: "MachineAgent",
        input: 5,
        machine: { id: "m", type: "compound", states: { a: { type: "atom" } } },
        maxAgentRuns: 0,
      },
      { dialect: "adk" },
    )
    expect(diagnostics.map(({ code, pointer }) => [code, pointer]).sort()).toEqual([
      ["bad_value", "/machine"],
      ["bad_value", "/maxAgentRuns"],
      ["wrong_type", "/input"],
    ])
  })
})

test("ADK's runner emits the request of a machine and sends the answer to the machine", async () => {
  const machine = createMachine({
    initial: "asking",
    states: { asking: { on: { GO: "end" } }, end: { type: "final" } },
    output: "gone",
  })
  const runner = new InMemoryRunner({
    agent: new MachineAgent({ name: "own", machine, outputKey: "result" }),
    appName: "app",
  })
  const { id } = await runner.sessionService.createSession({ appName: "app", userId: "ada" })
  const say = async (parts: Part[]) => {
    const events: Event[] = []
    const newMessage = { role: "user", parts }
    for await (const event of runner.runAsync({ userId: "ada", sessionId: id, newMessage }))
      events.push(event)
    return events
  }
  const [call] = (await say([{ text: "Start." }])).flatMap(getFunctionCalls)
  expect(call).toMatchObject({
    name: "adk_request_input",
    args: { details: { states: ["asking"], events: ["GO"] } },
  })
  const response = { id: call?.id ?? "", name: "adk_request_input", response: { result: "GO" } }
  await say([{ functionResponse: response }])
  const session = await runner.sessionService.getSession({
    appName: "app",
    userId: "ada",
    sessionId: id,
  })
  expect(session?.state).toMatchObject({ result: "gone" })
})

test("a machine takes hundreds of transitions", async () => {
  const counter = setup({ types: { context: {} as { n: number } } }).createMachine({
    context: { n: 0 },
    initial: "at",
    states: {
      at: {
        after: {
          0: {
            target: "at",
            reenter: true,
            guard: ({ context }) => context.n < 200,
            actions: assign({ n: ({ context }) => context.n + 1 }),
          },
          1: { target: "end" },
        },
      },
      end: { type: "final" },
    },
    output: ({ context }) => context.n,
  })
  const { chart, options } = alone(counter)
  expect(await createRunner(options).start(chart).result).toMatchObject({ text: "200" })
})

describe("new MachineAgent", () => {
  test.each([
    ["no machine", {}, /is not an XState machine/],
    [
      "an unknown agent",
      createMachine({ invoke: { src: "writer" } }),
      /invokes "writer", which is neither one of its actors nor a sub-agent/,
    ],
    [
      "a callback",
      setup({ actors: { tick: fromCallback(() => {}) } }).createMachine({
        invoke: { src: "tick" },
      }),
      /has the actor "tick", which is neither a promise nor a machine/,
    ],
    [
      "an actor without a name",
      createMachine({ invoke: { src: fromPromise(async () => 1) } }),
      /invokes an actor that has no name/,
    ],
  ])("refuses %s", (_name, machine, message) => {
    expect(() => new MachineAgent({ name: "own", machine: machine as AnyStateMachine })).toThrow(
      message,
    )
  })

  test("a function can compute the input of the machine from the state", async () => {
    const echo = setup({ types: { input: {} as { size: number } } }).createMachine({
      context: ({ input }) => ({ size: input.size }),
      initial: "end",
      states: { end: { type: "final" } },
      output: ({ context }) => context,
    })
    const { config, services } = programOf(
      new LoopAgent({
        name: "rounds",
        maxIterations: 2,
        subAgents: [
          new MachineAgent({
            name: "echo",
            machine: echo,
            input: ({ list }) => ({ size: (list as readonly unknown[]).length }),
            outputKey: "size",
          }),
        ],
      }),
    )
    const compiled = compileOrThrow({ ...config, state: { list: [1, 2, 3] } }, { dialect: "adk" })
    const { state } = await createRunner({ services }).start(compiled).result
    expect(state["size"]).toEqual({ size: 3 })
  })
})
