import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { RunEvent } from "../../src/studio/api.js"
import {
  emptyMachineView,
  maxMessages,
  withMachineChanges,
} from "../../src/studio/machine-changes.js"
import type { ActorSummary, SequenceMessage } from "../../src/studio/machines-api.js"
import { FilteredEntries } from "../../src/studio/page/run/events/filtered-entries.js"
import { maxEvents, RunFolds } from "../../src/studio/page/run/folds/run-folds.js"
import { isBuilt } from "../cli/built-command.js"
import { noBrowser } from "../support/browser.js"
import { axeViolations } from "./access/axe-violations.js"
import { llm, loop, sequence } from "../support/workflow.js"
import type { StudioFolder } from "./studio-page.js"
import { studioFolder } from "./studio-page.js"

/** The events of one turn in a parallel branch: a call, its response, and a change of the state. */
function turn(index: number): readonly RunEvent[] {
  const branch = `all.${index}`
  const where = { runId: "run", agent: "writer", path: `all[${index}]/writer`, branch } as const
  const call = `run/${where.path}#0`
  const events = [
    { type: "agent.started", kind: "LlmAgent" },
    { type: "model.called", call, attempt: 1, messages: 1 },
    {
      type: "model.responded",
      call,
      answer: {
        content: `Text ${index}.`,
        toolCalls: [],
        exitFlow: false,
        escalate: false,
        waitForUserInput: false,
        hitlRequest: null,
        usage: { inputTokens: 1, outputTokens: 1 },
      },
    },
    { type: "state.changed", set: { draft: `Text ${index}.` }, removed: [] },
    { type: "agent.finished", outcome: "completed", error: null },
  ]
  return events.map(
    (event, step) =>
      ({
        ...where,
        ...event,
        seq: index * events.length + step,
        at: index * 10 + step,
      }) as RunEvent,
  )
}

const turns = (count: number): readonly RunEvent[] =>
  Array.from({ length: count }, (_, index) => turn(index)).flat()

test("the page keeps the last events and the calls, messages and lanes that they contain", () => {
  const [most, events] = [100, turns(400)]
  const folds = new RunFolds(most)
  const all = new RunFolds(events.length)
  const filtered = new FilteredEntries(folds.log, ({ call }) => call !== null)
  for (const event of events) {
    folds.apply(event)
    all.apply(event)
    expect(filtered.advance(Number.POSITIVE_INFINITY)).toBe(true)
  }
  expect(folds.events.length).toBeLessThanOrEqual(most)
  expect(folds.events).toEqual(events.slice(folds.first))
  expect(folds.end).toBe(events.length)
  expect(folds.log.entries.length).toBeLessThan(most)
  expect(folds.log.entries.map(({ seq }) => seq)).toEqual(
    all.log.entries.map(({ seq }) => seq).slice(folds.log.first),
  )
  expect(folds.chat.messages.length).toBeLessThan(most)
  expect(folds.lanes.all.length).toBeLessThan(most)
  expect(folds.lanes.all.map(({ path }) => path)).toEqual(
    all.lanes.all.slice(-folds.lanes.all.length).map(({ path }) => path),
  )
  expect(folds.state.of(3)).toEqual([])
  expect(folds.state.of(events.length - 2)).toEqual(all.state.of(events.length - 2))
  // The sums and the time range cover the whole run.
  expect(folds.usage.all).toEqual(all.usage.all)
  expect(folds.lanes.range).toEqual(all.lanes.range)
  const calls = folds.log.entries.filter(({ call }) => call !== null)
  expect(filtered.indexes).toEqual(calls.map(({ index }) => index))
  const last = calls.at(-1)
  expect(last && folds.log.find(last.seq)).toBe(last)
  expect(last && folds.log.entryAt(last.index)).toBe(last)
  expect(folds.log.find(1)).toBeUndefined()
})

test("the page keeps active machines, the last ended machines, and the machines of its messages", () => {
  const most = 10
  const actor = (number: number, parent: number | null, status: string): ActorSummary => ({
    id: `run:${number}`,
    name: `worker${number}`,
    machine: "worker",
    parent: parent === null ? null : `run:${parent}`,
    status,
    states: [],
    received: 1,
    inFlight: 0,
  })
  const message = (index: number, to: number): SequenceMessage => ({
    index,
    from: "run:0",
    to: `run:${to}`,
    kind: "start",
    type: "start",
    text: "",
  })
  let view = emptyMachineView
  for (let number = 1; number <= 1_000; number += 1) {
    const ended = number === 1 ? [] : [actor(number - 1, 0, "done")]
    const actors = [actor(0, null, "active"), ...ended, actor(number, 0, "active")]
    view = withMachineChanges(
      view,
      { actors, messages: [message(number - 1, number)], count: number },
      most,
    )
  }
  const ids = view.actors.map(({ id }) => id)
  expect(view.dropped + ids.length).toBe(1_001)
  expect(ids).toHaveLength(maxMessages + 1 + most)
  expect(ids).toEqual([
    "run:0",
    ...Array.from({ length: ids.length - 1 }, (_, index) => `run:${1_002 - ids.length + index}`),
  ])
  // An ended machine is kept if it is the parent of an active one.
  const nested = [
    actor(0, null, "done"),
    ...Array.from({ length: 50 }, (_, number) => actor(number + 1, 0, "done")),
  ]
  const inner = actor(51, 0, "active")
  const kept = withMachineChanges(
    emptyMachineView,
    { actors: [...nested, inner], messages: [], count: 0 },
    most,
  )
  expect(kept.actors.map(({ id }) => id)).toEqual([
    "run:0",
    ...Array.from({ length: 11 }, (_, index) => `run:${41 + index}`),
  ])
})

describe.skipIf(!isBuilt || noBrowser !== null)(
  "a run with more events than the page keeps",
  () => {
    let place: StudioFolder

    beforeAll(async () => {
      place = await studioFolder()
    })
    afterAll(() => place.stop())

    test("earlier events can be listed and searched, and the user can travel to them", async () => {
      // Each iteration emits three events and calls nothing.
      const iterations = Math.ceil((maxEvents * 1.2) / 3)
      place.write("long/workflow.json", {
        rootAgentId: "all",
        initialUserInput: "go",
        maxOrchestrationCycles: 100_000,
        agents: [
          sequence("all", ["opener", "rounds"]),
          {
            ...loop("rounds", [], iterations),
            subAgents: [{ agentId: "worker", when: "session_state.get('never') == 1" }],
          },
          llm("opener"),
          llm("worker"),
        ],
      })
      place.write("long/scenario.json", {
        llm: { opener: [{ content: "Open." }], worker: [{ content: "Done." }] },
      })
      const { page, run, statusIs, close } = await place.open("/file/long%2Fworkflow.json")
      await run()
      await statusIs("completed")
      const range = page.getByRole("group", { name: "Range of events" })
      const rows = page.getByRole("listbox", { name: "Events" }).getByRole("option")
      const press = (name: string): Promise<void> =>
        page.getByRole("button", { name, exact: true }).click()
      /** Returns the numbers of the first, the last and all events in the text above the list. */
      const numbers = async (): Promise<readonly number[]> =>
        ((await range.getByRole("status").innerText()).match(/[\d,]+/g) ?? []).map((text) =>
          Number(text.replaceAll(",", "")),
        )
      // The last event is in the list.
      const search = page.getByRole("searchbox", { name: "Find events" })
      await search.fill("run.finished")
      await rows.first().waitFor()
      expect(await axeViolations(page)).toEqual([])
      const [first = 0, last = 0, all] = await numbers()
      expect(last).toBe(all)
      expect(first).toBeGreaterThan(1)
      expect(last - first).toBeLessThan(maxEvents)

      // The first event is not in the list, until earlier events are loaded.
      await search.fill("run.started")
      await rows.first().waitFor({ state: "detached" })
      for (let from = first; from > 1; from = (await numbers())[0] ?? 0) {
        await press("Earlier events")
        await expect.poll(async () => (await numbers())[0] ?? from).toBeLessThan(from)
      }
      await rows.first().click()
      await press("Travel here")
      await page
        .getByText(/event 1 of/)
        .first()
        .waitFor()
      // At this position, no agent has started.
      const lanes = page.locator(".lane-place")
      await lanes.first().waitFor({ state: "detached" })
      await page.getByRole("group", { name: "Step by" }).getByText("Events").click()
      await press("Next event")
      await lanes.first().waitFor()
      expect(await lanes.count()).toBe(1)

      await press("Latest events")
      await search.fill("run.finished")
      await rows.first().waitFor()
      expect(await numbers()).toEqual([first, last, all])
      await close()
    })
  },
)
