import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { cli } from "../cli/command.js"
import { temporaryFolder } from "../support/temporary-folder.js"

/** A run of a workflow, as `expect.json` describes it. */
export interface Play {
  readonly scenario: unknown
  readonly answers?: unknown
  readonly state?: unknown
  readonly prompt?: string
  /** Name of a module in the folder of the vector. */
  readonly services?: string
  readonly prices?: unknown
  /** Whether the violating call is made by a host function, so that no event shows it. */
  readonly unseen?: boolean
}

export interface PlayedRun {
  readonly code: number | null
  readonly stderr: string
  readonly events: readonly RunEvent[]
}

export const workflowOf = (folder: string): string =>
  ["workflow.json", "workflow.yaml"]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path)) ?? folder

/** Plays a run of a vector with the command `run`, and returns its events. */
export async function playRun(
  folder: string,
  play: Play,
  args: readonly string[] = [],
): Promise<PlayedRun> {
  const temporary = temporaryFolder("play-")
  const fileOf = (name: string, value: unknown): string => {
    const path = join(temporary, `${name}.json`)
    writeFileSync(path, JSON.stringify(value))
    return path
  }
  // Services can count their calls, so each run loads its own copy of the module.
  const copyOf = (path: string): string => {
    const copy = join(temporary, basename(path))
    copyFileSync(path, copy)
    return copy
  }
  const option = (name: string, value: unknown, prefix = ""): readonly string[] =>
    value === undefined ? [] : [`--${name}`, `${prefix}${fileOf(name, value)}`]
  const { code, stdout, stderr } = await cli([
    "run",
    workflowOf(folder),
    ...option("scripted", play.scenario),
    ...option("answers", play.answers),
    ...option("state", play.state, "@"),
    ...(play.prompt === undefined ? [] : ["--prompt", play.prompt]),
    ...(play.services === undefined ? [] : ["--services", copyOf(join(folder, play.services))]),
    ...option("prices", play.prices),
    "--no-journal",
    "--json",
    ...args,
  ])
  const events = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    // The command prints one event in each line.
    .map((line) => JSON.parse(line) as RunEvent)
  return { code, stderr, events }
}

/** Reads `expect.json` of a vector. */
export const expectationsOf = (folder: string): Expectations =>
  // The vectors have the format that README.md describes.
  JSON.parse(readFileSync(join(folder, "expect.json"), "utf8")) as Expectations

export interface Expectations {
  readonly policies?: Readonly<
    Record<
      string,
      {
        readonly verdict: string | readonly string[]
        readonly play?: Play
        readonly enforced?: object
      }
    >
  >
}
