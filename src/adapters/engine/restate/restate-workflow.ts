import type {
  WorkflowContext,
  WorkflowDefinition,
  WorkflowOptions,
  WorkflowSharedContext,
} from "@restatedev/restate-sdk"
import { AgentStatechartsError } from "../../../errors.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import type { RunResult } from "../../../machines/contract/run-event.js"
import type { RunOrder } from "../../../runtime/engine/execute-run.js"
import { executeRun } from "../../../runtime/engine/execute-run.js"
import { checkMessage } from "../../../runtime/engine/check-message.js"
import { callPerformer } from "../../../runtime/host/call-performer.js"
import type { CallServices } from "../../../runtime/host/call-services.js"
import { loadProgram } from "../../../runtime/program/load-program.js"
import type { Run } from "../../../runtime/run/run.js"
import type { RunMessage } from "../../../runtime/run/run-message.js"
import { runFinishedError, rejectionOf } from "../message-outcome.js"
import { inboxOf, post, reportOutcome, readOutcome } from "./inbox.js"
import { restateCalls } from "./open-calls.js"
import { restateEngine } from "./restate-engine.js"
import { handlers, workflow } from "./sdk.js"
import { storableResult, sendState, receiveState } from "./state-reply.js"
import type { RestateStatus } from "./run-status.js"
import { readResult, readStatus, statusWriter } from "./run-status.js"
import { refusing } from "./terminal-error.js"

/**
 * Input of the Restate workflow that executes a run, for example `{ chart, prompt: "Where is it?"
 * }`. It does not contain the run id, which is the workflow key. It also does not contain a start
 * time, because the run starts at the time of its first execution.
 */
export type RestateOrder = Omit<RunOrder, "runId" | "at">

export interface RestateWorkflowOptions extends CallServices {
  /** Name of the workflow in Restate. Default: `AgentRun`. */
  readonly name?: string
  /**
   * Maximum duration of one attempt of a call, in milliseconds. Restate suspends a run only after
   * it was inactive for one minute longer than this, because a run must not be suspended while a
   * call is in flight. Default: `defaultTimeoutMs`, or five minutes.
   */
  readonly longestCallMs?: number
  /**
   * Called with each run before it starts, for example to subscribe to `events$`. After a crash or
   * a suspension, the run is replayed. This function is then called again, and `events$` emits past
   * events again.
   */
  readonly opened?: (run: Run) => void
  /** Restate options of the workflow, for example the retention time of completed runs. */
  readonly workflow?: WorkflowOptions
}

/**
 * The handlers of the Restate workflow that executes a run and receives its messages and queries.
 */
export interface RestateHandlers {
  /** Executes a run until it ends, and returns its result. The workflow key is the run id. */
  run(ctx: WorkflowContext, order: RestateOrder): Promise<RunResult>
  /**
   * Sends a message to a run, for example an approval. Resolves after the run has accepted the
   * message.
   */
  give(ctx: WorkflowSharedContext, message: RunMessage): Promise<void>
  /**
   * Returns the stored status of a run. The status is updated when pending requests change, when
   * the run becomes active or idle, and when it ends.
   */
  status(ctx: WorkflowSharedContext): Promise<RestateStatus>
  /**
   * Returns the current status of a run together with its state. If Restate has suspended the run,
   * this request resumes it.
   */
  snapshot(ctx: WorkflowSharedContext): Promise<RunResult>
}

const minute = 60_000

/**
 * Creates a Restate workflow that executes charts. Pass it to `serve` of the Restate SDK. The key
 * of the workflow is the run id.
 *
 * @example
 * import { serve } from "@restatedev/restate-sdk"
 * await serve({ services: [restateWorkflow({ http: createHttpServices() })], port: 9080 })
 */
export function restateWorkflow(
  options: RestateWorkflowOptions = {},
): WorkflowDefinition<string, RestateHandlers> {
  const {
    name = "AgentRun",
    longestCallMs = options.defaultTimeoutMs ?? 5 * minute,
    opened,
    workflow: ownOptions,
    ...services
  } = options

  async function run(ctx: WorkflowContext, order: RestateOrder): Promise<RunResult> {
    if (!isJsonObject(order) || !isJsonObject(order.chart))
      throw new AgentStatechartsError(
        "input_refused",
        "the request to start a run must be an object with a chart, as returned by `compile`",
      )
    loadProgram(order.chart)
    const at = await ctx.date.now()
    // Each attempt has its own performer, so that no state of an earlier attempt is used.
    const performer = callPerformer(services)
    const calls = restateCalls(performer)
    const over = ctx.request().attemptCompletedSignal
    const leave = (): void => {
      calls.abort()
      performer.release(ctx.key)
    }
    over.addEventListener("abort", leave, { once: true })
    const [inbox, status] = [inboxOf(ctx), statusWriter(ctx)]
    const engine = restateEngine(ctx, { calls, inbox, status })
    const result = storableResult(
      await executeRun({ ...order, runId: ctx.key, at }, engine, {
        refusal: performer.missing(order.chart),
        ...(opened !== undefined && { opened }),
      }),
    )
    leave()
    status.end(result)
    await inbox.close((entry) => {
      if ("show" in entry) sendState(ctx, entry.show, result)
      if (!("message" in entry)) return
      const tooLate = runFinishedError(ctx.key)
      reportOutcome(ctx, entry.verdict, rejectionOf(tooLate))
      status.refused(entry.message, tooLate)
    })
    return result
  }

  async function requireStatus(ctx: WorkflowSharedContext): Promise<RestateStatus> {
    const status = await readStatus(ctx)
    if (status !== null) return status
    throw new AgentStatechartsError(
      "run_unknown",
      `the run "${ctx.key}" does not exist: it has not started yet, or Restate has removed it after its retention period`,
    )
  }

  async function give(ctx: WorkflowSharedContext, message: RunMessage): Promise<void> {
    checkMessage(await requireStatus(ctx), message)
    const verdict = `verdict:${ctx.rand.uuidv4()}`
    await post(ctx, { message, at: await ctx.date.now(), verdict })
    await readOutcome(ctx, verdict)
  }

  async function snapshot(ctx: WorkflowSharedContext): Promise<RunResult> {
    await requireStatus(ctx)
    const result = await readResult(ctx)
    if (result !== null) return result
    const shown = `shown:${ctx.rand.uuidv4()}`
    await post(ctx, { show: shown })
    return receiveState(ctx, shown)
  }

  const shared = handlers.workflow.shared
  return workflow({
    name,
    handlers: {
      run: handlers.workflow.workflow((ctx: WorkflowContext, order: RestateOrder) =>
        refusing(() => run(ctx, order)),
      ),
      give: shared((ctx: WorkflowSharedContext, message: RunMessage) =>
        refusing(() => give(ctx, message)),
      ),
      status: shared((ctx: WorkflowSharedContext) => refusing(() => requireStatus(ctx))),
      snapshot: shared((ctx: WorkflowSharedContext) => refusing(() => snapshot(ctx))),
    },
    options: {
      inactivityTimeout: longestCallMs + minute,
      abortTimeout: longestCallMs + minute,
      // The number of retries is unlimited. The default policy of Restate stops after 70 attempts.
      retryPolicy: {
        initialInterval: 100,
        exponentiationFactor: 2,
        maxInterval: 10_000,
        maxAttempts: 2 ** 31 - 1,
      },
      ...ownOptions,
    },
  })
}
