import { createHash } from "node:crypto"
import type { Message } from "@a2a-js/sdk"
import type { ServedWorkflow } from "../../workflows/served-workflows.js"

/**
 * Returns the id of the run that an A2A message starts. The id is a hash of the message, so a
 * message that a client sends twice starts only one run.
 */
export function runIdFor({ messageId, contextId, parts }: Message, { id }: ServedWorkflow): string {
  const text = JSON.stringify([id, contextId, messageId, parts])
  return createHash("sha256").update(text).digest("hex").slice(0, 32)
}
