import process from "node:process"

/**
 * Maximum CPU time of one condition, in milliseconds. The step limit keeps conditions below 50 ms.
 * Garbage collection and compilation of the code may add to that on a busy machine.
 */
export const maxCpuTime = 500

/** Returns the CPU time of this process during a call, in milliseconds. */
export function cpuTimeOf(call: () => void): number {
  const before = process.cpuUsage()
  call()
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1000
}
