import type { AnyStateMachine } from "xstate"
import { isJsonObject } from "../../../machines/data/json-object.js"

/**
 * An XState machine that a MachineAgent runs. `input` computes the input of the machine from the
 * session state. If it is missing, the input comes from the state keys in the config.
 */
export interface MachineService {
  readonly machine: AnyStateMachine
  readonly input?: (state: Record<string, unknown>) => unknown
}

/**
 * Returns whether a value is an XState machine, even if another copy of the XState package created
 * it.
 */
export const isStateMachine = (value: unknown): value is AnyStateMachine =>
  isJsonObject(value) &&
  typeof value["provide"] === "function" &&
  typeof value["getStateNodeById"] === "function" &&
  "implementations" in value

/** Returns a service as a `MachineService`, or null if it is not an XState machine. */
export function machineServiceOf(service: unknown): MachineService | null {
  if (isStateMachine(service)) return { machine: service }
  if (!isJsonObject(service)) return null
  const { machine, input } = service
  if (!isStateMachine(machine) || (input !== undefined && typeof input !== "function")) return null
  // The cast is safe: the fields were checked above.
  return service as unknown as MachineService
}
