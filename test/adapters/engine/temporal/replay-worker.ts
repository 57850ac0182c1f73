import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { RunResult } from "../../../../src/machines/contract/run-event.js"
import { isBuilt } from "../../../cli/command.js"
import type { HistoryEvent } from "./history.js"

const folder = fileURLToPath(new URL("../../../../engines/temporal/", import.meta.url))
/** Packages that are installed for these tests only. */
export const installed = createRequire(join(folder, "package.json"))

const isInstalled = existsSync(join(folder, "node_modules/@temporalio/worker/package.json"))
export const isReady = isInstalled && isBuilt
export const whyNot = isInstalled
  ? "dist is not built"
  : "the worker of Temporal is not installed: npm run test:temporal"

/** The part of the worker package that is used here. Its own types are only installed together with it. */
interface WorkerPackage {
  readonly Runtime: { install(options: object): void }
  readonly DefaultLogger: new (
    level: string,
    log: (entry: { readonly message: string }) => void,
  ) => object
  bundleWorkflowCode(options: object): Promise<{ readonly code: string }>
  readonly Worker: {
    runReplayHistory(
      options: object,
      history: { readonly events: readonly HistoryEvent[] },
      workflowId: string,
    ): Promise<void>
  }
}

export interface Replayed {
  /** Null if the replay did not reach the end of the workflow. */
  readonly result: RunResult | null
  readonly refused: readonly string[]
  /** Why the history was refused. Null if it matches the workflow. */
  readonly error: Error | null
}

/** Returns a function that replays a history with Temporal's real worker and a bundled workflow, without a server. */
export async function replayWorker(): Promise<
  (history: readonly HistoryEvent[], workflowId: string) => Promise<Replayed>
> {
  const worker = installed("@temporalio/worker") as WorkerPackage
  // The caller receives each refusal, so nothing is printed to the console.
  worker.Runtime.install({
    logger: new worker.DefaultLogger("ERROR", () => {}),
    telemetryOptions: { logging: { filter: "off", console: {} } },
  })
  const workflowBundle = await worker.bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL("./workflows.mjs", import.meta.url)),
    logger: new worker.DefaultLogger("ERROR", ({ message }) => {
      throw new Error(message)
    }),
    // Here, the package is installed both in this repository and next to the worker. A program has one copy.
    webpackConfigHook: (config: { readonly resolve: { readonly alias: object } }) => ({
      ...config,
      resolve: {
        ...config.resolve,
        alias: {
          ...config.resolve.alias,
          "@temporalio/workflow": join(folder, "node_modules/@temporalio/workflow"),
        },
      },
    }),
  })
  return async (events, workflowId) => {
    let result: RunResult | null = null
    const refused: string[] = []
    const sinks = {
      probe: {
        finished: {
          callDuringReplay: true,
          fn: (_: unknown, finished: RunResult) => void (result = finished),
        },
        refused: {
          callDuringReplay: true,
          fn: (_: unknown, message: string) => void refused.push(message),
        },
      },
    }
    const error = await worker.Worker.runReplayHistory(
      { workflowBundle, sinks },
      { events },
      workflowId,
    ).then(
      () => null,
      (cause: Error) => cause,
    )
    return { result, refused, error }
  }
}
