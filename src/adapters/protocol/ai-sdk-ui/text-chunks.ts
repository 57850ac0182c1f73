import type { UIMessageChunk } from "ai"
import { textStreamParts } from "../text-stream-parts.js"

type Chunk = Extract<UIMessageChunk, { readonly type: "text-start" | "text-delta" | "text-end" }>

/** Creates a converter from the model events of a run to the text chunks of a UI message. */
export const textChunks = () =>
  textStreamParts<Chunk>({
    // The chunk contains the agent, for clients that show several agents.
    begin: (id, { agent, path }) => ({
      type: "text-start",
      id,
      providerMetadata: { "agent-statecharts": { agent, path } },
    }),
    grow: (id, delta) => ({ type: "text-delta", id, delta }),
    end: (id) => ({ type: "text-end", id }),
  })
