import type { PlannedCase, PlannedSet } from "../plan/plan-evaluation.js"
import { runConcurrently } from "../run/run-concurrently.js"

/**
 * A case to run. `setIndex` is the index of its eval set, and `caseIndex` is the index of the case
 * in this set.
 */
export interface CaseTask {
  readonly set: PlannedSet
  readonly planned: PlannedCase
  readonly setIndex: number
  readonly caseIndex: number
}

/** Functions with which {@link runRepetitions} runs a case and combines its repetitions. */
export interface CaseWork<Repetition, Result> {
  /**
   * Returns the result of a case that needs no run, or that an earlier process has finished.
   * Returns null if the case must be run.
   */
  finished(task: CaseTask): Result | null
  execute(task: CaseTask, repetition: number): Promise<Repetition>
  /**
   * Combines the results of all repetitions of a case into one result. `repetitions` is sorted by
   * repetition index.
   */
  combine(task: CaseTask, repetitions: readonly Repetition[]): Result
  /**
   * Called when the result of a case is known. `isNew` is false if {@link finished} returned the
   * result.
   */
  onFinished(task: CaseTask, result: Result, isNew: boolean): void | Promise<void>
}

export interface RepetitionOptions {
  readonly repeat: number
  readonly concurrency: number
  readonly signal?: AbortSignal | undefined
}

/** Returns the cases of all eval sets, in the order of the sets and of the cases in each set. */
export const tasksOf = (sets: readonly PlannedSet[]): readonly CaseTask[] =>
  sets.flatMap((set, setIndex) =>
    set.cases.map((planned, caseIndex): CaseTask => ({ set, planned, setIndex, caseIndex })),
  )

/**
 * Runs all repetitions of all cases, several at the same time. The results do not depend on the
 * order in which the repetitions end. After `signal` is aborted, no further repetition starts. A
 * case then has no result if one of its repetitions has not finished.
 */
export async function runRepetitions<Repetition, Result>(
  tasks: readonly CaseTask[],
  work: CaseWork<Repetition, Result>,
  { repeat, concurrency, signal }: RepetitionOptions,
): Promise<(setIndex: number, caseIndex: number) => Result | null> {
  const results = new Map<string, Result>()
  const finish = ({ setIndex, caseIndex }: CaseTask, result: Result): void =>
    void results.set(`${setIndex} ${caseIndex}`, result)
  const isStopped = (): boolean => signal?.aborted === true
  await runConcurrently(openRepetitions(), concurrency, async ({ task, repetition, open }) => {
    if (isStopped()) return
    const executed = await work.execute(task, repetition)
    if (isStopped()) return
    open.repetitions[repetition] = executed
    open.left--
    if (open.left > 0) return
    const result = work.combine(task, open.repetitions)
    finish(task, result)
    await work.onFinished(task, result, true)
  })
  return (setIndex, caseIndex) => results.get(`${setIndex} ${caseIndex}`) ?? null

  function* openRepetitions(): Generator<{
    readonly task: CaseTask
    readonly repetition: number
    readonly open: { readonly repetitions: Repetition[]; left: number }
  }> {
    for (const task of tasks) {
      const finished = work.finished(task)
      if (finished !== null) {
        finish(task, finished)
        void work.onFinished(task, finished, false)
        continue
      }
      const open = { repetitions: [] as Repetition[], left: repeat }
      for (let repetition = 0; repetition < repeat; repetition++) yield { task, repetition, open }
    }
  }
}
