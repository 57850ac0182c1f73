import { readFile } from "node:fs/promises"
import { createHttpServices } from "agent-statecharts/adapters/http"
import { scriptedModels, startScriptedService } from "agent-statecharts/adapters/scripted"
import { createRunner } from "agent-statecharts/runtime"
import { chart, code } from "./load-workflow.mjs"

/**
 * Runs the workflow with the responses of scenario.json. The answers are the answers of people, in
 * the order of their requests. Returns the result and the requests that the models received.
 */
export async function playScenario(answers = []) {
  const scenario = JSON.parse(await readFile("scenario.json", "utf8"))
  const service = await startScriptedService(scenario)
  const http = createHttpServices({ dispatcher: service.dispatcher() })
  const runner = createRunner({ ...code, http, models: scriptedModels(chart, http.model) })
  try {
    const run = runner.start(chart)
    let result = await run.whenSettled()
    for (const answer of answers) {
      const [request] = run.pending()
      if (request === undefined) throw new Error(`No request is pending for the answer ${answer}.`)
      run.answer(request.id, answer)
      result = await run.whenSettled()
    }
    return { result, requests: [...service.requests] }
  } finally {
    await runner.close()
    await http.close()
    await service.close()
  }
}
