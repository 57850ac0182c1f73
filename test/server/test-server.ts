import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect } from "vitest"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import type { ServingCommand } from "../support/serving-command.js"
import { servingCommand, servingProcess } from "../support/serving-command.js"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // The tests check the fields that they use.
  readonly body: Readonly<Record<string, unknown>>
}

/** The command `serve`, and requests to it. */
export interface TestServer {
  readonly origin: string
  readonly token: string
  /** Returns the text that the command has printed so far. */
  said(): string
  ask(
    path: string,
    request?: {
      readonly method?: string
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    },
  ): Promise<Answer>
  /** Returns the events after the number `after`, up to the first event that `isWanted` accepts. */
  events(
    runId: string,
    isWanted: (event: RunEvent) => boolean,
    after?: number,
  ): Promise<readonly RunEvent[]>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const serveArguments = (
  place: string,
  journal: string,
  options: readonly string[] = ["--token", "test-token"],
): readonly string[] => ["serve", place, "--journal", journal, ...options]

type StartServer = (...place: Parameters<typeof serveArguments>) => Promise<TestServer>

const isServing = /Serving (http:\S+)\n[^]*Ctrl-C/

/** Starts `serve` in the process of the test. */
export const startTestServer: StartServer = async (...place) =>
  testServer(await servingCommand(serveArguments(...place), isServing))

/** Starts `serve` in its own process, which can be killed. */
export const startServerProcess = async (
  place: string,
  journal: string,
  options?: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<TestServer> =>
  testServer(await servingProcess(serveArguments(place, journal, options), isServing, env))

function testServer({ found: origin, said, stop }: ServingCommand): TestServer {
  const token = /Token (\S+)/.exec(said())?.[1] ?? "test-token"
  const authorization = `Bearer ${token}`
  return {
    origin,
    token,
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
        // The end of the loop closes the stream.
        if (isWanted(event)) return events
      }
      throw new Error(`the stream ended: ${events.map((event) => event.type).join(", ")}`)
    },
    stop: (signal = "SIGTERM") => stop(signal),
  }
}

/** Serves the examples with their scenarios during the tests of a `describe` block. */
export function examplesServed(started: (server: TestServer) => void): void {
  const place = mkdtempSync(join(tmpdir(), "serve-"))
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer(join(projectFolder, "examples"), join(place, "runs"), [
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

/** Yields the events of a stream of server-sent events. */
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
