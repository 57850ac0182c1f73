import type { CompiledCondition } from "../../expression/index.js"
import type { MachineLibrary } from "../../machines/registry/machine-definition.js"
import { coreMachines } from "../../machines/registry/core-machines.js"
import type { policyGate } from "../policies/policy-gate.js"
import type { FeatureName } from "../program/feature-missing.js"
import type { ChartFeatures } from "../program/program.js"
import type { CallerParts, IsAbandoned } from "./abandoned-run.js"
import type { CalledRuns, RunOpener } from "./called-runs.js"

/** Functions that execute the child runs of a runner and that find abandoned child runs. */
export interface ChildRunSupport {
  createCalledRuns(opener: RunOpener): CalledRuns
  abandonedRuns(parts: CallerParts): IsAbandoned
}

/** A part of the runtime that only some charts need. */
export interface RuntimeFeature {
  readonly name: FeatureName
}

/** A feature with its implementation. */
export interface FeatureParts extends RuntimeFeature {
  readonly machines?: MachineLibrary
  readonly compileCondition?: (source: string) => CompiledCondition
  readonly policyGate?: typeof policyGate
  readonly childRuns?: ChildRunSupport
}

/** The features of a runner. */
export interface RuntimeFeatures extends ChartFeatures {
  /** Creates the policy gate of a run; null if runs cannot have policies. */
  readonly policyGate: typeof policyGate | null
  /** Executes child runs; null if agents cannot call other workflows. */
  readonly childRuns: ChildRunSupport | null
}

/** Combines features with the parts of the runtime that every runner has. */
export function featuresOf(features: readonly FeatureParts[]): RuntimeFeatures {
  const machines: Record<string, MachineLibrary[string]> = { ...coreMachines }
  let compileCondition: RuntimeFeatures["compileCondition"] = null
  let policyGate: RuntimeFeatures["policyGate"] = null
  let childRuns: RuntimeFeatures["childRuns"] = null
  for (const feature of features) {
    Object.assign(machines, feature.machines)
    compileCondition = feature.compileCondition ?? compileCondition
    policyGate = feature.policyGate ?? policyGate
    childRuns = feature.childRuns ?? childRuns
  }
  return { machines, compileCondition, policyGate, childRuns }
}
