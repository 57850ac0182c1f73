import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { noted, printLicences, welcome } from "./licences-page.js"
import { readThirdParties } from "./licences.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const page = `${root}THIRD-PARTY-LICENSES.md`
const parties = await readThirdParties(root)

test("THIRD-PARTY-LICENSES.md lists the current packages, and `npm run licences` updates it", async () => {
  expect(existsSync(page)).toBe(true)
  await expect(printLicences(parties)).toMatchFileSnapshot(page)
})

test("the licenses of bundled packages and of dependencies only require attribution", () => {
  expect(
    [...parties.bundled, ...parties.needed].filter(({ licence }) => !welcome.includes(licence)),
  ).toEqual([])
})

test("every optional package whose license requires more than attribution has a note", () => {
  expect(
    [...parties.optional, ...parties.peers].filter(
      ({ licence }) => !welcome.includes(licence) && !(licence in noted),
    ),
  ).toEqual([])
})

test("the license texts of all bundled packages are included", () => {
  expect(parties.bundled.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["preact", "codemirror", "@lezer/common", "yaml", "jsonata", "zod"]),
  )
  for (const { name, text } of parties.bundled)
    expect(text, name).toMatch(/copyright[^]*permission/i)
})
