import { isJsonObject } from "../machines/data/json-object.js"

/**
 * Files from which a run was started. They are stored with the run, so that the run is resumed with
 * the same services.
 */
export interface RunOrigin {
  /** Path of the workflow file. Null if it is unknown. */
  readonly file: string | null
  /** Path of the file with scripted responses. Null if the run calls real services. */
  readonly scenario: string | null
  /**
   * Path of the module next to the workflow file that contains the host functions, models and tools
   * of the run. Null if the run uses no such module.
   */
  readonly module: string | null
}

/**
 * Returns the files from which a run was started, according to the `about` value in its journal
 * header. Missing and invalid fields become null, because any program may have written the value.
 */
export function originOf(about: Readonly<Record<string, unknown>> | undefined): RunOrigin {
  const origin = about?.["origin"]
  const { file, scenario, module } = isJsonObject(origin)
    ? origin
    : { file: null, scenario: null, module: null }
  return {
    file: typeof file === "string" ? file : null,
    scenario: typeof scenario === "string" ? scenario : scenarioIn(about?.["services"]),
    module: typeof module === "string" ? module : null,
  }
}

/**
 * Returns the scenario file FILE if `services` is the text `--scripted FILE`. The command line
 * stores this text with a run. Returns null for any other value.
 */
const scenarioIn = (services: unknown): string | null =>
  typeof services === "string" ? (/^--scripted (\S+)$/.exec(services)?.[1] ?? null) : null

/**
 * Returns the command-line options for resuming a run of this origin, for example `--scripted
 * scenario.json`.
 */
export const optionsOf = ({ scenario, module }: RunOrigin): string =>
  [
    ...(scenario === null ? [] : [`--scripted ${scenario}`]),
    ...(module === null ? [] : [`--services ${module}`]),
  ].join(" ")
