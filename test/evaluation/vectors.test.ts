import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { cli } from "../cli/command.js"
import { playVector } from "./play-vector.mjs"

const folder = fileURLToPath(new URL("vectors/", import.meta.url))

test.each(readdirSync(folder).sort())("the report of %s is as expected", async (name) => {
  expect(await playVector(join(folder, name), (args) => cli(args))).toEqual([])
})
