import { useEffect, useRef, useState } from "preact/hooks"
import { PartialResponses } from "../../../../serving/partial-responses.js"
import type { RunWithChart, RunEvent, StudioSnapshot } from "../../../api.js"
import { fetchJson, messageOf } from "../../client/fetch-json.js"
import { followEvents } from "../../client/follow-events.js"

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
  readonly events: readonly RunEvent[]
  /** Texts that models are streaming now. */
  readonly streaming: readonly StreamedText[]
  /** The snapshot at the selected record, or the latest snapshot. */
  readonly snapshot: StudioSnapshot | null
  readonly isConnected: boolean
  readonly error: string | null
  /** Reloads the snapshot of the run. */
  refresh(): void
}

/**
 * Follows a run. `at` is the number of journal records after which to show the run; null follows
 * the latest record.
 */
export function useRun(runId: string, at: number | null): FollowedRun {
  const [info, setInfo] = useState<RunWithChart | null>(null)
  const [snapshot, setSnapshot] = useState<StudioSnapshot | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isConnected, setConnected] = useState(false)
  const [, setEventCount] = useState(0)
  const [streaming, setStreaming] = useState<readonly StreamedText[]>([])
  const [reloads, setReloads] = useState(0)
  const events = useRef<RunEvent[]>([])

  useEffect(() => {
    events.current = []
    let responses = new PartialResponses()
    setInfo(null)
    setSnapshot(null)
    setError(null)
    let frame = 0
    let reload: ReturnType<typeof setTimeout> | undefined
    // Many events can arrive at once. They are rendered in one frame, and the snapshot is reloaded
    // after the last of them.
    const render = (): void => {
      if (frame !== 0) return
      frame = requestAnimationFrame(() => {
        frame = 0
        setEventCount(events.current.length)
        setStreaming(
          [...responses.all].map(([call, { last, pieces }]) => ({
            call,
            agent: last.agent,
            path: last.path,
            text: pieces.join(""),
          })),
        )
      })
    }
    const renderAndReload = (): void => {
      render()
      clearTimeout(reload)
      reload = setTimeout(() => setReloads((count) => count + 1), 150)
    }
    const unsubscribe = followEvents(runId, {
      onEvent(event) {
        responses.next(event)
        if (event.type === "model.delta") return render()
        events.current.push(event)
        renderAndReload()
      },
      onEnd: renderAndReload,
      onConnection(isOpen) {
        if (isOpen) responses = new PartialResponses()
        setConnected(isOpen)
      },
    })
    return () => {
      unsubscribe()
      clearTimeout(reload)
      cancelAnimationFrame(frame)
    }
  }, [runId])

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const path = `/runs/${encodeURIComponent(runId)}`
    const load = async (): Promise<void> => {
      try {
        const [opened, loaded] = await Promise.all([
          fetchJson<RunWithChart>(path, { signal }),
          fetchJson<StudioSnapshot>(`${path}/at${at === null ? "" : `?at=${at}`}`, { signal }),
        ])
        if (signal.aborted) return
        setInfo(opened)
        setSnapshot(loaded)
        setError(null)
      } catch (cause) {
        if (!signal.aborted) setError(messageOf(cause))
      }
    }
    void load()
    return () => controller.abort()
  }, [runId, at, reloads])

  return {
    info,
    events: events.current,
    streaming,
    snapshot,
    isConnected,
    error,
    refresh: () => setReloads((count) => count + 1),
  }
}
