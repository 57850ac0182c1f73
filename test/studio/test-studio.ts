import type { ServingCommand } from "../support/serving-command.js"
import { servingCommand, servingProcess } from "../support/serving-command.js"

/** The command `studio`, and requests to its API. */
export interface TestStudio {
  /** The address of the page, with the token. */
  readonly url: string
  readonly origin: string
  readonly token: string
  /** Sends a request to the API. */
  ask(
    path: string,
    request?: {
      readonly method?: string
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    },
  ): Promise<{ readonly status: number; readonly body: unknown }>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const studioArguments = (
  place: string,
  journal: string,
  options: readonly string[] = [],
): readonly string[] => ["studio", place, "--journal", journal, ...options]

type StartStudio = (...place: Parameters<typeof studioArguments>) => Promise<TestStudio>

const isServing = /Studio (http:\S+)\n/

/** Starts `studio` in the process of the test. */
export const startTestStudio: StartStudio = async (...place) =>
  testStudio(await servingCommand(studioArguments(...place), isServing))

/** Starts `studio` in its own process, which can be killed. */
export const startStudioProcess: StartStudio = async (...place) =>
  testStudio(await servingProcess(studioArguments(...place), isServing))

function testStudio({ found: url, stop }: ServingCommand): TestStudio {
  const { origin, searchParams } = new URL(url)
  const token = searchParams.get("token") ?? ""
  return {
    url,
    origin,
    token,
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
