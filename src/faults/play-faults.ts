import { thrownMessage } from "../errors.js"
import type { FaultRun } from "./check/fault-run.js"
import { type Fault, faultName } from "./contract/fault.js"

/**
 * Executes runs with one fault, one run at a time. The player runs in this thread or in a worker
 * thread.
 */
export interface FaultPlayer {
  play(fault: Fault): Promise<FaultRun>
  /** Releases the resources of the player. Call it only when no run is being executed. */
  close(): Promise<void>
}

/** Thrown if a run with a fault cannot be executed. `cause` contains the original error. */
export class FaultRunError extends Error {
  override readonly name = "FaultRunError"

  constructor(fault: Fault, cause: unknown) {
    super(`the run with the fault ${faultName(fault)} cannot be played: ${thrownMessage(cause)}`, {
      cause,
    })
  }
}

/**
 * Executes one run for each fault. Each player, for example a worker thread, executes one run at a
 * time. Returns the runs in the order of the faults, with null for each run that was not executed.
 * `onProgress` is called before each run with the number of finished runs. If it returns false, no
 * more runs are started.
 *
 * @throws FaultRunError for the first fault in the list whose run cannot be executed
 */
export async function playFaults(
  faults: readonly Fault[],
  players: readonly FaultPlayer[],
  onProgress: (done: number, total: number) => boolean,
): Promise<readonly (FaultRun | null)[]> {
  const runs: (FaultRun | null)[] = faults.map(() => null)
  const errors = new Map<number, FaultRunError>()
  let [next, done, isStopped] = [0, 0, false]
  const playWith = async (player: FaultPlayer): Promise<void> => {
    for (;;) {
      isStopped ||= next === faults.length || !onProgress(done, faults.length)
      if (isStopped) return
      const index = next++
      const fault = faults[index]
      if (fault === undefined) return
      try {
        runs[index] = await player.play(fault)
      } catch (cause) {
        errors.set(index, new FaultRunError(fault, cause))
        isStopped = true
      }
      done++
    }
  }
  try {
    await Promise.all(players.map(playWith))
  } finally {
    await Promise.all(players.map((player) => player.close()))
  }
  const first = errors.get(Math.min(...errors.keys()))
  if (first !== undefined) throw first
  return runs
}
