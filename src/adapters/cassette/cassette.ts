import { createHash } from "node:crypto"
import * as z from "zod"
import { AgentStatechartsError } from "../../errors.js"
import type { CallFailure } from "../../machines/contract/services.js"

/**
 * A recording of model calls and tool calls with their responses, as plain JSON. Tests can replay
 * it instead of calling the services.
 */
export interface Cassette {
  readonly format: 1
  readonly entries: readonly CassetteEntry[]
}

/** The recorded request and outcome of one attempt of a model call or tool call. */
export type CassetteEntry = CassetteRequest &
  (
    | {
        readonly ok: true
        readonly answer: unknown
        /**
         * true if the recorded model service has `signals: true`, which means that its responses
         * can contain control fields such as `exitFlow` (see `ModelService.signals`). Otherwise
         * absent.
         */
        readonly signals?: true
      }
    | { readonly ok: false; readonly failure: CallFailure }
  )

export interface CassetteRequest {
  readonly kind: "model" | "tool"
  /**
   * Idempotency key of the call without the run id. It consists of the agent path and the call
   * number, for example `pipeline/writer#0`.
   */
  readonly key: string
  readonly attempt: number
  readonly agent: string
  /**
   * Name of the called model or tool. null if an agent called its own HTTP endpoint instead of a
   * model by name.
   */
  readonly of: string | null
  /**
   * Whether the call was sent to the HTTP endpoint in `httpConfig` of the workflow config. false if
   * it was sent to a service that is registered by name.
   */
  readonly http: boolean
  /**
   * SHA-256 hash of `request` as a hexadecimal string. During a replay, a call uses this recording
   * only if its own request has the same hash.
   */
  readonly digest: string
  /**
   * Content of the request, for example its messages, tools and session state. The endpoint is
   * omitted, because its headers may contain secrets.
   */
  readonly request: Readonly<Record<string, unknown>>
}

const request = {
  kind: z.enum(["model", "tool"]),
  key: z.string(),
  attempt: z.number(),
  agent: z.string(),
  of: z.string().nullable(),
  http: z.boolean(),
  digest: z.string(),
  request: z.record(z.string(), z.unknown()),
}

const schema = z.object({
  format: z.literal(1),
  entries: z.array(
    z.discriminatedUnion("ok", [
      z.object({
        ...request,
        ok: z.literal(true),
        answer: z.unknown(),
        signals: z.literal(true).optional(),
      }),
      z.object({
        ...request,
        ok: z.literal(false),
        failure: z.looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() }),
      }),
    ]),
  ),
})

/**
 * Validates the parsed JSON of a cassette file and returns it.
 *
 * @throws AgentStatechartsError `cassette_invalid` with the location of the problem
 */
export function readCassette(value: unknown): Cassette {
  const read = schema.safeParse(value)
  // The cast is safe except for unknown failure codes, which are reported unchanged.
  if (read.success) return read.data as Cassette
  const [issue] = read.error.issues
  throw new AgentStatechartsError(
    "cassette_invalid",
    `the file is not a valid cassette: ${issue?.path.join(".") || "the file"}: ${issue?.message ?? "it cannot be read"}`,
  )
}

/**
 * Returns the SHA-256 hash of a request as a hexadecimal string. Equal requests have the same hash,
 * regardless of the order of their keys.
 */
export const digestOf = (asked: Readonly<Record<string, unknown>>): string =>
  createHash("sha256").update(canonical(asked)).digest("hex")

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return `{${entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
    .join(",")}}`
}
