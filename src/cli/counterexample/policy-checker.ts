import type { PriceList } from "../../analysis/index.js"
import type { Policy } from "../../policies/policy.js"
import type { CounterexampleRun, PolicyChecker } from "../../studio/server/checks/policy-checker.js"
import type { Terminal } from "../terminal/terminal.js"
import type { WorkflowOptions } from "../options/workflow-options.js"

/** Options of a {@link policyChecker}. */
export interface PolicyCheckerOptions {
  /** Paths of the policy files that the option `--policy` selects. */
  readonly policy: readonly string[]
  readonly enforce: boolean
  readonly prices: PriceList | null
  readonly workflow: WorkflowOptions
  /** Folder for the files of counterexamples that the user opens in the studio. */
  readonly folder: string
}

/**
 * Creates the service with which the studio checks policies and reproduces counterexamples in runs.
 * Loads the code for these checks on first use.
 */
export function policyChecker(options: PolicyCheckerOptions, terminal: Terminal): PolicyChecker {
  const { policy: files, enforce, prices, workflow: workflowOptions, folder } = options
  return {
    selected: files.map((path) => ({ path, isEnforced: enforce })),
    async decide(chart, set, workflow) {
      const [{ decideSet }, { openCounterexample }] = await Promise.all([
        import("./decide-set.js"),
        import("./open-counterexample.js"),
      ])
      const { results, warnings } = await decideSet(set, chart, prices)
      return {
        warnings,
        results: results.map(({ counterexample, ...result }, index) => {
          if (counterexample === null) return { ...result, counterexample: null }
          const { records, path, seen } = counterexample
          // Results are in the order of the policies.
          const only = { ...set, policies: [set.policies[index] as Policy] }
          const open = (): Promise<CounterexampleRun> =>
            openCounterexample(
              counterexample,
              { chart, set: only, workflow, options: workflowOptions, folder },
              terminal,
            )
          return { ...result, counterexample: { records, path, seen, open } }
        }),
      }
    },
  }
}
