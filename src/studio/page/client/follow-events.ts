import type { RunEvent } from "../../api.js"
import { token } from "./token.js"

/** Receives the events of a run and the state of the connection. */
export interface RunEventListener {
  /** Receives each event, including the text that models stream (`model.delta`). */
  onEvent(event: RunEvent): void
  /** Called once, after the last event. */
  onEnd(): void
  /** Called when the connection opens, and when it is lost and the browser reconnects. */
  onConnection(isOpen: boolean): void
}

/**
 * Subscribes to the events of a run, beginning with the first. After a lost connection, the stream
 * continues with the next event. Returns a function that unsubscribes.
 */
export function followEvents(runId: string, listener: RunEventListener): () => void {
  const source = new EventSource(
    `/api/runs/${encodeURIComponent(runId)}/events?token=${encodeURIComponent(token)}`,
  )
  const onMessage = ({ data }: MessageEvent<string>): void =>
    listener.onEvent(JSON.parse(data) as RunEvent)
  source.onopen = () => listener.onConnection(true)
  source.onerror = () => listener.onConnection(false)
  source.onmessage = onMessage
  source.addEventListener("delta", onMessage)
  source.addEventListener("end", () => {
    source.close()
    listener.onEnd()
  })
  return () => source.close()
}
