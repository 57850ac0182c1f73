import { createHash } from "node:crypto"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { fingerprintText } from "../../machines/contract/fingerprint-text.js"
import { corrupt } from "./checksums.js"

/**
 * Checks a chart against its fingerprint. This is the only protection of charts stored without a
 * checksum.
 *
 * @throws AgentStatechartsError `journal_corrupt`.
 */
export function checkFingerprint(chart: AgentChart, place: string): void {
  const fingerprint = createHash("sha256").update(fingerprintText(chart)).digest("hex")
  if (fingerprint === chart.fingerprint) return
  throw corrupt(
    `the chart in ${place} does not match its fingerprint: it was damaged, or edited without a new fingerprint. Restore it from a backup; if the edit is intended, set its fingerprint to ${fingerprint}`,
  )
}
