import { EventEmitter } from "node:events"
import { Writable } from "node:stream"
import type { Terminal } from "../../src/cli/terminal/terminal.js"
import { processTerminal } from "../../src/cli/terminal/terminal.js"

/** Output and signals of a command that runs in the process of the test. */
export interface SimulatedProcess {
  readonly terminal: Terminal
  /** Returns the text that the command has printed so far. */
  stdout(): string
  stderr(): string
  /** Calls a function after each output. */
  onOutput(hear: () => void): void
  /** Sends a signal to the command. Returns false if the command does not handle it. */
  signal(name: NodeJS.Signals): boolean
}

/** Creates a process with the environment of this one. `isScreen`: whether its output is a terminal. */
export function simulatedProcess(isScreen = false): SimulatedProcess {
  const events = new EventEmitter()
  const [stdout, stderr] = [keepsText(isScreen, events), keepsText(isScreen, events)]
  return {
    terminal: processTerminal({
      stdin: { isTTY: false },
      stdout: stdout.stream,
      stderr: stderr.stream,
      env: process.env,
      on: (name: string, handle: () => void) => events.on(name, handle),
      off: (name: string, handle: () => void) => events.off(name, handle),
      exit: () => {
        throw new Error("the command was interrupted twice")
      },
    } as unknown as NodeJS.Process),
    stdout: stdout.text,
    stderr: stderr.text,
    onOutput: (hear) => void events.on("output", hear),
    signal: (name) => events.emit(name),
  }
}

/** A stream that stores the written text, like a pipe or a terminal. */
function keepsText(
  isScreen: boolean,
  events: EventEmitter,
): { readonly stream: Writable; readonly text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
      events.emit("output")
    },
  })
  return {
    stream: isScreen ? Object.assign(stream, { isTTY: true }) : stream,
    text: () => Buffer.concat(chunks).toString(),
  }
}
