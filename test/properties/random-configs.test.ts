import { describe, test } from "vitest"
import { tryProperty } from "./all-properties.js"
import { Coverage } from "./coverage.js"
import { randomCases, seed } from "../support/random-cases.js"

const cases = randomCases(600)
const timeout = 240_000 + cases * 400

describe(`random configs, ${cases} cases each, seed ${seed}`, () => {
  test(
    "a valid config compiles in every form, and its text compiles to the same chart",
    async () => {
      const coverage = new Coverage()
      await tryProperty("compiles", "both", { cases, seed }, coverage)
      console.log(`valid configs: ${coverage}`)
      coverage.expectEach(["form plain", "form node", "form graph", "form inline"], cases / 10)
    },
    timeout,
  )

  test(
    "a broken config causes diagnostics, not a crash, and a config that still compiles runs to its end",
    async () => {
      const coverage = new Coverage()
      await tryProperty("breaks", "both", { cases, seed: seed + 1 }, coverage)
      console.log(`broken configs: ${coverage}`)
      const damages = ["delete", "replace", "duplicate", "rename", "copy", "wrap", "add"].map(
        (what) => `damage ${what}`,
      )
      coverage.expectEach(
        [
          "broken",
          "still a chart",
          "given as object",
          "given as json",
          "given as yaml",
          ...damages,
        ],
        cases / 10,
      )
    },
    timeout,
  )
})
