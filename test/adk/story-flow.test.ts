import { compile } from "agent-statecharts"
import type { BaseAgent } from "agent-statecharts/adk"
import { programOf } from "agent-statecharts/adk"
import type { StoredRun } from "agent-statecharts/runtime"
import { createRunner, memoryJournal } from "agent-statecharts/runtime"
import { expect, test } from "vitest"
import { load, snippetNamed } from "./snippet.js"

const { file, header } = snippetNamed("09")

interface Asked {
  readonly agent: string
  readonly idempotencyKey: string
}

test("a custom agent that is resumed after any record of its journal does not repeat finished model calls", async () => {
  const script = new Map(
    Object.entries(header.llm as Record<string, readonly unknown[]>).map(([agent, answers]) => [
      agent,
      [...answers],
    ]),
  )
  const answers = new Map<string, unknown>()
  const first = await program()
  const journal = memoryJournal()
  const model = {
    call: async ({ agent, idempotencyKey }: Asked) => {
      answers.set(idempotencyKey, script.get(agent)?.shift())
      return answers.get(idempotencyKey)
    },
  }
  const run = createRunner({
    models: { "gemini-2.5-flash": model },
    services: first.services,
    journal,
  }).start(first.chart, { runId: "r", prompt: "tell me", state: { ...header.state } })
  const result = await run.result
  expect(result).toMatchObject({ status: "completed", state: header.expect["state"] })
  const stored = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
  expect(stored.records.length).toBeGreaterThan(answers.size)

  for (let length = 0; length < stored.records.length; length++) {
    const asked: string[] = []
    const again = {
      call: async ({ idempotencyKey }: Asked) => {
        asked.push(idempotencyKey)
        return answers.get(idempotencyKey)
      },
    }
    const records = stored.records.slice(0, length)
    const { services } = await program()
    const resumed = await createRunner({
      models: { "gemini-2.5-flash": again },
      services,
      journal: memoryJournal({ r: { header: stored.header, records } }),
    }).resume("r")
    expect(await resumed.result, `resumed after ${length} records`).toEqual(result)
    const finished = records.filter(
      ([n, ok, value]) =>
        n !== -1 &&
        ok === true &&
        typeof value === "object" &&
        value !== null &&
        "content" in value,
    ).length
    expect(asked).toEqual([...answers.keys()].slice(finished))
  }
})

test("the chart contains the sub-agents inside the custom agent", async () => {
  const { chart } = await program()
  const root = Object.values(chart.machines[chart.root]?.states ?? {}).find(
    (state) => state.meta?.agent === "story_flow",
  )
  expect(root?.meta?.kind).toBe("CustomAgent")
  expect(Object.values(root?.states ?? {}).flatMap(({ meta }) => meta?.agent ?? [])).toEqual([
    "generator",
    "revision",
    "checks",
  ])
})

/** Loads the program again, because each process has its own instances. */
async function program() {
  const { rootAgent } = (await load(file)) as { readonly rootAgent: BaseAgent }
  const { config, services } = programOf(rootAgent)
  const { chart } = compile(config)
  if (chart === null) throw new Error("the snippet does not compile")
  return { chart, services }
}
