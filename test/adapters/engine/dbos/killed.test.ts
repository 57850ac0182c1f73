import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../../../cli/command.js"
import { randomFrom } from "../../../kill/random.mjs"
import { startService } from "../../../kill/service.mjs"
import { bundleProgram } from "../../../support/bundle-program.mjs"
import { seed } from "../../../support/random-cases.js"
import type { Life, LifeOptions } from "./lives.js"
import { live } from "./lives.js"
import type { Postgres } from "../../../support/postgres.js"
import { programs, startPostgres, whyNot } from "../../../support/postgres.js"

/** `DBOS_KILLS=N` kills N runs at random times, and one run at every position. */
const randomKills = Number(process.env["DBOS_KILLS"] ?? 1)
const everyPosition = process.env["DBOS_KILLS"] !== undefined

describe.skipIf(programs === null || !isBuilt)(
  `runs on DBOS whose process or database is killed${programs === null ? ` (skipped: ${whyNot})` : ""}`,
  { timeout: everyPosition ? 3_600_000 : 300_000 },
  () => {
    let bundle: Awaited<ReturnType<typeof bundleProgram>>
    let postgres: Postgres
    let service: Awaited<ReturnType<typeof startService>>
    let undisturbed: Life
    let counted = 0

    beforeAll(async () => {
      const program = fileURLToPath(new URL("./life.mjs", import.meta.url))
      // The adapter requires the package at runtime. Both must use the same copy.
      bundle = await bundleProgram(program, { external: ["@dbos-inc/dbos-sdk"] })
      postgres = await startPostgres()
      service = await startService()
      undisturbed = await live(options(["whole"]))
      expect(undisturbed, undisturbed.errors).toMatchObject({
        code: 0,
        results: { whole: { status: "completed", text: "said <whole/line/closer#0>" } },
      })
    })

    afterAll(async () => {
      await service.close()
      await postgres.stop()
      bundle.remove()
    })

    const options = (runIds: readonly string[]): LifeOptions => ({
      program: bundle.start,
      url: postgres.url,
      owner: runIds[0] ?? "",
      runIds,
      base: service.base,
    })

    const newId = (): string => `r${counted++}`

    /** Returns the expected result. Idempotency keys begin with the run id and are part of the texts. */
    const expectedFor = (runId: string): object =>
      JSON.parse(JSON.stringify(undisturbed.results?.["whole"]).replaceAll("<whole/", `<${runId}/`))

    const storedOf = (runId: string): string =>
      postgres.query(`select output from dbos.operation_outputs where workflow_uuid = '${runId}'`)

    const isOver = (runId: string): boolean =>
      postgres.query(
        `select 1 from dbos.workflow_status where workflow_uuid = '${runId}' and status = 'SUCCESS'`,
      ) !== ""

    interface KilledRun {
      readonly runId: string
      /** The step results that DBOS had stored when the process was killed. */
      readonly stored: string
      /** Whether the run had ended by then. If so, the next process can only read its result. */
      readonly wasOver: boolean
    }

    const killedRun = (runId: string): KilledRun => ({
      runId,
      stored: storedOf(runId),
      wasOver: isOver(runId),
    })

    /** Returns the differences from an undisturbed run, for a run that another process has completed. */
    function failures(
      { runId, stored, wasOver }: KilledRun,
      results: Life["results"],
      errors: string,
    ): readonly string[] {
      const expected = { ...expectedFor(runId), ...(wasOver ? { checkpoints: undefined } : {}) }
      const counts = service.of(runId)
      const found = [...counts.carriedOut]
        .filter(([key, times]) => times > (stored.includes(`<${key}>`) ? 1 : 2))
        .map(([key, times]) => `${key} was carried out ${times} times`)
      if (counts.withoutKey + service.withoutRun() > 0) found.push("a call was made without a key")
      if (results === null) found.push(`it was not taken up: ${errors}`)
      else if (JSON.stringify(results[runId]) !== JSON.stringify(expected))
        found.push(`it ended otherwise: ${JSON.stringify(results[runId])}`)
      return found
    }

    const wasKilled = ({ signal }: Life): boolean => signal === "SIGKILL"

    test(`a killed run ends as if undisturbed, and repeats only calls without a stored result, at most once (seed ${seed})`, async () => {
      const next = randomFrom(seed)
      const positions = Array.from({ length: undisturbed.steps }, (_, position) => position).filter(
        (position) => everyPosition || position % 25 === 1,
      )
      const killedAt = positions.flatMap((position, index) =>
        (["before", "after"] as const)
          .map((moment) => ({ position, moment }))
          .filter((_, moment) => everyPosition || index % 2 === moment),
      )
      const ways: Partial<LifeOptions>[] = [
        ...killedAt,
        ...Array.from({ length: randomKills }, () => ({
          killAfterMs: Math.floor(next() * undisturbed.ms),
        })),
      ]
      const wrong: unknown[] = []
      let killed = 0
      /**
       * Starts one process after the other. Each process resumes the run of the killed process
       * before it, and is then killed in its own run.
       */
      const relay = async (owner: string): Promise<void> => {
        let before: { readonly run: KilledRun; readonly how: Partial<LifeOptions> } | null = null
        for (let how = ways.shift(); how !== undefined || before !== null; how = ways.shift()) {
          const runId = newId()
          const life: Life = await live({
            ...options(how === undefined ? [] : [runId]),
            owner,
            ...(before !== null && { resumeIds: [before.run.runId] }),
            ...how,
          })
          if (before !== null) {
            const found = failures(before.run, life.resumed, life.errors)
            if (found.length > 0) wrong.push({ how: before.how, found })
          }
          if (how !== undefined && wasKilled(life)) killed++
          else if (how?.position !== undefined)
            wrong.push({ how, found: [`the process was not killed: ${life.errors}`] })
          before = how === undefined ? null : { run: killedRun(runId), how }
        }
      }
      await Promise.all([relay("one"), relay("other")])
      expect(wrong).toEqual([])
      expect(killed).toBeGreaterThanOrEqual(killedAt.length)
    })

    test("a new process resumes two runs whose process was killed", async () => {
      const runIds = [newId(), newId()]
      const first = await live({ ...options(runIds), position: 25, moment: "before" })
      expect(wasKilled(first), first.errors).toBe(true)
      const killed = runIds.map(killedRun)
      const { results, errors } = await live(options(runIds))
      expect(killed.flatMap((run) => failures(run, results, errors))).toEqual([])
    })

    test("a run that waits for a person keeps its request id after a kill, and repeats no call", async () => {
      const runId = newId()
      const asked: unknown[] = []
      const first = await live({
        ...options([runId]),
        answers: false,
        killWhen: (message) => typeof message === "object" && message !== null && "asks" in message,
      })
      expect(first.signal).toBe("SIGKILL")
      const last = await live({ ...options([runId]), told: (message) => asked.push(message) })
      expect(failures({ runId, stored: "", wasOver: false }, last.results, last.errors)).toEqual([])
      expect(asked).toContainEqual({ asks: "line/boss#0" })
      expect([...service.of(runId).carriedOut.values()]).toEqual(
        Array.from(service.of(runId).carriedOut, () => 1),
      )
    })

    test("a run continues after a crash of the database, and repeats no call", async () => {
      const runId = newId()
      let crashed: Promise<void> | null = null
      const life = await live({
        ...options([runId]),
        told: (message) =>
          (crashed ??=
            message === "started"
              ? new Promise((resolve) => setTimeout(resolve, undisturbed.ms / 3)).then(() =>
                  postgres.crash(),
                )
              : null),
      })
      await crashed
      expect(crashed).not.toBeNull()
      expect(failures({ runId, stored: "", wasOver: false }, life.results, life.errors)).toEqual([])
      expect([...service.of(runId).carriedOut.values()].every((times) => times === 1)).toBe(true)
    })

    /** Much longer than a busy machine needs to resume a run. */
    const pause = 8_000

    /** Returns a workflow in which a first attempt fails, so that the run pauses for `pause` milliseconds. */
    const pausing = (): object => {
      const activityConfig = { retryPolicy: { maximumAttempts: 2, initialInterval: `${pause}ms` } }
      const agent = (id: string): object => ({
        type: "LlmAgent",
        id,
        httpConfig: { url: `${service.base}/llm/${id}`, method: "POST" },
        activityConfig,
      })
      return {
        rootAgentId: "line",
        agents: [
          {
            type: "SequentialAgent",
            id: "line",
            subAgents: [{ agentId: "alpha" }, { agentId: "gamma" }],
          },
          agent("alpha"),
          agent("gamma"),
        ],
      }
    }

    /** Returns the time of the first result that DBOS has stored under a name. */
    const timeOf = (runId: string, name: string): number =>
      Number(
        postgres.query(
          `select output::json->'json'->0->'result'->>'at' from dbos.operation_outputs where workflow_uuid = '${runId}' and function_name = '${name}' order by function_id limit 1`,
        ),
      )

    test("a pause before a retry keeps its due time after a kill", async () => {
      const runId = newId()
      // The first step checks the services, the second is the attempt that fails.
      const afterAttempt = { position: 1, moment: "after" } as const
      const first = await live({ ...options([runId]), config: pausing(), ...afterAttempt })
      expect(first.signal).toBe("SIGKILL")
      await new Promise((resolve) => setTimeout(resolve, pause))
      const since: number[] = []
      const told = (message: unknown): void =>
        void (
          typeof message === "object" &&
          message !== null &&
          "carriesSince" in message &&
          since.push(Number(message.carriesSince))
        )
      const taken = await live({ ...options([runId]), config: pausing(), told })
      expect(taken.results?.[runId]).toMatchObject({ status: "completed" })
      const woken = timeOf(runId, "a pause")
      expect(woken - timeOf(runId, "line/alpha#0")).toBeGreaterThanOrEqual(pause)
      // The pause ended while no process was running. A pause that started again in the second process would end later.
      expect(woken - (since[0] ?? 0)).toBeLessThan(pause)
    })

    test("a run is executed once if a second process resumes it while the first process is alive", async () => {
      const runId = newId()
      let second: Promise<Life> | null = null
      const asks = (message: unknown): boolean =>
        typeof message === "object" && message !== null && "asks" in message
      const first = await live({
        ...options([runId]),
        answers: false,
        told: (message) => (second ??= asks(message) ? live(options([runId])) : null),
      })
      const lives = [first, await second]
      for (const life of lives)
        expect(life).toMatchObject({
          code: 0,
          errors: "",
          results: { [runId]: { text: `said <${runId}/line/closer#0>` } },
        })
      // DBOS may have assigned the run to either process.
      expect(lives.map((life) => life?.results?.[runId])).toContainEqual(expectedFor(runId))
      expect([...service.of(runId).carriedOut.values()].every((times) => times === 1)).toBe(true)
    })
  },
)
