/** Returns the code of a system error, such as `ENOENT`, or `unknown` if the error has no code. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "unknown"
