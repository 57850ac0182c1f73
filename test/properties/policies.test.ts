import * as fc from "fast-check"
import { expect, test } from "vitest"
import { randomCases, seed } from "../support/random-cases.js"
import { tale } from "./arbitrary-scene.js"
import { keepsPolicies } from "./keeps-policies.js"

const cases = randomCases(60)
const number = fc.nat(999)

test(
  `a run never violates a policy that was proved for its chart, ${cases} cases, seed ${seed}`,
  async () => {
    const verdicts = new Map<string, number>()
    const tales = fc.oneof(tale("adk"), tale("graph-compose"))
    const choices = fc.array(fc.tuple(number, number, number, number, number), {
      minLength: 4,
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(tales, choices, (one, two) =>
        keepsPolicies(one, two, (verdict) => {
          verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
        }),
      ),
      { numRuns: cases, seed },
    )
    for (const verdict of ["proved", "violated"])
      expect(verdicts.get(verdict) ?? 0).toBeGreaterThan(cases / 10)
  },
  60_000 + cases * 1_000,
)
