import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../../../cli/command.js"
import { randomFrom } from "../../../kill/random.mjs"
import { startService } from "../../../kill/service.mjs"
import { seed } from "../../../support/random-cases.js"
import type { Life, LifeOptions } from "./lives.js"
import { live } from "./lives.js"
import type { Postgres } from "./postgres.js"
import { programs, startPostgres, whyNot } from "./postgres.js"

/** `DBOS_KILLS=N` kills N runs at random times, and one run at every position. */
const randomKills = Number(process.env["DBOS_KILLS"] ?? 2)
const everyPosition = process.env["DBOS_KILLS"] !== undefined

describe.skipIf(programs === null || !isBuilt)(
  `runs on DBOS whose process or database is killed${programs === null ? ` (skipped: ${whyNot})` : ""}`,
  { timeout: everyPosition ? 3_600_000 : 300_000 },
  () => {
    let postgres: Postgres
    let service: Awaited<ReturnType<typeof startService>>
    let undisturbed: Life
    let counted = 0

    beforeAll(async () => {
      postgres = await startPostgres()
      service = await startService()
      undisturbed = await live(options(["whole"]))
      expect(undisturbed, undisturbed.errors).toMatchObject({
        code: 0,
        results: { whole: { status: "completed", text: "said <whole/line/closer#0>" } },
      })
    }, 60_000)

    afterAll(async () => {
      await service.close()
      await postgres.stop()
    })

    const options = (runIds: readonly string[]): LifeOptions => ({
      url: postgres.url,
      owner: runIds[0] ?? "",
      runIds,
      base: service.base,
    })

    const newId = (): string => `r${counted++}`

    /** Keys begin with the id of the run, and are in what it says. */
    const expectedFor = (runId: string): object =>
      JSON.parse(JSON.stringify(undisturbed.results?.["whole"]).replaceAll("<whole/", `<${runId}/`))

    const storedOf = (runId: string): string =>
      postgres.query(`select output from dbos.operation_outputs where workflow_uuid = '${runId}'`)

    const isOver = (runId: string): boolean =>
      postgres.query(
        `select 1 from dbos.workflow_status where workflow_uuid = '${runId}' and status = 'SUCCESS'`,
      ) !== ""

    /** What is not as it should be with a run that has been taken up; `stored`: what DBOS had of it when it was killed. A run that was over then tells its result only. */
    function failures(
      runId: string,
      stored: string,
      last: Life,
      wasOver = false,
    ): readonly string[] {
      const expected = { ...expectedFor(runId), ...(wasOver ? { checkpoints: undefined } : {}) }
      const counts = service.of(runId)
      const found = [...counts.carriedOut]
        .filter(([key, times]) => times > (stored.includes(`<${key}>`) ? 1 : 2))
        .map(([key, times]) => `${key} was carried out ${times} times`)
      if (counts.withoutKey + service.withoutRun() > 0) found.push("a call was made without a key")
      if (last.code !== 0) found.push(`it was not taken up: ${last.errors}`)
      else if (JSON.stringify(last.results?.[runId]) !== JSON.stringify(expected))
        found.push(`it ended otherwise: ${JSON.stringify(last.results?.[runId])}`)
      return found
    }

    /** Kills a process once and has another one take up its runs. */
    async function killOnce(
      runIds: readonly string[],
      how: Partial<LifeOptions>,
    ): Promise<{ readonly found: readonly string[]; readonly wasKilled: boolean }> {
      const first = await live({ ...options(runIds), ...how })
      const then = runIds.map((runId) => ({
        runId,
        stored: storedOf(runId),
        wasOver: isOver(runId),
      }))
      const last = await live(options(runIds))
      const found = then.flatMap(({ runId, stored, wasOver }) =>
        failures(runId, stored, last, wasOver),
      )
      const wasKilled = first.signal === "SIGKILL"
      if (how.position !== undefined && !wasKilled)
        found.push(`the process was not killed: ${first.errors}`)
      return { found, wasKilled }
    }

    test(`end as if nothing had been, with nothing done again that was stored, at most twice what was not (seed ${seed})`, async () => {
      const next = randomFrom(seed)
      const positions = Array.from({ length: undisturbed.steps }, (_, position) => position).filter(
        (position) => everyPosition || position % 25 === 1,
      )
      const ways: Partial<LifeOptions>[] = [
        ...positions.flatMap((position) =>
          (["before", "after"] as const).map((moment) => ({ position, moment })),
        ),
        ...Array.from({ length: randomKills }, () => ({
          killAfterMs: Math.floor(next() * undisturbed.ms),
        })),
      ]
      const wrong: unknown[] = []
      let killed = 0
      const work = async (): Promise<void> => {
        for (let how = ways.shift(); how !== undefined; how = ways.shift()) {
          const { found, wasKilled } = await killOnce([newId()], how)
          if (wasKilled) killed++
          if (found.length > 0) wrong.push({ how, found })
        }
      }
      await Promise.all([work(), work()])
      expect(wrong).toEqual([])
      expect(killed).toBeGreaterThanOrEqual(positions.length * 2)
    })

    test("do not get in each other's way when two were carried at once", async () => {
      const { found, wasKilled } = await killOnce([newId(), newId()], {
        position: 25,
        moment: "before",
      })
      expect(found).toEqual([])
      expect(wasKilled).toBe(true)
    })

    test("wait for a person over a restart, under the same id", async () => {
      const runId = newId()
      const asked: unknown[] = []
      const first = await live({
        ...options([runId]),
        answers: false,
        killWhen: (message) => typeof message === "object" && message !== null && "asks" in message,
      })
      expect(first.signal).toBe("SIGKILL")
      const last = await live({ ...options([runId]), told: (message) => asked.push(message) })
      expect(failures(runId, "", last)).toEqual([])
      expect(asked).toContainEqual({ asks: "line/boss#0" })
      expect([...service.of(runId).carriedOut.values()]).toEqual(
        Array.from(service.of(runId).carriedOut, () => 1),
      )
    })

    test("go on when the database was killed and is back, and make no call again", async () => {
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
      expect(failures(runId, "", life)).toEqual([])
      expect([...service.of(runId).carriedOut.values()].every((times) => times === 1)).toBe(true)
    })

    const pause = 3_000

    /** An agent whose first attempt fails, so that the run pauses for so long. */
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

    /** When the n-th happening that DBOS has stored under a name was. */
    const timeOf = (runId: string, name: string): number =>
      Number(
        postgres.query(
          `select output::json->'json'->0->'result'->>'at' from dbos.operation_outputs where workflow_uuid = '${runId}' and function_name = '${name}' order by function_id limit 1`,
        ),
      )

    // On a busy machine, a process may need longer for its start than the pause. A pause that begins again fails each time.
    test("keep the time until which they pause", { retry: 2 }, async () => {
      const runId = newId()
      const first = await live({ ...options([runId]), config: pausing(), killAfterMs: 1_000 })
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
      // It was to end while nobody was there. One that began again with the second process would end later.
      expect(woken - (since[0] ?? 0)).toBeLessThan(pause)
    })

    test("are carried once when a second process has them taken up while the first is there", async () => {
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
      // Either may be the one that DBOS has given it to.
      expect(lives.map((life) => life?.results?.[runId])).toContainEqual(expectedFor(runId))
      expect([...service.of(runId).carriedOut.values()].every((times) => times === 1)).toBe(true)
    })
  },
)
