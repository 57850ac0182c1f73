import type { RunEvent } from "../../machines/contract/run-event.js"

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>

/**
 * Functions that create the parts of a streamed text in the format of a UI protocol. The parts
 * begin a text, add text to it, and end it.
 */
export interface TextPartFactory<Part> {
  begin(id: string, by: Pick<RunEvent, "agent" | "path">): Part
  grow(id: string, text: string): Part
  end(id: string): Part
}

/**
 * Creates a converter from the model events of a run to the text parts of a UI protocol. Several
 * texts may be open at the same time.
 */
export function textStreamParts<Part>({ begin, grow, end }: TextPartFactory<Part>) {
  /**
   * Streamed texts of model calls that have begun but not ended, by call. `sent` is the content
   * that has been sent so far.
   */
  const open = new Map<string, { readonly id: string; sent: string }>()
  const close = (call: string, rest = ""): readonly Part[] => {
    const text = open.get(call)
    open.delete(call)
    if (text === undefined) return []
    return rest === "" ? [end(text.id)] : [grow(text.id, rest), end(text.id)]
  }
  return {
    delta(event: EventOf<"model.delta">): readonly Part[] {
      const { call, attempt, text } = event
      const id = `${call}.${attempt}`
      const known = open.get(call)
      if (known?.id === id) {
        known.sent += text
        return [grow(id, text)]
      }
      const closed = close(call)
      open.set(call, { id, sent: text })
      return [...closed, begin(id, event), grow(id, text)]
    },
    /**
     * Returns the parts that complete the text of a model response. The first parts contain the
     * text that was not streamed. The last part marks the end of the text.
     */
    responded(event: EventOf<"model.responded">): readonly Part[] {
      const { call, answer } = event
      const content = answer.content ?? ""
      const sent = open.get(call)?.sent
      if (sent !== undefined)
        return close(call, content.startsWith(sent) ? content.slice(sent.length) : "")
      return content === "" ? [] : [begin(call, event), grow(call, content), end(call)]
    },
    /**
     * Returns the part that marks the end of the text of a failed model call. Returns no part if no
     * text was sent.
     */
    dropped: (call: string): readonly Part[] => close(call),
    end: (): readonly Part[] => [...open.keys()].flatMap((call) => close(call)),
  }
}
