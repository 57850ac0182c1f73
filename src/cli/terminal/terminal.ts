import type { Paint } from "./paint.js"
import { createPaint } from "./paint.js"
import { guarded } from "./untrusted-text.js"

/** Output of a command. All output except documents is escaped: see `untrusted-text.ts`. */
export interface Terminal {
  /** Prints a line to stdout. */
  print(line: string): void
  /** Prints a line to stderr. */
  complain(line: string): void
  /** Prints a document to stdout: unchanged to a file or pipe, escaped on a screen. */
  document(text: string): void
  /** Overwrites the last `over` lines on stdout. */
  redraw(lines: readonly string[], over: number): void
  showCursor(isShown: boolean): void
  /** Colors for stdout. */
  readonly paint: Paint
  /** Colors for stderr. */
  readonly paintError: Paint
  /** Whether stdout is a terminal that can be redrawn. */
  readonly isLive: boolean
  /** Whether a user can be asked. */
  readonly isInteractive: boolean
  size(): { readonly columns: number; readonly rows: number }
}

/**
 * Wraps the streams of the process as a terminal. If the reader closes the pipe (`
 *
 * head`), output stops but the command completes and returns its exit code.
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
  const [inColour, errorsInColour] = [colours(stdout), colours(stderr)]
  const shown = (line: string): string => guarded(line, inColour)
  return {
    print: (line) => writeOut(`${shown(line)}\n`),
    complain: (line) => void (gone.stderr || stderr.write(`${guarded(line, errorsInColour)}\n`)),
    document: (text) => writeOut(stdout.isTTY === true ? shown(text) : text),
    redraw: (lines, over) =>
      writeOut(
        `${over === 0 ? "" : `\u001b[${over}A`}${lines.map((line) => `${shown(line)}\u001b[K\n`).join("")}\u001b[J`,
      ),
    showCursor: (isShown) => writeOut(isShown ? "\u001b[?25h" : "\u001b[?25l"),
    paint: createPaint(inColour),
    paintError: createPaint(errorsInColour),
    isLive: stdout.isTTY === true && !dumb,
    isInteractive: stdin.isTTY === true && stdout.isTTY === true,
    size: () => ({ columns: stdout.columns || 120, rows: stdout.rows || 24 }),
  }
}
