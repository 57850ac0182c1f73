import * as fc from "fast-check"
import { expect, test } from "vitest"
import { randomCases, seed } from "../support/random-cases.js"
import { tale } from "./arbitrary-scene.js"
import type { Judged } from "./keeps-policies.js"
import { keepsPolicies } from "./keeps-policies.js"

const cases = randomCases(60)
const runs = Number(process.env["POLICY_RUNS"] ?? 1)
const number = fc.nat(999)

test(
  `no run violates a proved policy, and counterexamples play, ${cases} cases, seed ${seed}`,
  async () => {
    const verdicts = new Map<string, number>()
    const of = (judged: Judged, hasFunctions: boolean): number =>
      verdicts.get(`${judged} ${hasFunctions}`) ?? 0
    const tales = fc.oneof(tale("adk"), tale("graph-compose"))
    const choices = fc.array(fc.tuple(number, number, number, number, number), {
      minLength: 4,
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(tales, choices, (one, two) =>
        keepsPolicies(one, two, runs, (judged, hasFunctions) => {
          verdicts.set(`${judged} ${hasFunctions}`, of(judged, hasFunctions) + 1)
        }),
      ),
      { numRuns: cases, seed },
    )
    if (process.env["POLICY_RUNS"] !== undefined) console.log(Object.fromEntries(verdicts))
    for (const verdict of ["proved", "violated"] as const)
      expect(of(verdict, true) + of(verdict, false)).toBeGreaterThan(cases / 10)
    const notPlayed = of("not played", true) + of("not played", false)
    // Each case has four policies. Paths of data are the hardest to play.
    expect(notPlayed).toBeLessThan(cases * 4 * 0.15)
  },
  60_000 + cases * runs * 1_000,
)
