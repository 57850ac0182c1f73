import { createHash } from "node:crypto"

/** Returns the key under which a cache on disk stores the response to a request. */
export const requestHash = (request: string): string =>
  createHash("sha256").update(request).digest("hex")
