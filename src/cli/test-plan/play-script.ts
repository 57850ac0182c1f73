import { createHttpServices, secretsFromEnvironment } from "../../adapters/http/index.js"
import type { RequestRecord } from "../../adapters/scripted/request-record.js"
import {
  scriptedAgents,
  scriptedModels,
  startScriptedService,
} from "../../adapters/scripted/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Workflows } from "../../machines/workflow-agent/called-charts.js"
import { chartsWithCalls } from "../../machines/workflow-agent/called-charts.js"
import type { ModelService } from "../../machines/contract/services.js"
import type { RunEvent, RunResult } from "../../machines/contract/run-event.js"
import type { Journal } from "../../runtime/index.js"
import { createRunner } from "../../runtime/index.js"
import type { PriceOf } from "../../runtime/host/price.js"
import { answerRun } from "./answer-run.js"
import type { HostServices, ScenarioScript } from "./play-choices.js"
import { inputOf } from "./play-choices.js"

export interface PlayScriptOptions {
  readonly services: HostServices
  /** Workflows that agents can call by name. */
  readonly workflows?: Workflows
  /** Models that the user has registered. Scripted models replace them. */
  readonly models?: Readonly<Record<string, ModelService>>
  readonly journal?: Journal
  readonly priceOf?: PriceOf
  /**
   * Called after each event of the run, with the event and all requests so far. Returns true to
   * cancel the run.
   */
  readonly isEnough?: (event: RunEvent, requests: readonly RequestRecord[]) => boolean
  /** Maximum duration of the run in milliseconds. After this time, the run is cancelled. */
  readonly maxMs?: number
}

/** Executes a run with scripted responses and answers, as `run --scripted --answers` does. */
export async function playScript(
  chart: AgentChart,
  {
    llm,
    tools,
    http: nodes = {},
    state,
    answers,
    prompt,
  }: ScenarioScript & { readonly prompt: string },
  { services, workflows = {}, models = {}, isEnough, maxMs, ...options }: PlayScriptOptions,
): Promise<RunResult> {
  const service = await startScriptedService({ llm, tools, http: nodes })
  const http = createHttpServices({
    dispatcher: service.dispatcher(),
    secrets: secretsFromEnvironment({ prefix: "AGENT_SECRET_" }),
  })
  const runner = createRunner({
    http: { ...http, agent: scriptedAgents(http.model) },
    models: Object.assign(
      {},
      ...chartsWithCalls(chart, workflows).map((one) => scriptedModels(one, http.model, models)),
    ),
    services,
    workflows,
    skipWaits: true,
    responseCache: null,
    ...options,
  })
  let timer: NodeJS.Timeout | null = null
  try {
    const remaining = [...answers]
    const run = runner.start(chart, { runId: "plan", ...inputOf(chart, { prompt, state }) })
    const stop = (): void => {
      const { status } = run.snapshot()
      if (status === "running" || status === "waiting") run.cancel()
    }
    if (maxMs !== undefined) timer = setTimeout(stop, maxMs)
    let isDone = false
    const events = run.events$.subscribe((event) => {
      if (isDone || isEnough?.(event, service.requests) !== true) return
      isDone = true
      queueMicrotask(stop)
    })
    try {
      return await answerRun(run, () => (isDone ? null : (remaining.shift() ?? null)))
    } finally {
      events.unsubscribe()
    }
  } finally {
    if (timer !== null) clearTimeout(timer)
    await runner.close()
    await http.close()
    await service.close()
  }
}
