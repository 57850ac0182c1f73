import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { printReport } from "./api-report.js"
import { entriesOf } from "./package-entries.js"
import { readSurface } from "./public-surface.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const report = `${root}release/api.md`
const surface = readSurface(root, entriesOf(root))

test("release/api.md lists the current exports of all entries, and `npm run api` updates it", async () => {
  expect(existsSync(report)).toBe(true)
  await expect(printReport(surface)).toMatchFileSnapshot(report)
})

test("every entry exports something, and every declaration that it refers to exists", () => {
  for (const [entry, exported] of surface.entries) expect(exported.size, entry).toBeGreaterThan(0)
  const ids = [
    ...[...surface.entries.values()].flatMap((exported) => [...exported.values()]),
    ...[...surface.declared.values()].flatMap(({ uses }) => uses),
  ]
  expect(
    ids
      .filter((id) => (surface.declared.get(id)?.texts ?? []).length === 0)
      .map((id) => surface.names.get(id)),
  ).toEqual([])
  expect([...surface.declared.values()].filter(({ kind }) => kind === "unknown")).toEqual([])
})

test("the report is the same each time it is created", () =>
  expect(printReport(readSurface(root, entriesOf(root)))).toBe(printReport(surface)))
