import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { mainArguments } from "../cli/built-command.js"

/** A command that goes on until it is stopped. */
export interface ServingCommand {
  readonly child: ChildProcess
  /** What it has printed so far. */
  said(): string
  /** The part of what it printed that was waited for. */
  readonly found: string
  stop(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the built command and waits until it has printed something like this; the first group is what is `found`. */
export async function servingCommand(
  args: readonly string[],
  awaited: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<ServingCommand> {
  const child = spawn(process.execPath, [...mainArguments, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  })
  let said = ""
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  const found = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
      const part = awaited.exec(said)?.[1]
      if (part !== undefined) resolve(part)
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    void ended.then((code) => reject(new Error(`${args[0]} ended with ${code}: ${said}`)))
  })
  return {
    child,
    found,
    said: () => said,
    stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}
