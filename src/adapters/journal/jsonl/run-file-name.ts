import { createHash } from "node:crypto"

/** File names that Windows reserves for devices, regardless of their extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/

/**
 * Returns the file name for a run id, without an extension. If all characters of the id are safe,
 * the name is the id. Otherwise, the name contains the safe characters and a hash of the id. The
 * hash makes the name unique, even on case-insensitive file systems.
 */
export function runFileName(runId: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,79}$/.test(runId) && !devices.test(runId)) return runId
  const plain = runId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
  return `${plain}~${createHash("sha256").update(JSON.stringify(runId)).digest("hex").slice(0, 32)}`
}
