import type { AnyStateMachine } from "xstate"
import { isJsonObject } from "../../../machines/data/json-object.js"

/**
 * An XState machine that a MachineAgent runs. `input` computes the input of the machine from the
 * session state. If `input` is missing, the input contains the state keys that the config names.
 */
export interface MachineService {
  readonly machine: AnyStateMachine
  readonly input?: (state: Record<string, unknown>) => unknown
}

/**
 * Returns true if a value is an XState machine. Machines that another copy of the XState package
 * created are also recognized.
 */
export const isStateMachine = (value: unknown): value is AnyStateMachine =>
  isJsonObject(value) &&
  typeof value["provide"] === "function" &&
  typeof value["getStateNodeById"] === "function" &&
  "implementations" in value

/**
 * Returns a registered service as a `MachineService`, or null if the service is not an XState
 * machine.
 */
export function machineServiceOf(service: unknown): MachineService | null {
  if (isStateMachine(service)) return { machine: service }
  if (!isJsonObject(service)) return null
  const { machine, input } = service
  if (!isStateMachine(machine) || (input !== undefined && typeof input !== "function")) return null
  // The cast is safe: the fields were checked above.
  return service as unknown as MachineService
}
