import { useMemo, useSyncExternalStore } from "react"
import { ClientError } from "../client/index.js"
import type { RemoteRun } from "../client/index.js"
import type {
  PendingRequest,
  RunError,
  RunEvent,
  RunStatus,
  ToolFailure,
  Usage,
} from "../machines/index.js"
import { noRemoteRun, remoteRunStore } from "./remote-run-store.js"

const none: readonly never[] = []

/**
 * The methods of a run on a server that answer its requests, end it or resume it. Their promises
 * reject with a `ClientError` if the server rejects the request. If there is no run, the error has
 * the code `run_unknown`.
 */
export type RemoteRunActions = Pick<
  RemoteRun,
  "say" | "approve" | "reject" | "answer" | "deliver" | "end" | "cancel" | "resume"
>

/**
 * The result of the hook {@link useRemoteRun}. Values are `null` or empty until the server's first
 * response.
 */
export interface UsedRemoteRun {
  readonly run: RemoteRun | null
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
  /** Whether the event stream is connected. A lost connection is reopened automatically. */
  readonly isConnected: boolean
  /**
   * The error after which no more updates arrive, for example because the run is unknown or the
   * token is wrong. Null if updates can still arrive.
   */
  readonly failure: Error | null
  readonly actions: RemoteRunActions
}

/** Options of the hook {@link useRemoteRun}. */
export interface UseRemoteRunOptions {
  /** Maximum number of entries in the `events` that the hook returns. Default: 1,000. */
  readonly keptEvents?: number
}

/**
 * React hook that follows a run on a server and renders the component again after each change. The
 * run continues after the component unmounts.
 *
 * @example
 * const client = createClient({ url, token })
 * const [run, setRun] = useState(null)
 * const { status, text, pending, actions } = useRemoteRun(run)
 * const start = async () => setRun(await client.start({ workflow: "travel-planner" }))
 */
export function useRemoteRun(
  run: RemoteRun | null | undefined,
  { keptEvents = 1_000 }: UseRemoteRunOptions = {},
): UsedRemoteRun {
  const store = useMemo(
    () => (run == null ? noRemoteRun : remoteRunStore(run, keptEvents)),
    [run, keptEvents],
  )
  const actions = useMemo(() => actionsOf(run ?? null), [run])
  const view = useSyncExternalStore(store.subscribe, store.view, store.view)
  return useMemo(() => {
    const { result, events, isConnected, failure } = view
    return {
      run: run ?? null,
      status: result?.status ?? null,
      text: result?.text ?? null,
      state: result?.state ?? {},
      error: result?.error ?? null,
      usage: result?.usage ?? null,
      toolFailures: result?.toolFailures ?? none,
      pending: result?.pending ?? [],
      events,
      isConnected,
      failure,
      actions,
    }
  }, [view, run, actions])
}

function actionsOf(run: RemoteRun | null): RemoteRunActions {
  if (run !== null)
    return {
      say: (...input) => run.say(...input),
      approve: (...input) => run.approve(...input),
      reject: (...input) => run.reject(...input),
      answer: (...input) => run.answer(...input),
      deliver: (...input) => run.deliver(...input),
      end: () => run.end(),
      cancel: () => run.cancel(),
      resume: () => run.resume(),
    }
  const reject = (): Promise<never> =>
    Promise.reject(
      new ClientError(
        "run_unknown",
        "there is no run yet; start a run before you call its actions",
      ),
    )
  return {
    say: reject,
    approve: reject,
    reject,
    answer: reject,
    deliver: reject,
    end: reject,
    cancel: reject,
    resume: reject,
  }
}
