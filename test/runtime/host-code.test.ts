import { createActor } from "xstate"
import { describe, expect, test } from "vitest"
import { compile } from "../../src/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { CallOptions } from "../../src/machines/contract/services.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { scriptedServices } from "../support/scripted-services.js"

const agents = ["main", "spare", "judge"].map((name) => ({
  name,
  httpConfig: { url: `http://agents.test/${name}`, method: "POST" },
  outputKey: `${name}_text`,
}))

const { chart: compiled, diagnostics } = compile(
  {
    name: "flow",
    agentClass: "CustomAgent",
    subAgents: agents,
    initialUserInput: "go",
    state: { topic: "tea" },
  },
  { dialect: "adk" },
)
if (compiled === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
const chart: AgentChart = compiled

/** Runs three agents in a loop, catches errors, takes steps, asks a question and changes the state. */
const flow =
  (log: string[]): HostFunction =>
  async (context) => {
    const start = await context.step("draw", () => {
      log.push("drawn")
      return 41
    })
    context.state.set("number", start)
    for (let round = 0; round < 3; round++) {
      try {
        const { text } = await context.runAgent("main")
        context.state.set(`round_${round}`, text)
      } catch (error) {
        context.state.set("why", (error as Error).message)
        await context.runAgent("spare")
      }
      await context.runAgent("judge")
      if (context.state.get("judge_text") === "good") break
    }
    context.state.set("reply", await context.ask("Continue?"))
    await context.step("store", () => {
      log.push("stored")
    })
    return "done"
  }

const models = {
  main: [{ content: "M1" }, { status: 400 }, { content: "M3" }],
  spare: [{ content: "S" }],
  judge: [{ content: "bad" }, { content: "bad" }, { content: "good" }],
}

const expected = {
  topic: "tea",
  number: 41,
  round_0: "M1",
  round_2: "M3",
  main_text: "M3",
  spare_text: "S",
  judge_text: "good",
  reply: "yes",
  why: expect.stringContaining("HTTP 400"),
}

describe("a host function as an agent", () => {
  test("runs sub-agents, catches the error of a sub-agent, takes steps and asks a person", async () => {
    const log: string[] = []
    const run = createRunner({ ...scriptedServices(models), services: { flow: flow(log) } }).start(
      chart,
    )
    expect((await run.whenSettled()).status).toBe("waiting")
    expect(run.pending()).toMatchObject([{ kind: "input", agent: "flow", prompt: "Continue?" }])
    run.answer(run.pending()[0]?.id ?? "", "yes")
    const result = await run.result
    expect(result).toMatchObject({ status: "completed", state: expected })
    expect(log).toEqual(["drawn", "stored"])
  })

  test("has the same result in the actor interpreter", async () => {
    const log: string[] = []
    const actor = createActor(
      toMachine(chart, { ...scriptedServices(models), services: { flow: flow(log) } }),
      { input: {} },
    )
    const controls = controlActor(actor)
    actor.start()
    await controls.whenSettled()
    controls.answer(controls.pending()[0]?.id ?? "", "yes")
    expect((await controls.result).state).toMatchObject(expected)
    expect(log).toEqual(["drawn", "stored"])
  })

  test("a run that is killed at any record and resumed does not repeat finished steps", async () => {
    const journal = memoryJournal()
    const answers = new Map<string, unknown>()
    const log: string[] = []
    const { http } = scriptedServices(models)
    const remembering = {
      call: async (request: Parameters<typeof http.model.call>[0], options: CallOptions) => {
        const answer = http.model.call(request, options)
        answers.set(request.idempotencyKey, answer)
        answer.catch(() => {})
        return answer
      },
    }
    const run = createRunner({
      http: { ...http, model: remembering },
      services: { flow: flow(log) },
      journal,
    }).start(chart, { runId: "r" })
    await run.whenSettled()
    run.answer(run.pending()[0]?.id ?? "", "yes")
    const result = await run.result
    const stored = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun

    for (let length = 0; length < stored.records.length; length++) {
      const records = stored.records.slice(0, length)
      const again: string[] = []
      const asked: string[] = []
      const model = {
        call: async (request: { readonly idempotencyKey: string }) => {
          asked.push(request.idempotencyKey)
          return answers.get(request.idempotencyKey)
        },
      }
      const past = JSON.stringify(records)
      const resumed = await createRunner({
        http: { ...http, model },
        services: { flow: flow(again) },
        journal: memoryJournal({ r: { header: stored.header, records } }),
      }).resume("r")
      if ((await resumed.whenSettled()).status === "waiting")
        resumed.answer(resumed.pending()[0]?.id ?? "", "yes")
      expect(await resumed.result, `resumed after ${length} records`).toEqual(result)
      if (past.includes('"name":"draw"')) expect(again).not.toContain("drawn")
      if (past.includes('"name":"store"')) expect(again).not.toContain("stored")
      expect(new Set(asked).size).toBe(asked.length)
      const finished = records.filter(
        ([n, ok, value]) =>
          n !== -1 &&
          ((ok === true && typeof value === "object" && value !== null && "content" in value) ||
            ok === false),
      ).length
      expect(asked.length + finished).toBe(answers.size)
    }
  })

  test("a resumed run fails if its host function takes the steps in another order", async () => {
    const journal = memoryJournal()
    const { http } = scriptedServices(models)
    const run = createRunner({ http, services: { flow: flow([]) }, journal }).start(chart, {
      runId: "r",
    })
    await run.whenSettled()
    const other: HostFunction = async (context) => {
      await context.runAgent("judge")
      return context.ask("Continue?")
    }
    const stored = JSON.parse(JSON.stringify(journal.toJSON())) as Record<string, StoredRun>
    const resumed = await createRunner({
      http,
      services: { flow: other },
      journal: memoryJournal(stored),
    }).resume("r")
    resumed.answer(resumed.pending()[0]?.id ?? "", "yes")
    const { status, error } = await resumed.result
    expect(status).toBe("failed")
    expect(error).toMatchObject({ code: "nondeterministic_host_code", agent: "flow" })
    expect(error?.message).toMatch(/took the step step "draw"/)
  })

  test("a run fails before its first model call if its host function is not registered", async () => {
    const services = scriptedServices(models)
    const { status, error } = await createRunner(services).start(chart).result
    expect(status).toBe("failed")
    expect(error?.message).toMatch(/"flow" needs the service "flow"/)
    expect(services.modelCalls).toEqual([])
  })
})
