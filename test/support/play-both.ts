import { expect } from "vitest"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { EmittedEvent, RunResult } from "../../src/machines/contract/run-event.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import type { RunnerOptions, StartOptions } from "../../src/runtime/runner/runner-options.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { begin } from "./in-both-interpreters.js"

export interface Played {
  readonly result: RunResult
  readonly events: readonly EmittedEvent[]
  readonly journal: StoredRun
}

/** Runs a chart in both interpreters until it is idle, with new services for each. Both must have the same result. */
export async function playBoth(
  chart: AgentChart,
  services: () => RunnerOptions,
  input: StartOptions = {},
): Promise<Played> {
  const journal = memoryJournal()
  const { controls, events } = begin(
    "run",
    chart,
    { ...services(), journal },
    { runId: "r", ...input },
  )
  const result = await controls.whenSettled()
  const actor = begin("actor", chart, services(), { runId: "r", ...input })
  expect(await actor.controls.whenSettled()).toEqual(result)
  return { result, events, journal: journal.toJSON()["r"] as StoredRun }
}

/** Resumes a run from each position of its journal, as after a crash. Each resumed run must have the same result. */
export async function resumeEverywhere(
  { journal, result }: Played,
  services: () => RunnerOptions,
): Promise<void> {
  for (let kept = 0; kept <= journal.records.length; kept++) {
    const stored = JSON.parse(
      JSON.stringify({ r: { ...journal, records: journal.records.slice(0, kept) } }),
    ) as Record<string, StoredRun>
    const run = await createRunner({ ...services(), journal: memoryJournal(stored) }).resume("r")
    expect(await run.whenSettled()).toEqual(result)
  }
}
