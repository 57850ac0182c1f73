import { createActor } from "xstate"
import type { InspectionEvent } from "xstate"
import { describe, expect, test } from "vitest"
import {
  controlActor,
  createRunner,
  memoryJournal,
  runAt,
  toMachine,
} from "../../src/runtime/index.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, human, llm, parallel, sequence } from "../support/workflow.js"

const chart = chartOf([
  sequence("line", ["both", "boss"]),
  parallel("both", ["left", "right"]),
  llm("left"),
  llm("right"),
  human("boss"),
])
const services = () => scriptedServices({ left: [{ content: "l" }], right: [{ content: "r" }] })

/** Returns the id, the state and the status of each machine snapshot. Other actors are ignored. */
const steps = (seen: readonly InspectionEvent[]): readonly string[] =>
  seen.flatMap((event) => {
    if (event.type !== "@xstate.snapshot") return []
    const { logic } = event.actorRef as unknown as {
      readonly logic: { readonly config?: { readonly id: string; readonly states?: object } }
    }
    const { value, status } = event.snapshot as unknown as {
      readonly value: unknown
      readonly status: string
    }
    return logic.config?.states === undefined
      ? []
      : [`${logic.config.id} ${JSON.stringify(value)} ${status}`]
  })

async function answered(run: ReturnType<typeof controlActor>): Promise<void> {
  await run.whenSettled()
  run.answer(run.pending()[0]?.id ?? "", "yes")
  await run.result
}

async function lookedAt(): Promise<{
  readonly seen: InspectionEvent[]
  readonly journal: ReturnType<typeof memoryJournal>
}> {
  const seen: InspectionEvent[] = []
  const journal = memoryJournal()
  await answered(
    createRunner({ ...services(), journal, inspect: (event) => seen.push(event) }).start(chart, {
      runId: "r",
    }),
  )
  return { seen, journal }
}

describe("the inspector of a runner", () => {
  test("the inspector receives the start, the events, the states and the end of each machine", async () => {
    const { seen } = await lookedAt()
    const of = (sessionId: string) =>
      seen.filter(({ actorRef }) => actorRef.sessionId === sessionId)
    expect(of("r:3").map(({ type }) => type)).toEqual([
      "@xstate.actor",
      "@xstate.event",
      "@xstate.snapshot",
      "@xstate.event",
      "@xstate.snapshot",
    ])
    expect(steps(of("r:3"))).toEqual([
      'humanAgent "waitingForHuman" active',
      'humanAgent "done" done',
    ])
    expect(new Set(seen.map(({ rootId }) => rootId))).toEqual(new Set(["r:0"]))
    expect(steps(seen).at(-1)).toBe('line "done" done')
  })

  test("the inspectors of a runner and of an actor receive the same machines in the same states", async () => {
    const { seen } = await lookedAt()
    const ofActor: InspectionEvent[] = []
    const actor = createActor(toMachine(chart, services()), {
      input: {},
      inspect: (event) => ofActor.push(event),
    })
    const controls = controlActor(actor)
    actor.start()
    await answered(controls)
    // The machine of an actor requests its start (docs/architecture.md), so its first state occurs twice.
    const set = (events: readonly InspectionEvent[]) =>
      new Set(steps(events).filter((step) => !/"(boot|preparing)"/.test(step)))
    expect(set(seen)).toEqual(set(ofActor))
  })

  test("a snapshot does not change after the inspector has received it", async () => {
    const { seen } = await lookedAt()
    const texts = seen.flatMap((event) =>
      event.type === "@xstate.snapshot" && event.actorRef.sessionId === "r:1"
        ? [
            (event.snapshot as unknown as { readonly context: { readonly text: unknown } }).context
              .text,
          ]
        : [],
    )
    expect(texts[0]).toBeNull()
    expect(texts.at(-1)).toBe("l")
  })

  test("machines of a cancelled run are reported as stopped or ended", async () => {
    const last = new Map<string, string>()
    const run = createRunner({
      ...services(),
      inspect: (event) =>
        void (
          event.type === "@xstate.snapshot" &&
          last.set(event.actorRef.sessionId, event.snapshot.status)
        ),
    }).start(chart)
    await run.whenSettled()
    run.cancel()
    await run.result
    expect([...last.values()]).not.toContain("active")
  })

  test("the inspector receives the past of a run from resume and from runAt", async () => {
    const { seen, journal } = await lookedAt()
    const stored = await journal.load("r")
    if (stored === null) throw new Error("the run is in its journal")
    const again: InspectionEvent[] = []
    runAt(stored, { inspect: (event) => again.push(event) })
    expect(steps(again)).toEqual(steps(seen))
    const resumed: InspectionEvent[] = []
    const cut = memoryJournal()
    await cut.create(stored.header)
    for (const record of stored.records.slice(0, 2)) await cut.append("r", record)
    await cut.release?.("r")
    await createRunner({
      ...services(),
      journal: cut,
      inspect: (event) => resumed.push(event),
    }).resume("r")
    expect(steps(resumed)).toEqual(steps(seen).slice(0, steps(resumed).length))
    expect(steps(resumed).length).toBeGreaterThan(4)
  })

  test("an inspector that throws receives no more events, and the run emits a warning and continues", async () => {
    let told = 0
    const run = createRunner({
      ...services(),
      inspect() {
        told++
        throw new Error("no viewer")
      },
    }).start(chart)
    const warnings: string[] = []
    run.events$.subscribe(
      (event) => void (event.type === "warning" && warnings.push(event.message)),
    )
    await answered(run)
    expect(told).toBe(1)
    expect(warnings).toEqual([
      "the inspector threw an error and receives no more events: no viewer",
    ])
    expect(run.snapshot().status).toBe("completed")
  })

  test("an inspector cannot send events to the machines of a run", async () => {
    const { seen } = await lookedAt()
    expect(() => seen[0]?.actorRef.send({ type: "human.answered" })).toThrow(
      /use methods of the run/,
    )
  })
})
