import { useMemo, useSyncExternalStore } from "react"
import { ClientError } from "../client/index.js"
import type { RemoteRun } from "../client/index.js"
import type { PendingRequest, RunError, RunEvent, RunStatus, Usage } from "../machines/index.js"
import { noRemoteRun, remoteRunStore } from "./remote-run-store.js"

/**
 * Methods of the run that change it. They reject with a `ClientError` if the server rejects the
 * request, and with the code `run_unknown` while there is no run.
 */
export type RemoteRunActions = Pick<
  RemoteRun,
  "say" | "approve" | "reject" | "answer" | "deliver" | "end" | "cancel" | "resume"
>

/** What {@link useRemoteRun} returns. The values are `null` or empty until the first response. */
export interface UsedRemoteRun {
  readonly run: RemoteRun | null
  readonly status: RunStatus | null
  readonly text: string | null
  readonly state: Readonly<Record<string, unknown>>
  readonly error: RunError | null
  readonly usage: Usage | null
  /** The last events, oldest first. */
  readonly events: readonly RunEvent[]
  readonly pending: readonly PendingRequest[]
  /** Whether the event stream is open. A lost connection is opened again automatically. */
  readonly isConnected: boolean
  /** Error that ended the updates, for example an unknown run or a wrong token. */
  readonly failure: Error | null
  readonly actions: RemoteRunActions
}

/** Options of {@link useRemoteRun}. */
export interface UseRemoteRunOptions {
  /** Number of events to keep. Default: 1,000. */
  readonly keptEvents?: number
}

/**
 * Follows a run on a server and renders the component again after each change. The run continues
 * when the component unmounts.
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
    Promise.reject(new ClientError("run_unknown", "there is no run yet; start one first"))
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
