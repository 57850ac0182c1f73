import type { ChildProcess } from "node:child_process"
import { servingCommand } from "../support/serving-command.js"

/** The studio as its users start it. */
export interface StudioProcess {
  /** With the token. */
  readonly url: string
  readonly origin: string
  readonly token: string
  readonly child: ChildProcess
  /** Asks its API. */
  ask(
    path: string,
    request?: {
      readonly method?: string
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    },
  ): Promise<{ readonly status: number; readonly body: unknown }>
  stop(signal?: "SIGINT" | "SIGKILL"): Promise<number | null>
}

export async function studioProcess(
  place: string,
  journal: string,
  more: readonly string[] = [],
): Promise<StudioProcess> {
  const {
    child,
    found: url,
    stop,
  } = await servingCommand(["studio", place, "--journal", journal, ...more], /Studio (http:\S+)\n/)
  const { origin, searchParams } = new URL(url)
  const token = searchParams.get("token") ?? ""
  return {
    url,
    origin,
    token,
    child,
    async ask(path, { method = "GET", body, headers = {} } = {}) {
      const response = await fetch(`${origin}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    },
    stop: (signal = "SIGINT") => stop(signal),
  }
}
