import type { ErrorCode } from "../../../errors.js"
import {
  type CallIdentity,
  CallFailedError,
  type CallFailure,
  type HttpEndpoint,
} from "../../../machines/contract/services.js"
import { attemptText } from "../../../machines/data/attempt-text.js"
import type { TemplateScope } from "../../../template/fill/fill-template.js"
import { TemplateMeter } from "../../../template/limits/template-meter.js"
import { EndpointRefused } from "./endpoint-refused.js"
import {
  type CallSecrets,
  type FillMode,
  type FilledEndpoint,
  fillEndpoint,
  maskOf,
  noSecrets,
  readEndpoint,
  type ReadEndpoint,
  readSecrets,
} from "./fill-endpoint.js"
import { createHostRule, type HostRuleOptions } from "../client/host-rule.js"
import type { HttpCall, HttpClient } from "../client/http-client.js"
import type { HttpAnswer, HttpFailure } from "../client/http-outcome.js"
import { statusAdvice } from "../client/status-advice.js"
import type { Mask } from "../secrets/mask-secrets.js"
import type { Secrets } from "../secrets/secrets.js"
import { templateScheduler } from "./template-scheduler.js"

/**
 * Options of the services that send HTTP requests to models, tools, graph nodes and remote agents.
 */
export interface HttpServiceOptions extends HostRuleOptions {
  readonly client: HttpClient
  /**
   * Source of the secrets that templates read, for example in `{{ $secret('NAME') }}`. Default: no
   * secrets.
   */
  readonly secrets?: Secrets
}

/** The agent, tool or graph node that makes an HTTP call. It is named in error messages. */
interface Caller {
  /** Description of the caller for messages, for example `agent "writer"`. */
  readonly subject: string
  readonly failureCode: ErrorCode
}

/**
 * Returns only the fields of a request that identify the call, for example its run id and agent
 * path. Does not read the field `state`, because the session state is computed when it is first
 * read.
 */
export const identityOf = ({
  runId,
  agent,
  path,
  branch,
  idempotencyKey,
  attempt,
  maximumAttempts,
}: CallIdentity): CallIdentity => ({
  runId,
  agent,
  path,
  branch,
  idempotencyKey,
  attempt,
  ...(maximumAttempts !== undefined && { maximumAttempts }),
})

/**
 * A successful response of an HTTP endpoint, and functions that create errors about this response.
 * The functions mask secrets in their errors.
 */
interface MaskedAnswer {
  readonly answer: HttpAnswer
  readonly mask: Mask
  /** Creates the error for a response whose body is malformed. */
  malformed(reason: string): CallFailedError
  /**
   * Creates the error for a response with a successful status (2xx) whose body reports a failure.
   */
  fails(failure: Pick<HttpFailure, "code" | "reason" | "retryable" | "body">): CallFailedError
}

/**
 * A function that fills the templates of an HTTP endpoint and sends one request to the endpoint. It
 * throws every failure as a {@link CallFailedError}.
 */
export type CallEndpoint = (
  request: CallIdentity & { readonly endpoint: HttpEndpoint | null },
  scope: TemplateScope,
  caller: Caller,
  toCall: (filled: FilledEndpoint) => Omit<HttpCall, "method" | "publicOnly">,
  signal: AbortSignal,
  /** Receives the text of the response as it arrives. Secrets in the text are not masked. */
  onText?: (text: string, mask: Mask) => void,
  mode?: FillMode,
) => Promise<MaskedAnswer>

/** The error of an HTTP request that failed or received a response with an error status. */
export class EndpointFailed extends CallFailedError {
  // Private fields are not printed. The body may contain secrets, and the mask contains them.
  readonly #outcome: HttpFailure
  readonly #mask: Mask

  constructor(failure: CallFailure, outcome: HttpFailure, mask: Mask) {
    super(failure, outcome.cause === undefined ? undefined : { cause: outcome.cause })
    this.#outcome = outcome
    this.#mask = mask
  }

  get outcome(): HttpFailure {
    return this.#outcome
  }

  get mask(): Mask {
    return this.#mask
  }
}

export function createCallEndpoint(options: HttpServiceOptions): CallEndpoint {
  const { client, secrets = { read: () => undefined } } = options
  const rule = createHostRule(options)
  const turn = templateScheduler()
  // A parsed endpoint is cached as long as its chart is in memory.
  const known = new WeakMap<HttpEndpoint, ReadEndpoint>()
  const read = (endpoint: HttpEndpoint): ReadEndpoint => {
    const ready = known.get(endpoint) ?? readEndpoint(endpoint)
    known.set(endpoint, ready)
    return ready
  }

  return async (request, scope, caller, toCall, signal, onText, mode) => {
    const { endpoint, idempotencyKey } = request
    signal.throwIfAborted()
    if (endpoint === null) {
      throw new CallFailedError({
        code: "service_missing",
        message: `${caller.subject} has no URL to call. Set httpConfig.url in the config, or register a service in the options of the runner: { models: { NAME: service } } or { tools: { NAME: service } }`,
        retryable: false,
      })
    }
    let filled: FilledEndpoint
    let call: HttpCall
    let used: CallSecrets | null = null
    try {
      const ready = read(endpoint)
      used =
        ready.secretNames.length === 0
          ? noSecrets()
          : await untilAborted(readSecrets(ready.secretNames, secrets), signal)
      const pause = async (): Promise<void> => {
        await turn()
        signal.throwIfAborted()
      }
      if (ready.computes) await pause()
      filled = await fillEndpoint(ready, scope, used, rule, new TemplateMeter(pause), mode)
      const made = toCall(filled)
      // The header with the idempotency key replaces a header of the config, which would be the
      // same for all calls of a run.
      const publicOnly = filled.hostIsFilled && rule.publicOnly(made.url)
      call = {
        ...made,
        method: filled.method,
        publicOnly,
        headers: { ...made.headers, "idempotency-key": headerText(idempotencyKey) },
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof EndpointRefused)) throw error
      throw refused(caller, error, used)
    }
    const mask = maskOf(used)
    const outcome = await client.send(call, signal, onText && ((text) => onText(text, mask)))
    const where = `${caller.subject}: ${filled.method} ${mask.text(filled.shown)}`
    if (outcome.type === "failure") throw failed(caller, where, request, outcome, mask)
    const { status } = outcome
    const fails: MaskedAnswer["fails"] = (failure) =>
      failed(caller, where, request, { type: "failure", status, ...failure }, mask)
    const malformed = (reason: string): CallFailedError =>
      fails({
        code: "service_answer_malformed",
        reason: `answered ${status} with ${reason}`,
        retryable: true,
        body: outcome.text,
      })
    return { answer: outcome, mask, malformed, fails }
  }
}

/**
 * Percent-encodes the characters of a text that a header value must not contain. Agent paths and
 * run ids may contain such characters.
 */
const headerText = (text: string): string =>
  text.replace(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run.toWellFormed()))

/**
 * Waits for a promise, but rejects immediately when the signal is aborted. The operation behind the
 * promise continues, because a secret source does not accept an abort signal.
 */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener("abort", stop, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener("abort", stop)
  }
}

function refused(
  caller: Caller,
  error: EndpointRefused,
  used: CallSecrets | null,
): CallFailedError {
  const message = `${caller.subject}, ${error.field}: ${error.message}`
  const failure = {
    code: error.code,
    message: used === null ? message : maskOf(used).text(message),
    retryable: error.retryable,
  }
  return new CallFailedError(failure, { cause: error })
}

function failed(
  caller: Caller,
  where: string,
  request: CallIdentity,
  outcome: HttpFailure,
  mask: Mask,
): CallFailedError {
  const { code, reason, retryable, body, status, retryAfterMs } = outcome
  const excerpt = excerptOf(body, mask)
  // A graph node can call any service, so suggestions for model servers and tool servers do not
  // apply.
  const isNode = caller.failureCode === "node_failed"
  const advice = code === null && !isNode ? statusAdvice(status, retryable, request) : ""
  const failure: CallFailure = {
    code: code ?? caller.failureCode,
    message: `${where} ${mask.text(code === "service_unreachable" ? `failed: ${reason}` : reason)} (${attemptText(request)})${excerpt === "" ? "" : `: ${excerpt}`}${advice === "" ? "" : `. ${advice}`}`,
    retryable,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
  return new EndpointFailed(failure, outcome, mask)
}

/**
 * Returns the start of a response body as one line for an error message. Secrets are masked before
 * the text is shortened, so that the text cannot contain a part of a secret. JSON is parsed before
 * it is masked, so that JSON escapes cannot hide a secret.
 */
function excerptOf(body: string, mask: Mask): string {
  let text = body
  try {
    text = JSON.stringify(mask.value(JSON.parse(body)))
  } catch {
    // The body is not JSON and is masked as text.
  }
  const line = mask
    .text(text)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
