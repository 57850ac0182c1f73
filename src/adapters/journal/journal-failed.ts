import { AgentStatechartsError } from "../../errors.js"
import { sqliteErrorCode } from "../sqlite/error-code.js"

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EFBIG: "the file has reached its maximum size",
  EROFS: "it is read-only",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  ENOTDIR: "a part of its path is not a folder",
  EMFILE: "too many files are open",
  SQLITE_FULL: "the disk is full",
  SQLITE_READONLY: "it is read-only",
  SQLITE_BUSY: "another process has locked it for too long",
  SQLITE_CANTOPEN: "it cannot be opened",
  SQLITE_IOERR: "the disk reported an error",
  SQLITE_NOTADB: "it is not a database",
}

/**
 * Converts an error of the file system or the database to an `AgentStatechartsError` of the
 * journal. `what` is the start of the message and describes the failed operation.
 */
export function journalFailed(what: string, cause: unknown): AgentStatechartsError {
  if (cause instanceof AgentStatechartsError) return cause
  const { code, message } =
    cause instanceof Error
      ? (cause as NodeJS.ErrnoException)
      : { code: undefined, message: String(cause) }
  if (code !== undefined && generalCode(code) === "SQLITE_CORRUPT")
    return new AgentStatechartsError(
      "journal_corrupt",
      `${what}: the file is damaged (${message}). Restore it from a backup`,
      { cause },
    )
  const reason = code === undefined ? undefined : (reasons[code] ?? reasons[generalCode(code)])
  return new AgentStatechartsError(
    "journal_failed",
    `${what}: ${reason === undefined ? message : `${reason} (${code})`}`,
    { cause },
  )
}

function generalCode(code: string): string {
  // libsql has no names for some extended codes.
  const unnamed = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code)?.[1]
  return unnamed === undefined ? code.split("_", 2).join("_") : sqliteErrorCode(Number(unnamed))
}
