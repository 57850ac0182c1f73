import type { CompiledCondition } from "../../expression/index.js"
import type { MachineLibrary } from "../../machines/registry/machine-definition.js"
import { coreMachines } from "../../machines/registry/core-machines.js"
import type { performMachine } from "../host/user-machine/perform-machine.js"
import type { policyGate } from "../policies/policy-gate.js"
import type { FeatureName } from "../program/feature-missing.js"
import type { ChartFeatures } from "../program/program.js"
import type { CallerParts, IsAbandoned } from "./abandoned-run.js"
import type { CalledRuns, RunOpener } from "./called-runs.js"

/** The functions that a runner needs to execute child runs and to find abandoned child runs. */
export interface ChildRunSupport {
  createCalledRuns(opener: RunOpener): CalledRuns
  abandonedRuns(parts: CallerParts): IsAbandoned
}

/** An optional part of the runtime, which only some charts need. Pass it to `createCoreRunner`. */
export interface RuntimeFeature {
  readonly name: FeatureName
}

/** A feature together with the functions and machines that implement it. */
export interface FeatureParts extends RuntimeFeature {
  readonly machines?: MachineLibrary
  /** Whether `machines` can summarize conversations. */
  readonly summarizes?: true
  readonly compileCondition?: (source: string) => CompiledCondition
  readonly performMachine?: typeof performMachine
  readonly policyGate?: typeof policyGate
  readonly childRuns?: ChildRunSupport
}

/** The features of a runner, combined with the parts that every runner has. */
export interface RuntimeFeatures extends ChartFeatures {
  /** Executes the XState machines of MachineAgents; null if runs cannot have MachineAgents. */
  readonly performMachine: typeof performMachine | null
  /** Creates the object that applies a run's policies; null if runs cannot have policies. */
  readonly policyGate: typeof policyGate | null
  /** Executes child runs; null if agents cannot call other workflows. */
  readonly childRuns: ChildRunSupport | null
}

/** Combines optional features with the parts of the runtime that every runner has. */
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
