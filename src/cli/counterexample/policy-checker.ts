import { join } from "node:path"
import type { PriceList } from "../../analysis/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import type { CounterexampleRun, PolicyChecker } from "../../studio/server/checks/policy-checker.js"
import { openServices } from "../services/open-services.js"
import type { Terminal } from "../terminal/terminal.js"
import { answerRun } from "../test-plan/answer-run.js"
import { inputOf } from "../test-plan/play-choices.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import { oneLine } from "../terminal/untrusted-text.js"
import { decideSet } from "./decide-set.js"
import type { PlayedCounterexample } from "./play-policies.js"
import { writeCounterexample } from "./write-counterexamples.js"

/** Options of a {@link policyChecker}. */
export interface PolicyCheckerOptions {
  /** The policy files of `--policy`. */
  readonly policy: readonly string[]
  readonly enforce: boolean
  readonly prices: PriceList | null
  readonly workflow: WorkflowOptions
  /** Folder for the files of counterexamples that the user opens in the studio. */
  readonly folder: string
}

/** Creates the service that checks policies and plays counterexamples for the studio. */
export function policyChecker(options: PolicyCheckerOptions, terminal: Terminal): PolicyChecker {
  const { policy: files, enforce, prices } = options
  return {
    selected: files.map((path) => ({ path, isEnforced: enforce })),
    async decide(chart, set, workflow) {
      const { results, warnings } = await decideSet(set, chart, prices)
      return {
        warnings,
        results: results.map(({ counterexample, ...result }, index) => {
          if (counterexample === null) return { ...result, counterexample: null }
          const { records, path, seen } = counterexample
          // Results are in the order of the policies.
          const only = { ...set, policies: [set.policies[index] as Policy] }
          const open = (): Promise<CounterexampleRun> =>
            openCounterexample(counterexample, { chart, set: only, workflow, options }, terminal)
          return { ...result, counterexample: { records, path, seen, open } }
        }),
      }
    },
  }
}

interface CounterexampleOf {
  readonly chart: AgentChart
  /** The policy set, reduced to the violated policy. */
  readonly set: PolicySet
  readonly workflow: string
  readonly options: PolicyCheckerOptions
}

/**
 * Writes the files of a counterexample and opens the services that script it. The files are not
 * deleted, so that an interrupted run can be resumed with the same responses.
 */
async function openCounterexample(
  { play }: PlayedCounterexample,
  { chart, set, workflow, options }: CounterexampleOf,
  terminal: Terminal,
): Promise<CounterexampleRun> {
  const { folder } = options
  const words = [chart.fingerprint.slice(0, 12), ...set.policies.map(({ name }) => name)]
  const name = words.join("-").replace(/[^\w.-]+/g, "_")
  await writeCounterexample({ name, play }, folder, workflow, chart, options.workflow)
  const scenario = join(folder, `${name}.scenario.json`)
  const { services } = options.workflow
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
