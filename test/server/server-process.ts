import type { ChildProcess } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect } from "vitest"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { servingCommand } from "../support/serving-command.js"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests say what they expect of it.
  readonly body: Readonly<Record<string, unknown>>
}

/** The server as its users start it. */
export interface ServerProcess {
  readonly origin: string
  readonly token: string
  readonly child: ChildProcess
  /** What it has printed so far. */
  said(): string
  ask(
    path: string,
    request?: {
      readonly method?: string
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    },
  ): Promise<Answer>
  /** Events after one, up to the first that is wanted. */
  events(
    runId: string,
    isWanted: (event: RunEvent) => boolean,
    after?: number,
  ): Promise<readonly RunEvent[]>
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<number | null>
}

export async function serverProcess(
  place: string,
  journal: string,
  more: readonly string[] = ["--token", "test-token"],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const {
    child,
    said,
    found: origin,
    stop,
  } = await servingCommand(
    ["serve", place, "--journal", journal, ...more],
    /Serving (http:\S+)\n[^]*Ctrl-C/,
    env,
  )
  const token = /Token (\S+)/.exec(said())?.[1] ?? "test-token"
  const authorization = `Bearer ${token}`
  return {
    origin,
    token,
    child,
    said,
    async ask(path, { method = "GET", body, headers = {} } = {}) {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: { authorization, ...headers },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      })
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as Answer["body"],
      }
    },
    async events(runId, isWanted, after) {
      const headers = {
        authorization,
        ...(after === undefined ? {} : { "last-event-id": String(after) }),
      }
      const response = await fetch(`${origin}/v1/runs/${runId}/events`, { headers })
      const events: RunEvent[] = []
      for await (const event of eventsIn(response)) {
        events.push(event)
        // Whoever stops reading closes the stream.
        if (isWanted(event)) return events
      }
      throw new Error(`the stream ended: ${events.map((event) => event.type).join(", ")}`)
    },
    stop: (signal = "SIGTERM") => stop(signal),
  }
}

/** Serves the examples, whose scenarios answer, during the tests of a block. */
export function examplesServed(started: (server: ServerProcess) => void): void {
  const place = mkdtempSync(join(tmpdir(), "serve-"))
  let server: ServerProcess

  beforeAll(async () => {
    server = await serverProcess(join(projectFolder, "examples"), join(place, "runs"), [
      "--scripted",
      "--token",
      "test-token",
    ])
    started(server)
  })

  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    rmSync(place, { recursive: true })
  })
}

/** What a stream of server-sent events brings. */
async function* eventsIn(response: Response): AsyncGenerator<RunEvent> {
  let rest = ""
  for await (const chunk of response.body ?? []) {
    rest += Buffer.from(chunk).toString()
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const data = /^data: ?(.+)$/m.exec(rest.slice(0, end))?.[1]
      rest = rest.slice(end + 2)
      if (data !== undefined) yield JSON.parse(data) as RunEvent
    }
  }
}
