import { systemKeys } from "../../machines/data/system-keys.js"
import { compareStates } from "../../runtime/history/compare-states.js"
import { sameJson } from "../../runtime/history/equal-json.js"
import type { ReuseCounts, ReuseReport } from "../../runtime/index.js"
import type { PlannedCase } from "../plan/plan-evaluation.js"
import type { CaseRun } from "../run/case-run.js"
import { caseResult, type CaseResultOptions } from "../scoring/case-result.js"
import type { ScoredRun } from "../scoring/score-run.js"
import { scoreChanges } from "./compare-results.js"
import type { CaseChanges, ComparedCase, OfBoth } from "./comparison-report.js"

/** One repetition of a case, which both workflows of a comparison (A and B) have run. */
export interface ComparedRun {
  readonly a: RunFacts
  readonly b: RunFacts
  readonly reuse: ReuseReport
}

/** The fields of a case's run that a comparison of two workflows uses. */
export interface RunFacts extends Pick<CaseRun, "turns" | "starts"> {
  readonly scored: ScoredRun
}

/**
 * Compares the results of a case with workflow A and workflow B. Compares scores over all
 * repetitions. Compares texts, calls and states only in the first repetition.
 */
export function comparedCase(
  planned: PlannedCase,
  runs: readonly ComparedRun[],
  options: CaseResultOptions,
): ComparedCase {
  const result = (side: "a" | "b"): ComparedCase["a"] =>
    caseResult(
      planned,
      runs.map((run) => run[side].scored),
      options,
    )
  const [a, b] = [result("a"), result("b")]
  return {
    a,
    b,
    changed: changesOf(a.status !== b.status, runs),
    criteria: scoreChanges(a, b),
    firstDivergence: runs[0]?.reuse.firstDivergence ?? null,
    calls: { made: sumOf(runs, "made"), reused: sumOf(runs, "reused") },
    calledTools: [...new Set(runs.flatMap(({ reuse }) => reuse.calledTools))].sort(),
  }
}

function changesOf(status: boolean, runs: readonly ComparedRun[]): CaseChanges {
  const [first] = runs
  if (first === undefined)
    return {
      status,
      text: false,
      trajectory: false,
      state: [],
      agents: { added: [], removed: [] },
      tokens: { a: 0, b: 0 },
      cost: { a: null, b: null },
    }
  const { a, b } = first
  const callsOf = ({ turns }: RunFacts) =>
    turns.map(({ calls }) => calls.map(({ name, args }) => ({ name, args })))
  const textsOf = ({ turns }: RunFacts) => turns.map(({ text }) => text)
  return {
    status,
    text: !sameJson(textsOf(a), textsOf(b)),
    trajectory: !sameJson(callsOf(a), callsOf(b)),
    state: compareStates(a.turns.at(-1)?.state ?? {}, b.turns.at(-1)?.state ?? {}).flatMap(
      ({ key }) => (systemKeys.has(key) ? [] : [key]),
    ),
    agents: { added: onlyIn(b.starts, a.starts), removed: onlyIn(a.starts, b.starts) },
    tokens: ofBoth(runs, ({ turns }) =>
      turns.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0),
    ),
    cost: { a: costOf(runs, "a"), b: costOf(runs, "b") },
  }
}

const onlyIn = (names: readonly string[], others: readonly string[]): readonly string[] => {
  const known = new Set(others)
  return [...new Set(names)].filter((name) => !known.has(name)).sort()
}

const ofBoth = (runs: readonly ComparedRun[], read: (run: RunFacts) => number): OfBoth<number> => ({
  a: runs.reduce((sum, { a }) => sum + read(a), 0),
  b: runs.reduce((sum, { b }) => sum + read(b), 0),
})

const costOf = (runs: readonly ComparedRun[], side: "a" | "b"): number | null =>
  runs
    .flatMap((run) => run[side].turns.map(({ usage }) => usage.cost))
    .reduce((sum, cost) => (cost === null ? sum : (sum ?? 0) + cost), null)

const sumOf = (runs: readonly ComparedRun[], as: "made" | "reused"): ReuseCounts => ({
  models: runs.reduce((sum, { reuse }) => sum + reuse.calls[as].models, 0),
  tools: runs.reduce((sum, { reuse }) => sum + reuse.calls[as].tools, 0),
})
