import type { Command } from "commander"
import { repeatableOption } from "./repeatable-option.js"

/** Command-line options for policies that are checked during a run. */
export interface PolicyOptions {
  /** Paths of the policy files. */
  readonly policy?: readonly string[]
  readonly enforce?: boolean
}

/** Adds the options `--policy` and `--enforce` to a command. */
export const withPolicies = (command: Command): Command =>
  command
    .addOption(repeatableOption("--policy <file>", "policy file whose violations are reported"))
    .option("--enforce", "stop calls that would violate a policy before they are made")
