import { once } from "node:events"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parentPort, Worker, workerData } from "node:worker_threads"
import { thisPackage } from "../../adapters/package-folder.js"
import { AgentStatechartsError, type ErrorCode, wordsOf } from "../../errors.js"
import { withFaultPlayer } from "../../faults/certify.js"
import type { FaultRun } from "../../faults/check/fault-run.js"
import type { Fault } from "../../faults/contract/fault.js"
import type { FaultPlayer } from "../../faults/play-faults.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { type CertifiedWorkflow, withCertifyOptions } from "./certify-options.js"

/**
 * A message from the main thread to a worker thread: the fault to inject in the next run, or null
 * to stop.
 */
type Task = Fault | null

/**
 * A message from a worker thread to the main thread: the result of a run, or the error that it
 * threw.
 */
type Played =
  | { readonly type: "played"; readonly run: FaultRun }
  | { readonly type: "failed"; readonly error: SentError }

/**
 * An error in a form that can be sent between threads. A sent Error object would lose its class.
 */
interface SentError {
  readonly message: string
  readonly stack: string | null
  /** The code of an AgentStatechartsError, or `usage` for a UsageProblem. null: any other error. */
  readonly code: ErrorCode | "usage" | null
}

/** Default of `--jobs`: the number of cores minus one, at least 1. */
const defaultJobs = Math.max(1, availableParallelism() - 1)

/**
 * Expected total duration of all runs, in milliseconds, above which worker threads are faster than
 * the main thread.
 */
const worthwhileMs = 4_000

/**
 * Size of V8's young generation in a worker thread, in megabytes. All objects of a long run fit
 * into it. With Node's default size, garbage collection takes up to a third of the time.
 */
const youngMemoryMb = 192

/**
 * Returns the worker threads that play the runs, or null to play them in this thread. Because a
 * worker must load the program first, short runs are played in this thread, unless `--processes` is
 * set or `--jobs` is greater than 1.
 */
export function playersOf(
  workflow: CertifiedWorkflow,
  runs: number,
  runMs: number,
): readonly FaultPlayer[] | null {
  const { jobs, scripted, answers, processes = false } = workflow.options
  // Stdin can only be read once.
  if (scripted === "-" || answers === "-") return null
  const count = Math.min(jobs ?? defaultJobs, runs)
  const isConcurrent = count > 1 && (jobs !== undefined || processes)
  if (!isConcurrent && runs * runMs <= worthwhileMs) return null
  return Array.from({ length: count }, () => new FaultWorker(workflow))
}

/**
 * A player that executes runs in a worker thread. The thread starts when the first run is played.
 */
class FaultWorker implements FaultPlayer {
  readonly #workflow: CertifiedWorkflow
  #worker: Worker | null = null

  constructor(workflow: CertifiedWorkflow) {
    this.#workflow = workflow
  }

  play(fault: Fault): Promise<FaultRun> {
    const worker = (this.#worker ??= startWorker(this.#workflow))
    return new Promise((resolve, reject) => {
      const end = (then: () => void): void => {
        worker.off("message", played).off("error", failed).off("exit", exited)
        then()
      }
      const played = (message: Played): void =>
        end(() =>
          message.type === "played" ? resolve(message.run) : reject(receivedError(message.error)),
        )
      const failed = (cause: unknown): void => end(() => reject(cause))
      const exited = (code: number): void =>
        end(() =>
          reject(
            new AgentStatechartsError("internal", `its worker thread ended with code ${code}`),
          ),
        )
      worker.on("message", played).on("error", failed).on("exit", exited)
      worker.postMessage(fault satisfies Task)
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    // A worker that has failed has ended.
    if (worker === null || worker.threadId === -1) return
    const exit = once(worker, "exit")
    worker.postMessage(null satisfies Task)
    await exit
  }
}

const startWorker = (workflow: CertifiedWorkflow): Worker =>
  new Worker(join(thisPackage().folder, "dist/cli/main.js"), {
    argv: ["faults", workflow.file, "--child", "worker"],
    workerData: workflow,
    resourceLimits: { maxYoungGenerationSizeMb: youngMemoryMb },
  })

/**
 * Plays the runs that the main thread requests, until the main thread sends null. Then ends this
 * thread.
 */
export async function playInWorker(): Promise<never> {
  const port = parentPort
  if (port === null) throw new UsageProblem("--child is an internal option of faults.")
  const send = (message: Played): void => port.postMessage(message)
  // The cast is safe: `startWorker` has passed it.
  await withCertifyOptions(workerData as CertifiedWorkflow, (options) =>
    withFaultPlayer(options, async (player) => {
      for await (const fault of tasksOf(port))
        try {
          send({ type: "played", run: await player.play(fault) })
        } catch (cause) {
          send({ type: "failed", error: sentError(cause) })
        }
    }),
  )
  // A module of the program may have started timers, which would keep the thread alive.
  process.exit()
}

/** Yields the tasks of a worker, until the worker receives null. */
async function* tasksOf(port: NonNullable<typeof parentPort>): AsyncIterable<Fault> {
  for (;;) {
    const [task] = (await once(port, "message")) as [Task]
    if (task === null) return
    yield task
  }
}

const sentError = (cause: unknown): SentError => ({
  message: wordsOf(cause),
  stack: cause instanceof Error ? (cause.stack ?? null) : null,
  code:
    cause instanceof AgentStatechartsError
      ? cause.code
      : cause instanceof UsageProblem
        ? "usage"
        : null,
})

function receivedError({ message, stack, code }: SentError): Error {
  const error =
    code === null
      ? new Error(message)
      : code === "usage"
        ? new UsageProblem(message)
        : new AgentStatechartsError(code, message)
  if (stack !== null) error.stack = stack
  return error
}
