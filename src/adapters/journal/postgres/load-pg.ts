import { notInstalled } from "../../not-installed.js"

export const { default: pg } = await import("pg").catch(
  notInstalled("pg", "8", "adapters/journal/postgres"),
)
