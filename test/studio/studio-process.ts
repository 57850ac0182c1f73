import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { projectFolder } from "../docs/markdown-blocks.js"

/** The studio as its users start it. */
export interface StudioProcess {
  /** With the token. */
  readonly url: string
  readonly origin: string
  readonly token: string
  readonly child: ChildProcess
  /** Asks its API. */
  ask(path: string, request?: { readonly method?: string; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }): Promise<{ readonly status: number; readonly body: unknown }>
  stop(signal?: "SIGINT" | "SIGKILL"): Promise<number | null>
}

export async function studioProcess(place: string, journal: string, more: readonly string[] = []): Promise<StudioProcess> {
  const child = spawn(process.execPath, [join(projectFolder, "dist/cli/main.js"), "studio", place, "--journal", journal, ...more], { stdio: ["ignore", "pipe", "pipe"] })
  let said = ""
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
      const found = /Studio (http:\S+)\n/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    void ended.then((code) => reject(new Error(`the studio ended with ${code}: ${said}`)))
  })
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
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    },
    stop(signal = "SIGINT") {
      child.kill(signal)
      return ended
    },
  }
}
