import type {
  BaseAgent,
  Event,
  InMemoryRunnerConfig,
  ModelServices,
  Part,
} from "agent-statecharts/adk"
import {
  getFunctionCalls,
  getFunctionResponses,
  InMemoryRunner,
  stringifyContent,
} from "agent-statecharts/adk"
import type { ModelRequest } from "agent-statecharts/machines"

export type Script = Readonly<Record<string, readonly unknown[]>>

export interface Played {
  readonly runner: InMemoryRunner
  readonly requests: ModelRequest[]
  readonly sessionId: string
  /** Sends a text or parts, and returns the resulting events. */
  send(message: string | readonly Part[], stateDelta?: Record<string, unknown>): Promise<Event[]>
  state(): Promise<Record<string, unknown>>
}

/** Returns a model with a list of responses for each calling agent. A response `{ fails }` throws an error. */
function scriptedModel(script: Script, requests: ModelRequest[] = []): ModelServices[string] {
  const left = new Map(Object.entries(script).map(([agent, answers]) => [agent, [...answers]]))
  return {
    async call(request) {
      requests.push(request)
      const answer = left.get(request.agent)?.shift()
      if (answer === undefined) throw new Error(`nothing is scripted for ${request.agent}`)
      if (typeof answer === "object" && answer !== null && "fails" in answer)
        throw new Error(String(answer.fails))
      return answer
    },
  }
}

export const call = (id: string, name: string, args: object = {}) => ({
  toolCalls: [{ id, function_name: name, function_args: args }],
})

export async function play(
  agent: BaseAgent,
  script: Script,
  more: Omit<InMemoryRunnerConfig, "agent"> & { readonly state?: object } = {},
): Promise<Played> {
  const { state = {}, ...config } = more
  const requests: ModelRequest[] = []
  const runner = new InMemoryRunner({
    agent,
    models: { small: scriptedModel(script, requests) },
    ...config,
  })
  const owner = { appName: runner.appName, userId: "ada" }
  const { id: sessionId } = await runner.sessionService.createSession({
    ...owner,
    state: { ...state },
  })
  return {
    runner,
    requests,
    sessionId,
    async send(message, stateDelta = {}) {
      const parts = typeof message === "string" ? [{ text: message }] : message
      const events: Event[] = []
      for await (const event of runner.runAsync({
        userId: "ada",
        sessionId,
        newMessage: { role: "user", parts },
        stateDelta,
      }))
        events.push(event)
      return events
    },
    async state() {
      return (await runner.sessionService.getSession({ ...owner, sessionId }))?.state ?? {}
    },
  }
}

/** Describes an event in one line: `writer: text`, `writer calls search(c1)` or `writer gets search(c1)`. */
export const inWords = (event: Event): string =>
  [
    ...getFunctionCalls(event).map(({ name, id }) => `${event.author} calls ${name}(${id})`),
    ...getFunctionResponses(event).map(({ name, id }) => `${event.author} gets ${name}(${id})`),
    ...(stringifyContent(event) === "" ? [] : [`${event.author}: ${stringifyContent(event)}`]),
    ...(event.actions.escalate === true ? ["escalates"] : []),
    ...(event.actions.transferToAgent === undefined ? [] : [`to ${event.actions.transferToAgent}`]),
  ].join(", ")
