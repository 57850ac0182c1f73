import type { ScriptedService } from "../../adapters/scripted/index.js"
import type { RunEvent } from "../../machines/contract/run-event.js"

/**
 * Advances a script past the calls that the journal already records as finished, when a run is
 * resumed in another process. A call that was in flight is made again and gets the same answer.
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
