import type { UIMessageChunk } from "ai"
import { textStreamParts } from "../text-stream-parts.js"

type Chunk = Extract<UIMessageChunk, { readonly type: "text-start" | "text-delta" | "text-end" }>

/** Converts model text to message parts. */
export const textChunks = () =>
  textStreamParts<Chunk>({
    // Names the agent, for clients that show several agents.
    begin: (id, { agent, path }) => ({
      type: "text-start",
      id,
      providerMetadata: { "agent-statecharts": { agent, path } },
    }),
    grow: (id, delta) => ({ type: "text-delta", id, delta }),
    end: (id) => ({ type: "text-end", id }),
  })
