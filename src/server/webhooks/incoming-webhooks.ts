import type { PendingRequest } from "../../machines/contract/pending-request.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { DeliveryStore } from "../../runtime/journal/delivery-store.js"
import type { RunMessage } from "../../runtime/run/run-message.js"
import { HttpError } from "../../serving/http-error.js"
import type { RunHub } from "../../serving/run-hub.js"
import { newProgress } from "./deliverer.js"
import { idAt, valueAt } from "./json-pointer.js"
import { isHexSigned, isSigned } from "./signature.js"
import type { IncomingWebhook } from "./webhook.js"

/** An HTTP request from another program to an incoming webhook of the server. */
export interface IncomingMessage {
  /** Exact text of the request body, which the signature covers. */
  readonly body: string
  /** Returns a request header, or undefined if it is missing. */
  header(name: string): string | undefined
}

/** Result of processing a message to an incoming webhook. */
export type IncomingResult =
  | { readonly status: "answered"; readonly runId: string; readonly request: string }
  /** The server has already received a message with this id, so this message had no effect. */
  | { readonly status: "duplicate" }

/** Time for which the ids of received messages are stored to detect duplicates, in milliseconds. */
const rememberedMs = 7 * 86_400_000

/**
 * Processes a message from another program, which answers a pending request of a run. A message
 * with the id of an earlier message has no effect.
 *
 * @throws HttpError if the signature is wrong, or if no pending request or several of them match
 */
export async function receiveWebhook(
  webhook: IncomingWebhook,
  message: IncomingMessage,
  { runs, store, now }: { readonly runs: RunHub; readonly store: DeliveryStore; now(): number },
): Promise<IncomingResult> {
  if (!isAuthentic(webhook, message, now()))
    throw new HttpError(401, {
      code: "signature_wrong",
      message:
        "the signature of the webhook is missing, wrong or too old; check the secret, the clock, and that the body is not changed",
    })
  const id = message.header(webhook.idHeader) ?? ""
  const memory = { runId: "", receiver: `incoming ${webhook.name} ${id}` }
  if (id !== "" && (await store.load(memory)) !== null) return { status: "duplicate" }
  const body = parse(message.body)
  const { runId, request } = await findRequest(webhook, body, runs)
  await runs.give(runId, messageFor(request, valueAt(body, webhook.answer)))
  // If the server is killed here, a repeated message finds no pending request.
  if (id !== "")
    await store.create(memory, { ...newProgress(0, now()), dueAt: now() + rememberedMs })
  return { status: "answered", runId, request: request.id }
}

function isAuthentic(
  { keys, signature }: IncomingWebhook,
  { body, header }: IncomingMessage,
  now: number,
): boolean {
  if (signature !== null) {
    const received = header(signature.header) ?? ""
    return (
      received.startsWith(signature.prefix) &&
      isHexSigned(keys, body, received.slice(signature.prefix.length))
    )
  }
  const id = header("webhook-id")
  const timestamp = header("webhook-timestamp") ?? ""
  return (
    id !== undefined &&
    /^\d{1,15}$/.test(timestamp) &&
    isSigned(
      keys,
      { id, timestamp: Number(timestamp), body },
      header("webhook-signature") ?? "",
      now / 1_000,
    )
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, { code: "bad_request", message: "the body is not JSON" })
  }
}

interface FoundRequest {
  readonly runId: string
  readonly request: PendingRequest
}

async function findRequest(
  { name, run, request, matches }: IncomingWebhook,
  body: unknown,
  runs: RunHub,
): Promise<FoundRequest> {
  const id = requiredId(body, request)
  const candidates =
    run === null ? await allPending(runs) : await pendingOf(requiredId(body, run), runs)
  const [found, ...others] = candidates.filter((one) => idAt(one.request, matches) === id)
  if (found === undefined)
    throw new HttpError(404, {
      code: "request_unknown",
      message: `no pending request has the value "${id}" at "${matches}"; if the run has not made the request yet, send the webhook again later`,
    })
  if (others.length > 0)
    throw new HttpError(409, {
      code: "request_ambiguous",
      message: `${others.length + 1} pending requests have the value "${id}" at "${matches}"; add "run" to the incoming webhook "${name}"`,
    })
  return found
}

function requiredId(body: unknown, pointer: string): string {
  const id = idAt(body, pointer)
  if (id === null)
    throw new HttpError(400, {
      code: "bad_request",
      message: `the body contains no text or number at "${pointer}"`,
    })
  return id
}

const pendingOf = async (runId: string, runs: RunHub): Promise<readonly FoundRequest[]> =>
  (await runs.details(runId)).pending.map((request) => ({ runId, request }))

/**
 * Returns the pending requests of all runs. Skips child runs, because their callers list their
 * requests.
 */
const allPending = async (runs: RunHub): Promise<readonly FoundRequest[]> =>
  (await runs.list())
    .filter(({ calledBy }) => calledBy === undefined)
    .flatMap(({ runId, pending }) => pending.map((request) => ({ runId, request })))

/**
 * Converts the value in a webhook message to an answer for a pending request. An approval is
 * answered with `true`, `false`, or `{approved, args?, reason?}`.
 */
function messageFor({ id, kind }: PendingRequest, value: unknown): RunMessage {
  if (value === undefined)
    throw new HttpError(400, { code: "bad_request", message: "the body contains no answer" })
  switch (kind) {
    case "human":
      return { type: "answer", id, value }
    case "tool":
      return { type: "deliver", callId: id, result: value }
    case "input":
      return {
        type: "say",
        content: typeof value === "string" ? value : JSON.stringify(value),
        request: id,
      }
    case "approval":
      return approvalOf(id, isJsonObject(value) ? value : { approved: value })
    case "auth":
      throw new HttpError(409, {
        code: "request_unknown",
        message: `the request "${id}" is a consent, which a webhook cannot give; use POST /v1/runs/{id}/answer`,
      })
  }
}

function approvalOf(
  id: string,
  { approved, args, reason }: Readonly<Record<string, unknown>>,
): RunMessage {
  if (approved === true) return { type: "approve", id, ...(isJsonObject(args) && { args }) }
  if (approved === false)
    return { type: "reject", id, ...(typeof reason === "string" && { reason }) }
  throw new HttpError(400, {
    code: "bad_request",
    message: "the answer to an approval must be true, false, or an object with the field approved",
  })
}
