import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { postgresDeliveryStore } from "../../../src/adapters/delivery/postgres/postgres-delivery-store.js"
import { sqliteDeliveryStore } from "../../../src/adapters/delivery/sqlite/sqlite-delivery-store.js"
import type { DeliveryStore } from "../../../src/runtime/journal/delivery-store.js"
import { newProgress } from "../../../src/server/webhooks/deliverer.js"
import type { Postgres } from "../../support/postgres.js"
import { programs, startPostgres, whyNot } from "../../support/postgres.js"

if (programs === null) console.warn(`Skipped: ${whyNot}`)

type Store = DeliveryStore & { close(): Promise<void> }

const folder = mkdtempSync(join(tmpdir(), "deliveries-"))
let postgres: Postgres | null = null
let files = 0
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true })
})

/** Opens two stores on the same data. */
const openTwo: Readonly<Record<string, () => readonly [Store, Store]>> = {
  SQLite() {
    const file = join(folder, `${files++}.sqlite`)
    return [sqliteDeliveryStore(file), sqliteDeliveryStore(file)]
  },
  PostgreSQL() {
    const schema = `schema_${files++}`
    const url = postgres?.url.replace(/agents$/, "postgres") ?? ""
    return [postgresDeliveryStore(url, schema), postgresDeliveryStore(url, schema)]
  },
}

describe.each([
  ["SQLite", true],
  ["PostgreSQL", programs !== null],
] as const)("a delivery store in %s", (name, isThere) => {
  let one: Store
  let other: Store
  beforeAll(async () => {
    if (!isThere) return
    if (name === "PostgreSQL") postgres = await startPostgres()
    const [first, second] = openTwo[name]?.() ?? []
    if (first === undefined || second === undefined) throw new Error(`there is no store ${name}`)
    one = first
    other = second
  }, 120_000)
  afterAll(async () => {
    if (!isThere) return
    await one.close()
    await other.close()
  })

  test.skipIf(!isThere)("two stores on the same data share their deliveries", async () => {
    const key = { runId: "a\u0000\ud800", receiver: "events" }
    const progress = { ...newProgress(3, 1), error: "\u0000", target: { url: "https://x" } }
    const created = await one.create(key, progress)
    expect(created).toEqual({ ...key, version: 0, progress })
    expect(await other.create(key, newProgress(0, 2))).toBeNull()
    expect(await other.load(key)).toEqual({ ...key, version: 0, progress })
    expect(await other.load({ ...key, receiver: "other" })).toBeNull()
    expect(await one.ofRun(key.runId)).toEqual(await other.list())
    if (created === null) throw new Error("the delivery was not created")
    expect(await one.remove(created)).toBe(true)
    expect(await other.remove(created)).toBe(false)
    expect(await other.list()).toEqual([])
  })

  test.skipIf(!isThere)(
    "a store accepts a change only for the current version of a delivery",
    async () => {
      const key = { runId: "run", receiver: "events" }
      await one.create(key, newProgress(0, 0))
      const [mine, theirs] = [await one.load(key), await other.load(key)]
      if (mine === null || theirs === null) throw new Error("the delivery is missing")
      const claims = await Promise.all([
        one.replace(mine, newProgress(1, 1)),
        other.replace(theirs, newProgress(1, 2)),
      ])
      const [claimed, ...more] = claims.filter((claim) => claim !== null)
      expect(more).toEqual([])
      expect(claimed).toMatchObject({ ...key, version: 1 })
      expect(await one.load(key)).toEqual(claimed)
      if (claimed === undefined) throw new Error("nobody has changed the delivery")
      expect(await other.remove(mine)).toBe(false)
      expect(await other.remove(claimed)).toBe(true)
      expect(await one.replace(claimed, newProgress(2, 3))).toBeNull()
    },
  )

  test.skipIf(!isThere)("a store returns the deliveries that are due, earliest first", async () => {
    for (const [receiver, dueAt] of [
      ["late", 30],
      ["first", 10],
      ["second", 20],
      ["idle", null],
    ] as const)
      await one.create({ runId: "due", receiver }, { ...newProgress(0, 0), dueAt })
    const due = async (now: number, most: number): Promise<readonly string[]> =>
      (await other.due(now, most)).map(({ receiver }) => receiver)
    expect(await due(9, 10)).toEqual([])
    expect(await due(20, 10)).toEqual(["first", "second"])
    expect(await due(99, 2)).toEqual(["first", "second"])
  })
})
