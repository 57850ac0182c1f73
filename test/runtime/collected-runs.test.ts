import { expect, test } from "vitest"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import type { Journal, Run } from "../../src/runtime/index.js"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import { guide, guideModels } from "../support/answering-guide.js"

const answered = async (run: Run): Promise<string | null> => (await run.result).text

test("an idle run is garbage collected when nothing references it, even if it had subscribers", async () => {
  const runner = createRunner({ models: guideModels })
  const listened = (count: number): Promise<readonly WeakRef<Run>[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const run = runner.start(guide, { prompt: "Hello!" })
        run.events$.subscribe(() => {})
        expect(await answered(run)).toBe("Answer 1.")
        return new WeakRef(run)
      }),
    )
  const runs = await listened(50)
  const left = (): number => {
    globalThis.gc?.()
    return runs.filter((run) => run.deref() !== undefined).length
  }
  expect(globalThis.gc, "vitest has to run with --expose-gc").toBeTypeOf("function")
  // The stack can still contain references to the last runs.
  await expect.poll(left).toBeLessThan(3)
  await runner.close()
})

test("an idle run continues its conversation after its journal deleted it", async () => {
  const journal = memoryJournal({}, { keepEnded: false })
  const run = createRunner({ models: guideModels, journal }).start(guide, { prompt: "Hello!" })
  const events: RunEvent[] = []
  run.events$.subscribe((event) => events.push(event))
  expect(await answered(run)).toBe("Answer 1.")
  expect(journal.list()).toEqual([])
  run.say("And then?")
  expect(await answered(run)).toBe("Answer 3.")
  run.say("And then?")
  expect(journal.load(run.runId)).toHaveProperty("records.length", 4)
  expect(await answered(run)).toBe("Answer 5.")
  run.end()
  expect((await run.result).status).toBe("completed")
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, seq) => seq))
  expect(events.at(-1)?.type).toBe("run.finished")
  expect(await journal.load(run.runId)).toBeNull()
})

test("closing the runner releases an idle run, completes its events and rejects further messages", async () => {
  const stored = memoryJournal()
  const released: string[] = []
  const journal: Journal = {
    ...stored,
    release: (runId) => (released.push(runId), stored.release?.(runId)),
  }
  for (const given of [{ journal }, {}]) {
    const runner = createRunner({ models: guideModels, ...given })
    const run = runner.start(guide, { runId: "r", prompt: "Hello!" })
    let isOver = false
    run.events$.subscribe({ complete: () => (isOver = true) })
    const unheard = runner.start(guide, { runId: "unheard", prompt: "Hello!" })
    await Promise.all([run.result, unheard.result])
    expect(released).toEqual(given.journal === undefined ? ["r", "unheard"] : [])
    await runner.close()
    expect(isOver).toBe(true)
    expect(released).toEqual(["r", "unheard"])
    for (const one of [run, unheard])
      expect(() => one.say("And then?")).toThrow(expect.objectContaining({ code: "run_finished" }))
  }
  const again = await createRunner({ models: guideModels, journal }).resume("r")
  again.say("And then?")
  expect(await answered(again)).toBe("Answer 3.")
})

test("a new subscriber of an idle run receives new events, and an unsubscribed one receives none", async () => {
  const runner = createRunner({ models: guideModels })
  const run = runner.start(guide, { prompt: "Hello!" })
  const heard: string[] = []
  const listening = run.events$.subscribe(() => heard.push("first"))
  await run.result
  listening.unsubscribe()
  const before = heard.length
  let isOver = false
  const texts: (string | null)[] = []
  run.events$.subscribe({
    next: (event) => event.type === "invocation.finished" && texts.push(event.text),
    complete: () => (isOver = true),
  })
  run.say("And then?")
  await run.result
  expect(heard).toHaveLength(before)
  expect(texts).toEqual(["Answer 1.", "Answer 3."])
  await runner.close()
  expect(isOver).toBe(true)
})
