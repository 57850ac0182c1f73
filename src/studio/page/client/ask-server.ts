import type { ErrorBody, RunEvent } from "../../api.js"

const kept = "agent-statecharts token"

/** The token comes with the address that the studio printed, and is then taken out of it, so that it is in no picture and no history. */
function readToken(): string {
  const url = new URL(location.href)
  const given = url.searchParams.get("token")
  if (given === null) return sessionStorage.getItem(kept) ?? ""
  sessionStorage.setItem(kept, given)
  url.searchParams.delete("token")
  history.replaceState(null, "", url)
  return given
}

const token = readToken()

/** What the server refused, in its words. */
class Refused extends Error {
  readonly refusal: ErrorBody

  constructor(refusal: ErrorBody) {
    super(refusal.message)
    this.refusal = refusal
  }
}

export async function ask<Answer>(
  path: string,
  request: {
    readonly method?: string
    readonly body?: unknown
    readonly signal?: AbortSignal
  } = {},
): Promise<Answer> {
  const { method = "GET", body, signal } = request
  let response: Response
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new Refused({
      code: "unreachable",
      message: "The studio does not respond. Check that it is still running.",
    })
  }
  // The server answers with JSON, also where it refuses. An answer may be cut off in its middle, also by who asked for it.
  const answer = (await response.json().catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new Refused({
      code: "internal",
      message: `the response of the studio could not be read (status ${response.status})`,
    })
  })) as Answer & ErrorBody
  if (!response.ok) throw new Refused(answer)
  return answer
}

export interface Listener {
  /** Also what a model is saying, as `model.delta`; a connection begins with what has been said so far. */
  event(event: RunEvent): void
  /** Nothing more will come. */
  end(): void
  /** The stream is open, or was lost and is being opened again. */
  connected(isOpen: boolean): void
}

/** The events of a run from the first one. A lost connection goes on after the last event that came. Returns what ends this. */
export function listen(runId: string, listener: Listener): () => void {
  const source = new EventSource(
    `/api/runs/${encodeURIComponent(runId)}/events?token=${encodeURIComponent(token)}`,
  )
  source.onopen = () => listener.connected(true)
  source.onerror = () => listener.connected(false)
  const hear = ({ data }: MessageEvent<string>): void =>
    listener.event(JSON.parse(data) as RunEvent)
  source.onmessage = hear
  source.addEventListener("delta", hear)
  source.addEventListener("end", () => {
    source.close()
    listener.end()
  })
  return () => source.close()
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
