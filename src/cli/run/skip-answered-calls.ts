import type { ScriptedService } from "../../adapters/scripted/index.js"
import type { RunEvent } from "../../machines/contract/run-event.js"

/**
 * Passes over what a script has answered already when its run is taken up in another process: every attempt whose end is in
 * the journal. What was in flight is asked again, and answered by the same entry.
 */
export function skipAnsweredCalls(
  past: readonly RunEvent[],
  script: Pick<ScriptedService, "skip">,
): void {
  const played = new Map<string, number>()
  const open = new Map<string, string>()
  const ends = (call: string): void => {
    const of = open.get(call)
    if (of === undefined) return
    open.delete(call)
    played.set(of, (played.get(of) ?? 0) + 1)
  }
  for (const event of past) {
    if (event.type === "model.called") open.set(`${event.path} `, `llm ${event.agent}`)
    else if (event.type === "tool.called")
      open.set(`${event.path} ${event.callId}`, `tool ${event.tool}`)
    else if (event.type === "tool.finished") ends(`${event.path} ${event.callId}`)
    else if (event.type === "model.responded" || event.type === "agent.finished")
      ends(`${event.path} `)
    else if (event.type === "retry.scheduled")
      ends(`${event.path} ${/\/tool:([^/]*)$/.exec(event.of)?.[1] ?? ""}`)
  }
  for (const [of, count] of played) {
    const kind = of.startsWith("llm ") ? "llm" : "tool"
    script.skip(kind, of.slice(kind.length + 1), count)
  }
}
