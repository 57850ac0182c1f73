import { createHash } from "node:crypto"
import type { AgentChart } from "../../../machines/agent-chart.js"
import type { OpenDatabase } from "../../sqlite/open-database.js"
import type { statements } from "./schema.js"

/**
 * The charts of the runs of one file, each stored once. By the hash of their text and not by the fingerprint that they claim: a chart that
 * was changed by hand must not become that of other runs.
 */
export class KeptCharts {
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

  read(hash: string): string | undefined {
    return (this.#database.prepared.chart.get(hash) as { readonly chart: string } | undefined)
      ?.chart
  }

  #textOf(chart: AgentChart): { readonly hash: string; readonly text: string } {
    const known = this.#known.get(chart)
    if (known !== undefined) return known
    const text = JSON.stringify(chart)
    const made = { hash: createHash("sha256").update(text).digest("base64url"), text }
    this.#known.set(chart, made)
    return made
  }
}
