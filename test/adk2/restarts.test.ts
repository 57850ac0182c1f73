import { describe, expect, test } from "vitest"
import { compileOrThrow } from "agent-statecharts"
import { type BaseNode, programOf } from "agent-statecharts/adk"
import { createRunner, memoryJournal, type Run } from "agent-statecharts/runtime"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
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

/** The model answers by the agent and its input, so that a repeated call has the same answer. */
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

describe("a graph that is killed at any record of its journal", () => {
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
  ] as const)("program %s has the same result after it is resumed", async (start, answers, log) => {
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
  })
})

describe("a graph as an XState actor", () => {
  test.each(["01", "02", "05", "06", "07", "08", "09", "10", "18", "20", "21", "29", "38"])(
    "program %s has the same state, text and events as a run",
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
