import { createHash, createHmac, timingSafeEqual } from "node:crypto"

/** A message with a signature in the format of Standard Webhooks. */
export interface SignedMessage {
  /** Id of the message. It is the same for all attempts to deliver the message. */
  readonly id: string
  /** Time of the attempt in seconds since the epoch. */
  readonly timestamp: number
  readonly body: string
}

/** Maximum difference between the time of a received message and the clock, in seconds. */
const toleranceSeconds = 300

const fewestKeyBytes = 24
const mostKeyBytes = 64

/**
 * Returns the key of a secret such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`: base64 of 24 to 64
 * bytes after `whsec_`. Returns null if the secret has another format.
 */
export function keyOf(secret: string): Buffer | null {
  const [, base64 = ""] = /^whsec_([\w+/-]+={0,2})$/.exec(secret) ?? []
  const key = Buffer.from(base64, "base64")
  return key.length < fewestKeyBytes || key.length > mostKeyBytes ? null : key
}

const signatureOf = (key: Buffer, { id, timestamp, body }: SignedMessage): string =>
  createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")

/** Returns the headers of a signed message, with one signature for each key. */
export const signedHeaders = (
  keys: readonly Buffer[],
  message: SignedMessage,
): Readonly<Record<string, string>> => ({
  "webhook-id": message.id,
  "webhook-timestamp": String(message.timestamp),
  "webhook-signature": keys.map((key) => `v1,${signatureOf(key, message)}`).join(" "),
})

/**
 * Returns whether one of the signatures in the header `webhook-signature` belongs to the message and
 * one of the keys, and whether the message is at most five minutes old.
 */
export function isSigned(
  keys: readonly Buffer[],
  message: SignedMessage,
  signatures: string,
  nowSeconds: number,
): boolean {
  if (!(Math.abs(nowSeconds - message.timestamp) <= toleranceSeconds)) return false
  const received = signatures
    .split(" ")
    .flatMap((signature) => (signature.startsWith("v1,") ? [signature.slice(3)] : []))
  return keys.some((key) => {
    const expected = signatureOf(key, message)
    return received.some((signature) => isSameText(signature, expected))
  })
}

/** Returns whether a text is the hexadecimal HMAC-SHA256 of a body with one of the keys. */
export const isHexSigned = (keys: readonly Buffer[], body: string, signature: string): boolean =>
  keys.some((key) =>
    isSameText(signature.toLowerCase(), createHmac("sha256", key).update(body).digest("hex")),
  )

/**
 * Returns whether two texts are equal. The comparison takes constant time, to prevent timing
 * attacks.
 */
const isSameText = (one: string, other: string): boolean =>
  timingSafeEqual(digestOf(one), digestOf(other))

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest()
