import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { parseJson, readJson } from "./read-source.js"
import { UsageProblem } from "../errors/usage-problem.js"

/**
 * Parses the value of an option such as `--state`, which is a JSON object or `@file` with the path
 * of a JSON file. Returns undefined if the option is not set.
 */
export async function readStateOption(
  option: string | undefined,
  name = "--state",
): Promise<JsonObject | undefined> {
  if (option === undefined) return undefined
  const value = option.startsWith("@")
    ? await readJson(option.slice(1), `${name.slice(2)} file`)
    : parseJson(option, name)
  if (!isJsonObject(value))
    throw new UsageProblem(
      `${name} must be a JSON object such as {"city":"Tokyo"}, or @FILE with the name of a JSON file.`,
    )
  return value
}
