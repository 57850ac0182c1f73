import type { RunEvent, RunResult } from "../../machines/contract/run-event.js"
import type { EvalCall } from "../eval-set/eval-set.js"
import type { AgentText, ToolResult, TurnRecord, TurnUsage } from "./case-run.js"

/** Collects the events of a run and divides them into turns. */
export interface TurnRecorder {
  add(event: RunEvent): void
  /** Ends the current turn. `result` contains the text and the session state of the idle run. */
  endTurn(result: Pick<RunResult, "text" | "state">): void
  readonly turns: readonly TurnRecord[]
  readonly allCalls: readonly EvalCall[]
  readonly starts: readonly string[]
  readonly handoffs: number
  /** Whether the conversation waits for the next user message. */
  readonly isBetweenInvocations: boolean
  readonly isFinished: boolean
}

const noTurnUsage: TurnUsage = {
  modelCalls: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  hasTokens: false,
  cost: null,
  durationMs: 0,
}

interface OpenTurn {
  readonly calls: EvalCall[]
  readonly toolResults: ToolResult[]
  readonly agentTexts: AgentText[]
  usage: TurnUsage
}

const openTurn = (): OpenTurn => ({
  calls: [],
  toolResults: [],
  agentTexts: [],
  usage: noTurnUsage,
})

export function turnRecorder(): TurnRecorder {
  const turns: TurnRecord[] = []
  const allCalls: EvalCall[] = []
  const starts: string[] = []
  let handoffs = 0
  let turn = openTurn()
  let isBetweenInvocations = false
  let isFinished = false
  /**
   * Time of the previous event in milliseconds, from which active time is measured. Null if the run
   * was waiting for a person or a message. The waiting time is not counted.
   */
  let activeSince: number | null = null
  const measure = (event: RunEvent): void => {
    if (activeSince !== null)
      turn.usage = {
        ...turn.usage,
        durationMs: turn.usage.durationMs + Math.max(0, event.at - activeSince),
      }
    activeSince = event.at
  }
  return {
    turns,
    allCalls,
    starts,
    get handoffs() {
      return handoffs
    },
    get isBetweenInvocations() {
      return isBetweenInvocations
    },
    get isFinished() {
      return isFinished
    },
    add(event) {
      if (event.type === "run.finished") isFinished = true
      if (event.type === "invocation.finished") isBetweenInvocations = true
      else if (event.type === "user.said") isBetweenInvocations = false
      // Before an answer, the run was idle, so do not count the time since the previous event.
      if (isAnswer(event)) activeSince = null
      measure(event)
      switch (event.type) {
        case "agent.started":
          starts.push(event.agent)
          break
        case "handoff":
          handoffs++
          break
        case "agent.finished":
          if (event.text !== null)
            turn.agentTexts.push({
              agent: event.agent,
              kind: event.kind,
              path: event.path,
              text: event.text,
            })
          break
        case "model.responded": {
          const { answer, path } = event
          const calls = answer.toolCalls.filter(({ name }) => !name.startsWith(requestPrefix))
          allCalls.push(...calls)
          if (!isInsideAgentTool(path)) turn.calls.push(...calls)
          if (answer.usage !== null) {
            const { inputTokens, outputTokens, cost } = answer.usage
            turn.usage = {
              ...turn.usage,
              inputTokens: turn.usage.inputTokens + inputTokens,
              outputTokens: turn.usage.outputTokens + outputTokens,
              hasTokens: true,
              cost: cost === undefined ? turn.usage.cost : (turn.usage.cost ?? 0) + cost,
            }
          }
          break
        }
        case "model.called":
          if (event.attempt === 1)
            turn.usage = { ...turn.usage, modelCalls: turn.usage.modelCalls + 1 }
          break
        case "tool.called":
          if (event.attempt === 1 && !builtInTools.has(event.tool))
            turn.usage = { ...turn.usage, toolCalls: turn.usage.toolCalls + 1 }
          break
        case "tool.finished":
          if (!isInsideAgentTool(event.path))
            turn.toolResults.push({
              id: event.callId,
              name: event.tool,
              response: event.response,
            })
          break
        default:
      }
    },
    endTurn({ text, state }) {
      turns.push({ ...turn, text, state })
      turn = openTurn()
    },
  }
}

/**
 * Built-in tools, which agents have without a declaration. They only control the workflow, so their
 * calls are not recorded as tool calls.
 */
const builtInTools: ReadonlySet<string> = new Set(["transfer_to_agent", "exit_loop"])

/**
 * Name prefix of ADK's internal calls that request credentials or a confirmation. They are not
 * recorded as tool calls.
 */
const requestPrefix = "adk_request_"

const isInsideAgentTool = (path: string): boolean => path.includes("/tool:")

const isAnswer = ({ type }: RunEvent): boolean => type === "human.answered" || type === "user.said"
