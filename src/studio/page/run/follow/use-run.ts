import { useEffect, useRef, useState } from "preact/hooks"
import { PartialResponses } from "../../../../serving/partial-responses.js"
import type { RunWithChart, StudioRun, StudioSnapshot } from "../../../api.js"
import { fetchJson, messageOf } from "../../client/fetch-json.js"
import { followEvents } from "../../client/follow-events.js"
import type { RunPosition } from "../../client/run-hash.js"
import type { Pace } from "../../client/paced-call.js"
import { PacedCall } from "../../client/paced-call.js"
import { RunFolds } from "../folds/run-folds.js"

/** The text of a model call that is still streaming. */
export interface StreamedText {
  readonly call: string
  readonly agent: string
  readonly path: string
  readonly text: string
}

/** A run that the page follows. */
export interface FollowedRun {
  readonly info: RunWithChart | null
  /** Everything that the page computes from the events so far. The object is changed in place. */
  readonly folds: RunFolds
  /** Number of events so far, which changes when `folds` has changed. */
  readonly eventCount: number
  /** Texts that models are streaming now. */
  readonly streaming: readonly StreamedText[]
  /** The snapshot at the selected record, or the latest snapshot. */
  readonly snapshot: StudioSnapshot | null
  readonly isConnected: boolean
  readonly error: string | null
  /** Reloads the snapshot of the run. */
  refresh(): void
}

/** The requests whose errors are shown. */
type Source = "run" | "status" | "snapshot"

/** The status and the pending requests must be visible within half a second. */
const statusPace: Pace = { everyMs: 200 }

/**
 * The server replays the records for a snapshot, and meanwhile executes no run. So at most 10 % of its
 * time is spent on snapshots, however long the run is.
 */
const snapshotPace: Pace = { everyMs: 300, rest: 10 }

/** A batch of events is rendered in one go, so that most frames are free for the user. */
const renderPace: Pace = { everyMs: 100 }

/** Milliseconds after which the status is loaded again without an event, for example to notice that another process has ended. */
const idleInterval = 2_000

/**
 * Follows a run. `position` is the position in its past to show; null follows the run. While events arrive, the status and the snapshot are updated at a fixed rate.
 */
export function useRun(runId: string, position: RunPosition | null): FollowedRun {
  const query =
    position === null ? "" : `?${position.by === "record" ? "at" : "seen"}=${position.count}`
  const [opened, setOpened] = useState<RunWithChart | null>(null)
  const [status, setStatus] = useState<StudioRun | null>(null)
  const [snapshot, setSnapshot] = useState<StudioSnapshot | null>(null)
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
  /** Returns a function that loads data, and shows its error until it succeeds. */
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
        setSnapshot(
          await fetchJson<StudioSnapshot>(`${path}/at${query}`, {
            signal,
          }),
        ),
      ),
      snapshotPace,
    )
    snapshotCall.current = call
    call.request()
    return () => call.stop()
  }, [path, query])

  useEffect(() => {
    const call = new PacedCall(
      loading("status", async (signal) =>
        setStatus(await fetchJson<StudioRun>(`${path}/status`, { signal })),
      ),
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
    setSnapshot(null)
    setErrors({})
    void loading("run", async (signal) => setOpened(await fetchJson(path, { signal })))(
      controller.signal,
    )
    setEventCount(0)
    // Many events can arrive at once. They are rendered together.
    const rendering = new PacedCall(async () => {
      setEventCount(folds.current.events.length)
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
    snapshot,
    isConnected,
    error: errors.status ?? errors.run ?? errors.snapshot ?? null,
    refresh: refreshNow,
  }
}
