import { createHash } from "node:crypto"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { fingerprintText } from "../../machines/contract/fingerprint-text.js"
import { corrupt } from "./checksums.js"

/**
 * Checks that a chart, its graph nodes and its called workflows match their fingerprints, which are
 * SHA-256 hashes of their content. If a chart was stored without a checksum, this is the only check
 * that detects damage. `location` names the chart in the error message.
 *
 * @throws AgentStatechartsError `journal_corrupt` if a chart does not match
 */
export function checkFingerprint(chart: AgentChart, location: string): void {
  const { charts = {}, workflows = {}, ...own } = chart
  for (const [key, inner] of [...Object.entries(charts), ...Object.entries(workflows)])
    checkFingerprint(inner, `${location}, workflow ${JSON.stringify(key)}`)
  const fingerprint = hashOf(fingerprintText(chart))
  // Earlier versions computed fingerprints without graph nodes and called workflows.
  if (fingerprint === chart.fingerprint || hashOf(fingerprintText(own)) === chart.fingerprint)
    return
  throw corrupt(
    `the chart in ${location} does not match its fingerprint: it was damaged, or edited without a new fingerprint. Restore it from a backup; if the edit is intended, set its fingerprint to ${fingerprint}`,
  )
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")
