import { spawn } from "node:child_process"
import { runCommandLine } from "../../src/cli/command-line.js"
import { main, mainArguments } from "../cli/built-command.js"
import { simulatedProcess } from "./simulated-process.js"

/** A command that runs until it is stopped. */
export interface ServingCommand {
  /** Returns the text that the command has printed so far. */
  said(): string
  /** The first group of the pattern that the start waited for. */
  readonly found: string
  /** Sends a signal. Resolves to the exit code, which is null for a killed process. */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts the built command in a separate process, and waits until its output matches a pattern.
 * Only such a command can be killed or have its own environment.
 */
export function servingProcess(
  args: readonly string[],
  awaited: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<ServingCommand> {
  const child = spawn(process.execPath, [...mainArguments, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  })
  let said = ""
  const keep = (chunk: Buffer): void => void (said += chunk.toString())
  child.stdout.on("data", keep)
  child.stderr.on("data", keep)
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  return whenServing(awaited, {
    ended,
    said: () => said,
    onOutput(hear) {
      child.stdout.on("data", hear)
      child.stderr.on("data", hear)
    },
    stop(signal) {
      child.kill(signal)
      return ended
    },
  })
}

/**
 * Starts the command from its sources in the process of the test, and waits until its output
 * matches a pattern. This needs a tenth of the CPU time of a separate process. The commands of a
 * process share the working folder, the environment and the ownership of runs.
 */
export function servingCommand(args: readonly string[], awaited: RegExp): Promise<ServingCommand> {
  const { terminal, stdout, stderr, onOutput, signal } = simulatedProcess()
  let isEnded = false
  const ended = runCommandLine([process.execPath, main, ...args], terminal).finally(() => {
    isEnded = true
  })
  return whenServing(awaited, {
    ended,
    said: () => stdout() + stderr(),
    onOutput,
    stop(name) {
      if (!isEnded && !signal(name)) throw new Error(`a command of this process cannot get ${name}`)
      return ended
    },
  })
}

interface StartedCommand extends Omit<ServingCommand, "found"> {
  readonly ended: Promise<number | null>
  onOutput(hear: () => void): void
}

/** Resolves when the output of a command matches a pattern, and rejects if the command ends before. */
async function whenServing(
  awaited: RegExp,
  { ended, said, onOutput, stop }: StartedCommand,
): Promise<ServingCommand> {
  const found = await new Promise<string>((resolve, reject) => {
    onOutput(() => {
      const part = awaited.exec(said())?.[1]
      if (part !== undefined) resolve(part)
    })
    void ended.then(
      (code) => reject(new Error(`the command ended with ${code}: ${said()}`)),
      reject,
    )
  })
  return { found, said, stop }
}
