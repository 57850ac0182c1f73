import { exitCodes } from "./exit-codes.js"
import type { Paint } from "./paint.js"
import { createPaint } from "./paint.js"
import { escapeLine } from "./untrusted-text.js"

/**
 * Output and Ctrl-C handling of a command. All output except documents is escaped (see
 * `untrusted-text.ts`).
 */
export interface Terminal {
  /** Prints a line to stdout. */
  print(line: string): void
  /** Prints a line to stderr. */
  printError(line: string): void
  /** Prints a document to stdout. It is unchanged in a file or pipe, and escaped on a screen. */
  document(text: string): void
  /** Replaces the last `over` lines on stdout with `lines`. */
  redraw(lines: readonly string[], over: number): void
  showCursor(isShown: boolean): void
  /** Functions that add colors and styles to texts for stdout, if stdout supports them. */
  readonly paint: Paint
  /** Functions that add colors and styles to texts for stderr, if stderr supports them. */
  readonly paintError: Paint
  /** Whether stdout is a screen that a person reads, and not a file or a pipe. */
  readonly isScreen: boolean
  /** Whether stdout is a terminal in which printed lines can be replaced. */
  readonly isLive: boolean
  /** Whether the program can prompt the user for input. */
  readonly isInteractive: boolean
  size(): { readonly columns: number; readonly rows: number }
  /**
   * Calls `stop` on the first Ctrl-C and ends the process on the second Ctrl-C. SIGTERM counts as
   * Ctrl-C. Returns a function that removes the handler.
   */
  onInterrupt(stop: () => void): () => void
}

/** The properties of Node's `process` that a terminal uses. */
type TerminalProcess = Pick<
  NodeJS.Process,
  "stdin" | "stdout" | "stderr" | "env" | "on" | "off" | "exit"
>

/**
 * Creates a terminal from the streams of the process. If the reader of stdout closes the pipe, as
 * `head` does, output stops. The command still completes and returns its exit code.
 */
export function processTerminal(process: TerminalProcess): Terminal {
  const { stdin, stdout, stderr, env } = process
  const isClosed = { stdout: false, stderr: false }
  const watch = (stream: NodeJS.WriteStream, name: keyof typeof isClosed): void => {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error
      isClosed[name] = true
    })
  }
  watch(stdout, "stdout")
  watch(stderr, "stderr")
  const writeOut = (text: string): void => void (isClosed.stdout || stdout.write(text))
  const isDumb = env["TERM"] === "dumb"
  const hasColors = (stream: NodeJS.WriteStream): boolean =>
    stream.isTTY === true && !isDumb && (env["NO_COLOR"] ?? "") === ""
  const [outHasColors, errorHasColors] = [hasColors(stdout), hasColors(stderr)]
  const escaped = (line: string): string => escapeLine(line, outHasColors)
  return {
    print: (line) => writeOut(`${escaped(line)}\n`),
    printError: (line) =>
      void (isClosed.stderr || stderr.write(`${escapeLine(line, errorHasColors)}\n`)),
    document: (text) => writeOut(stdout.isTTY === true ? escaped(text) : text),
    redraw: (lines, over) =>
      writeOut(
        `${over === 0 ? "" : `\u001b[${over}A`}${lines.map((line) => `${escaped(line)}\u001b[K\n`).join("")}\u001b[J`,
      ),
    showCursor: (isShown) => writeOut(isShown ? "\u001b[?25h" : "\u001b[?25l"),
    paint: createPaint(outHasColors),
    paintError: createPaint(errorHasColors),
    isScreen: stdout.isTTY === true,
    isLive: stdout.isTTY === true && !isDumb,
    isInteractive: stdin.isTTY === true && stdout.isTTY === true,
    size: () => ({ columns: stdout.columns || 120, rows: stdout.rows || 24 }),
    onInterrupt(stop) {
      let isStopping = false
      const interrupt = (): void => {
        if (isStopping) process.exit(exitCodes.cancelled)
        isStopping = true
        stop()
      }
      process.on("SIGINT", interrupt)
      process.on("SIGTERM", interrupt)
      return () => {
        process.off("SIGINT", interrupt)
        process.off("SIGTERM", interrupt)
      }
    },
  }
}
