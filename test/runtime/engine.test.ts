import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { Envelope } from "../../src/machines/contract/services.js"
import type { RunResult } from "../../src/machines/contract/run-event.js"
import { callPerformer } from "../../src/runtime/host/call-performer.js"
import type { RunOrder } from "../../src/runtime/engine/execute-run.js"
import { executeRun } from "../../src/runtime/engine/execute-run.js"
import type { Engine, EngineEvent } from "../../src/runtime/engine/engine.js"
import type { LeafCall } from "../../src/runtime/driver/host.js"
import type { CallServices } from "../../src/runtime/host/call-services.js"
import type { RunMessage } from "../../src/runtime/run/run-message.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { scriptedWorkflow } from "../support/arbitrary-workflow.js"
import { scriptedServices } from "../support/scripted-services.js"
import { human, llm, sequence } from "../support/workflow.js"
import { randomCases } from "../support/random-cases.js"

/** The events of a run that an engine has stored. */
interface Log {
  readonly order: EngineEvent[]
}

class Crash extends Error {}

/**
 * A minimal engine that keeps a list of events and crashes after `crashAt` events. After a crash, calls without a stored
 * result start again, as in real engines. Calls end in the order in which they started, lowest ordinal first.
 */
function loggedEngine(
  log: Log,
  services: CallServices,
  crashAt: number,
  answer: (waiting: ReadonlyArray<{ readonly id: string; readonly kind: string }>) => RunMessage,
) {
  const performer = callPerformer(services, { now: () => 7, wakeAt: () => () => {} })
  // The engine implements pauses itself.
  const perform = async (call: LeafCall): Promise<Envelope> => {
    if (call.src === "sleepUntil")
      return { ok: true, value: null, at: (call.input as { readonly until: number }).until }
    return (await performer.perform(call, new AbortController().signal)) as Envelope
  }
  const open = new Map<number, LeafCall>()
  let given = 0
  const refused: string[] = []
  const engine: Engine = {
    begin(call) {
      open.set(call.n, call)
      return () => open.delete(call.n)
    },
    async next(run) {
      if (given === crashAt) throw new Crash()
      const stored = log.order[given]
      if (stored !== undefined) {
        given++
        if ("n" in stored) open.delete(stored.n)
        return stored
      }
      const [call] = [...open.values()].sort((one, other) => one.n - other.n)
      const happening: EngineEvent =
        call === undefined
          ? { message: log.order.length > 60 ? { type: "end" } : answer(run.pending()), at: 9 }
          : { n: call.n, result: await perform(call) }
      if (call !== undefined) open.delete(call.n)
      log.order.push(JSON.parse(JSON.stringify(happening)) as EngineEvent)
      given++
      return happening
    },
    refused: (_, error) => void refused.push(error.message),
  }
  return { engine, refused }
}

const answerAlike = (
  waiting: ReadonlyArray<{ readonly id: string; readonly kind: string }>,
): RunMessage => {
  const request = waiting[0]
  if (request === undefined) return { type: "end" }
  if (request.kind === "approval") return { type: "approve", id: request.id }
  if (request.kind === "input") return { type: "say", content: "tell me", request: request.id }
  return { type: "answer", id: request.id, value: "yes" }
}

async function undisturbed(
  order: RunOrder,
  services: CallServices,
): Promise<{ readonly result: RunResult; readonly steps: number }> {
  const log: Log = { order: [] }
  const { engine } = loggedEngine(log, services, Infinity, answerAlike)
  return { result: await executeRun(order, engine), steps: log.order.length }
}

const chartOf = (config: object): AgentChart => {
  const { chart, diagnostics } = compile(config)
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

describe("a run that an engine executes", () => {
  test("a run has the same result after a crash at any step and a second delivery", async () => {
    await fc.assert(
      fc.asyncProperty(scriptedWorkflow, fc.nat(), async (workflow, where) => {
        const chart = chartOf({ ...workflow.fields, rootAgentId: "a0", agents: workflow.agents })
        // Each call always has the same response, as with services that support idempotency keys.
        const services = (): CallServices =>
          scriptedServices(firstAnswers(workflow.models), firstAnswers(workflow.tools))
        const order: RunOrder = { runId: "r", chart, at: 1 }
        const { result, steps } = await undisturbed(order, services())
        const log: Log = { order: [] }
        const crashAt = where % (steps + 1)
        await expect(
          executeRun(order, loggedEngine(log, services(), crashAt, answerAlike).engine).then(
            () => "ended",
            (error: unknown) => (error instanceof Crash ? "crashed" : error),
          ),
        ).resolves.toBe(crashAt === steps ? "ended" : "crashed")
        expect(
          await executeRun(order, loggedEngine(log, services(), Infinity, answerAlike).engine),
        ).toEqual(result)
      }),
      { numRuns: randomCases(150) },
    )
  })

  test("a run that an engine executes has the same result as a run of the runner", async () => {
    const chart = chartOf({
      rootAgentId: "all",
      agents: [
        sequence("all", ["writer", "boss"]),
        llm("writer", { outputKey: "draft" }),
        human("boss", { prompt: "Well?", outputKey: "verdict" }),
      ],
    })
    const services = scriptedServices({ writer: [{ content: "Once." }] })
    const { result } = await undisturbed(
      { runId: "r", chart, at: 1, prompt: "Write.", state: { tone: "dry" } },
      services,
    )
    const run = createRunner(services).start(chart, {
      runId: "r",
      prompt: "Write.",
      state: { tone: "dry" },
    })
    await run.whenSettled()
    run.answer("all/boss#0", "yes")
    expect(result).toEqual(await run.result)
  })

  test("a message that does not match is reported, and the run continues", async () => {
    const chart = chartOf({
      rootAgentId: "boss",
      agents: [human("boss", { prompt: "Well?", outputKey: "verdict" })],
    })
    const messages: unknown[] = [
      { type: "approve", id: "boss#0" },
      { type: "shout" },
      null,
      { type: "answer", id: "boss#0", value: 3 },
    ]
    const { engine, refused } = loggedEngine(
      { order: [] },
      {},
      Infinity,
      () => messages.shift() as RunMessage,
    )
    const result = await executeRun({ runId: "r", chart, at: 1 }, engine)
    expect(result).toMatchObject({ status: "completed", state: { verdict: 3 } })
    expect(refused).toEqual([
      expect.stringContaining("of kind human"),
      expect.stringContaining('its type is "shout"'),
      expect.stringContaining("its type is null"),
    ])
  })

  test("a run does not read a clock and only uses the times that the engine provides", async () => {
    const chart = chartOf({ rootAgentId: "boss", agents: [human("boss", { prompt: "Well?" })] })
    const times: number[] = []
    const happenings: EngineEvent[] = [
      { message: { type: "say", content: "not asked" }, at: 90 },
      { message: { type: "answer", id: "boss#0", value: 1 }, at: 40 },
    ]
    const engine: Engine = {
      begin: () => () => {},
      next: async () => happenings.shift() as EngineEvent,
    }
    await executeRun({ runId: "r", chart, at: 50 }, engine, {
      opened: (run) => void run.events$.subscribe(({ at }) => times.push(at)),
    })
    // The second message came from a computer whose clock is behind.
    expect([times[0], times.at(-1)]).toEqual([50, 90])
  })
})

/** Keeps only the first response of each agent and tool, so that all attempts have the same one. */
const firstAnswers = (
  script: Readonly<Record<string, readonly unknown[]>>,
): Record<string, readonly unknown[]> =>
  Object.fromEntries(Object.entries(script).map(([id, answers]) => [id, answers.slice(0, 1)]))
