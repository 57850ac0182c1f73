import type { Attributes } from "@opentelemetry/api"
import type { EmittedEvent } from "../../../machines/contract/run-event.js"

/**
 * Returns the attributes with which a run event is recorded as an event of the enclosing span.
 * Returns null if the run event is not recorded or has its own span. The attributes contain names,
 * numbers and ids, but no content of messages.
 */
export function spanEventAttributes(event: EmittedEvent): Attributes | null {
  switch (event.type) {
    case "agent.skipped":
      return { "gen_ai.agent.name": event.agent, "agent_statecharts.condition": event.when }
    case "handoff":
      return {
        "agent_statecharts.handoff.from": event.from,
        "agent_statecharts.handoff.to": event.to,
      }
    case "edge.followed":
      return {
        "agent_statecharts.edge.from": event.from,
        "agent_statecharts.edge.to": event.to,
        ...(event.route !== null && { "agent_statecharts.edge.route": event.route }),
      }
    case "loop.iterated":
      return { "agent_statecharts.loop.iteration": event.iteration }
    case "loop.ended":
      return {
        "agent_statecharts.loop.reason": event.reason,
        "agent_statecharts.loop.iterations": event.iterations,
      }
    case "machine.entered":
      return { "agent_statecharts.machine.states": [...event.states] }
    case "parallel.expanded":
      return { "agent_statecharts.branches.count": event.count }
    case "parallel.settled":
      return {
        "agent_statecharts.branches.successes": event.successes,
        "agent_statecharts.branches.failures": event.failures,
        "agent_statecharts.branches.cancelled": [...event.cancelled],
      }
    case "parallel.joined":
      return {
        "agent_statecharts.branches.merged": [...event.merged],
        "agent_statecharts.branches.dropped": [...event.dropped],
      }
    case "context.compacted":
      return {
        "agent_statecharts.compaction.reason": event.reason,
        "agent_statecharts.compaction.messages": event.messages,
        "agent_statecharts.compaction.kept": event.kept,
        "agent_statecharts.compaction.tokens_before": event.tokensBefore,
        "agent_statecharts.compaction.tokens_after": event.tokensAfter,
      }
    case "guardrail.passed":
    case "guardrail.tripped":
      return {
        "agent_statecharts.guardrail.name": event.guardrail,
        "agent_statecharts.guardrail.on": event.on,
        ...(event.type === "guardrail.tripped" && {
          "agent_statecharts.guardrail.action": event.action,
        }),
      }
    case "retry.scheduled":
      return {
        "agent_statecharts.attempt": event.attempt,
        "agent_statecharts.retry.until": event.until,
        "error.type": event.error.code,
      }
    case "model.fallback":
      return {
        ...(event.from !== null && { "agent_statecharts.fallback.from": event.from }),
        "agent_statecharts.fallback.to": event.to,
        "error.type": event.error.code,
      }
    case "human.asked":
    case "user.awaited":
      return {
        "agent_statecharts.request.id": event.request.id,
        "agent_statecharts.request.kind": event.request.kind,
      }
    case "human.answered":
    case "user.said":
      return { "agent_statecharts.request.id": event.id }
    case "request.expired":
      return {
        "agent_statecharts.request.id": event.id,
        "agent_statecharts.request.on_expiry": event.onExpiry,
      }
    case "policy.violated":
    case "policy.refused":
      return { "agent_statecharts.policy": event.policy }
    case "deadline.passed":
      return { "agent_statecharts.deadline.ms": event.ms }
    case "host.step":
      return {
        "agent_statecharts.step": event.step,
        "agent_statecharts.step.name": event.name,
        "agent_statecharts.step.ok": event.ok,
      }
    case "host.emitted":
      return { "agent_statecharts.emitted": event.name }
    case "condition.failed":
      return { "agent_statecharts.condition": event.condition }
    case "artifact.saved":
      return { "agent_statecharts.artifact": event.name }
    case "warning":
      return {}
    default:
      return null
  }
}
