import { createHash } from "node:crypto"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { OpenDatabase } from "../../sqlite/open-database.js"
import { storedBytes } from "../../sqlite/stored-text.js"
import { corrupt } from "../checksums.js"
import type { statements } from "./schema.js"

/**
 * Stores each chart only once per database, by the hash of its JSON text. The fingerprint in a
 * chart is not used as the key. A chart that was edited by hand can therefore not replace the chart
 * of other runs.
 */
export class ChartTable {
  readonly #database: OpenDatabase<keyof typeof statements>
  /** JSON text and hash of each chart, computed when a run was first started with the chart. */
  readonly #known = new WeakMap<AgentChart, { readonly hash: string; readonly text: string }>()
  readonly #stored = new Set<string>()

  constructor(database: OpenDatabase<keyof typeof statements>) {
    this.#database = database
  }

  hashOf(chart: AgentChart): string {
    return this.#textOf(chart).hash
  }

  /** Stores a chart unless it is already stored. Must be called inside a transaction. */
  keep(chart: AgentChart): void {
    const { hash, text } = this.#textOf(chart)
    if (!this.#stored.has(hash)) this.#database.prepared.keepChart.run(hash, text)
  }

  /** Records that a chart is stored. Call this after the transaction was committed. */
  isStored(hash: string): void {
    this.#stored.add(hash)
  }

  /**
   * Loads a chart by its hash.
   *
   * @throws AgentStatechartsError `journal_corrupt` if the chart is missing or does not match its
   * hash
   */
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
