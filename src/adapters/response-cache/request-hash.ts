import { createHash } from "node:crypto"

/** Returns the hash of a request, which is the key of its response in a cache on disk. */
export const requestHash = (request: string): string =>
  createHash("sha256").update(request).digest("hex")
