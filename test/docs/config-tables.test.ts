import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { configTables, tablesOn, withTables } from "./config-tables.js"

const file = fileURLToPath(new URL("../../docs/config.md", import.meta.url))

test("docs/config.md has the current fields; `npm run docs:config` updates its tables", async () => {
  await expect(withTables(readFileSync(file, "utf8"))).toMatchFileSnapshot(file)
})

test("docs/config.md has every table once", () => {
  expect([...tablesOn(readFileSync(file, "utf8"))].sort()).toEqual(Object.keys(configTables).sort())
})
