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
   * Journal that stores the runs. Default: a run is kept in memory until it ends, and an ended run
   * cannot be resumed or forked.
   */
  readonly journal?: Journal
  /** Store of the sessions. Default: sessions are kept in memory. */
  readonly sessions?: SessionStore
  /**
   * Maximum number of waiting runs that stay loaded. Default: 500. If there are more, the least
   * recently used run is unloaded: only its header, its pending requests and its subscribers stay
   * in memory. An answer reloads the run from the journal, which takes about 20 µs for each record.
   * Runs are only unloaded if `load` of the journal returns a value and not a promise, as in the
   * memory journal.
   */
  readonly maxIdleRuns?: number
  /**
   * Clock of the runs. Default: the system clock or, with the option `recorded`, the clock of the
   * recorded calls.
   */
  readonly clock?: Clock
  readonly ids?: Ids
  /**
   * Receives the XState inspection events of all runs, including the past events of a resumed run
   * (docs/inspecting.md).
   */
  readonly inspect?: Inspect
  /**
   * Called with each run that the runner starts or resumes, and with each run that is called by
   * another run, before it makes any call. Use it to trace, measure or display all runs.
   */
  readonly onRun?: OnRun
  /**
   * The policies of new runs, as `readPolicies` returns them (docs/policies.md#enforce-policies).
   * Violations are reported as events.
   */
  readonly policies?: PolicySet | readonly PolicySet[]
  /** Whether calls that would violate a policy are refused. Default: false. */
  readonly enforce?: boolean
}

/** Function that receives each run of a runner. The events of a resumed run include its past events. */
export type OnRun = (
  run: Run,
  details: { readonly chart: AgentChart; readonly isResumed: boolean },
) => void

/** Options of `runner.start`. */
export interface StartOptions extends RunInput {
  /**
   * Session of the run (docs/sessions.md). `{}` creates a new session. Default: the run is
   * standalone and uses no session.
   */
  readonly session?: Partial<SessionKey>
  readonly runId?: string
}

/** Names of the options of {@link createRunner}. Options are checked against these names. */
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

/** Names of the options of `runner.start`. Options are checked against these names. */
export const startOptions = Object.keys({
  prompt: true,
  state: true,
  artifacts: true,
  context: true,
  about: true,
  session: true,
  runId: true,
} satisfies Record<keyof StartOptions, true>)
