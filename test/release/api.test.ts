import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { printReport } from "./api-report.js"
import { entriesOf } from "./package-entries.js"
import { readSurface } from "./public-surface.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const report = `${root}release/api.md`
const surface = readSurface(root, entriesOf(root))

test("release/api.md says what the entries offer: when that has changed on purpose, `npm run api` writes it anew", async () => {
  expect(existsSync(report)).toBe(true)
  await expect(printReport(surface)).toMatchFileSnapshot(report)
})

test("every entry offers something, and nothing that it refers to is without a declaration", () => {
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

test("the report is the same however often it is made", () =>
  expect(printReport(readSurface(root, entriesOf(root)))).toBe(printReport(surface)))
