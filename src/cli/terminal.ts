import type { Paint } from "./paint.js"
import { createPaint } from "./paint.js"
import { guarded } from "./untrusted-text.js"

/** Where a command writes. Everything but a document for another program is guarded: see `untrusted-text.ts`. */
export interface Terminal {
  /** A line on stdout. */
  print(line: string): void
  /** A line on stderr. */
  complain(line: string): void
  /** A document on stdout: unchanged for a file or another program, guarded on a screen. */
  document(text: string): void
  /** Writes lines over the last `over` ones on stdout. */
  redraw(lines: readonly string[], over: number): void
  showCursor(isShown: boolean): void
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
