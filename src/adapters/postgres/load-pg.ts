import type { default as Pg } from "pg"
import { notInstalled } from "../not-installed.js"

/**
 * Imports the optional npm package `pg` for an entry point of this package, such as
 * `adapters/journal/postgres`.
 *
 * @throws AgentStatechartsError `package_missing` if the package is not installed
 */
export async function loadPg(entry: string): Promise<typeof Pg> {
  const { default: pg } = await import("pg").catch(notInstalled("pg", "8", entry))
  return pg
}
