import { createHash } from "node:crypto"

/** Names that Windows keeps for devices, whatever their ending. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/

/**
 * A file name for a run id, always the same one. Plain ids are their own names; of others what is plain is kept for people, and
 * a digest tells them apart, also where a file system does not tell `r` from `R`.
 */
export function runFileName(runId: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,79}$/.test(runId) && !devices.test(runId)) return runId
  const plain = runId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
  return `${plain}~${createHash("sha256").update(JSON.stringify(runId)).digest("hex").slice(0, 32)}`
}
