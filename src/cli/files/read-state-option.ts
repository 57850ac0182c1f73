import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { parseJson, readJson } from "./read-source.js"
import { UsageProblem } from "../errors/usage-problem.js"

/** Parses the JSON object of `--state`, option as text or as `@file`. */
export async function readStateOption(option: string | undefined): Promise<JsonObject | undefined> {
  if (option === undefined) return undefined
  const value = option.startsWith("@")
    ? await readJson(option.slice(1), "state file")
    : parseJson(option, "--state")
  if (!isJsonObject(value))
    throw new UsageProblem(
      `--state must be a JSON object such as {"city":"Tokyo"}, or @FILE with the name of a JSON file.`,
    )
  return value
}
