import type { Command } from "commander"

/** Command-line options for the policies of runs. */
export interface PolicyOptions {
  /** Policy files. */
  readonly policy?: readonly string[]
  readonly enforce?: boolean
}

/** Adds the options for the policies of runs to a command. */
export const withPolicies = (command: Command): Command =>
  command
    .option(
      "--policy <file>",
      "policy file whose violations are reported; repeatable",
      (file: string, files: readonly string[] = []) => [...files, file],
    )
    .option("--enforce", "stop calls that would violate a policy before they are made")
