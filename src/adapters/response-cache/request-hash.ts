import { createHash } from "node:crypto"

/**
 * Returns the SHA-256 hash of a model request as a hexadecimal string. The hash is the key of the
 * response in a cache on disk.
 */
export const requestHash = (request: string): string =>
  createHash("sha256").update(request).digest("hex")
