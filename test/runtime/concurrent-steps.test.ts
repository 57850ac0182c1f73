import { expect, test } from "vitest"
import { compileOrThrow } from "../../src/index.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { begin, interpreters } from "../support/in-both-interpreters.js"

const chart = compileOrThrow({ name: "flow", agentClass: "CustomAgent" }, { dialect: "adk" })

/** The second step ends first. An ordinary step follows. */
const flow =
  (log: string[]): HostFunction =>
  async (context) => {
    const second = deferred()
    const results = await Promise.all([
      context.concurrent("slow", async () => {
        await second.promise
        log.push("slow")
        return 1
      }),
      context.concurrent("quick", () => {
        log.push("quick")
        second.resolve()
        return 2
      }),
    ])
    context.state.set("results", results)
    context.state.set("last", await context.step("last", () => (log.push("last"), 3)))
  }

function deferred() {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

test.each(interpreters)(
  "concurrent steps run at the same time in the %s interpreter",
  async (interpreter) => {
    const log: string[] = []
    const { controls, events } = begin(interpreter, chart, { services: { flow: flow(log) } })
    expect((await controls.result).state).toMatchObject({ results: [1, 2], last: 3 })
    expect(log).toEqual(["quick", "slow", "last"])
    const names = events.flatMap((event) => (event.type === "host.step" ? [event.name] : []))
    expect(names).toEqual(["quick", "slow", "last"])
  },
)

test("a finished concurrent step is not executed again after a restart at any record", async () => {
  const journal = memoryJournal()
  const { state } = await createRunner({ services: { flow: flow([]) }, journal }).start(chart, {
    runId: "r",
  }).result
  const stored = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
  for (let length = 0; length < stored.records.length; length++) {
    const records = stored.records.slice(0, length)
    const past = JSON.stringify(records)
    const log: string[] = []
    const services = {
      flow: ((context, input) => {
        // The slow step waits for the quick one, which does not run again if it is recorded.
        if (past.includes('"quick"')) return flowAfterQuick(log)(context, input)
        return flow(log)(context, input)
      }) satisfies HostFunction,
    }
    const resumed = await createRunner({
      services,
      journal: memoryJournal({ r: { header: stored.header, records } }),
    }).resume("r")
    expect((await resumed.result).state, `after ${length} records`).toEqual(state)
    for (const name of ["slow", "quick", "last"])
      if (past.includes(`"name":"${name}"`)) expect(log).not.toContain(name)
  }
})

const flowAfterQuick =
  (log: string[]): HostFunction =>
  async (context) => {
    const results = await Promise.all([
      context.concurrent("slow", () => (log.push("slow"), 1)),
      context.concurrent("quick", () => (log.push("quick"), 2)),
    ])
    context.state.set("results", results)
    context.state.set("last", await context.step("last", () => (log.push("last"), 3)))
  }

test("a resumed run fails if its host function no longer takes a recorded concurrent step", async () => {
  const journal = memoryJournal()
  await createRunner({ services: { flow: flow([]) }, journal }).start(chart, { runId: "r" }).result
  const stored = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
  const services = { flow: () => undefined }
  const resumed = await createRunner({
    services,
    journal: memoryJournal({ r: { header: stored.header, records: stored.records.slice(0, 1) } }),
  }).resume("r")
  expect((await resumed.result).error?.code).toBe("nondeterministic_host_code")
})
