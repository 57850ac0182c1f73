import type { Serde } from "@restatedev/restate-sdk"

/** A serializer for texts that are already JSON. It does not encode them again. */
export const textSerde: Serde<string> = {
  contentType: "application/json",
  serialize: (text) => new TextEncoder().encode(text),
  deserialize: (bytes) => new TextDecoder().decode(bytes),
}
