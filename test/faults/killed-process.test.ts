import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { type CertifyOptions, playStoredRun } from "../../src/faults/certify.js"
import type { Fault } from "../../src/faults/contract/fault.js"
import type { KilledState, StoredProcess } from "../../src/faults/run/observed-run.js"

const read = (file: string): string =>
  readFileSync(join(import.meta.dirname, "vectors/clean-branches", file), "utf8")

const { chart } = compile(read("workflow.json"))
if (chart === null) throw new Error("the vector does not compile")

const options: CertifyOptions = {
  chart,
  input: {},
  scenario: JSON.parse(read("scenario.json")) as Readonly<Record<string, unknown>>,
  people: [],
  answers: [],
  load: () => Promise.resolve({}),
  most: 10,
}

const fault: Fault = { kind: "kill-after", index: 2 }

/** Executes a run until it is killed, and returns the state that it leaves. */
function killed(runId: string): Promise<KilledState> {
  const records: KilledState["records"][number][] = []
  const entries: KilledState["entries"][number][] = []
  return new Promise((resolve, reject) => {
    const disk: StoredProcess = {
      killed: null,
      create: () => Promise.resolve(),
      append: (record) => Promise.resolve(void records.push(record)),
      storeEntry: (entry) => void entries.push(entry),
      kill: (time, events) => resolve({ records, entries, time, events }),
    }
    playStoredRun(options, fault, runId, disk).catch(reject)
  })
}

/** Resumes a run and returns the invariants that it breaks. */
async function brokenAfter(runId: string, past: KilledState): Promise<readonly string[]> {
  const stored = { create: () => Promise.resolve(), append: () => Promise.resolve() }
  const disk: StoredProcess = { ...stored, killed: past, storeEntry: () => {}, kill: () => {} }
  const { violations } = await playStoredRun(options, fault, runId, disk)
  return violations.map(({ invariant }) => invariant)
}

test("a resumed run repeats the events of a process that was killed", async () => {
  const past = await killed("one")
  expect(past.events.length).toBeGreaterThan(3)
  expect(await brokenAfter("one", past)).toEqual([])
})

test("an event that a resumed run does not repeat is reported", async () => {
  const past = await killed("two")
  const events = past.events.map((event) =>
    event.type === "agent.started" ? { ...event, agent: "another" } : event,
  )
  expect(await brokenAfter("two", { ...past, events })).toEqual(["same_past"])
})
