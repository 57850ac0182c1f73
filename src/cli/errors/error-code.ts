/** Returns the code of a system error, such as `ENOENT`. Errors without a code return `unknown`. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "unknown"
