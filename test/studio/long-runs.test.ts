import { expect, test } from "vitest"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import type { StoredRun } from "../../src/runtime/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { MachineView } from "../../src/studio/machine-changes.js"
import type { MachineChanges } from "../../src/studio/machines-api.js"
import { emptyMachineView, withMachineChanges } from "../../src/studio/machine-changes.js"
import { Snapshots } from "../../src/studio/server/studio-snapshot.js"
import { PastMachines } from "../../src/studio/server/machines/machine-view.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, httpTool, human, llm, loop, parallel, sequence } from "../support/workflow.js"

const callsSearch = {
  content: null,
  toolCalls: [{ id: "c1", function_name: "search", function_args: { q: "cats" } }],
}

async function stored(chart: AgentChart, answer: string | null): Promise<StoredRun> {
  const journal = memoryJournal()
  const { http } = scriptedServices(
    {
      writer: [callsSearch, { content: "A draft." }],
      left: [{ content: "L" }],
      right: [{ content: "R" }],
      worker: Array.from({ length: 60 }, () => ({ content: "done" })),
    },
    { search: [{ found: 3 }] },
  )
  const run = createRunner({ http, journal }).start(chart, { runId: "r1" })
  await run.whenSettled()
  if (answer !== null) run.answer(answer, "go on")
  await run.result
  const found = await journal.load("r1")
  if (found === null) throw new Error("The run is not stored.")
  return found
}

/** Replays a run and returns the changes of its machines. */
function machineChanges(run: StoredRun, at: number, after: number): MachineChanges {
  const found = new PastMachines().read(run, at, { after })
  if (found === null || !("messages" in found)) throw new Error("These are not the changes.")
  return found
}

test("the view of an earlier position and the changes since then give the current view", async () => {
  const run = await stored(
    chartOf(
      [
        sequence("pipeline", ["writer", "rounds", "both", "boss"]),
        llm("writer", { tools: ["search"] }),
        loop("rounds", ["worker"], 3),
        llm("worker"),
        parallel("both", ["left", "right"]),
        llm("left"),
        llm("right"),
        human("boss", { expiresIn: "1h" }),
      ],
      { globalTools: [httpTool("search")] },
    ),
    "pipeline/boss#0",
  )
  const views: MachineView[] = run.records.map((_, at) =>
    withMachineChanges(emptyMachineView, machineChanges(run, at, 0)),
  )
  expect(views.at(-1)?.actors.length).toBeGreaterThan(6)
  for (const [at, view] of views.entries())
    for (const earlier of views.slice(0, at))
      expect(withMachineChanges(earlier, machineChanges(run, at, earlier.count))).toEqual(view)
})

/** Runs a loop with 10 and with 50 iterations, and returns how much longer the second result is as JSON. */
async function growth(answer: (run: StoredRun) => unknown): Promise<number> {
  const [short = 0, long = 0] = await Promise.all(
    [10, 50].map(async (iterations) => {
      const chart = chartOf([loop("rounds", ["worker"], iterations), llm("worker")])
      return JSON.stringify(answer(await stored(chart, null))).length
    }),
  )
  return long - short
}

// The result may grow by a few characters, because its numbers have more digits.
const fewDigits = 60

test("the size of the machine changes after one record does not grow with the run", async () => {
  const changes = await growth((run) => {
    const at = run.records.length - 2
    const { count } = machineChanges(run, at - 1, 0)
    const found = machineChanges(run, at, count)
    expect(found.messages.length).toBeGreaterThan(0)
    return found
  })
  expect(changes).toBeLessThan(fewDigits)
})

test("the size of a snapshot does not grow with the turns of the run, which are loaded one at a time", async () => {
  const snapshots = new Snapshots()
  const position = { group: "rounds[*]/worker", index: 6 }
  expect(await growth((run) => snapshots.snapshot(run, {}))).toBeLessThan(fewDigits)
  const run = await stored(chartOf([loop("rounds", ["worker"], 10), llm("worker")]), null)
  const { at, turns } = snapshots.snapshot(run, {})
  expect(turns).toEqual([{ agent: "worker", path: position.group, count: 10, active: 0 }])
  const notLoaded = async (): Promise<never> => {
    throw new Error("The run is loaded again.")
  }
  const turn = await snapshots.turn("r1", { at, ...position }, notLoaded)
  expect(turn).toMatchObject({ path: "rounds[6]/worker", isActive: false })
  expect(turn?.conversation.at(-1)).toMatchObject({ role: "assistant", content: "done" })
  const earlier = { at: at - 1, ...position }
  await expect(snapshots.turn("r1", earlier, notLoaded)).rejects.toThrow("loaded again")
  expect((await snapshots.turn("r1", earlier, async () => run))?.path).toBe("rounds[6]/worker")
  expect(await snapshots.turn("r1", { ...earlier, index: 10 }, notLoaded)).toBeNull()
})
