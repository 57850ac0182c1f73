import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as z from "zod"

/**
 * The port and the token of a studio. After a restart, the studio uses them again, so that open
 * tabs and links continue to work.
 */
export interface StudioAddress {
  readonly port: number
  readonly token: string
}

const address = z.object({
  port: z.number().int().min(1).max(65_535),
  token: z.string().min(20),
})

/**
 * Reads the port and token of the previous studio from a file. Returns null if the file is missing
 * or invalid, or if other users can access it. A file from a repository checkout is normally
 * rejected, because other users can read it. This is necessary because another person may know its
 * token.
 */
export function readAddress(file: string): StudioAddress | null {
  try {
    if ((statSync(file).mode & 0o077) !== 0) return null
    const parsed = address.safeParse(JSON.parse(readFileSync(file, "utf8")))
    return parsed.success ? parsed.data : null
  } catch {
    // Without a stored address, the studio chooses another one.
    return null
  }
}

/** Stores the port and token of a studio in a file that only the current user can read. */
export function storeAddress(file: string, stored: StudioAddress): void {
  const temporary = `${file}.${process.pid}.new`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(temporary, JSON.stringify(stored), { mode: 0o600, flag: "w" })
  renameSync(temporary, file)
}

/** Returns a new random token for the API, which is URL-safe. */
export const randomToken = (): string => randomBytes(18).toString("base64url")
