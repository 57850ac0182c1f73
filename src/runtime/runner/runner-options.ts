import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { PolicySet } from "../../policies/policy.js"
import type { Clock } from "../driver/host.js"
import type { Inspect } from "../events/inspect-run.js"
import type { CallServices } from "../host/call-services.js"
import { callServiceNames } from "../host/call-services.js"
import type { Ids } from "../host/random-ids.js"
import type { Journal } from "../journal/journal.js"
import type { SessionKey, SessionStore } from "../journal/session-store.js"
import type { RunInput } from "../run/new-run.js"
import type { Run } from "../run/run.js"

/** Options of `createRunner`. */
export interface RunnerOptions extends CallServices {
  /**
   * Journal that stores the runs. By default, a run is stored in memory until it ends. It cannot be
   * resumed or forked after its end.
   */
  readonly journal?: Journal
  /** Session store. By default, sessions are stored in memory. */
  readonly sessions?: SessionStore
  /**
   * Maximum number of waiting runs that stay in memory. Default: 500. If there are more, the least
   * recently used run is unloaded: only its header, its pending requests and its subscribers stay
   * in memory. An answer reloads the run from the journal, which takes about 20 µs for each record.
   * Runs are only unloaded if `load` of the journal returns a value and not a promise, as in the
   * memory journal.
   */
  readonly maxIdleRuns?: number
  /**
   * Clock of the runs. Default: the system clock. With the option `recorded`, the default is the
   * clock of the recorded calls.
   */
  readonly clock?: Clock
  readonly ids?: Ids
  /**
   * Receives the XState inspection events of all runs. For a resumed run, these include the past
   * events (docs/inspecting.md).
   */
  readonly inspect?: Inspect
  /**
   * Called with each run that the runner starts or resumes, before the run makes any call. Also
   * called with child runs. Use it to trace, measure or display all runs.
   */
  readonly onRun?: OnRun
  /**
   * Policies that apply to new runs, as `readPolicies` returns them
   * (docs/policies.md#enforce-policies). Violations are reported as events.
   */
  readonly policies?: PolicySet | readonly PolicySet[]
  /**
   * If true, calls that would violate a policy are rejected. If false, violations are only
   * reported. Default: false.
   */
  readonly enforce?: boolean
}

/**
 * Function that receives each run that a runner starts or resumes. `isResumed` is true for a
 * resumed run, whose events include its past events.
 */
export type OnRun = (
  run: Run,
  details: { readonly chart: AgentChart; readonly isResumed: boolean },
) => void

/** Options of `runner.start`. */
export interface StartOptions extends RunInput {
  /**
   * Session of the run (docs/sessions.md). `{}` creates a new session. By default, the run has no
   * session.
   */
  readonly session?: Partial<SessionKey>
  readonly runId?: string
}

/** Names of the options of {@link createRunner}. Used to report unknown option names. */
export const runnerOptionNames = {
  ...callServiceNames,
  journal: true,
  sessions: true,
  maxIdleRuns: true,
  clock: true,
  ids: true,
  inspect: true,
  onRun: true,
  policies: true,
  enforce: true,
} as const satisfies Record<keyof RunnerOptions, true>

/** Names of the options of `runner.start`. Used to report unknown option names. */
export const startOptions = Object.keys({
  prompt: true,
  state: true,
  artifacts: true,
  context: true,
  about: true,
  session: true,
  runId: true,
} satisfies Record<keyof StartOptions, true>)
