import process from "node:process"
import type { Kind, PropertyName } from "./all-properties.js"
import { tryProperty } from "./all-properties.js"
import { Coverage } from "./coverage.js"

// Checks properties in a separate process, which is killed if it hangs. Arguments: names, separated by commas; dialect; number of
// cases; seed; "quick" to report the first failure without shrinking it.
const [names, dialect, cases, seed, quick] = process.argv.slice(2) as [
  string,
  Kind,
  string,
  string,
  string | undefined,
]

async function trial(name: PropertyName): Promise<void> {
  const coverage = new Coverage()
  try {
    await tryProperty(
      name,
      dialect,
      { cases: Number(cases), seed: Number(seed), isQuick: quick === "quick" },
      coverage,
    )
    console.log(`${name} (${dialect}), ${cases} cases, seed ${seed}: ${coverage}`)
  } catch (error) {
    const { message, cause } = error as Error
    console.error(
      `${message.slice(0, 20_000)}\n${cause instanceof Error ? (cause.stack ?? cause.message).slice(0, 4_000) : ""}`,
    )
    process.exitCode = 1
  }
}

// Bundles for processes that start quickly cannot await at the top level.
void (async () => {
  // The names are those of `properties`.
  for (const name of names.split(",") as PropertyName[]) await trial(name)
})()
