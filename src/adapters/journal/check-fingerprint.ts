import { createHash } from "node:crypto"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { fingerprintText } from "../../machines/contract/fingerprint-text.js"
import { corrupt } from "./checksums.js"

/**
 * Checks that a chart matches its fingerprint, which is the SHA-256 hash of its content. If a chart
 * was stored without a checksum, this is the only check that detects damage. `place` is the
 * location of the chart for the error message.
 *
 * @throws AgentStatechartsError `journal_corrupt` if the chart does not match
 */
export function checkFingerprint(chart: AgentChart, place: string): void {
  const fingerprint = createHash("sha256").update(fingerprintText(chart)).digest("hex")
  if (fingerprint === chart.fingerprint) return
  throw corrupt(
    `the chart in ${place} does not match its fingerprint: it was damaged, or edited without a new fingerprint. Restore it from a backup; if the edit is intended, set its fingerprint to ${fingerprint}`,
  )
}
