import type { UIMessageChunk } from "ai"
import type { RunEvent } from "../../../machines/run-event.js"

type Chunk = Extract<UIMessageChunk, { readonly type: "text-start" | "text-delta" | "text-end" }>

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>

/** Whose text it is, for those who show several agents. */
const spokenBy = ({ agent, path }: Pick<RunEvent, "agent" | "path">): Chunk => ({ type: "text-start", id: "", providerMetadata: { "agent-statecharts": { agent, path } } })

/** Texts of models as parts that are begun, grow and end; several may grow at once. */
export function textChunks() {
  /** By call, the part that grows. */
  const open = new Map<string, string>()
  const close = (call: string): readonly Chunk[] => {
    const id = open.get(call)
    open.delete(call)
    return id === undefined ? [] : [{ type: "text-end", id }]
  }
  return {
    delta(event: EventOf<"model.delta">): readonly Chunk[] {
      const { call, attempt, text } = event
      const id = `${call}.${attempt}`
      const grows: Chunk = { type: "text-delta", id, delta: text }
      if (open.get(call) === id) return [grows]
      const closed = close(call)
      open.set(call, id)
      return [...closed, { ...spokenBy(event), id }, grows]
    },
    /** An answer that was not told as it came is told now. */
    responded(event: EventOf<"model.responded">): readonly Chunk[] {
      const { call, answer } = event
      if (open.has(call)) return close(call)
      if (answer.content === null || answer.content === "") return []
      return [{ ...spokenBy(event), id: call }, { type: "text-delta", id: call, delta: answer.content }, { type: "text-end", id: call }]
    },
    dropped: close,
    end: (): readonly Chunk[] => [...open.keys()].flatMap(close),
  }
}
