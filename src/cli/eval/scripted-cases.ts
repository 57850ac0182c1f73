import { isJsonObject } from "../../machines/data/json-object.js"
import { CallFailedError, type ModelService } from "../../machines/contract/services.js"
import { readScenario, type Scenario } from "../../adapters/scripted/index.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { readJson } from "../files/read-source.js"

/** Scripted responses of models, tools and the judge for one repetition of an eval case. */
export interface CaseScenario {
  readonly scenario: Scenario
  /** Scripted model that judges responses. Null if the file contains no judge responses. */
  readonly judge: ModelService | null
}

/** Returns the scripted responses for one repetition of an eval case. Repetitions start at 0. */
export type CaseScenarios = (evalId: string, repetition: number) => CaseScenario

/**
 * Reads the scenario file of the command `eval`. It contains one scenario for all cases, or `{
 * cases: { ID: scenario | [scenario, ...] } }` with a scenario for each case or each repetition.
 */
export async function readCaseScenarios(file: string, repeat: number): Promise<CaseScenarios> {
  const json = await readJson(file, "scenario")
  const cases = isJsonObject(json) ? json["cases"] : undefined
  const hasJudge = [json, ...Object.values(isJsonObject(cases) ? cases : {})]
    .flat()
    .some((scenario) => isJsonObject(scenario) && isJsonObject(scenario["judge"]))
  const read = (scenario: unknown, judges: JudgeAnswers, name: string): CaseScenarios =>
    scenarioReader(scenario, hasJudge ? judges : null, name)
  if (cases === undefined) return read(json, {}, file)
  if (!isJsonObject(cases))
    throw invalid(file, "cases must be an object with a scenario by eval id")
  const judges = isJsonObject(json) ? answersIn(json["judge"], file) : {}
  const readers = new Map(
    Object.entries(cases).map(([evalId, entry]) => {
      const name = `${file}, case ${JSON.stringify(evalId)}`
      if (!Array.isArray(entry)) return [evalId, read(entry, judges, name)] as const
      if (entry.length < repeat)
        throw invalid(name, `it has ${entry.length} scenarios, but --repeat is ${repeat}`)
      const all = entry.map((scenario) => read(scenario, judges, name))
      const reader: CaseScenarios = (id, repetition) =>
        // Every repetition has a scenario, because the length was checked.
        (all[repetition] as CaseScenarios)(id, repetition)
      return [evalId, reader] as const
    }),
  )
  const others = read(json, judges, file)
  return (evalId, repetition) => (readers.get(evalId) ?? others)(evalId, repetition)
}

type JudgeAnswers = Readonly<Record<string, readonly unknown[]>>

/**
 * Parses a scenario, which applies to one eval case or to all cases. `judges` contains the scripted
 * judge responses that apply to all cases. It is null if no scenario in the file contains judge
 * responses.
 */
function scenarioReader(json: unknown, judges: JudgeAnswers | null, name: string): CaseScenarios {
  const scenario = readScenario(json, name)
  const own = isJsonObject(json) ? answersIn(json["judge"], name) : {}
  const answers = { ...judges, ...own }
  return () => ({ scenario, judge: judges === null ? null : scriptedJudge(answers) })
}

function answersIn(judge: unknown, name: string): JudgeAnswers {
  if (judge === undefined || judge === null) return {}
  if (!isJsonObject(judge))
    throw invalid(name, "judge must be an object with a list of answers by criterion")
  return Object.fromEntries(
    Object.entries(judge).map(([criterion, answers]) => {
      if (!Array.isArray(answers) || !answers.every(isJudgeAnswer))
        throw invalid(
          name,
          `judge.${criterion} must be a list of texts, responses such as {"content": "..."}, or failed calls such as {"httpStatus": 500}`,
        )
      return [criterion, answers] as const
    }),
  )
}

const isJudgeAnswer = (answer: unknown): boolean =>
  typeof answer === "string" ||
  (isJsonObject(answer) && (Object.hasOwn(answer, "content") || "httpStatus" in answer))

/**
 * Creates a scripted judge model. It answers the calls for each criterion with the responses that
 * the scenario lists for this criterion, in order.
 */
function scriptedJudge(answers: JudgeAnswers): ModelService {
  const positions = new Map<string, number>()
  return {
    async call({ agent }) {
      const position = positions.get(agent) ?? 0
      positions.set(agent, position + 1)
      const answer = answers[agent]?.[position]
      if (typeof answer === "string") return { content: answer }
      const status = isJsonObject(answer) ? answer["httpStatus"] : undefined
      if (isJsonObject(answer) && status === undefined) return answer
      throw new CallFailedError({
        code: answer === undefined ? "scenario_exhausted" : "model_call_failed",
        message:
          answer === undefined
            ? `the scenario has no answer for call ${position + 1} of the judge of ${agent}`
            : `HTTP ${String(status)}`,
        retryable: false,
        ...(typeof status === "number" && { status }),
      })
    },
  }
}

const invalid = (name: string, problem: string): UsageProblem =>
  new UsageProblem(`the scenario ${name} is not valid: ${problem}.`)
