import type { Runner } from "../../runtime/index.js"
import { eventsSoFar } from "../../runtime/run/events-so-far.js"
import { usageByAgent } from "../../runtime/index.js"
import type { Judge } from "./judge.js"
import { judgeChart } from "./judge-chart.js"

/** The usage of the calls of a judge. */
export interface JudgeUsage {
  calls: number
  tokens: number
}

/**
 * Returns a judge that asks a model. Each question is a run of a workflow with one agent, so a call
 * of the judge is retried and stopped like a call of an agent. The agent has the name of the
 * criterion.
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
