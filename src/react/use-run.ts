import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react"
import { AgentStatechartsError } from "../errors.js"
import type {
  PendingRequest,
  RunError,
  RunEvent,
  RunResult,
  RunStatus,
  ToolFailure,
  Usage,
} from "../machines/index.js"
import type { Run, RunControls } from "../runtime/index.js"
import { noRun, runStore } from "./run-store.js"

const none: readonly never[] = []

/**
 * The methods that answer a run's requests or end the run. Each render returns the same functions
 * as long as the run is the same. If there is no run, they throw an error with the code
 * `run_unknown`.
 */
export type RunActions = Pick<RunControls, (typeof actionNames)[number]>

/** The result of the hook `useRun`. Values are null or empty if there is no run. */
export interface UsedRun {
  /** The followed run. Null if no run was passed or the run has not started. */
  readonly run: Run | null
  readonly status: RunStatus | null
  readonly text: string | null
  readonly state: Readonly<Record<string, unknown>>
  readonly error: RunError | null
  readonly usage: Usage | null
  /** Failed tool calls whose errors were sent to the model as tool results, oldest first. */
  readonly toolFailures: readonly ToolFailure[]
  /** The latest events, oldest first. The option `keptEvents` limits their number. */
  readonly events: readonly RunEvent[]
  readonly pending: readonly PendingRequest[]
  readonly actions: RunActions
}

/** Options of the hook `useRun`. */
export interface UseRunOptions {
  /** Maximum number of entries in the `events` that the hook returns. Default: 1,000. */
  readonly keptEvents?: number
}

const actionNames = ["say", "approve", "reject", "answer", "deliver", "end", "cancel"] as const

/**
 * React hook that follows a run in this process and renders the component again after each change.
 * If you pass a run, the run continues after the component unmounts. If you pass a function, the
 * hook calls it once after mounting to start a run, and cancels this run after unmounting.
 *
 * @example
 * const [run, setRun] = useState(null)
 * const { status, text, pending, actions } = useRun(run)
 * const start = () => setRun(runner.start(chart, { prompt: "Hello" }))
 */
export function useRun(
  runOrStart: Run | null | undefined | (() => Run),
  { keptEvents = 1_000 }: UseRunOptions = {},
): UsedRun {
  const own = useOwnRun(typeof runOrStart === "function" ? runOrStart : null)
  const run = typeof runOrStart === "function" ? own : (runOrStart ?? null)
  const store = useMemo(() => (run === null ? noRun : runStore(run, keptEvents)), [run, keptEvents])
  const actions = useMemo(() => actionsOf(run), [run])
  const view = useSyncExternalStore(store.subscribe, store.view, store.view)
  return useMemo(() => {
    const { result, events, pending } = view
    return { run, ...resultFields(result), events, pending, actions }
  }, [view, run, actions])
}

const resultFields = (
  result: RunResult | null,
): Pick<UsedRun, "status" | "text" | "state" | "error" | "usage" | "toolFailures"> =>
  result === null
    ? { status: null, text: null, state: {}, error: null, usage: null, toolFailures: none }
    : {
        status: result.status,
        text: result.text,
        state: result.state,
        error: result.error,
        usage: result.usage,
        toolFailures: result.toolFailures ?? none,
      }

function actionsOf(run: Run | null): RunActions {
  const absent = (): never => {
    throw new AgentStatechartsError(
      "run_unknown",
      "there is no run yet; start a run before you call its actions",
    )
  }
  // The cast is safe, because the object contains methods of `run` under their own names.
  return Object.fromEntries(
    actionNames.map((name) => [name, run === null ? absent : run[name]]),
  ) as unknown as RunActions
}

interface OwnRun {
  readonly run: Run
  isUnmounted: boolean
}

/**
 * Starts a run when the component mounts and cancels it after the component has unmounted.
 * StrictMode unmounts a component and immediately mounts it again, so the run is cancelled in a
 * microtask, and only if the component is still unmounted.
 */
function useOwnRun(start: (() => Run) | null): Run | null {
  const [run, setRun] = useState<Run | null>(null)
  const ownRun = useRef<OwnRun | null>(null)
  const latest = useRef(start)
  latest.current = start
  const starts = start !== null
  useEffect(() => {
    if (!starts) return
    const current = ownRun.current ?? { run: (latest.current as () => Run)(), isUnmounted: false }
    ownRun.current = current
    current.isUnmounted = false
    setRun(current.run)
    return () => {
      current.isUnmounted = true
      queueMicrotask(() => {
        if (!current.isUnmounted) return
        if (ownRun.current === current) ownRun.current = null
        const { status } = current.run.snapshot()
        if (status === "running" || status === "waiting") current.run.cancel()
      })
    }
  }, [starts])
  return starts ? run : null
}
