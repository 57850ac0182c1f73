import type { LoopExitReason, Outcome, RunEvent } from "../../machines/contract/run-event.js"
import { describeRequest } from "./describe-request.js"

/**
 * Describes a run event as a sentence without a subject, for example `calls search
 * {"city":"Tokyo"}`. The subject is the agent or the run. `shorten` is applied to each quoted text.
 */
export function describeEvent(event: RunEvent, shorten: (text: string) => string): string {
  const json = (value: unknown): string => shorten(JSON.stringify(value) ?? "")
  const withText = (words: string, text: string | null): string =>
    text === null || text === "" ? words : `${words}: ${shorten(text)}`
  type NodeFinished = Extract<RunEvent, { type: "node.finished" }>
  const nodeOutput = ({ error, output }: NodeFinished): string =>
    error !== undefined
      ? `failed: ${shorten(error.message)}`
      : output === undefined
        ? "ended without an output"
        : `has the output ${json(output)}`
  const taskResult = ({ state, result }: NodeFinished): string =>
    `${state === "executed" ? "finished" : "failed"}${result === undefined ? "" : `: ${json(result["error"] ?? result["data"])}`}`
  switch (event.type) {
    case "run.started":
      return withText("run started", event.prompt)
    case "run.finished":
      return withText(
        event.result.status === "limit" ? "run reached a limit" : `run ${event.result.status}`,
        event.result.error?.message ?? null,
      )
    case "invocation.finished":
      return withText("invocation finished", event.text)
    case "agent.started":
      return "started"
    case "agent.skipped":
      return `skipped, because this condition is false: ${shorten(event.when)}`
    case "agent.finished":
      return withText(outcomeWords[event.outcome], event.error?.message ?? event.text)
    case "checkpoint":
      return `completed ${counted(event.completedSubAgents, "sub-agent", "sub-agents")}`
    case "model.called":
      return `calls ${event.model === undefined ? "its model" : `the model ${event.model}`} with ${counted(event.messages, "message", "messages")}${attemptOf(event)}`
    case "model.delta":
      return `receives text from its model: ${shorten(event.text)}`
    case "model.waiting":
      return `waits for its model (${event.limit}${event.until === null ? "" : `, until ${new Date(event.until).toISOString()}`})`
    case "model.responded": {
      const { content, toolCalls, cached, cacheError } = event.answer
      const source =
        cached !== undefined
          ? " (from the cache)"
          : cacheError !== undefined
            ? ` (the cache failed: ${shorten(cacheError)})`
            : ""
      const requested = toolCalls.map(({ name }) => name).join(", ")
      if (content === null || content === "")
        return `${requested === "" ? "responded without a text" : `requested tool calls: ${requested}`}${source}`
      return `responded${source}: ${shorten(content)}${requested === "" ? "" : `; requested tool calls: ${requested}`}`
    }
    case "model.fallback":
      return `will call the fallback model ${event.to} after an error: ${shorten(event.error.message)}`
    case "retry.scheduled":
      return `will retry (attempt ${event.attempt}) after an error: ${shorten(event.error.message)}`
    case "context.compacted":
      return `summarized ${counted(event.messages, "message", "messages")} and kept ${event.kept} (${event.tokensBefore} tokens before, ${event.tokensAfter} after)`
    case "guardrail.passed":
      return `passed the ${event.on} guardrail ${event.guardrail}`
    case "guardrail.tripped":
      return withText(
        `tripped the ${event.on} guardrail ${event.guardrail} (${event.action})`,
        event.reason,
      )
    case "tool.called":
      return `calls ${event.tool} ${json(event.arguments)}${attemptOf(event)}`
    case "tool.finished":
      return `received the result of ${event.tool}: ${json(event.response)}`
    case "state.changed":
      return [
        ...Object.entries(event.set).map(([key, value]) => `set ${key} to ${json(value)}`),
        ...event.removed.map((key) => `removed ${key}`),
      ].join("; ")
    case "artifact.saved":
      return `saved the artifact ${event.name}`
    case "handoff":
      return `hands off to ${event.to}`
    case "edge.followed":
      return `continues from ${event.from} to ${event.to}${event.route === null ? "" : ` (route ${shorten(event.route)})`}`
    case "node.started":
      return "started"
    case "node.finished":
      return event.state === undefined ? nodeOutput(event) : taskResult(event)
    case "node.skipped":
      return `was skipped (${event.reason})`
    case "forEach.expanded":
      return `starts the body for ${counted(event.count, "item", "items")}`
    case "machine.entered":
      return `is in ${event.states.join(", ")}`
    case "loop.iterated":
      return `starts iteration ${event.iteration + 1}`
    case "loop.ended":
      return `ended after ${counted(event.iterations, "iteration", "iterations")} (${loopReasons[event.reason] ?? event.reason})`
    case "parallel.expanded":
      return `starts a branch for each of ${counted(event.count, "item", "items")}`
    case "parallel.settled":
      return `completed after ${counted(event.successes, "successful branch", "successful branches")}, cancelled ${event.cancelled.length}`
    case "parallel.joined":
      return `joined ${counted(event.merged.length, "branch", "branches")}${event.dropped.length === 0 ? "" : `, dropped ${event.dropped.length}`}`
    case "human.asked":
    case "user.awaited":
      return withText(describeRequest(event.request, shorten), event.request.prompt)
    case "human.answered":
      return `received the answer ${json(event.answer)}`
    case "user.said":
      return `received the message: ${shorten(event.text)}`
    case "request.expired":
      return `received no answer in time: the request ${event.id} expired`
    case "policy.violated":
      return `${event.message.replace(`the run violates the policy "${event.policy}"`, `violated the policy "${event.policy}"`)} (line ${event.line})`
    case "policy.refused":
      return event.tool === undefined
        ? `refused: ${event.message}`
        : `may not call ${event.tool}: ${event.message}`
    case "deadline.passed":
      return `exceeded its maximum duration of ${event.ms} ms`
    case "condition.failed":
      return `failed to evaluate the condition ${shorten(event.condition)}: ${shorten(event.message)}`
    case "host.step":
      return `${event.ok ? "completed" : "failed in"} the step ${event.name}`
    case "host.emitted":
      return withText(`emitted ${event.name}`, JSON.stringify(event.data) ?? null)
    case "warning":
      return `warning: ${event.message}`
  }
}

const outcomeWords: Readonly<Record<Outcome, string>> = {
  done: "finished",
  exited: "finished and requested an exit",
  escalated: "finished and escalated",
  handedOff: "finished after a handoff",
  failed: "failed",
  limited: "reached a limit",
  stopped: "was stopped",
}

/** Explanations why a loop has ended, by the field `reason` of the event. */
const loopReasons: Readonly<Record<LoopExitReason, string>> = {
  exit_condition: "the exit condition is true",
  max_agent_loop_iterations: "the maximum is reached",
  escalate: "a sub-agent escalated",
}

const attemptOf = ({ attempt }: { readonly attempt: number }): string =>
  attempt === 1 ? "" : ` (attempt ${attempt})`

const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`
