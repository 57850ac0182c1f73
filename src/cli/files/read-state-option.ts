import { parseJson, readJson } from "./read-source.js"
import { UsageProblem } from "../errors/usage-problem.js"

/** Parses the JSON object of `--state`, given as text or as `@file`. */
export async function readStateOption(
  given: string | undefined,
): Promise<Record<string, unknown> | undefined> {
  if (given === undefined) return undefined
  const value = given.startsWith("@")
    ? await readJson(given.slice(1), "state file")
    : parseJson(given, "--state")
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageProblem(`--state must be a JSON object such as {"city":"Tokyo"}, or @file.`)
  return value as Record<string, unknown>
}
