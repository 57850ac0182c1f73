import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Plays runs with scripted responses and stores them in a journal folder, in this order. */
export async function recordRuns(agent, runs, folder) {
  const { compile, createRunner } = await import("agent-statecharts")
  const { openFolder } = await import("agent-statecharts/adapters/files")
  const { createHttpServices } = await import("agent-statecharts/adapters/http")
  const { jsonlJournal } = await import("agent-statecharts/adapters/journal/jsonl")
  const { scriptedModels, startScriptedService } =
    await import("agent-statecharts/adapters/scripted")
  const { chart } = compile(
    existsSync(join(agent, "root_agent.yaml")) ? openFolder(agent) : readFileSync(agent, "utf8"),
  )
  const journal = jsonlJournal(folder)
  for (const { runId, messages, answers = [], state, scenario } of runs) {
    const { llm = {}, tools = {} } = scenario
    const service = await startScriptedService({ llm, tools })
    const http = createHttpServices({ dispatcher: service.dispatcher() })
    const runner = createRunner({ http, models: scriptedModels(chart, http.model), journal })
    const run = runner.start(chart, { prompt: messages[0], state, runId })
    try {
      for (const [turn, message] of messages.entries()) {
        if (turn > 0) run.say(message)
        await run.whenSettled()
        for (const answer of answers[turn] ?? []) {
          const [{ id }] = run.pending()
          if (answer.approve)
            run.approve(id, answer.args === undefined ? {} : { args: answer.args })
          else if (answer.reject) run.reject(id, answer.reason)
          else run.answer(id, answer.answer)
          await run.whenSettled()
        }
      }
      await run.give({ type: "end" }).catch((error) => {
        // A run without a further turn has ended by itself.
        if (error.code !== "run_finished") throw error
      })
      await run.result
    } finally {
      await runner.close()
      await service.close()
      await http.close()
    }
  }
}
