import type { ScriptedService } from "../../adapters/scripted/index.js"
import type { RunEvent } from "../../machines/contract/run-event.js"

/**
 * Advances a script of responses past the calls that the journal of a resumed run records as
 * finished. A call that was in flight is made again and gets the same response.
 */
export function skipAnsweredCalls(
  past: readonly RunEvent[],
  script: Pick<ScriptedService, "skip">,
): void {
  const finishedCalls = new Map<string, number>()
  const open = new Map<string, string>()
  const finish = (call: string): void => {
    const source = open.get(call)
    if (source === undefined) return
    open.delete(call)
    finishedCalls.set(source, (finishedCalls.get(source) ?? 0) + 1)
  }
  for (const event of past) {
    if (event.type === "model.called") open.set(`${event.path} `, `llm ${event.agent}`)
    else if (event.type === "tool.called")
      open.set(`${event.path} ${event.callId}`, `tool ${event.tool}`)
    else if (event.type === "tool.finished") finish(`${event.path} ${event.callId}`)
    else if (
      event.type === "model.responded" ||
      event.type === "model.fallback" ||
      event.type === "agent.finished"
    )
      finish(`${event.path} `)
    else if (event.type === "retry.scheduled") finish(`${event.path} ${event.callId ?? ""}`)
  }
  for (const [source, count] of finishedCalls) {
    const kind = source.startsWith("llm ") ? "llm" : "tool"
    script.skip(kind, source.slice(kind.length + 1), count)
  }
}
