import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { cli } from "./command.js"

/** The file `plan/index.json` of `test-plan -o plan`. */
export interface PlanIndex {
  readonly transitions: { readonly reached: number; readonly of: number }
  readonly missing: readonly { readonly transition: string }[]
  readonly scenarios: readonly {
    readonly name: string
    readonly command: string
    readonly exitCode: number
  }[]
  readonly coverage: string
}

/** Reads the index of the plan in the folder `plan`. */
export const planIndex = (cwd: string): PlanIndex =>
  JSON.parse(readFileSync(join(cwd, "plan/index.json"), "utf8")) as PlanIndex

/** Runs the command of each scenario, and returns the coverage that the plan's command reports. */
export async function playPlan(index: PlanIndex, cwd: string): Promise<unknown> {
  for (const { name, command, exitCode } of index.scenarios)
    expect((await cli([...words(command), "-q"], { cwd })).code, name).toBe(exitCode)
  return JSON.parse((await cli([...words(index.coverage), "--json"], { cwd })).stdout) as unknown
}

/** Splits a printed command at its spaces, without the name of the program. */
const words = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)]
    .map(([, quoted, plain]) => quoted ?? plain ?? "")
    .slice(1)
