import type { Serde } from "@restatedev/restate-sdk"

/** Keeps a text that is JSON already as it is. */
export const textSerde: Serde<string> = {
  contentType: "application/json",
  serialize: (text) => new TextEncoder().encode(text),
  deserialize: (bytes) => new TextDecoder().decode(bytes),
}
