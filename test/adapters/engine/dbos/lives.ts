import { spawn } from "node:child_process"

/** The runs that a process executes, and the time when it is killed. See `life.mjs`. */
export interface LifeOptions {
  /** The bundle of `life.mjs`. */
  readonly program: string
  readonly url: string
  /** Name of the application. In DBOS, a process resumes only runs of its own application. */
  readonly owner: string
  /** Runs of an earlier process. This process completes them before it starts its own runs. */
  readonly resumeIds?: readonly string[]
  readonly runIds: readonly string[]
  readonly base: string
  /** Default: the workflow of the kill trials. */
  readonly config?: object
  readonly answers?: boolean
  readonly moment?: "before" | "after"
  readonly position?: number
  /** Kills the process this number of milliseconds after the start of its own runs. */
  readonly killAfterMs?: number
  readonly killWhen?: (message: unknown) => boolean
  readonly told?: (message: unknown) => void
}

export interface Life {
  readonly code: number | null
  readonly signal: string | null
  readonly errors: string
  /** The results of the resumed runs by run id. Null if the process was killed before they ended. */
  readonly resumed: Readonly<Record<string, object>> | null
  /** The results of its own runs by run id. Null if the process was killed before they ended. */
  readonly results: Readonly<Record<string, object>> | null
  /** The number of DBOS steps of its own runs. */
  readonly steps: number
  /** Milliseconds from the start of its own runs to the end of the process. */
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
