import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import * as adk from "agent-statecharts/adk"
import { playProgram, readProgram } from "./play-program.mjs"

const folder = fileURLToPath(new URL("./programs/", import.meta.url))
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .sort()

let loads = 0

test.each(files)("the program %s has the results in its header", async (file) => {
  // Each load evaluates the module again, because programs keep counters.
  const load = () => import(/* @vite-ignore */ `${folder}${file}?load=${loads++}`)
  expect(await playProgram(readProgram(folder + file), load, adk)).toEqual([])
})
