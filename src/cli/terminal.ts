import type { Paint } from "./paint.js"
import { createPaint } from "./paint.js"

/** Where a command writes. */
export interface Terminal {
  /** A line on stdout. */
  print(line: string): void
  /** A line on stderr. */
  complain(line: string): void
  /** As it is, on stdout. */
  write(text: string): void
  /** For stdout. */
  readonly paint: Paint
  /** For stderr. */
  readonly paintError: Paint
  /** Whether stdout can be redrawn. */
  readonly isLive: boolean
  /** Whether somebody is there to be asked. */
  readonly isInteractive: boolean
  size(): { readonly columns: number; readonly rows: number }
}

/**
 * The process's streams as a terminal. A reader that goes away (`| head`) ends the output, not the work: its exit code still
 * tells how it went.
 */
export function processTerminal({ stdin, stdout, stderr, env }: NodeJS.Process): Terminal {
  const gone = { stdout: false, stderr: false }
  const watch = (stream: NodeJS.WriteStream, name: keyof typeof gone): void => {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error
      gone[name] = true
    })
  }
  watch(stdout, "stdout")
  watch(stderr, "stderr")
  const writeOut = (text: string): void => void (gone.stdout || stdout.write(text))
  const dumb = env["TERM"] === "dumb"
  const colours = (stream: NodeJS.WriteStream): boolean =>
    stream.isTTY === true && !dumb && (env["NO_COLOR"] ?? "") === ""
  return {
    print: (line) => writeOut(`${line}\n`),
    complain: (line) => void (gone.stderr || stderr.write(`${line}\n`)),
    write: writeOut,
    paint: createPaint(colours(stdout)),
    paintError: createPaint(colours(stderr)),
    isLive: stdout.isTTY === true && !dumb,
    isInteractive: stdin.isTTY === true && stdout.isTTY === true,
    size: () => ({ columns: stdout.columns || 120, rows: stdout.rows || 24 }),
  }
}
