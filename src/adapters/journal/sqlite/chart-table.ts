import { createHash } from "node:crypto"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { OpenDatabase } from "../../sqlite/open-database.js"
import { storedBytes, storedText } from "../../sqlite/stored-text.js"
import { corrupt } from "../checksums.js"
import type { statements } from "./schema.js"

/**
 * The SQLite table of charts, which contains each chart only once. The key is the hash of the
 * chart's JSON text. The fingerprint in the chart is not used as the key. If a chart was edited by
 * hand, its fingerprint is wrong, and it could replace the chart of other runs.
 */
export class ChartTable {
  readonly #database: OpenDatabase<keyof typeof statements>
  /** JSON text and hash of each chart. They are computed only once for a chart object. */
  readonly #known = new WeakMap<AgentChart, { readonly hash: string; readonly text: string }>()

  constructor(database: OpenDatabase<keyof typeof statements>) {
    this.#database = database
  }

  hashOf(chart: AgentChart): string {
    return this.#textOf(chart).hash
  }

  /**
   * Stores the statechart of a run unless the same chart is already stored. Must be called inside a
   * transaction.
   */
  keep(chart: AgentChart): void {
    const { hash, text } = this.#textOf(chart)
    const { hasChart, keepChart } = this.#database.prepared
    if (hasChart.get(hash) === undefined) keepChart.run(hash, text)
  }

  /**
   * Deletes the stored statecharts to which no run header refers. Must be called inside a
   * transaction.
   */
  deleteUnused(): void {
    const { prepared } = this.#database
    const unused = new Set(
      (prepared.chartHashes.all() as readonly { readonly hash: unknown }[]).map(({ hash }) =>
        storedText(hash, "the hash of a chart"),
      ),
    )
    for (let last = 0; unused.size > 0;) {
      const headers = prepared.headersAfter.all(last) as readonly {
        readonly run: number
        readonly header: unknown
      }[]
      const end = headers.at(-1)
      if (end === undefined) break
      last = end.run
      // A chart is not deleted if any text in a header looks like a reference to it.
      for (const { header } of headers)
        for (const [, hash = ""] of storedText(header, "a header").matchAll(reference))
          unused.delete(hash)
    }
    for (const hash of unused) prepared.deleteChart.run(hash)
  }

  /**
   * Loads the statechart of a run by the hash of the chart. `ofRun` describes the chart in error
   * messages.
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

/** Matches the reference from a run header to its chart, which is the hash of the chart. */
const reference = /"chart":"([\w-]{43})"/g

const hashOf = (text: string | Buffer): string =>
  createHash("sha256").update(text).digest("base64url")
