import * as fc from "fast-check"
import type { AnyStateMachine } from "xstate"
import { assign, createActor, fromPromise, setup, waitFor } from "xstate"
import { expect, test } from "vitest"
import { MachineAgent, programOf } from "../../src/adk/index.js"
import { compileOrThrow } from "../../src/compiler/index.js"
import type { StoredRun } from "../../src/runtime/index.js"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import { randomCases, seed } from "../support/random-cases.js"

/** The behavior of a state of a random machine when it is entered, and the indexes of the states that follow. */
interface RandomState {
  readonly does: "promise" | "fail" | "delay" | "inner" | "always"
  readonly next: number
  readonly otherwise: number
}

const state: fc.Arbitrary<RandomState> = fc.record({
  does: fc.constantFrom("promise", "fail", "delay", "inner", "always"),
  next: fc.nat(5),
  otherwise: fc.nat(5),
})

/** The regions of a random machine. Each region is a list of states. */
const regions = fc.array(fc.array(state, { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 3,
})

type Trails = Readonly<Record<string, readonly string[]>>

/** Maximum number of states that a region enters before it ends. */
const most = 6

const inner = setup({ actors: { half: fromPromise(async () => "half") } }).createMachine({
  context: { got: "" },
  initial: "first",
  states: {
    first: {
      invoke: {
        src: "half",
        onDone: { target: "end", actions: assign({ got: ({ event }) => String(event.output) }) },
      },
    },
    end: { type: "final" },
  },
  output: ({ context }) => `${context.got} and half`,
})

/**
 * Returns a machine that records the path of each region. Regions do not influence each other, so the result does not
 * depend on timing.
 */
function machineOf(lists: readonly (readonly RandomState[])[]): AnyStateMachine {
  const note = (region: string, key: string) =>
    assign({
      trails: ({ context, event }: { context: { trails: Trails }; event: object }) => ({
        ...context.trails,
        [region]: [
          ...(context.trails[region] ?? []),
          "output" in event ? `${key} ${JSON.stringify(event.output)}` : key,
        ],
      }),
    })
  const isLong = (region: string) => ({
    guard: ({ context }: { context: { trails: Trails } }) =>
      (context.trails[region] ?? []).length >= most,
    target: "end",
  })
  const states = lists.map((list, at) => {
    const region = `r${at}`
    const enter = (index: number) => ({
      target: index < list.length ? `s${index}` : "end",
      reenter: true,
    })
    const described = list.map(({ does, next, otherwise }, index) => {
      const entry = note(region, `s${index}`)
      switch (does) {
        case "promise":
        case "fail":
        case "inner":
          return {
            entry,
            always: isLong(region),
            invoke: { src: does, onDone: enter(next), onError: enter(otherwise) },
          }
        case "delay":
          return { entry, always: isLong(region), after: { 1: enter(next) } }
        case "always":
          return { entry, always: [isLong(region), enter(next)] }
      }
    })
    return [
      region,
      {
        initial: "s0",
        states: {
          ...Object.fromEntries(described.map((each, index) => [`s${index}`, each])),
          end: { type: "final" },
        },
      },
    ] as const
  })
  // The types of XState cannot describe a config that is only known at run time.
  return setup({
    actors: {
      promise: fromPromise(async () => ({ n: 1 })),
      fail: fromPromise(() => Promise.reject(new Error("no"))),
      inner,
    },
  }).createMachine({
    type: "parallel",
    context: { trails: {} },
    states: Object.fromEntries(states),
    output: ({ context }: { context: { trails: Trails } }) => context.trails,
  } as never) as unknown as AnyStateMachine
}

/** Runs the machine as an XState actor. */
async function native(machine: AnyStateMachine): Promise<unknown> {
  const actor = createActor(machine).start()
  const { output } = await waitFor(actor, ({ status }) => status === "done")
  return output as unknown
}

test("a random machine has the same result as an XState actor, as a MachineAgent and after a resume", async () => {
  await fc.assert(
    fc.asyncProperty(
      regions,
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      async (lists, part) => {
        const machine = machineOf(lists)
        const expected = JSON.parse(JSON.stringify(await native(machine))) as unknown
        const { config, services } = programOf(
          new MachineAgent({ name: "own", machine, outputKey: "trails" }),
        )
        const chart = compileOrThrow(config, { dialect: "adk" })
        const journal = memoryJournal()
        const run = createRunner({ services, journal }).start(chart, { runId: "r" })
        const whole = await run.result
        expect(whole).toMatchObject({ status: "completed" })
        expect(whole.state["trails"]).toEqual(expected)

        const stored = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
        const kept = Math.floor(part * stored.records.length)
        const past = memoryJournal({ r: { ...stored, records: stored.records.slice(0, kept) } })
        const resumed = await (await createRunner({ services, journal: past }).resume("r")).result
        expect(resumed.state["trails"]).toEqual(expected)
      },
    ),
    { numRuns: randomCases(120), seed },
  )
})
