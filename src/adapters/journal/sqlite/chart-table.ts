import { createHash } from "node:crypto"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { OpenDatabase } from "../../sqlite/open-database.js"
import { storedBytes } from "../../sqlite/stored-text.js"
import { corrupt } from "../checksums.js"
import type { statements } from "./schema.js"

/**
 * The charts of the runs of one file, each stored once. By the hash of their text and not by the fingerprint that they claim: a chart that
 * was changed by hand must not become that of other runs.
 */
export class ChartTable {
  readonly #database: OpenDatabase<keyof typeof statements>
  /** As they were when a run was first started with them, which is what a runner runs too. */
  readonly #known = new WeakMap<AgentChart, { readonly hash: string; readonly text: string }>()
  readonly #stored = new Set<string>()

  constructor(database: OpenDatabase<keyof typeof statements>) {
    this.#database = database
  }

  hashOf(chart: AgentChart): string {
    return this.#textOf(chart).hash
  }

  /** Stores the chart, within a transaction, unless it is there. */
  keep(chart: AgentChart): void {
    const { hash, text } = this.#textOf(chart)
    if (!this.#stored.has(hash)) this.#database.prepared.keepChart.run(hash, text)
  }

  /** The transaction with it is committed. */
  isStored(hash: string): void {
    this.#stored.add(hash)
  }

  /** @throws AgentStatechartsError `journal_corrupt` for a chart that is missing or not the one of this hash. */
  read(hash: string, ofRun: string): AgentChart {
    const row = this.#database.prepared.chart.get(hash) as { readonly chart: unknown } | undefined
    if (row === undefined) throw corrupt(`the chart ${ofRun} is missing. Restore it from a backup`)
    const text = storedBytes(row.chart, `the chart ${ofRun}`)
    if (hashOf(text) !== hash)
      throw corrupt(
        `the chart ${ofRun} does not match its hash: it was changed. Restore it from a backup`,
      )
    return JSON.parse(text.toString("utf8")) as AgentChart
  }

  #textOf(chart: AgentChart): { readonly hash: string; readonly text: string } {
    const known = this.#known.get(chart)
    if (known !== undefined) return known
    const text = JSON.stringify(chart)
    const made = { hash: hashOf(text), text }
    this.#known.set(chart, made)
    return made
  }
}

const hashOf = (text: string | Buffer): string =>
  createHash("sha256").update(text).digest("base64url")
