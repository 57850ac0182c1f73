/** Formats a problem in a JSON file with its location, such as `schedules[0].cron: must be ...`. */
export const problemAt = (path: readonly PropertyKey[], message: string): string =>
  `${
    path.length === 0
      ? "the file"
      : path
          .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
          .join("")
          .replace(/^\./, "")
  }: ${message.replace(/^Invalid input: /, "")}`
