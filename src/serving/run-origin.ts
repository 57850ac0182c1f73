import { isJsonObject } from "../machines/data/json-object.js"

/** The files that a run was started from. Stored with the run, to resume it with the same services. */
export interface RunOrigin {
  /** Path of the workflow. */
  readonly file: string | null
  /** Path of the file with scripted responses. */
  readonly scenario: string | null
}

/** Reads the origin from the `about` of a run's header, which another program may have written. */
export function originOf(about: Readonly<Record<string, unknown>> | undefined): RunOrigin {
  const origin = about?.["origin"]
  const { file, scenario } = isJsonObject(origin) ? origin : { file: null, scenario: null }
  return {
    file: typeof file === "string" ? file : null,
    scenario: typeof scenario === "string" ? scenario : scenarioIn(about?.["services"]),
  }
}

/** Reads the scenario from the services that the command line stores: `--scripted FILE`. */
const scenarioIn = (services: unknown): string | null =>
  typeof services === "string" ? (/^--scripted (\S+)$/.exec(services)?.[1] ?? null) : null
