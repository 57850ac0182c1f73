import type {
  CallIdentity,
  ModelRequest,
  ModelService,
  ToolRequest,
  ToolService,
} from "../../src/machines/contract/services.js"
import { CallFailedError } from "../../src/machines/contract/services.js"

export type Script = Readonly<Record<string, readonly unknown[]>>

export interface ScriptedServices {
  readonly http: { readonly model: ModelService; readonly tool: ToolService }
  /** The requests to models, in order. */
  readonly modelCalls: ModelRequest[]
  readonly toolCalls: ToolRequest[]
}

/** Returns the status of the response `{ status }`, which is an HTTP error, or null for other responses. */
const failureOf = (answer: unknown): number | null =>
  typeof answer === "object" && answer !== null && "status" in answer
    ? (answer.status as number)
    : null

/**
 * Returns services in this process with scripted responses for each agent and each tool. The last response is repeated. `delay`
 * can delay a response.
 */
export function scriptedServices(
  models: Script,
  tools: Script = {},
  delay: (request: CallIdentity) => Promise<void> = async () => {},
): ScriptedServices {
  const modelCalls: ModelRequest[] = []
  const toolCalls: ToolRequest[] = []
  const next = new Map<string, number>()
  const answer = async (
    script: Script,
    kind: string,
    id: string,
    request: CallIdentity,
  ): Promise<unknown> => {
    const answers = script[id] ?? []
    const nth = next.get(kind + id) ?? 0
    next.set(kind + id, nth + 1)
    await delay(request)
    const found = answers[Math.min(nth, answers.length - 1)]
    const status = failureOf(found)
    if (status !== null) {
      const retryable = status === 429 || status >= 500
      throw new CallFailedError({
        code: "model_call_failed",
        message: `HTTP ${status}`,
        retryable,
        status,
      })
    }
    return found
  }
  return {
    modelCalls,
    toolCalls,
    http: {
      model: {
        call(request) {
          modelCalls.push(request)
          return answer(models, "model ", request.agent, request)
        },
      },
      tool: {
        call(request) {
          toolCalls.push(request)
          return answer(tools, "tool ", request.tool, request)
        },
      },
    },
  }
}
