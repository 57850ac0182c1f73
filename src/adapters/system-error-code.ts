/**
 * Returns the `code` of an error of Node or SQLite, such as `ENOENT`. Returns undefined if the
 * error has no code.
 */
export const systemErrorCode = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined
