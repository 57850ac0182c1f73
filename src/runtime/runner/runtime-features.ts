import type { CompiledCondition } from "../../expression/index.js"
import type { MachineLibrary } from "../../machines/registry/machine-definition.js"
import { coreMachines } from "../../machines/registry/core-machines.js"
import type { performMachine } from "../host/user-machine/perform-machine.js"
import type { policyGate } from "../policies/policy-gate.js"
import type { FeatureName } from "../program/feature-missing.js"
import type { ChartFeatures } from "../program/program.js"
import type { CallerParts, IsAbandoned } from "./abandoned-run.js"
import type { CalledRuns, RunOpener } from "./called-runs.js"

/**
 * Functions that a runner needs to execute child runs (runs of workflows that an agent calls), and
 * to find child runs whose caller no longer waits for them.
 */
export interface ChildRunSupport {
  createCalledRuns(opener: RunOpener): CalledRuns
  abandonedRuns(parts: CallerParts): IsAbandoned
}

/** An optional feature of the runtime that only some charts need. Pass it to `createCoreRunner`. */
export interface RuntimeFeature {
  readonly name: FeatureName
}

/** An optional feature, together with the functions and machines that implement it. */
export interface FeatureParts extends RuntimeFeature {
  readonly machines?: MachineLibrary
  /** True if `machines` contains the machines that summarize conversations. */
  readonly summarizes?: true
  readonly compileCondition?: (source: string) => CompiledCondition
  readonly performMachine?: typeof performMachine
  readonly policyGate?: typeof policyGate
  readonly childRuns?: ChildRunSupport
}

/** All features of a runner: the optional features, and the parts that every runner has. */
export interface RuntimeFeatures extends ChartFeatures {
  /**
   * Executes the XState machines of MachineAgents. null if charts with a MachineAgent are not
   * supported.
   */
  readonly performMachine: typeof performMachine | null
  /**
   * Creates the object that checks a run against its policies. null if policies are not supported.
   */
  readonly policyGate: typeof policyGate | null
  /** Executes child runs. null if calls of other workflows are not supported. */
  readonly childRuns: ChildRunSupport | null
}

/**
 * Combines optional features with the machines that every runner has. Parts of missing features are
 * null or false.
 */
export function featuresOf(features: readonly FeatureParts[]): RuntimeFeatures {
  const machines: Record<string, MachineLibrary[string]> = { ...coreMachines }
  let summarizes = false
  let compileCondition: RuntimeFeatures["compileCondition"] = null
  let performMachine: RuntimeFeatures["performMachine"] = null
  let policyGate: RuntimeFeatures["policyGate"] = null
  let childRuns: RuntimeFeatures["childRuns"] = null
  for (const feature of features) {
    Object.assign(machines, feature.machines)
    summarizes = feature.summarizes ?? summarizes
    compileCondition = feature.compileCondition ?? compileCondition
    performMachine = feature.performMachine ?? performMachine
    policyGate = feature.policyGate ?? policyGate
    childRuns = feature.childRuns ?? childRuns
  }
  return { machines, summarizes, compileCondition, performMachine, policyGate, childRuns }
}
