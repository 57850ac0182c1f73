import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js"
import { join } from "node:path"
import type { Paint } from "../terminal/paint.js"
import type { ConfigSource } from "../files/read-source.js"
import { oneLine, safeText } from "../terminal/untrusted-text.js"

/** Name of a config in messages, and the folder of its files. */
type ConfigName = Pick<ConfigSource, "name" | "folder">

/**
 * What is wrong, where, and what to do:
 *
 *     unknown_agent at /agents/1/subAgents/0/agentId (workflow.json:14:20)
 *       "improve" refers to the agent "critc", which does not exist.
 *       Did you mean "critic"?
 */
export function diagnosticText(
  { code, severity, message, fix, pointer, line, column, file: own }: Diagnostic,
  { name: config, folder }: ConfigName,
  paint: Paint,
): string {
  const colour = { error: paint.error, warning: paint.warning, hint: paint.active }[severity]
  const name = severity === "error" ? code : `${severity}: ${code}`
  const file = own === undefined ? config : join(folder ?? "", own)
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
  // The config may come from an untrusted source, so every text is escaped.
  const head = `${colour(name)} at ${oneLine(pointer === "" ? "/" : pointer)} ${paint.dim(`(${oneLine(place)})`)}`
  return [
    head,
    ...safeText(`${message}\n${fix}`)
      .split("\n")
      .map((text) => `  ${text}`),
  ].join("\n")
}

/** Returns for example `1 error, 2 warnings`. Hints are counted only if they are shown. */
export function countText(
  diagnostics: readonly Pick<Diagnostic, "severity">[],
  hints: boolean,
): string {
  const severities = ["error", "warning", ...(hints ? (["hint"] as const) : [])] as const
  const counts = severities.map(
    (severity) =>
      [severity, diagnostics.filter((each) => each.severity === severity).length] as const,
  )
  return counts
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}${count === 1 ? "" : "s"}`)
    .join(", ")
}
