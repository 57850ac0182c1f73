import { copyFileSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test, vi } from "vitest"
import { jsonlJournal } from "../../src/adapters/journal/jsonl/index.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import type { Journal, Run, Runner } from "../../src/runtime/index.js"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import { guide, guideModels } from "../support/answering-guide.js"
import { chartOf } from "../support/in-both-interpreters.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const question = chartOf({
  rootAgentId: "boss",
  agents: [{ type: "HumanAgent", id: "boss", prompt: "May we?", outputKey: "verdict" }],
})
/** Returns the journal of a process that was killed while it executed runs. */
const afterKill = (journal: ReturnType<typeof memoryJournal>): ReturnType<typeof memoryJournal> =>
  memoryJournal(structuredClone(journal.toJSON()))

describe("resume of a run that the runner executes", () => {
  test("returns the same run to all callers, also while it is being resumed", async () => {
    const journal = memoryJournal()
    const first = createRunner({ journal })
    const run = first.start(question, { runId: "r" })
    expect(await first.resume("r")).toBe(run)

    const second = createRunner({ journal: afterKill(journal) })
    const [one, other] = await Promise.all([second.resume("r"), second.resume("r")])
    expect(one).toBe(other)
    one.answer(one.pending()[0]?.id ?? "", "yes")
    expect((await one.result).state["verdict"]).toBe("yes")
  })

  test("does not call the option `before`, but compares the expected chart", async () => {
    const runner = createRunner({ journal: memoryJournal() })
    const run = runner.start(question, { runId: "r" })
    const before = (): never => expect.unreachable()
    expect(await runner.resume("r", { before, chart: question })).toBe(run)
    await expect(runner.resume("r", { chart: guide })).rejects.toMatchObject({
      code: "chart_differs",
    })
  })

  test("can be repeated after it has failed", async () => {
    const stored = memoryJournal()
    await createRunner({ journal: stored }).start(question, { runId: "r" }).whenSettled()
    const journal = afterKill(stored)
    let isBroken = true
    const runner = createRunner({
      journal: {
        ...journal,
        load(runId) {
          if (isBroken) throw new Error("the disk is away")
          return journal.load(runId)
        },
      },
    })
    await expect(runner.resume("r")).rejects.toThrow("the disk is away")
    isBroken = false
    expect((await (await runner.resume("r")).whenSettled()).status).toBe("waiting")
  })

  test("resumes from the journal after the runner was closed", async () => {
    const runner = createRunner({ journal: memoryJournal() })
    const run = runner.start(question, { runId: "r" })
    await runner.close()
    const again = await runner.resume("r")
    expect(again).not.toBe(run)
    expect(await runner.resume("r")).toBe(again)
  })

  test("a second start with the same id is refused, and the first run is still suspended by close", async () => {
    const runner = createRunner({ journal: memoryJournal() })
    const run = runner.start(question, { runId: "r" })
    expect(() => runner.start(question, { runId: "r" })).toThrow(
      expect.objectContaining({ code: "run_exists" }),
    )
    await runner.close()
    expect((await run.result).status).toBe("waiting")
  })
})

describe("resume of an idle run of the adk dialect", () => {
  test("returns the same run if the program still has a reference to it", async () => {
    const runner = createRunner({ models: guideModels, journal: memoryJournal() })
    const run = runner.start(guide, { runId: "r", prompt: "Hello!" })
    await run.result
    const again = await runner.resume("r")
    expect(again).toBe(run)
    again.say("And then?")
    expect((await run.result).text).toBe("Answer 3.")
  })

  test("loads a run that was garbage collected, and its subscribers receive the new events", async () => {
    const runner = createRunner({ models: guideModels, journal: memoryJournal() })
    const events: RunEvent[][] = []
    const started = async (index: number): Promise<WeakRef<Run>> => {
      const run = runner.start(guide, { runId: `r${index}`, prompt: "Hello!" })
      const heard: RunEvent[] = []
      events.push(heard)
      run.events$.subscribe((event) => heard.push(event))
      await run.result
      return new WeakRef(run)
    }
    const runs = await Promise.all(Array.from({ length: 10 }, (_, index) => started(index)))
    expect(globalThis.gc, "vitest has to run with --expose-gc").toBeTypeOf("function")
    const collected = (): number => {
      globalThis.gc?.()
      return runs.findIndex((run) => run.deref() === undefined)
    }
    await expect.poll(collected).toBeGreaterThan(-1)
    const index = collected()
    const heard = events[index] ?? []
    const before = heard.length

    const again = await runner.resume(`r${index}`)
    again.say("And then?")
    expect((await again.result).text).toBe("Answer 3.")
    expect(heard.length).toBeGreaterThan(before)
    expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, seq) => seq))
    await runner.close()
  })
})

test("the error for an answer with the wrong method names the right method", async () => {
  const run = createRunner().start(question, { runId: "r" })
  await run.whenSettled()
  expect(() => run.approve(run.pending()[0]?.id ?? "")).toThrow("Call answer instead")
})

describe("resumeInterrupted", () => {
  const slow = { m: { call: () => new Promise<never>(() => {}) } }

  /** Returns a folder with the runs of a killed process, which have no owner. */
  const runsOfKilledProcess = async (
    runs: (runner: Runner) => Promise<unknown>,
  ): Promise<string> => {
    const [folder, copy] = [temporaryFolder("runs-"), temporaryFolder("killed-")]
    await runs(createRunner({ models: slow, journal: jsonlJournal(folder) }))
    const files = (): readonly string[] =>
      readdirSync(folder).filter((file) => file.endsWith(".jsonl"))
    await vi.waitFor(() => {
      expect(files()).toHaveLength(3)
      for (const file of files()) expect(statSync(join(folder, file)).size).toBeGreaterThan(0)
    })
    for (const file of files()) copyFileSync(join(folder, file), join(copy, file))
    return copy
  }

  test("resumes the interrupted runs of a killed process, but neither waiting nor ended runs", async () => {
    const folder = await runsOfKilledProcess(async (runner) => {
      runner.start(guide, { runId: "working", prompt: "Hello!" })
      await runner.start(question, { runId: "waiting" }).whenSettled()
      const ended = runner.start(question, { runId: "ended" })
      ended.cancel()
      await ended.result
    })
    const next = createRunner({ models: guideModels, journal: jsonlJournal(folder) })
    const { resumed, failed } = await next.resumeInterrupted()
    expect(resumed.map(({ runId }) => runId)).toEqual(["working"])
    expect(failed).toEqual([])
    expect((await resumed[0]?.result)?.text).toBe("Answer 1.")
    expect((await next.resumeInterrupted()).resumed).toEqual([])
    await next.close()
  })

  test("reports a run that cannot be resumed, and skips a run that another process has resumed", async () => {
    const folder = await runsOfKilledProcess(async (runner) => {
      for (const runId of ["a", "b", "c"]) runner.start(guide, { runId, prompt: "Hello!" })
    })
    const lost = new Error("the record is damaged")
    const stored = jsonlJournal(folder)
    const other = createRunner({ models: slow, journal: jsonlJournal(folder) })
    const journal: Journal = {
      ...stored,
      async list() {
        const listed = await stored.list()
        await other.resume("c")
        return listed
      },
      load(runId) {
        if (runId === "b") throw lost
        return stored.load(runId)
      },
    }
    const runner = createRunner({ models: guideModels, journal })
    const { resumed, failed } = await runner.resumeInterrupted()
    expect(resumed.map(({ runId }) => runId)).toEqual(["a"])
    expect(failed).toEqual([{ runId: "b", error: lost }])
    await Promise.all([runner.close(), other.close()])
  })

  test("needs a journal with the function list", async () => {
    const { list: _list, ...journal } = memoryJournal()
    await expect(createRunner({ journal }).resumeInterrupted()).rejects.toMatchObject({
      code: "argument_invalid",
    })
  })
})
