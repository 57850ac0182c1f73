import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createActor } from "xstate"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { NodeService } from "../../src/machines/contract/graphs/node-service.js"
import type { RunResult } from "../../src/machines/contract/run-event.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { randomCases } from "../support/random-cases.js"
import { simulatedClock } from "../support/simulated-clock.js"

/** The behavior of a node: its duration, whether it fails and its effect on other nodes. */
interface Task {
  readonly delay: number
  readonly fails: boolean
  readonly terminates: boolean
  readonly chooses: boolean
  readonly isLoop: boolean
  readonly isProtected: boolean
  readonly dependencies: readonly number[]
}

const task = fc.record({
  delay: fc.integer({ min: 1, max: 1000 }),
  fails: fc.constantFrom(false, false, true),
  terminates: fc.constantFrom(false, false, false, false, true),
  chooses: fc.boolean(),
  isLoop: fc.constantFrom(false, false, true),
  isProtected: fc.boolean(),
  dependencies: fc.array(fc.nat(20), { maxLength: 3 }),
})

const http = (id: string, dependencies: readonly string[], more: object = {}): object => ({
  id,
  type: "http",
  dependencies,
  http: { method: "POST", url: `http://http.test/${id}`, body: {} },
  ...more,
})

/** A graph of nodes `t0`, `t1`, ..., each of which depends only on earlier nodes. */
function graphOf(tasks: readonly Task[]): object {
  const ends = tasks.map(({ isLoop }, index) => (isLoop ? `e${index}` : `t${index}`))
  const needs = tasks.map(({ dependencies }, index) =>
    index === 0 ? [] : [...new Set(dependencies.map((one) => ends[one % index] ?? "t0"))],
  )
  const nodes = tasks.flatMap((one, index): readonly object[] => {
    const id = `t${index}`
    const dependencies = needs[index] ?? []
    const next = needs.findIndex((all) => all.includes(id))
    const boundary = {
      id: `b${index}`,
      type: "error_boundary",
      protectedNodes: [id],
      http: { method: "POST", url: `http://http.test/b${index}` },
    }
    const body = one.isLoop
      ? [
          {
            id,
            type: "forEach",
            dependencies,
            forEach: { items: "{{ context.items }}" },
            config: { concurrency: 2, continueOnError: one.chooses },
          },
          http(`x${index}`, [id]),
          { id: `e${index}`, type: "endForEach", forEachId: id, dependencies: [`x${index}`] },
        ]
      : [
          http(id, dependencies, {
            conditions: {
              ...(one.terminates && { terminateWhen: ["{{ data.ends = true }}"] }),
              ...(next > 0 && { continueTo: [{ to: `t${next}`, when: "{{ data.go = true }}" }] }),
            },
          }),
        ]
    return one.isProtected ? [...body, boundary] : body
  })
  return { nodes }
}

/** Answers the requests of a graph after the delays of its nodes, on a simulated clock. */
function servicesOf(tasks: readonly Task[]) {
  const clock = simulatedClock()
  const after = (ms: number): Promise<void> =>
    new Promise((resolve) => void clock.wakeAt(clock.now() + ms, resolve))
  const node: NodeService = {
    async call({ node: id, path, task: what }) {
      const one = tasks[Number(id.slice(1))]
      const item = Number(/\[(\d+)\]/.exec(path)?.[1] ?? 0)
      if (what.type === "fill") return [1, 2, 3]
      if (what.type === "check") return what.conditions.map(() => one?.chooses === true)
      await after((one?.delay ?? 1) + item * 7)
      const response = { data: { id }, statusCode: 200, headers: {} }
      const failed = one?.fails === true && !id.startsWith("b") && item !== 1
      return failed
        ? {
            response: { ...response, statusCode: 400 },
            failure: { code: "node_failed", message: `${id} failed`, retryable: false },
          }
        : { response }
    },
  }
  const unused = { call: () => Promise.reject(new Error("the graph has no agents")) }
  return { clock, http: { model: unused, tool: unused, node } }
}

const shown = ({ status, error, state }: RunResult): unknown =>
  JSON.parse(
    JSON.stringify({ status, error, state }).replaceAll(/"(?:run|r)-forEach/g, '"r-forEach'),
  )

test("random graphs have the same results in both interpreters and can be resumed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(task, { minLength: 1, maxLength: 8 }), async (tasks) => {
      const chart = compileOrThrow(graphOf(tasks)) as AgentChart
      const { clock, ...services } = servicesOf(tasks)
      const journal = memoryJournal()
      const run = createRunner({ ...services, clock, journal }).start(chart, { runId: "r" })
      await clock.runUntilIdle()
      const result = run.snapshot()
      expect(["completed", "failed"]).toContain(result.status)

      const other = servicesOf(tasks)
      const actor = createActor(toMachine(chart, { http: other.http, clock: other.clock }), {
        input: { runId: "r" },
      })
      const controls = controlActor(actor)
      actor.start()
      await other.clock.runUntilIdle()
      expect(shown(controls.snapshot())).toEqual(shown(result))

      const stored = journal.toJSON()["r"]
      if (stored === undefined) throw new Error("the journal has no run")
      const past = { ...stored, records: stored.records.slice(0, stored.records.length >> 1) }
      const third = servicesOf(tasks)
      const runner = createRunner({
        http: third.http,
        clock: third.clock,
        journal: memoryJournal({ r: past }),
      })
      const resumed = await runner.resume("r")
      await third.clock.runUntilIdle()
      expect(["completed", "failed"]).toContain(resumed.snapshot().status)
    }),
    { numRuns: randomCases(100), seed: 20_261 },
  )
})
