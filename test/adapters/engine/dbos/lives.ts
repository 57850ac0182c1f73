import { spawn } from "node:child_process"

/** What a process is to carry, and when it is to die; see `life.mjs`. */
export interface LifeOptions {
  /** The bundle of `life.mjs`. */
  readonly program: string
  readonly url: string
  /** Name of the application: DBOS has its processes take up the runs of each other, and no others. */
  readonly owner: string
  /** Runs of an earlier process, which come to their end before those of this process start. */
  readonly resumeIds?: readonly string[]
  readonly runIds: readonly string[]
  readonly base: string
  /** The workflow of the kill trials unless given. */
  readonly config?: object
  readonly answers?: boolean
  readonly moment?: "before" | "after"
  readonly position?: number
  /** Counted from when its own runs have been started. */
  readonly killAfterMs?: number
  readonly killWhen?: (message: unknown) => boolean
  readonly told?: (message: unknown) => void
}

export interface Life {
  readonly code: number | null
  readonly signal: string | null
  readonly errors: string
  /** By run id, null if it was killed before they ended. */
  readonly resumed: Readonly<Record<string, object>> | null
  /** By run id. */
  readonly results: Readonly<Record<string, object>> | null
  /** Steps that it had DBOS take. */
  readonly steps: number
  /** From the start of its own runs to its end. */
  readonly ms: number
}

export function live({
  program,
  killAfterMs,
  killWhen = () => false,
  told = () => {},
  ...asked
}: LifeOptions): Promise<Life> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--no-deprecation", program, JSON.stringify(asked)], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    })
    let [out, errors] = ["", ""]
    let began: number | null = null
    let resumed: Life["resumed"] = null
    child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()))
    child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()))
    child.on("message", (message) => {
      if (typeof message === "object" && message !== null && "resumed" in message)
        // `life.mjs` sends results by run id.
        resumed = message.resumed as Life["resumed"]
      if (message === "started" && began === null) {
        began = performance.now()
        if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs)
      }
      told(message)
      if (killWhen(message)) child.kill("SIGKILL")
    })
    child.on("close", (code, signal) => {
      const said =
        out === ""
          ? { results: null, steps: 0 }
          : (JSON.parse(out) as Pick<Life, "results" | "steps">)
      resolve({
        ...said,
        resumed,
        code,
        signal,
        errors,
        ms: performance.now() - (began ?? performance.now()),
      })
    })
  })
}
