import type { ChartCompatibility } from "../../runtime/index.js"
import type { Terminal } from "../terminal/terminal.js"
import { commandName } from "../terminal/command-name.js"
import { oneLine, shellWord } from "../terminal/untrusted-text.js"

/** Result of `check --against`, which compares a workflow with an older version of it. */
export interface CheckedAgainst extends ChartCompatibility {
  /** Path of the old workflow file. */
  readonly file: string
}

/**
 * Formats the result of `check --against` as lines of text. `file` is the path of the edited
 * workflow.
 */
export function againstLines(
  { file: old, verdict, relevant }: CheckedAgainst,
  file: string,
  { paint }: Pick<Terminal, "paint">,
): readonly string[] {
  const name = oneLine(old)
  if (verdict === "identical") return [`  ${paint.success("✔")} equal to ${name}`]
  if (verdict === "adoptable")
    return [`  ${paint.success("✔")} every open run of ${name} can continue with this workflow`]
  return [
    `  ${paint.warning("?")} it depends on its records whether an open run of ${name} can continue with this workflow`,
    ...relevant.map((line) => `    ${oneLine(line)}`),
    `    Classify the runs with: ${commandName()} migrate --to ${shellWord(file)} --dry-run`,
  ]
}
