import type { AnyStateMachine } from "xstate"
import { isJsonObject } from "../../../machines/data/json-object.js"

/**
 * An XState machine that a MachineAgent runs. `input` returns the input of the machine from the
 * session state. It replaces the keys in the config.
 */
export interface MachineService {
  readonly machine: AnyStateMachine
  readonly input?: (state: Record<string, unknown>) => unknown
}

/**
 * Returns whether a value is an XState machine. The check does not depend on the copy of XState
 * that created the machine.
 */
export const isStateMachine = (value: unknown): value is AnyStateMachine =>
  isJsonObject(value) &&
  typeof value["provide"] === "function" &&
  typeof value["getStateNodeById"] === "function" &&
  "implementations" in value

/** Returns a service as the service of a machine, or null if it is not one. */
export function machineServiceOf(service: unknown): MachineService | null {
  if (isStateMachine(service)) return { machine: service }
  if (!isJsonObject(service) || !isStateMachine(service["machine"])) return null
  // The fields were checked above.
  return service as unknown as MachineService
}
