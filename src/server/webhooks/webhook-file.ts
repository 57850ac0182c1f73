import * as z from "zod"
import { inMilliseconds } from "../../compiler/1-parse/fields/duration.js"
import { problemAt } from "../../serving/problem-at.js"
import { isEventSelector } from "./event-types.js"
import { keyOf } from "./signature.js"
import type { IncomingWebhook, OutgoingWebhook, WebhookConfig } from "./webhook.js"
import { defaultRetry, defaultTimeoutMs, longestTimeoutMs } from "./webhook.js"

const name = z.string().regex(/^[\w-]{1,80}$/, "must be 1 to 80 letters, digits, and _ -")

const secret = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
  .describe(
    "Name of the environment variable with the secret, or a list of names. With several secrets, each message is signed with all of them, and accepted with any of them.",
  )

const pointer = z
  .string()
  .regex(/^(\/.*)?$/s, 'must be a JSON Pointer, such as "/data/id", or "" for the whole value')

const duration = z.string().describe('A duration, such as "5s", "10m" or "3d".')

const outgoing = z.strictObject({
  name: name.describe("Name of the webhook. The progress of deliveries is stored under this name."),
  url: z
    .string()
    .regex(/^https?:\/\//, "must be a URL that starts with https:// or http://")
    .describe("URL that receives the events as POST requests."),
  secret,
  events: z
    .array(
      z.string().refine(isEventSelector, {
        error:
          'must be the type of an event, such as "run.finished", a group, such as "run.*", or "*"',
      }),
    )
    .min(1)
    .exactOptional()
    .describe(
      'Event types, such as "run.finished", groups, such as "run.*", or "*" for all events. Default: run.started, human.asked, user.awaited, request.expired and run.finished.',
    ),
  workflows: z
    .array(z.string())
    .min(1)
    .exactOptional()
    .describe("Ids of the workflows whose runs are reported. Default: all workflows."),
  timeout: duration
    .exactOptional()
    .describe("Maximum duration of one attempt, at most 30s. Default: 15s."),
  retry: z
    .strictObject({
      first: duration
        .exactOptional()
        .describe(
          "Delay after the first failed attempt. Each further delay is twice as long. Default: 5s.",
        ),
      longest: duration.exactOptional().describe("Maximum delay. Default: 1h."),
      giveUpAfter: duration
        .exactOptional()
        .describe(
          "Time after the first failed attempt in which further attempts are made. Default: 3d.",
        ),
    })
    .exactOptional(),
})

const incoming = z.strictObject({
  name: name.describe("Name of the webhook. Its route is POST /v1/hooks/NAME."),
  secret,
  signature: z
    .strictObject({
      header: z.string().min(1).describe("Name of the header, such as X-Hub-Signature-256."),
      prefix: z.string().exactOptional().describe('Text before the signature, such as "sha256=".'),
    })
    .exactOptional()
    .describe(
      "The header that contains the HMAC-SHA256 of the body as hexadecimal text. Default: the headers of Standard Webhooks.",
    ),
  messageId: z
    .string()
    .min(1)
    .exactOptional()
    .describe("Name of the header with the id of the message. Default: webhook-id."),
  run: pointer
    .exactOptional()
    .describe(
      "JSON Pointer to the id of the run in the body. Default: the pending requests of all runs are searched.",
    ),
  request: pointer.describe("JSON Pointer to the value in the body that identifies the request."),
  matches: pointer
    .exactOptional()
    .describe(
      'JSON Pointer to the same value in the pending request, such as "/details/orderId". Default: "/id".',
    ),
  answer: pointer
    .exactOptional()
    .describe('JSON Pointer to the answer in the body. Default: "", the whole body.'),
})

const webhookFile = z.strictObject({
  $schema: z.string().exactOptional(),
  outgoing: z
    .array(outgoing)
    .exactOptional()
    .describe("Endpoints that receive the events of runs."),
  incoming: z
    .array(incoming)
    .exactOptional()
    .describe("Routes on which other programs answer pending requests of runs."),
})

/** Returns the JSON Schema of webhook files. */
export const webhookFileSchema = (): object => z.toJSONSchema(webhookFile, { io: "input" })

/** Webhooks of a webhook file, and the problems found in the file. */
export interface ReadWebhooks {
  readonly config: WebhookConfig
  /** Problems as sentences without a period, each with its location. Empty if the file is valid. */
  readonly problems: readonly string[]
}

/** Environment variables of a process, by name. */
type Variables = Readonly<Record<string, string | undefined>>

/**
 * Validates the parsed JSON of a webhook file, and reads the secrets of the webhooks from
 * environment variables. Returns the valid webhooks and all problems.
 */
export function readWebhooks(json: unknown, variables: Variables): ReadWebhooks {
  const parsed = webhookFile.safeParse(json)
  if (!parsed.success)
    return {
      config: { outgoing: [], incoming: [] },
      problems: parsed.error.issues.map(({ path, message }) => problemAt(path, message)),
    }
  const reader = new Reader(variables)
  const { outgoing: sent = [], incoming: received = [] } = parsed.data
  const config = {
    outgoing: sent.map((entry, index) => reader.outgoing(entry, ["outgoing", index])),
    incoming: received.map((entry, index) => reader.incoming(entry, ["incoming", index])),
  }
  return { config, problems: reader.problems }
}

class Reader {
  readonly problems: string[] = []
  readonly #variables: Variables
  readonly #names = new Set<string>()

  constructor(variables: Variables) {
    this.#variables = variables
  }

  outgoing(entry: z.output<typeof outgoing>, path: readonly PropertyKey[]): OutgoingWebhook {
    const { timeout, retry = {}, workflows = null } = entry
    const isUrl = URL.canParse(entry.url)
    if (!isUrl) this.#report([...path, "url"], `"${entry.url}" is not a URL`)
    const timeoutMs = this.#duration(timeout, defaultTimeoutMs, [...path, "timeout"])
    if (timeoutMs > longestTimeoutMs)
      this.#report([...path, "timeout"], `must be at most ${longestTimeoutMs / 1_000}s`)
    const retryPath = [...path, "retry"]
    return {
      name: this.#name(entry.name, path),
      url: new URL(isUrl ? entry.url : "http://invalid"),
      keys: this.#keys(entry.secret, true, path),
      events: entry.events ?? defaultEvents,
      workflows,
      timeoutMs,
      retry: {
        firstMs: this.#duration(retry.first, defaultRetry.firstMs, [...retryPath, "first"]),
        longestMs: this.#duration(retry.longest, defaultRetry.longestMs, [...retryPath, "longest"]),
        giveUpAfterMs: this.#duration(retry.giveUpAfter, defaultRetry.giveUpAfterMs, [
          ...retryPath,
          "giveUpAfter",
        ]),
      },
    }
  }

  incoming(entry: z.output<typeof incoming>, path: readonly PropertyKey[]): IncomingWebhook {
    const { signature, messageId = "webhook-id", run = null, request } = entry
    return {
      name: this.#name(entry.name, path),
      keys: this.#keys(entry.secret, signature === undefined, path),
      signature:
        signature === undefined
          ? null
          : { header: signature.header.toLowerCase(), prefix: signature.prefix ?? "" },
      idHeader: messageId.toLowerCase(),
      run,
      request,
      matches: entry.matches ?? "/id",
      answer: entry.answer ?? "",
    }
  }

  #report(path: readonly PropertyKey[], message: string): void {
    this.problems.push(problemAt(path, message))
  }

  #name(text: string, path: readonly PropertyKey[]): string {
    const id = `${String(path[0])} ${text}`
    if (this.#names.has(id))
      this.#report(
        [...path, "name"],
        `"${text}" is the name of another webhook; choose another name`,
      )
    this.#names.add(id)
    return text
  }

  #duration(text: string | undefined, missing: number, path: readonly PropertyKey[]): number {
    if (text === undefined) return missing
    const milliseconds = inMilliseconds(text)
    if (milliseconds !== undefined && milliseconds >= 1) return milliseconds
    this.#report(path, `"${text}" is not a duration; write a text such as "5s", "10m" or "3d"`)
    return missing
  }

  /**
   * Returns the signature keys from the environment variables `names`. `isStandard` means that the
   * secrets have the format of Standard Webhooks and start with `whsec_`.
   */
  #keys(
    names: string | readonly string[],
    isStandard: boolean,
    path: readonly PropertyKey[],
  ): readonly Buffer[] {
    return (typeof names === "string" ? [names] : names).flatMap((variable) => {
      const text = this.#variables[variable] ?? ""
      if (text === "") {
        this.#report(
          [...path, "secret"],
          `the environment variable ${variable} is not set; set it to the secret of this webhook`,
        )
        return []
      }
      const key = isStandard ? keyOf(text) : Buffer.from(text)
      if (key !== null) return [key]
      this.#report(
        [...path, "secret"],
        `the value of ${variable} is not a secret; write whsec_ and the base64 text of 24 to 64 random bytes, such as the output of: node -p "'whsec_' + crypto.randomBytes(32).toString('base64')"`,
      )
      return []
    })
  }
}

const defaultEvents = [
  "run.started",
  "human.asked",
  "user.awaited",
  "request.expired",
  "run.finished",
]
