import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react"
import { AgentStatechartsError } from "../errors.js"
import type {
  PendingRequest,
  RunError,
  RunEvent,
  RunResult,
  RunStatus,
  Usage,
} from "../machines/index.js"
import type { Run, RunControls } from "../runtime/index.js"
import { noRun, runStore } from "./run-store.js"

/**
 * What can be done with a run; the functions stay the same as long as the run does. Without a run
 * they throw `run_unknown`.
 */
export type RunActions = Pick<RunControls, (typeof actionNames)[number]>

export interface UsedRun {
  /** null as long as there is no run. */
  readonly run: Run | null
  readonly status: RunStatus | null
  readonly text: string | null
  readonly state: Readonly<Record<string, unknown>>
  readonly error: RunError | null
  readonly usage: Usage | null
  /** The last events, the eldest first. */
  readonly events: readonly RunEvent[]
  readonly pending: readonly PendingRequest[]
  readonly actions: RunActions
}

export interface UseRunOptions {
  /** How many of the last events are kept for the component; 1,000 unless given. */
  readonly keptEvents?: number
}

const actionNames = ["say", "approve", "reject", "answer", "deliver", "end", "cancel"] as const

/**
 * A run in a component, which renders again when something has happened in it. A run that is
 * given belongs to whoever started it, and goes on when the component is gone. A function starts a
 * run of the component's own: it is called once when the component has been mounted, and that run
 * is cancelled when the component goes.
 *
 * @example
 * const [run, setRun] = useState(null)
 * const { status, text, pending, actions } = useRun(run)
 * const start = () => setRun(runner.start(chart, { prompt: "Hello" }))
 */
export function useRun(
  given: Run | null | undefined | (() => Run),
  { keptEvents = 1_000 }: UseRunOptions = {},
): UsedRun {
  const own = useOwnRun(typeof given === "function" ? given : null)
  const run = typeof given === "function" ? own : (given ?? null)
  const store = useMemo(() => (run === null ? noRun : runStore(run, keptEvents)), [run, keptEvents])
  const actions = useMemo(() => actionsOf(run), [run])
  const view = useSyncExternalStore(store.subscribe, store.view, store.view)
  return useMemo(() => {
    const { result, events, pending } = view
    return { run, ...shown(result), events, pending, actions }
  }, [view, run, actions])
}

const shown = (
  result: RunResult | null,
): Pick<UsedRun, "status" | "text" | "state" | "error" | "usage"> =>
  result === null
    ? { status: null, text: null, state: {}, error: null, usage: null }
    : {
        status: result.status,
        text: result.text,
        state: result.state,
        error: result.error,
        usage: result.usage,
      }

function actionsOf(run: Run | null): RunActions {
  const absent = (): never => {
    throw new AgentStatechartsError(
      "run_unknown",
      "there is no run yet: start one before anything is said to it",
    )
  }
  // Each function of a run goes by its own name; the types are those of the run.
  return Object.fromEntries(
    actionNames.map((name) => [name, run === null ? absent : run[name]]),
  ) as unknown as RunActions
}

interface Held {
  readonly run: Run
  isLeft: boolean
}

/**
 * StrictMode takes a component away and mounts it again in one go: the run is cancelled only if the
 * component stays away.
 */
function useOwnRun(start: (() => Run) | null): Run | null {
  const [run, setRun] = useState<Run | null>(null)
  const held = useRef<Held | null>(null)
  const latest = useRef(start)
  latest.current = start
  const starts = start !== null
  useEffect(() => {
    if (!starts) return
    const holding = held.current ?? { run: (latest.current as () => Run)(), isLeft: false }
    held.current = holding
    holding.isLeft = false
    setRun(holding.run)
    return () => {
      holding.isLeft = true
      queueMicrotask(() => {
        if (!holding.isLeft) return
        if (held.current === holding) held.current = null
        const { status } = holding.run.snapshot()
        if (status === "running" || status === "waiting") holding.run.cancel()
      })
    }
  }, [starts])
  return starts ? run : null
}
