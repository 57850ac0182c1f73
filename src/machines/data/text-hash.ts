/**
 * Returns a 32-bit hash of a text (FNV-1a). The hash is not secure, because an attacker can produce
 * collisions.
 */
export function textHash(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  // One more mixing step, because texts that differ in their last character have similar hashes.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
