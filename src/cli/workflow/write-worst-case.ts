import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { worstCase } from "../../analysis/index.js"
import { shellWord } from "../terminal/untrusted-text.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"

/**
 * Writes the scripted responses and answers of the run with the most model calls to files. Returns
 * the options of `run` that select these files, as command-line arguments.
 */
export function writeWorstCase(chart: AgentChart, toolRounds: number, folder: string): string {
  const { llm, tools, state, answers } = worstCase(chart, { toolRounds, firstInvocation: true })
  mkdirSync(folder, { recursive: true })
  const write = (name: string, value: unknown): string => {
    const file = join(folder, name)
    writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
    return file
  }
  const scenario = write("scenario.json", { llm, tools })
  const otherOptions = [
    ...(Object.keys(state).length === 0 ? [] : ["--state", `@${write("state.json", state)}`]),
    ...(answers.length === 0 ? [] : ["--answers", write("answers.json", answers)]),
  ]
  return ["--scripted", scenario, ...otherOptions].map(shellWord).join(" ")
}
