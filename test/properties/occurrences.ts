import type { Frame, Occurrence } from "../../src/policies/occurrence.js"
import type { Told } from "./play.js"

/** Names of agents in a path, such as `root/rounds[2]/writer~2@3`. */
const agentOf = (segment: string): string => segment.replace(/(?:~\d+|\[\d+\]|@\d+|#.*)+$/u, "")

function framesOf(path: string): readonly Frame[] {
  const segments = path.split("/")
  return segments.map((segment, index) => ({
    id: segments.slice(0, index + 1).join("/"),
    agent: segment.startsWith("tool:") ? null : agentOf(segment),
    tool: null,
  }))
}

/** Returns what occurs in a run, in the words of policies, from the events of the run. */
export function occurrencesOf(
  events: readonly Told[],
  isAdk: boolean,
  models: ReadonlyMap<string, string>,
): readonly Occurrence[] {
  const found: Occurrence[] = []
  const asked = new Map<string, readonly string[]>()
  const open = new Map<string, string | null>()
  const run = (name: string): Occurrence => ({ kind: "run", name, agent: "", within: [] })
  for (const event of events) {
    const { agent, path } = event
    const within = framesOf(path)
    const base = { agent, within }
    const frame: Frame = { id: path, agent, tool: null }
    switch (event.type) {
      case "run.started":
        found.push(run("started"))
        break
      case "run.finished": {
        const { status } = event.result
        const name =
          status === "completed" || status === "failed" || status === "limit" ? status : "stopped"
        found.push(run(name))
        break
      }
      case "invocation.finished":
        if (isAdk) found.push(run("completed"))
        break
      case "agent.started":
        open.set(path, event.branch)
        found.push({ ...base, kind: "start", name: agent, activity: frame })
        break
      case "agent.finished":
        open.delete(path)
        found.push({
          ...base,
          kind: "finish",
          name: agent,
          activity: frame,
          outcome: event.outcome,
        })
        break
      case "model.called":
        if (event.attempt === 1)
          found.push({ ...base, kind: "model", name: models.get(agent) ?? "" })
        break
      case "tool.called": {
        const id = `${path}#${event.callId}`
        if (event.attempt > 1 || open.has(id)) break
        open.set(id, event.branch)
        found.push({
          ...base,
          kind: "call",
          name: event.tool,
          activity: { id, agent: null, tool: event.tool },
        })
        break
      }
      case "tool.finished": {
        const id = `${path}#${event.callId}`
        const isError =
          Object.keys(event.response).length === 1 && Object.hasOwn(event.response, "error")
        if (!open.delete(id)) break
        const activity = { id, agent: null, tool: event.tool }
        if (!isError) found.push({ ...base, kind: "result", name: event.tool })
        found.push({ ...base, kind: "returned", name: event.tool, activity })
        break
      }
      case "state.changed":
        for (const [name, value] of Object.entries(event.set))
          found.push({ ...base, kind: "write", name, value })
        for (const name of event.removed) found.push({ ...base, kind: "write", name })
        break
      case "handoff":
        found.push({ ...base, kind: "handoff", name: event.to })
        break
      case "human.asked":
        asked.set(
          event.request.id,
          event.request.kind === "approval"
            ? (event.request.toolCalls ?? []).map(({ name }) => name)
            : [],
        )
        break
      case "human.answered": {
        const approved = event.answer["approved"]
        const tools = asked.get(event.id) ?? []
        if (typeof approved === "boolean")
          for (const name of tools)
            found.push({ ...base, kind: approved ? "approval" : "rejection", name })
        break
      }
      case "parallel.joined":
        for (const [id, branch] of open)
          if (
            event.dropped.some(
              (one) => branch !== null && (branch === one || branch.startsWith(`${one}.`)),
            )
          ) {
            open.delete(id)
            found.push({ kind: "dropped", name: id, agent: "", within: [] })
          }
        break
      default:
    }
  }
  return found
}
