import { useEffect, useRef, useState } from "preact/hooks"
import { PartialResponses } from "../../../../serving/partial-responses.js"
import type { RunWithChart, StudioRun, StudioSnapshot } from "../../../api.js"
import { fetchJson, messageOf } from "../../client/fetch-json.js"
import { followEvents } from "../../client/follow-events.js"
import type { RunPosition } from "../../client/run-hash.js"
import type { Pace } from "../../client/paced-call.js"
import { PacedCall } from "../../client/paced-call.js"
import { RunFolds } from "../folds/run-folds.js"

/** The text of a model response that is being streamed, up to now. */
export interface StreamedText {
  readonly call: string
  readonly agent: string
  readonly path: string
  readonly text: string
}

/** The data of the run that the page shows. It is updated while the run executes. */
export interface FollowedRun {
  readonly info: RunWithChart | null
  /**
   * The data that the page has computed from the run's events. The object is modified in place. To
   * detect changes, compare `eventCount`.
   */
  readonly folds: RunFolds
  /**
   * Total number of events so far, including events that the page has dropped. It changes whenever
   * the data in `folds` changes.
   */
  readonly eventCount: number
  /** The texts of model responses that are being streamed. */
  readonly streaming: readonly StreamedText[]
  /**
   * The snapshot of the run at the selected position. If no position is selected, the latest
   * snapshot.
   */
  readonly snapshot: StudioSnapshot | null
  /**
   * Whether `snapshot` belongs to the selected position. It is false until the snapshot of this
   * position is loaded.
   */
  readonly isSnapshotCurrent: boolean
  readonly isConnected: boolean
  readonly error: string | null
  /** Requests the status and the snapshot of the run again. */
  refresh(): void
}

/** A snapshot of a run, and the URL query with which it was requested. */
interface LoadedSnapshot {
  readonly query: string
  readonly snapshot: StudioSnapshot
}

/** The server requests whose errors the page shows. */
type Source = "run" | "status" | "snapshot"

/**
 * Rate limit for status requests. It is high, because a new status or pending request must be
 * visible within half a second.
 */
const statusPace: Pace = { everyMs: 200 }

/**
 * Rate limit for snapshot requests. The pause after a request is 10 times as long as the request,
 * so snapshots use about 10 % of the server's time. For the first snapshot of a run, the server
 * replays all of its records, which blocks all other runs.
 */
const snapshotPace: Pace = { everyMs: 300, rest: 10 }

/** Rate limit for rendering. Events are rendered in batches, so that the page stays responsive. */
const renderPace: Pace = { everyMs: 100 }

/**
 * Milliseconds between two status requests if the run emits no events. They detect, for example,
 * that the process that executed the run has ended.
 */
const idleInterval = 2_000

/**
 * Hook that loads a run and its new events. `position` is a position in the history of the run, or
 * null for the latest state. While events arrive, the status and the snapshot are reloaded at a
 * limited rate.
 */
export function useRun(runId: string, position: RunPosition | null): FollowedRun {
  const query =
    position === null ? "" : `?${position.by === "record" ? "at" : "seen"}=${position.count}`
  const [opened, setOpened] = useState<RunWithChart | null>(null)
  const [status, setStatus] = useState<StudioRun | null>(null)
  const [loaded, setLoaded] = useState<LoadedSnapshot | null>(null)
  const [errors, setErrors] = useState<Readonly<Partial<Record<Source, string | undefined>>>>({})
  const [isConnected, setConnected] = useState(false)
  const [eventCount, setEventCount] = useState(0)
  const [streaming, setStreaming] = useState<readonly StreamedText[]>([])
  const folds = useRef(new RunFolds())
  const statusCall = useRef<PacedCall | null>(null)
  const snapshotCall = useRef<PacedCall | null>(null)
  const refresh = (): void => {
    statusCall.current?.request()
    snapshotCall.current?.request()
  }
  const refreshNow = (): void => {
    statusCall.current?.requestNow()
    snapshotCall.current?.requestNow()
  }
  const path = `/runs/${encodeURIComponent(runId)}`
  /**
   * Wraps a function that loads data. If it fails, the page shows its error until it succeeds
   * again.
   */
  const loading =
    (source: Source, load: (signal: AbortSignal) => Promise<void>) =>
    async (signal: AbortSignal): Promise<void> => {
      const setError = (message: string | undefined): void =>
        setErrors((shown) => (shown[source] === message ? shown : { ...shown, [source]: message }))
      try {
        await load(signal)
        if (!signal.aborted) setError(undefined)
      } catch (cause) {
        if (!signal.aborted) setError(messageOf(cause))
      }
    }

  useEffect(() => {
    const call = new PacedCall(
      loading("snapshot", async (signal) =>
        setLoaded({ query, snapshot: await fetchJson(`${path}/at${query}`, { signal }) }),
      ),
      snapshotPace,
    )
    snapshotCall.current = call
    call.request()
    return () => call.stop()
  }, [path, query])

  useEffect(() => {
    const call = new PacedCall(
      loading("status", async (signal) => {
        const loaded = await fetchJson<StudioRun>(`${path}/status`, { signal })
        // An equal status keeps its object, so that the page is not rendered.
        setStatus((before) => (JSON.stringify(before) === JSON.stringify(loaded) ? before : loaded))
      }),
      statusPace,
    )
    statusCall.current = call
    const timer = setInterval(() => call.request(), idleInterval)
    return () => {
      clearInterval(timer)
      call.stop()
    }
  }, [path])

  useEffect(() => {
    const controller = new AbortController()
    folds.current = new RunFolds()
    let responses = new PartialResponses()
    setOpened(null)
    setStatus(null)
    setLoaded(null)
    setErrors({})
    void loading("run", async (signal) => setOpened(await fetchJson(path, { signal })))(
      controller.signal,
    )
    setEventCount(0)
    // Many events can arrive at once. They are rendered together.
    const rendering = new PacedCall(async () => {
      setEventCount(folds.current.end)
      setStreaming(
        [...responses.all].map(([call, { last, pieces }]) => ({
          call,
          agent: last.agent,
          path: last.path,
          text: pieces.join(""),
        })),
      )
    }, renderPace)
    const render = (): void => rendering.request()
    const renderAndRefresh = (): void => {
      render()
      refresh()
    }
    const unsubscribe = followEvents(runId, {
      onEvent(event) {
        responses.next(event)
        if (event.type === "model.delta") return render()
        folds.current.apply(event)
        renderAndRefresh()
      },
      onEnd() {
        render()
        refreshNow()
      },
      onConnection(isOpen) {
        if (isOpen) responses = new PartialResponses()
        setConnected(isOpen)
      },
    })
    return () => {
      unsubscribe()
      controller.abort()
      rendering.stop()
    }
  }, [runId])

  return {
    info: opened === null ? null : { ...opened, ...status },
    folds: folds.current,
    eventCount,
    streaming,
    snapshot: loaded?.snapshot ?? null,
    isSnapshotCurrent: loaded?.query === query,
    isConnected,
    error: errors.status ?? errors.run ?? errors.snapshot ?? null,
    refresh: refreshNow,
  }
}
