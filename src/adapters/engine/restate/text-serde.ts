import type { Serde } from "@restatedev/restate-sdk"

/** A Restate serializer for strings that are already JSON. It stores them unchanged. */
export const textSerde: Serde<string> = {
  contentType: "application/json",
  serialize: (text) => new TextEncoder().encode(text),
  deserialize: (bytes) => new TextDecoder().decode(bytes),
}
