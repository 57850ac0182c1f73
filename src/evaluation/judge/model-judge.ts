import type { Runner } from "../../runtime/index.js"
import { eventsSoFar } from "../../runtime/run/events-so-far.js"
import { usageByAgent } from "../../runtime/index.js"
import type { Judge } from "./judge.js"
import { judgeChart } from "./judge-chart.js"

/** Numbers of calls and tokens that a judge model has used so far. */
export interface JudgeUsage {
  calls: number
  tokens: number
}

/**
 * Creates a judge that sends its questions to a model. Each question is a run of a workflow with
 * one agent, which has the name of the criterion. Judge calls are therefore retried and cancelled
 * like the calls of other agents.
 */
export function modelJudge(
  runner: Runner,
  { usage, signal }: { readonly usage: JudgeUsage; readonly signal?: AbortSignal },
): Judge {
  return {
    async ask(question) {
      const run = runner.start(judgeChart(question), { prompt: JSON.stringify(question.material) })
      const cancel = (): void => run.cancel()
      signal?.addEventListener("abort", cancel)
      if (signal?.aborted === true) cancel()
      try {
        const { status, text } = await run.result
        for (const { modelCalls, inputTokens, outputTokens } of Object.values(
          usageByAgent(eventsSoFar(run)),
        )) {
          usage.calls += modelCalls
          usage.tokens += inputTokens + outputTokens
        }
        if (status !== "completed") return null
        run.end()
        return text ?? ""
      } finally {
        signal?.removeEventListener("abort", cancel)
      }
    },
  }
}
