import { describe, expect, test } from "vitest"
import { compileOrThrow } from "agent-statecharts"
import {
  type BaseNode,
  InMemoryRunner,
  InMemorySessionService,
  programOf,
  Runner,
} from "agent-statecharts/adk"
import { createRunner, type Journal, memoryJournal, type Run } from "agent-statecharts/runtime"
import type { JournalHeader, JournalRecord, StoredRun } from "../../src/runtime/journal/journal.js"
import { begin, interpreters } from "../support/in-both-interpreters.js"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readProgram } from "./play-program.mjs"
import { scriptedModels } from "./scripted-models.mjs"

const folder = fileURLToPath(new URL("./programs/", import.meta.url))

let loads = 0

interface Program {
  readonly header: Readonly<Record<string, unknown>>
  readonly module: Readonly<Record<string, unknown>>
  readonly root: BaseNode
}

async function load(start: string): Promise<Program> {
  const file = readdirSync(folder).find((name) => name.startsWith(start)) ?? ""
  const module = await import(/* @vite-ignore */ `${folder}${file}?restart=${loads++}`)
  return { header: readProgram(folder + file), module, root: module.rootAgent }
}

type Answers = readonly { readonly answer: unknown; readonly id: string }[]

/** The response of the model depends only on its input, so that a repeated call has the same response. */
const models = {
  "gemini-2.5-flash": {
    call: async ({
      messages,
    }: {
      readonly messages: readonly { readonly content: unknown }[]
    }) => ({
      content: `about ${String(messages.at(-1)?.content)}`,
    }),
  },
}

async function finish(run: Run, answers: Answers) {
  for (const { answer, id } of answers) {
    await run.whenSettled()
    if (run.pending().some((request) => request.id === id)) run.answer(id, { result: answer })
  }
  return run.result
}

describe("a graph that is resumed after any record of its journal", () => {
  test.each([
    ["11", [{ answer: "blue", id: "colour" }], "asked"],
    [
      "13",
      [
        { answer: "7", id: "guests" },
        { answer: "late", id: "time" },
      ],
      "runs",
    ],
    ["18", [], "attempts"],
    ["21", [], null],
  ] as const)(
    "the program %s has the same result after it is resumed",
    async (start, answers, log) => {
      const { header, root } = await load(start)
      const { config, services } = programOf(root)
      const chart = compileOrThrow(config, { dialect: "adk" })
      const journal = memoryJournal()
      const run = createRunner({ services, models, journal }).start(chart, {
        runId: "r",
        prompt: String(header["prompt"]),
      })
      const { text, state, status } = await finish(run, answers)
      expect(status).toBe("completed")
      const stored = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
      for (let length = 0; length < stored.records.length; length++) {
        const again = await load(start)
        const resumed = await createRunner({
          services: programOf(again.root).services,
          models,
          journal: memoryJournal({
            r: { header: stored.header, records: stored.records.slice(0, length) },
          }),
        }).resume("r")
        // Program 13 counts its runs in memory, which a restart loses.
        const result = await finish(resumed, answers)
        expect(result.status, `after ${length} records`).toBe("completed")
        if (start !== "13") expect(result).toMatchObject({ text, state })
        const runs = log === null ? [] : (again.module[log] as readonly unknown[])
        if (length === stored.records.length - 1) expect(runs.length).toBeLessThanOrEqual(1)
      }
    },
  )
})

type Step =
  | { readonly header: JournalHeader }
  | { readonly runId: string; readonly record: JournalRecord }

/** A journal that also lists the stored headers and records of all runs in order. */
function watchedJournal(stored: readonly Step[] = []) {
  const steps: Step[] = [...stored]
  const runs: Record<string, { header: JournalHeader; records: JournalRecord[] }> = {}
  for (const step of stored)
    if ("header" in step) runs[step.header.runId] = { header: step.header, records: [] }
    else runs[step.runId]?.records.push(step.record)
  const memory = memoryJournal(JSON.parse(JSON.stringify(runs)))
  const journal: Journal = {
    ...memory,
    create(header) {
      steps.push({ header: JSON.parse(JSON.stringify(header)) })
      return memory.create(header)
    },
    append(runId, record) {
      steps.push({ runId, record: JSON.parse(JSON.stringify(record)) })
      return memory.append(runId, record)
    },
  }
  return { journal, steps }
}

/** Starts program 17 as in a new process. Its node has a function, an agent and a question as children. */
async function openProcess(stored: readonly Step[] = []) {
  const { module, root } = await load("17")
  const { journal, steps } = watchedJournal(stored)
  let modelCalls = 0
  const sessionService = new InMemorySessionService()
  await sessionService.createSession({ appName: "app", userId: "u", sessionId: "s" })
  const runner = new Runner({
    appName: "app",
    agent: root,
    sessionService,
    journal,
    models: {
      "gemini-2.5-flash": {
        call: async () => {
          modelCalls++
          return { content: "900" }
        },
      },
    },
  })
  const send = async (
    request: object,
  ): Promise<{ readonly output: unknown; readonly id: string }> => {
    let [output, id]: [unknown, string] = [undefined, ""]
    for await (const event of runner.runAsync({ userId: "u", sessionId: "s", ...request })) {
      if (event.nodeInfo?.path === "builders.build" && event.output !== undefined)
        output = event.output
      id = event.invocationId
    }
    return { output, id }
  }
  return {
    send,
    steps,
    counts: () => [(module["measured"] as readonly unknown[]).length, modelCalls],
  }
}

const yes = {
  role: "user",
  parts: [
    { functionResponse: { id: "offer", name: "adk_request_input", response: { result: "yes" } } },
  ],
}

const ofChild = (child: string) => (step: Step) =>
  "runId" in step && step.runId.includes(`.${child}@`) && step.record[0] >= 0

describe("a node with children that is resumed after any record of any journal", () => {
  test("a resumed node continues its unfinished children and repeats no finished child", async () => {
    const whole = await openProcess()
    const { id: invocationId } = await whole.send({
      newMessage: { role: "user", parts: [{ text: "a wall" }] },
    })
    const { output } = await whole.send({ newMessage: yes })
    expect(output).toBe("built a wall of 12 m for 900")
    expect(whole.counts()).toEqual([1, 1])
    const { steps } = whole
    // The input and the node of each of the three children, and the calls of the node.
    expect(steps.filter((step) => "header" in step)).toHaveLength(4)
    for (let length = 1; length < steps.length; length++) {
      const past = steps.slice(0, length)
      const again = await openProcess(past)
      const resumed = await again.send({ invocationId })
      const answered = resumed.output ?? (await again.send({ newMessage: yes })).output
      expect(answered, `after ${length} steps`).toBe(output)
      const [measured = 0, estimated = 0] = again.counts()
      // The first call of a child passes the input on, and the second one runs the node.
      expect(measured).toBe(past.filter(ofChild("measure")).length < 2 ? 1 : 0)
      expect(estimated).toBe(past.filter(ofChild("estimator")).length < 2 ? 1 : 0)
    }
  })

  test("resuming an invocation requires a known invocation id and a journal", async () => {
    const { send, steps } = await openProcess()
    const { id: invocationId } = await send({
      newMessage: { role: "user", parts: [{ text: "a wall" }] },
    })
    const other = await openProcess(steps)
    await expect(other.send({ invocationId: "nobody" })).rejects.toMatchObject({
      code: "run_unknown",
    })
    await expect(other.send({})).rejects.toMatchObject({ code: "argument_invalid" })
    const { root } = await load("17")
    const runner = new InMemoryRunner({ agent: root, appName: "app", models })
    await runner.sessionService.createSession({ appName: "app", userId: "u", sessionId: "s" })
    const events = runner.runAsync({ userId: "u", sessionId: "s", invocationId })
    await expect(events.next()).rejects.toThrow(/no journal/)
  })
})

describe("a graph as an XState actor", () => {
  test.each(["01", "02", "05", "06", "07", "08", "09", "10", "18", "20", "21", "29", "38"])(
    "the program %s has the same state, text and events as a run",
    async (start) => {
      const results = []
      for (const interpreter of interpreters) {
        const { header, root } = await load(start)
        const { config, services } = programOf(root)
        const { models: scripted } = scriptedModels(header["llm"] as object)
        const { controls, events } = begin(
          interpreter,
          compileOrThrow(config, { dialect: "adk" }),
          { services, models: scripted },
          { prompt: String(header["prompt"]) },
        )
        const { text, state, status } = await controls.result
        // Nodes that run at the same time end in any order.
        const finished = events
          .flatMap((event) =>
            event.type === "node.finished" ? [JSON.stringify([event.path, event.output])] : [],
          )
          .sort()
        results.push({ text, state, status, finished })
      }
      const [run, actor] = results
      expect(run?.status).toBe("completed")
      expect(actor).toEqual(run)
    },
  )
})
