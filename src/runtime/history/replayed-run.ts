import { compiledMachines } from "../driver/compiled-machine.js"
import { loadProgram } from "../program/load-program.js"
import { policyGate } from "../policies/policy-gate.js"
import { executePast, type PastParts, type PastRun } from "./execute-past.js"

export type ReplayedParts = Omit<PastParts, "machine" | "policyGate"> &
  // If `machine` is missing, the chart of `header` is compiled.
  Partial<Pick<PastParts, "machine">>

/**
 * Executes a run again from its journal records. Supports every chart, because it includes all
 * features of the runtime, such as policies.
 */
export const pastRun = (parts: ReplayedParts): PastRun =>
  executePast({
    policyGate,
    ...parts,
    machine: parts.machine ?? compiledMachines(loadProgram(parts.header.chart)),
  })
