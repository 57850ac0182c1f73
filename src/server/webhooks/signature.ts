import { createHash, createHmac, timingSafeEqual } from "node:crypto"

/** A webhook message with a signature in the format of Standard Webhooks. */
export interface SignedMessage {
  /** Id of the message. It is the same for all attempts to deliver the message. */
  readonly id: string
  /** Time of the attempt in seconds since the epoch. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Maximum difference between the time of a received message and the clock of the server, in
 * seconds.
 */
const toleranceSeconds = 300

const fewestKeyBytes = 24
const maxKeyBytes = 64

/**
 * Returns the key in a webhook secret such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`. The secret
 * is `whsec_` followed by 24 to 64 bytes in base64. Returns null if the secret has another format.
 */
export function keyOf(secret: string): Buffer | null {
  const [, base64 = ""] = /^whsec_([\w+/-]+={0,2})$/.exec(secret) ?? []
  const key = Buffer.from(base64, "base64")
  return key.length < fewestKeyBytes || key.length > maxKeyBytes ? null : key
}

const signatureOf = (key: Buffer, { id, timestamp, body }: SignedMessage): string =>
  createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")

/** Returns the HTTP headers of a signed webhook message, with one signature for each key. */
export const signedHeaders = (
  keys: readonly Buffer[],
  message: SignedMessage,
): Readonly<Record<string, string>> => ({
  "webhook-id": message.id,
  "webhook-timestamp": String(message.timestamp),
  "webhook-signature": keys.map((key) => `v1,${signatureOf(key, message)}`).join(" "),
})

/**
 * Returns whether one of the signatures in the header `webhook-signature` is valid for the message
 * and one of the keys. Also checks that the time of the message differs from `nowSeconds` by at
 * most five minutes.
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

/** Returns whether a text is the hexadecimal HMAC-SHA256 of a message body with one of the keys. */
export const isHexSigned = (keys: readonly Buffer[], body: string, signature: string): boolean =>
  keys.some((key) =>
    isSameText(signature.toLowerCase(), createHmac("sha256", key).update(body).digest("hex")),
  )

/** Returns whether two texts are equal. Takes constant time, to prevent timing attacks. */
const isSameText = (one: string, other: string): boolean =>
  timingSafeEqual(digestOf(one), digestOf(other))

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest()
