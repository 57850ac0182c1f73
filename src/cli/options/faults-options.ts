import type { Command } from "commander"
import { InvalidArgumentError, Option } from "commander"
import { repeatableOption } from "./repeatable-option.js"
import type { FaultKind } from "../../faults/contract/fault.js"
import { faultKinds } from "../../faults/contract/fault.js"
import { type HostOptions, withHostOptions } from "./host-options.js"
import { maxResponseBytesOption, secretsOption } from "./service-options.js"
import { parseWholeNumber } from "./whole-number.js"
import type { WorkflowOptions } from "./workflow-options.js"
import { withServices, withWorkflowOptions } from "./workflow-options.js"

/** Command-line options of `faults`, which injects faults into runs. */
export interface FaultsOptions extends WorkflowOptions, HostOptions {
  readonly scripted?: string
  readonly answers?: string
  readonly secrets?: string
  readonly prices?: string
  readonly maxResponseBytes?: number
  readonly prompt?: string
  readonly state?: string
  readonly context?: string
  readonly kinds?: readonly FaultKind[]
  readonly only?: { readonly kind: FaultKind; readonly index: number | null }
  readonly most: number
  readonly policy: readonly string[]
  readonly against?: string
  readonly out?: string
  readonly json?: boolean
  readonly processes?: boolean
  readonly jobs?: number
  /**
   * Internal option. `worker` means that this process is a worker thread of `--jobs`. Any other
   * value means that this is a child process of `--processes`. The value is then the run to
   * execute, as JSON.
   */
  readonly child?: string
}

export const withFaultsOptions = (command: Command): Command =>
  withHostOptions(withServices(withWorkflowOptions(command)))
    .option(
      "--scripted <file>",
      "scenario file with the responses of models and tools; its field notIdempotent names services that ignore the Idempotency-Key",
    )
    .option("--answers <file>", "JSON file with answers to requests, in order")
    .option("-p, --prompt <text>", "first user message (default: the prompt in the config)")
    .option("--state <json>", "values to add to the initial state: a JSON object or @file")
    .option("--context <json>", "values for the context of a graph: a JSON object or @file")
    .addOption(secretsOption())
    .option("--prices <file>", "JSON file with the price of a million tokens of each model")
    .addOption(maxResponseBytesOption())
    .option("--kinds <list>", "kinds of faults to inject, such as timeout,late", kindList)
    .option(
      "--only <fault>",
      "inject only the faults of a kind, or a single fault such as kill-before@3",
      singleFault,
    )
    .option(
      "--most <runs>",
      "maximum number of runs with a fault; more places are sampled evenly",
      parseWholeNumber,
      5000,
    )
    .addOption(
      repeatableOption(
        "--policy <file>",
        "policy file: a policy that holds without faults must hold with every fault",
      ).default([], "none"),
    )
    .option(
      "--against <file>",
      "certificate to compare with; a different certificate exits with code 1",
    )
    .option(
      "-o, --out <path>",
      "write the certificate to this .json file, or the certificate and a script for each finding to this folder",
    )
    .option("--json", "print the certificate as JSON")
    .option(
      "--processes",
      "kill real processes with SIGKILL and store their runs on disk, for kill-before and kill-after (slower)",
    )
    .option(
      "--jobs <number>",
      "number of runs at a time, in worker threads (default: all cores but one)",
      parseWholeNumber,
    )
    .addOption(new Option("--child <run>").hideHelp())

function kindNamed(text: string): FaultKind {
  const kind = faultKinds.find((known) => known === text)
  if (kind === undefined)
    throw new InvalidArgumentError(
      `"${text}" is not a kind of fault. The kinds are: ${faultKinds.join(", ")}.`,
    )
  return kind
}

const kindList = (text: string): readonly FaultKind[] =>
  text.split(",").map((kind) => kindNamed(kind.trim()))

function singleFault(text: string): NonNullable<FaultsOptions["only"]> {
  const [, kind = text, index] = /^([^@]*)@(\d{1,9})$/.exec(text) ?? []
  return { kind: kindNamed(kind), index: index === undefined ? null : Number(index) }
}
