import type { Serde } from "@restatedev/restate-sdk"

/** Stores a text that is already JSON without encoding it again. */
export const textSerde: Serde<string> = {
  contentType: "application/json",
  serialize: (text) => new TextEncoder().encode(text),
  deserialize: (bytes) => new TextDecoder().decode(bytes),
}
