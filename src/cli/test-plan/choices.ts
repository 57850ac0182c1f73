import {
  requiredProperties,
  sampleFromSchema,
  samplesOfFields,
} from "../../analysis/worst-case/schema-sample.js"
import { worstCase } from "../../analysis/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { isChecker } from "../../machines/contract/guardrails/guardrails.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { PendingRequest } from "../../machines/contract/pending-request.js"
import { builtInExitLoop, exitLoop } from "../../machines/model-call/built-in-tools.js"
import { transferTool } from "../../machines/model-call/built-in-tools.js"
import type { AnswerEntry } from "../answers/answer-script.js"
import { conditionValues } from "./condition-values.js"
import { nodeChoices } from "./node-choices.js"

/**
 * A possible answer to a call or request of a run, with a description. In a list of choices, the
 * first choice is the default.
 */
export interface Choice<Entry> {
  /** Description of the answer. It becomes a part of the name of a generated test scenario. */
  readonly what: string
  readonly entry: Entry
}

/**
 * Start of a run in a generated test scenario. Contains the initial state, and whether agents
 * respond with values that make conditions true.
 */
export interface RunStart {
  readonly state: JsonObject
  readonly satisfiesConditions: boolean
}

/**
 * All choices that the search for test scenarios tries. These are the possible starts of a run, and
 * the possible answers of models, graph nodes and people.
 */
export interface ChoiceBook {
  readonly starts: readonly Choice<RunStart>[]
  ofModel(agent: string, start: RunStart): readonly Choice<JsonObject>[]
  /** Returns the possible responses to the requests of a graph node. */
  ofNode(node: string): readonly Choice<JsonObject>[]
  ofPerson(request: PendingRequest): readonly Choice<AnswerEntry>[]
  /**
   * Answers that the search for test scenarios tries while a conversation waits for the next user
   * message. Null means no answer.
   */
  readonly whenIdle: readonly Choice<AnswerEntry | null>[]
}

const anyText = "ok"

/**
 * Response of a guardrail model that accepts the checked text. The response `trippedVerdict`
 * rejects the text.
 */
const passedVerdict = JSON.stringify({ tripped: false })
const trippedVerdict = JSON.stringify({ tripped: true })

/**
 * Returns the possible answers that can change the course of a run. Omits answers that lead to the
 * same course. `charts` contains the chart of the run, followed by the charts that it calls.
 */
export function choiceBook(charts: readonly AgentChart[]): ChoiceBook {
  const nodes = new Map(charts.toReversed().flatMap((chart) => [...nodeChoices(chart)]))
  const [own, ...called] = charts.map((chart) => ({ chart, book: bookOfChart(chart) }))
  if (own === undefined) throw new TypeError("a plan needs a chart")
  const bookOf = (agent: string): Omit<ChoiceBook, "ofNode"> =>
    ([own, ...called].find(({ chart }) => Object.hasOwn(chart.agents, agent)) ?? own).book
  return {
    ...own.book,
    ofModel: (agent, start) => bookOf(agent).ofModel(agent, start),
    ofNode: (node) => nodes.get(node) ?? [{ what: "responds", entry: { json: {} } }],
    ofPerson(request) {
      const agent = askingAgent(request)
      return bookOf(agent).ofPerson({ ...request, agent })
    },
  }
}

/**
 * Returns the agent that made a request. If a child run made the request, returns the agent of the
 * child run.
 */
const askingAgent = ({ agent, child }: PendingRequest): string =>
  child === undefined ? agent : (/([^/[~@#]+)[^/]*$/.exec(child.request)?.[1] ?? agent)

function bookOfChart(chart: AgentChart): Omit<ChoiceBook, "ofNode"> {
  const values = conditionValues(chart)
  const satisfying = worstCase(chart, { toolRounds: 0, firstInvocation: true })
  const satisfyingText = (agent: string): string => {
    const content = (Object.hasOwn(satisfying.llm, agent) ? satisfying.llm[agent] : undefined)
      ?.map((entry) => entry["content"])
      .find((text) => typeof text === "string")
    return typeof content === "string" ? content : anyText
  }
  const textOf = (agent: string, { satisfiesConditions }: RunStart): string => {
    const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
    if (isChecker(agent)) return passedVerdict
    const schema = definition?.type === "LlmAgent" ? (definition.adk?.outputSchema ?? null) : null
    if (schema !== null) return JSON.stringify(sampleFromSchema(schema))
    return satisfiesConditions ? satisfyingText(agent) : anyText
  }
  return {
    starts: [
      { what: "default", entry: { state: {}, satisfiesConditions: false } },
      {
        what: "values that satisfy the conditions",
        entry: { state: satisfying.state, satisfiesConditions: true },
      },
      ...values.states.map((state) => ({
        what: `state ${JSON.stringify(state)}`,
        entry: { state, satisfiesConditions: false },
      })),
    ],
    ofModel: (agent, start) =>
      modelChoices(chart, agent, textOf(agent, start), [
        ...(isChecker(agent) ? [trippedVerdict] : schemaTexts(chart, agent)),
        ...values.textsOf(agent),
      ]),
    ofPerson: (request) => [
      ...personChoices(request, values.textsOf(request.agent)),
      { what: "is cancelled", entry: { cancel: true } },
    ],
    whenIdle: [
      { what: "stays idle", entry: null },
      { what: "receives another message", entry: { user: anyText } },
      { what: "ends the conversation", entry: { end: true } },
    ],
  }
}

function modelChoices(
  chart: AgentChart,
  agent: string,
  content: string,
  texts: readonly string[],
): readonly Choice<JsonObject>[] {
  const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
  if (definition?.type !== "LlmAgent") return [{ what: "responds", entry: { content } }]
  const call = (name: string, args: JsonObject): JsonObject => ({
    content: null,
    toolCalls: [{ function_name: name, function_args: args }],
  })
  const tools = definition.tools.filter((id) =>
    ["AgentTool", "ExitLoopTool"].includes(
      (Object.hasOwn(chart.tools, id) ? chart.tools[id] : undefined)?.type ?? "",
    ),
  )
  const argumentsOf = (id: string): JsonObject => {
    const schema = definition.declarations.find((one) => one.function.name === id)?.function
      .parameters
    return isJsonObject(schema) ? requiredProperties(schema) : {}
  }
  return [
    { what: "responds", entry: { content } },
    ...texts
      .filter((text) => text !== content)
      .map((text) => ({ what: `responds ${JSON.stringify(text)}`, entry: { content: text } })),
    { what: "fails", entry: { httpStatus: 400 } },
    { what: exits, entry: { content, exitFlow: true } },
    { what: "escalates", entry: { content, escalate: true } },
    ...definition.transferTargets.map((to) => ({
      what: `hands off to ${to}`,
      entry: call(transferTool, { agent_name: to }),
    })),
    ...tools
      .map((id) => (id === builtInExitLoop ? exitLoop : id))
      .map((name) => ({ what: `calls ${name}`, entry: call(name, argumentsOf(name)) })),
    { what: "waits for the user", entry: { content, waitForUserInput: true } },
  ]
}

/**
 * Returns sample JSON responses that fit the output schema of an agent. Each sample varies one
 * field. Returns an empty array if the agent has no output schema.
 */
function schemaTexts(chart: AgentChart, agent: string): readonly string[] {
  const definition = Object.hasOwn(chart.agents, agent) ? chart.agents[agent] : undefined
  const schema = definition?.type === "LlmAgent" ? (definition.adk?.outputSchema ?? null) : null
  return schema === null ? [] : samplesOfFields(schema).map((sample) => JSON.stringify(sample))
}

/**
 * Description of the choice in which a model response ends the workflow (`exitFlow`). Descriptions
 * of choices are parts of scenario names.
 */
export const exits = "requests an exit"

function personChoices(
  { kind, id, choices, toolCalls }: PendingRequest,
  texts: readonly string[],
): readonly Choice<AnswerEntry>[] {
  switch (kind) {
    case "approval":
      return [
        { what: "is approved", entry: { approve: true, id } },
        { what: "is rejected", entry: { reject: true, id } },
      ]
    case "input":
      return [{ what: "receives a message", entry: { user: anyText, id } }]
    case "tool":
      return [
        {
          what: "receives the result",
          entry: { deliver: toolCalls?.[0]?.id ?? id, result: { done: true } },
        },
      ]
    case "auth":
      return [{ what: "receives a secret", entry: { answer: { secret: "token" }, id } }]
    case "human":
      return (choices ?? [anyText, ...texts.filter((text) => text !== anyText)]).map((answer) => ({
        what: `answers ${JSON.stringify(answer)}`,
        entry: { answer, id },
      }))
  }
}
