import { useEffect, useRef, useState } from "preact/hooks"
import { PartialResponses } from "../../../serving/partial-responses.js"
import type { OpenedRun, RunEvent, StudioPast } from "../../api.js"
import { ask, listen, messageOf } from "../client/ask-server.js"

/** The part of an answer that has come. */
export interface Said {
  readonly call: string
  readonly agent: string
  readonly path: string
  readonly text: string
}

/** A run as the page knows it. */
export interface ShownRun {
  readonly info: OpenedRun | null
  readonly events: readonly RunEvent[]
  /** What models are saying at the moment. */
  readonly saying: readonly Said[]
  /** The current snapshot, or the one at the selected position. */
  readonly past: StudioPast | null
  readonly isConnected: boolean
  readonly error: string | null
  /** Reloads the snapshot of the run. */
  refresh(): void
}

/** Follows a run. `at` is the selected journal position; null follows the current state. */
export function useRun(runId: string, at: number | null): ShownRun {
  const [info, setInfo] = useState<OpenedRun | null>(null)
  const [past, setPast] = useState<StudioPast | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isConnected, setConnected] = useState(false)
  const [, setShown] = useState(0)
  const [saying, setSaying] = useState<readonly Said[]>([])
  const [asked, setAsked] = useState(0)
  const events = useRef<RunEvent[]>([])

  useEffect(() => {
    events.current = []
    let answers = new PartialResponses()
    setInfo(null)
    setPast(null)
    setError(null)
    let drawn = 0
    let later: ReturnType<typeof setTimeout> | undefined
    // Many events may come at once: they are shown together, and the standing is asked for when they are in.
    const draw = (): void => {
      if (drawn !== 0) return
      drawn = requestAnimationFrame(() => {
        drawn = 0
        setShown(events.current.length)
        setSaying(
          [...answers.all].map(([call, { last, pieces }]) => ({
            call,
            agent: last.agent,
            path: last.path,
            text: pieces.join(""),
          })),
        )
      })
    }
    const isNew = (): void => {
      draw()
      clearTimeout(later)
      later = setTimeout(() => setAsked((times) => times + 1), 150)
    }
    const stop = listen(runId, {
      event(event) {
        answers.next(event)
        if (event.type === "model.delta") return draw()
        events.current.push(event)
        isNew()
      },
      end: isNew,
      connected(isOpen) {
        if (isOpen) answers = new PartialResponses()
        setConnected(isOpen)
      },
    })
    return () => {
      stop()
      clearTimeout(later)
      cancelAnimationFrame(drawn)
    }
  }, [runId])

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const path = `/runs/${encodeURIComponent(runId)}`
    const load = async (): Promise<void> => {
      try {
        const [opened, stood] = await Promise.all([
          ask<OpenedRun>(path, { signal }),
          ask<StudioPast>(`${path}/at${at === null ? "" : `?at=${at}`}`, { signal }),
        ])
        if (signal.aborted) return
        setInfo(opened)
        setPast(stood)
        setError(null)
      } catch (cause) {
        if (!signal.aborted) setError(messageOf(cause))
      }
    }
    void load()
    return () => controller.abort()
  }, [runId, at, asked])

  return {
    info,
    events: events.current,
    saying,
    past,
    isConnected,
    error,
    refresh: () => setAsked((times) => times + 1),
  }
}
