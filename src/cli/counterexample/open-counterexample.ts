import { join } from "node:path"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PolicySet } from "../../policies/policy.js"
import type { CounterexampleRun } from "../../studio/server/checks/policy-checker.js"
import { openServices } from "../services/open-services.js"
import type { Terminal } from "../terminal/terminal.js"
import { answerRun } from "../test-plan/answer-run.js"
import { inputOf } from "../test-plan/play-choices.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { oneLine } from "../terminal/untrusted-text.js"
import type { PlayedCounterexample } from "./play-policies.js"
import { writeCounterexample } from "./write-counterexamples.js"

interface CounterexampleOf {
  readonly chart: AgentChart
  /** A policy set that contains only the violated policy. */
  readonly set: PolicySet
  readonly workflow: string
  /** Options with which the chart of the counterexample was compiled. */
  readonly options: WorkflowOptions
  /** Folder to which the files of the counterexample are written. */
  readonly folder: string
}

/**
 * Writes the files that reproduce a counterexample, and opens the scripted services for its run.
 * Keeps the files afterwards, so that an interrupted run can be resumed with the same responses.
 */
export async function openCounterexample(
  { play }: PlayedCounterexample,
  { chart, set, workflow, options, folder }: CounterexampleOf,
  terminal: Terminal,
): Promise<CounterexampleRun> {
  const words = [chart.fingerprint.slice(0, 12), ...set.policies.map(({ name }) => name)]
  const name = words.join("-").replace(/[^\w.-]+/g, "_")
  await writeCounterexample({ name, play }, folder, workflow, chart, options)
  const scenario = join(folder, `${name}.scenario.json`)
  const { services } = options
  const module = play.services === null ? services : join(folder, `${name}.services.mjs`)
  const { calls, close } = await openServices(chart, {
    scripted: scenario,
    ...(module !== undefined && { services: module }),
  })
  return {
    scenario,
    input: inputOf(chart, play),
    services: { calls, policies: { policies: set }, close },
    async giveAnswers(run) {
      const remaining = [...play.answers]
      try {
        await answerRun(run, () => remaining.shift() ?? null)
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        terminal.printError(
          `The counterexample ${name} was not answered: ${oneLine(message)} Answer it in the studio.`,
        )
      }
    },
  }
}
