import { createHmac } from "node:crypto"
import { expect, test } from "vitest"
import { afterFailure } from "../../../src/server/webhooks/delivery-attempt.js"
import { newProgress } from "../../../src/server/webhooks/deliverer.js"
import {
  isHexSigned,
  isSigned,
  keyOf,
  signedHeaders,
} from "../../../src/server/webhooks/signature.js"
import { defaultRetry } from "../../../src/server/webhooks/webhook.js"
import { readWebhooks } from "../../../src/server/webhooks/webhook-file.js"
import { sign } from "../../support/webhook-receiver.js"

const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
const variables = { SECRET: secret, SHORT: "whsec_MDEy", HUB: "any text" }
const outgoing = { name: "events", url: "https://example.com/hooks", secret: "SECRET" }
const incoming = { name: "payments", secret: "SECRET", request: "/data/id" }

test("a webhook file has defaults for everything except name, url and secret", () => {
  const { config, problems } = readWebhooks(
    { outgoing: [outgoing], incoming: [incoming] },
    variables,
  )
  expect(problems).toEqual([])
  expect(config.outgoing[0]).toMatchObject({
    events: ["run.started", "human.asked", "user.awaited", "request.expired", "run.finished"],
    workflows: null,
    timeoutMs: 15_000,
    retry: defaultRetry,
  })
  expect(config.incoming[0]).toMatchObject({
    signature: null,
    idHeader: "webhook-id",
    run: null,
    matches: "/id",
    answer: "",
  })
})

test.each([
  [{ outgoing: [{ ...outgoing, uri: "" }] }, 'outgoing[0]: Unrecognized key: "uri"'],
  [
    { outgoing: [{ ...outgoing, url: "ftp://example.com" }] },
    "outgoing[0].url: must be a URL that starts with https:// or http://",
  ],
  [
    { outgoing: [{ ...outgoing, events: ["run.done"] }] },
    'outgoing[0].events[0]: must be the type of an event, such as "run.finished", a group, such as "run.*", or "*"',
  ],
  [
    { outgoing: [outgoing, outgoing] },
    'outgoing[1].name: "events" is the name of another webhook; choose another name',
  ],
  [{ outgoing: [{ ...outgoing, timeout: "1m" }] }, "outgoing[0].timeout: must be at most 30s"],
  [
    { outgoing: [{ ...outgoing, retry: { first: "soon" } }] },
    'outgoing[0].retry.first: "soon" is not a duration; write a text such as "5s", "10m" or "3d"',
  ],
  [
    { outgoing: [{ ...outgoing, secret: "MISSING" }] },
    "outgoing[0].secret: the environment variable MISSING is not set; set it to the secret of this webhook",
  ],
  [
    { outgoing: [{ ...outgoing, secret: ["SECRET", "SHORT"] }] },
    /^outgoing\[0\]\.secret: the value of SHORT is not a secret; write whsec_/,
  ],
  [
    { incoming: [{ ...incoming, request: "data/id" }] },
    'incoming[0].request: must be a JSON Pointer, such as "/data/id", or "" for the whole value',
  ],
  [
    { incoming: [{ ...incoming, secret: "HUB" }] },
    /^incoming\[0\]\.secret: the value of HUB is not a secret/,
  ],
])("a mistake in a webhook file is reported with its location: %j", (json, problem) => {
  const { problems } = readWebhooks(json, variables)
  expect(problems).toEqual([typeof problem === "string" ? problem : expect.stringMatching(problem)])
})

test("the secret of a custom signature can be any text", () => {
  const signature = { header: "X-Hub-Signature-256", prefix: "sha256=" }
  const { config, problems } = readWebhooks(
    { incoming: [{ ...incoming, secret: "HUB", signature }] },
    variables,
  )
  expect(problems).toEqual([])
  const keys = config.incoming[0]?.keys ?? []
  const hex = createHmac("sha256", "any text").update("{}").digest("hex")
  expect(isHexSigned(keys, "{}", hex)).toBe(true)
  expect(isHexSigned(keys, "{ }", hex)).toBe(false)
  expect(isHexSigned(keys, "{}", hex.slice(1))).toBe(false)
})

test("a signature is valid only for its id, time, body and key, and for five minutes", () => {
  const key = keyOf(secret) ?? Buffer.alloc(0)
  const now = 1_800_000_000
  const message = { id: "msg_1", timestamp: now, body: '{"a":1}' }
  const signatures = signedHeaders([Buffer.alloc(32), key], message)["webhook-signature"] ?? ""
  expect(sign(secret, message.body, message)["webhook-signature"]).toBe(signatures.split(" ")[1])
  const accepted = (changed: Partial<typeof message>, at = now): boolean =>
    isSigned([key], { ...message, ...changed }, signatures, at)
  expect(accepted({})).toBe(true)
  expect(accepted({}, now + 300)).toBe(true)
  expect(accepted({}, now + 301)).toBe(false)
  expect(accepted({}, now - 301)).toBe(false)
  expect(accepted({ timestamp: Number.NaN })).toBe(false)
  expect(accepted({ id: "msg_2" })).toBe(false)
  expect(accepted({ timestamp: now + 1 })).toBe(false)
  expect(accepted({ body: '{"a":2}' })).toBe(false)
  expect(isSigned([Buffer.alloc(24, 1)], message, signatures, now)).toBe(false)
  expect(isSigned([key], message, signatures.replaceAll("v1,", "v1a,"), now)).toBe(false)
})

test("retry delays double up to the maximum, respect Retry-After, and end after three days", () => {
  const failure = { error: "answered 503", isFinal: false, retryAfterMs: 0 }
  let progress = newProgress(0, 0)
  const delays: number[] = []
  for (let now = 0; progress.dueAt !== null || delays.length === 0; now = progress.dueAt ?? now) {
    progress = afterFailure(progress, failure, defaultRetry, now, () => 0)
    if (progress.dueAt !== null) delays.push((progress.dueAt - now) / 1_000)
  }
  expect(delays.slice(0, 12)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600])
  expect(progress).toMatchObject({ hasFailed: true, dueAt: null, error: "answered 503" })
  expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(2.9 * 86_400)
  const first = newProgress(0, 0)
  expect(afterFailure(first, failure, defaultRetry, 0, () => 1).dueAt).toBe(3_750)
  expect(
    afterFailure(first, { ...failure, retryAfterMs: 60_000 }, defaultRetry, 0, () => 0).dueAt,
  ).toBe(60_000)
})
