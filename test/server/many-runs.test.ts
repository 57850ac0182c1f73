import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { isBuilt } from "../cli/command.js"
import { manyRuns } from "../../bench/many-runs-clients.mjs"

const count = 400

test.skipIf(!isBuilt)(
  `${count} concurrent runs stream all events in order, and a stalled reader is not buffered and catches up later`,
  { timeout: 240_000 },
  async () => {
    const place = mkdtempSync(join(tmpdir(), "many-runs-"))
    const server = await manyRuns(place)
    const told = new Map<string, RunEvent[]>()
    const listen = (runId: string, after?: number): ReturnType<typeof server.read> => {
      const events = told.get(runId) ?? []
      told.set(runId, events)
      return server.read(runId, (event) => void events.push(event), after)
    }
    // The texts of this run are larger than the buffers of a connection.
    await server.start("stalled", { rounds: 150, length: 65_536, ms: 2 })
    const stalled = listen("stalled")
    while ((told.get("stalled") ?? []).length < 5)
      await new Promise((resolve) => setTimeout(resolve, 10))
    stalled.pause()

    const ids = Array.from({ length: count }, (_, n) => `run-${n}`)
    const readers = await Promise.all(
      ids.map(async (runId) => {
        await server.start(runId, { rounds: 2, ms: 4_000 })
        return listen(runId)
      }),
    )
    await Promise.all(readers.map(({ over }) => over))
    for (const runId of ids) {
      const events = told.get(runId) ?? []
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
      expect(events.every((event) => event.runId === runId)).toBe(true)
      expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { status: "completed" } })
    }

    expect((await server.buffers()).buffered).toBeLessThan(1024 * 1024)
    const before = (told.get("stalled") ?? []).length
    stalled.close()
    await stalled.over
    await listen("stalled", (told.get("stalled") ?? []).at(-1)?.seq).over
    const all = told.get("stalled") ?? []
    expect(all.length).toBeGreaterThan(before)
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index))
    expect(all.at(-1)).toMatchObject({ type: "run.finished" })
    await server.stop()
    rmSync(place, { recursive: true })
  },
)
