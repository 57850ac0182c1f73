import { expect, test } from "vitest"
import { randomCases, seed } from "../support/random-cases.js"
import type { JudgedPolicy } from "./keeps-policies.js"
import { caseOf, judgeCase } from "./keeps-policies.js"

const cases = randomCases(60)
const runs = Number(process.env["POLICY_RUNS"] ?? 1)

test(
  `no run violates a proved policy, and counterexamples can be played, ${cases} cases, seed ${seed}`,
  async () => {
    const judged: JudgedPolicy[] = []
    for (let index = 0; index < cases; index++) {
      const { policies, refuted } = await judgeCase(caseOf(seed, index), runs)
      expect(refuted, `proved policies that a run of case ${index} violates`).toEqual([])
      judged.push(...policies)
    }
    const shareOf = (verdict: JudgedPolicy["verdict"]): number =>
      judged.filter((one) => one.verdict === verdict).length / judged.length
    for (const verdict of ["proved", "violated"] as const)
      expect(shareOf(verdict)).toBeGreaterThan(0.1)
    expect(shareOf("not played")).toBeLessThan(0.15)
  },
  60_000 + cases * (60_000 + runs * 10_000),
)
