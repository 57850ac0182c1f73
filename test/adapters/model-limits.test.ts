import { spawn } from "node:child_process"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { PostgresLimits } from "../../src/adapters/model-limits/postgres/index.js"
import { postgresLimits } from "../../src/adapters/model-limits/postgres/index.js"
import { Deferred } from "../../src/runtime/async/deferred.js"
import type { Admission, ModelLimit } from "../../src/runtime/index.js"
import { createRunner, modelLimits } from "../../src/runtime/index.js"
import { isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { eventually } from "../support/eventually.js"
import type { Postgres } from "../support/postgres.js"
import { programs, startPostgres, whyNot } from "../support/postgres.js"
import { chartOf } from "../support/in-both-interpreters.js"

const chart = chartOf({ name: "writer", agentClass: "LlmAgent", model: "large" })

const isThere = programs !== null
if (!isThere) console.warn(`Skipped: ${whyNot}`)

describe.skipIf(!isThere)("limits of models that processes share through PostgreSQL", () => {
  let server: Postgres
  const opened: PostgresLimits[] = []

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await Promise.all(opened.map((limits) => limits.close()))
    await server.stop()
  })

  const url = (): string => server.url.replace(/agents$/, "postgres")
  /** Opens the limits as two processes do. */
  const two = (schema: string): readonly [PostgresLimits, PostgresLimits] => {
    const [one, other] = [postgresLimits(url(), { schema }), postgresLimits(url(), { schema })]
    opened.push(one, other)
    return [one, other]
  }
  const admitted = async (limits: PostgresLimits, limit: ModelLimit) => {
    const admission = await limits.admit("large", limit)
    if (!admission.isAdmitted) throw new Error(`the call must wait: ${admission.limit}`)
    return admission
  }
  const none = { tokens: null, pauseMs: null }
  const waiting = (limit: string, delayMs: unknown = expect.any(Number)): Admission =>
    ({ isAdmitted: false, limit, delayMs }) as Admission

  test("at most maxConcurrent calls run in both processes together", async () => {
    const [one, other] = two("concurrent")
    const seen = { running: 0, most: 0, calls: 0 }
    const threeCalls = new Deferred<void>()
    const large = {
      async call() {
        seen.calls++
        seen.most = Math.max(seen.most, ++seen.running)
        if (seen.running === 3) threeCalls.settle()
        // Without this, the calls of a busy machine could run one after the other.
        await threeCalls.promise
        // Other calls could start meanwhile.
        await Promise.all([one, other].map((limits) => limits.admit("other", { maxConcurrent: 1 })))
        seen.running--
        return { content: "done" }
      },
    }
    const runners = [one, other].map((shared) =>
      createRunner({
        models: { large },
        modelLimits: modelLimits({ large: { maxConcurrent: 3 } }, { shared }),
      }),
    )
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, n) => runners[n % 2]?.start(chart, { prompt: "Go." }).result),
    )
    expect(results.map((result) => result?.status)).toEqual(
      Array.from({ length: 30 }, () => "completed"),
    )
    expect(seen).toEqual({ running: 0, most: 3, calls: 30 })
    await eventually(() =>
      expect(
        server.queryIn(
          "postgres",
          "SELECT count(*) FROM concurrent.model_calls WHERE model = 'large'",
        ),
      ).toBe("0"),
    )
  })

  test("the calls and tokens of a minute count in both processes", async () => {
    const [one, other] = two("minute")
    const limit = { requestsPerMinute: 2, tokensPerMinute: 100 }
    const first = await admitted(one, limit)
    const second = await admitted(other, limit)
    const denied = await one.admit("large", limit)
    expect(denied).toEqual(waiting("requestsPerMinute"))
    first.end({ tokens: 60, pauseMs: null })
    second.end({ tokens: 40, pauseMs: null })
    const tokens = { tokensPerMinute: 100 }
    await eventually(async () => {
      const admission = await other.admit("large", tokens)
      // Until the end of the calls is stored, another call is admitted, and would count as a running call.
      if (admission.isAdmitted) admission.end(none)
      expect(admission).toEqual(waiting("tokensPerMinute"))
    })
    expect(await one.admit("large", tokens)).toEqual(waiting("tokensPerMinute"))
    await admitted(one, { tokensPerMinute: 101 })
  })

  test("a running call is expected to use as many tokens as the last response", async () => {
    const [one, other] = two("expected")
    const limit = { tokensPerMinute: 100 }
    const first = await admitted(one, limit)
    first.end({ tokens: 50, pauseMs: null })
    // The same process stores the end of a call before it reads the limits again.
    const second = await admitted(one, limit)
    expect(await other.admit("large", limit)).toEqual(waiting("tokensPerMinute"))
    second.end(none)
    await eventually(() => admitted(other, limit))
  })

  test("no process calls a model that requests a delay", async () => {
    const [one, other] = two("pause")
    const first = await admitted(one, { maxConcurrent: 5 })
    first.end({ tokens: null, pauseMs: 3_600_000 })
    expect(await one.admit("large", { maxConcurrent: 5 })).toEqual(waiting("Retry-After"))
    expect(await other.admit("large", { maxConcurrent: 5 })).toEqual(waiting("Retry-After"))
    expect(await other.admit("small", { maxConcurrent: 5 })).toMatchObject({ isAdmitted: true })
  })

  test.skipIf(!isBuilt)("the calls of a killed process end at once", async () => {
    const [one] = two("killed")
    const limit = { maxConcurrent: 1 }
    const program = `
      import { postgresLimits } from "agent-statecharts/adapters/model-limits/postgres"
      const limits = postgresLimits(${JSON.stringify(url())}, { schema: "killed" })
      const { isAdmitted } = await limits.admit("large", { maxConcurrent: 1 })
      console.log(isAdmitted)
      setInterval(() => {}, 1_000)`
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: projectFolder,
      stdio: ["ignore", "pipe", "inherit"],
    })
    const [line] = await once(child.stdout, "data")
    expect(String(line)).toBe("true\n")
    expect(await one.admit("large", limit)).toEqual(waiting("maxConcurrent", null))
    child.kill("SIGKILL")
    await eventually(() => admitted(one, limit))
  })

  test.skipIf(!isBuilt)("a process ends although its limits are not closed", async () => {
    const program = `
      import { postgresLimits } from "agent-statecharts/adapters/model-limits/postgres"
      const limits = postgresLimits(${JSON.stringify(url())}, { schema: "open" })
      const call = await limits.admit("large", { maxConcurrent: 1 })
      call.end({ tokens: 5, pauseMs: null })`
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: projectFolder,
      stdio: "inherit",
    })
    const [code] = await once(child, "close")
    expect(code).toBe(0)
    expect(server.queryIn("postgres", "SELECT sum(tokens) FROM open.model_usage")).toBe("5")
  })

  test("a call fails if the limits cannot be read", async () => {
    const shared = postgresLimits("postgresql://127.0.0.1:1/none")
    opened.push(shared)
    const runner = createRunner({
      models: { large: { call: async () => ({ content: "done" }) } },
      modelLimits: modelLimits({ large: { maxConcurrent: 3 } }, { shared }),
    })
    expect(await runner.start(chart, { prompt: "Go." }).result).toMatchObject({
      status: "failed",
      error: {
        code: "service_unreachable",
        message: expect.stringContaining("its shared limits cannot be read"),
      },
    })
  })
})
