import { once } from "node:events"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parentPort, Worker, workerData } from "node:worker_threads"
import { thisPackage } from "../../adapters/package-folder.js"
import { AgentStatechartsError, type ErrorCode, thrownMessage } from "../../errors.js"
import { withFaultPlayer } from "../../faults/certify.js"
import type { FaultRun } from "../../faults/check/fault-run.js"
import type { Fault } from "../../faults/contract/fault.js"
import type { FaultPlayer } from "../../faults/play-faults.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { type CertifiedWorkflow, withCertifyOptions } from "./certify-options.js"

/**
 * Message from the main thread to a worker thread. Contains the fault to inject into the next run,
 * or null to stop the worker.
 */
type Task = Fault | null

/**
 * Message from a worker thread to the main thread. Contains the result of a run, or the error that
 * the run threw.
 */
type Played =
  | { readonly type: "played"; readonly run: FaultRun }
  | { readonly type: "failed"; readonly error: SentError }

/** Error in a form that can be sent between threads. An `Error` object would lose its class. */
interface SentError {
  readonly message: string
  readonly stack: string | null
  /**
   * Code of an `AgentStatechartsError`, or `usage` for a `UsageProblem`. Null for any other error.
   */
  readonly code: ErrorCode | "usage" | null
}

/**
 * Default number of worker threads (option `--jobs`). It is the number of cores minus one, at least
 * 1.
 */
const defaultJobs = Math.max(1, availableParallelism() - 1)

/**
 * Expected total duration of all runs in milliseconds, above which worker threads are faster than
 * the main thread.
 */
const worthwhileMs = 4_000

/**
 * Size of V8's young generation in a worker thread, in megabytes. All objects of a long run fit
 * into this size. With Node's default size, garbage collection takes up to a third of the time.
 */
const youngMemoryMb = 192

/**
 * Creates the worker threads that execute runs with injected faults. Returns null if the main
 * thread executes the runs. A worker must load the program first, so short runs are executed in the
 * main thread, unless `--processes` is set or `--jobs` is greater than 1.
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

/** Executes runs with injected faults in a worker thread. The thread starts with the first run. */
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
 * Executes the runs that the main thread requests, until the main thread sends null. Then ends this
 * worker thread.
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

/**
 * Yields the faults that the main thread sends to this worker, until the main thread sends null.
 */
async function* tasksOf(port: NonNullable<typeof parentPort>): AsyncIterable<Fault> {
  for (;;) {
    const [task] = (await once(port, "message")) as [Task]
    if (task === null) return
    yield task
  }
}

const sentError = (cause: unknown): SentError => ({
  message: thrownMessage(cause),
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
