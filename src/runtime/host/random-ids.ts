/** Generates the ids of new runs. Replace it in tests to get predictable ids. */
export interface Ids {
  next(): string
}

export const randomIds: Ids = {
  next() {
    const id = randomUuid()
    // V8 stores a UUID as 20 joined strings, which use five times the memory. When a character is
    // read, V8 replaces them with a single string.
    id.charCodeAt(0)
    return id
  },
}

/**
 * Returns a random UUID (version 4). Uses `crypto.randomUUID` if it exists, and otherwise
 * `crypto.getRandomValues`. `crypto.randomUUID` does not exist on pages that were loaded over plain
 * HTTP.
 */
function randomUuid(): string {
  const source: Pick<Crypto, "getRandomValues"> & Partial<Pick<Crypto, "randomUUID">> = crypto
  if (source.randomUUID !== undefined) return source.randomUUID()
  const bytes = source.getRandomValues(new Uint8Array(16))
  const digits = Array.from(bytes, (byte, index) => {
    // The upper half of byte 6 contains the version of the UUID, and the upper two bits of byte 8
    // contain its variant.
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return value.toString(16).padStart(2, "0")
  }).join("")
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}
