import type { HttpEndpoint } from "../../../machines/contract/services.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"
import {
  fillJson,
  type JsonTemplate,
  parseJsonTemplate,
  templatesIn,
} from "../../../template/fill/fill-json.js"
import {
  fillParts,
  fillTemplate,
  fillText,
  type FillOptions,
  type TemplateScope,
} from "../../../template/fill/fill-template.js"
import { ParseBudget } from "../../../template/limits/parse-budget.js"
import { parseTemplate, type Template } from "../../../template/parse/parse-template.js"
import { TemplateFailed, TemplateRefused } from "../../../template/limits/template-errors.js"
import type { TemplateMeter } from "../../../template/limits/template-meter.js"
import { EndpointRefused } from "./endpoint-refused.js"
import { checkedHeader } from "./fill-headers.js"
import { fillUrl, type FilledUrl, secretLabel } from "./fill-url.js"
import type { HostRule } from "../client/host-rule.js"
import { base64Of } from "../secrets/encode-bytes.js"
import { createMask, type Mask, type Sensitive } from "../secrets/mask-secrets.js"
import type { Secrets } from "../secrets/secrets.js"

/** An HTTP endpoint of a workflow config. Its templates have been parsed but not filled. */
export interface ReadEndpoint {
  readonly method: string
  readonly url: Template
  /** Header names and parsed values. A value is a text template or JSON with templates. */
  readonly headers: readonly (readonly [string, HeaderTemplate])[]
  readonly body: JsonTemplate
  readonly secretNames: readonly string[]
  /** Whether any template expression computes a value. false if all of them only read values. */
  readonly computes: boolean
}

type HeaderTemplate =
  | { readonly type: "text"; readonly template: Template }
  | { readonly type: "json"; readonly value: JsonTemplate }

export interface FilledEndpoint extends FilledUrl {
  readonly method: string
  /** Filled headers of the request, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as an object, to which calls of models and tools add fields. `{}` if not set. */
  readonly body: JsonObject
  /** The body as any JSON value, as requests of graph nodes send it. */
  readonly value: unknown
}

/** Options that control how the templates of an HTTP endpoint are filled. */
export interface FillMode extends Pick<FillOptions, "missing" | "now" | "insertsNull"> {
  /**
   * Whether a body that consists of a single template may produce any value. Default: false, so the
   * template must produce an object.
   */
  readonly anyBody?: boolean
}

/**
 * Parses the templates in the URL, the headers and the body of an endpoint.
 *
 * @throws EndpointRefused with the config field that is invalid
 */
export function readEndpoint(endpoint: HttpEndpoint): ReadEndpoint {
  const budget = new ParseBudget()
  const url = inField("url", () => parseWithin(budget, endpoint.url))
  const headers = Object.entries(endpoint.headers ?? {}).map(
    ([name, value]) => [name, inField(`headers.${name}`, () => readHeader(value, budget))] as const,
  )
  const body = inField("body", () => parseJsonTemplate(endpoint.body ?? {}, undefined, "", budget))
  const templates = [
    url,
    ...headers.flatMap(([, header]) => templatesOfHeader(header)),
    ...templatesIn(body),
  ]
  return {
    method: endpoint.method.toUpperCase(),
    url,
    headers,
    body,
    secretNames: [...new Set(templates.flatMap((template) => template.secretNames))],
    computes: templates.some(({ parts }) =>
      parts.some((part) => part.type === "expression" && !part.plainPath),
    ),
  }
}

function parseWithin(budget: ParseBudget, text: string): Template {
  budget.spend(text)
  return parseTemplate(text)
}

const readHeader = (value: unknown, budget: ParseBudget): HeaderTemplate =>
  typeof value === "string"
    ? { type: "text", template: parseWithin(budget, value) }
    : { type: "json", value: parseJsonTemplate(value, undefined, "", budget) }

const templatesOfHeader = (header: HeaderTemplate): readonly Template[] =>
  header.type === "text" ? [header.template] : templatesIn(header.value)

const fillHeader = async (
  header: HeaderTemplate,
  scope: TemplateScope,
  options: FillOptions,
): Promise<string | undefined> =>
  header.type === "text"
    ? options.missing === "omit"
      ? textOrNothing(await fillTemplate(header.template, scope, options))
      : fillText(header.template, scope, options)
    : inAscii(JSON.stringify(await fillJson(header.value, scope, options)))

/** Converts a template result to a header value. Returns undefined if the template has no value. */
const textOrNothing = (value: unknown): string | undefined =>
  value === undefined || typeof value === "string" ? value : JSON.stringify(value)

/** Escapes all non-ASCII characters in a JSON text, because a header must not contain them. */
const inAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * The secrets of one HTTP call: the secrets in its templates, and the values computed from them.
 */
export interface CallSecrets {
  readonly values: ReadonlyMap<string, string>
  /**
   * Values that expressions have computed from secrets. They are added while the templates are
   * filled, and they must be masked like the secrets.
   */
  readonly derived: Sensitive[]
}

export const noSecrets = (): CallSecrets => ({ values: new Map(), derived: [] })

/**
 * Reads the values of the secrets that the templates of an endpoint name. A missing secret causes
 * an error only when an expression reads the secret.
 */
export async function readSecrets(
  names: readonly string[],
  secrets: Secrets,
): Promise<CallSecrets> {
  const read = async (name: string): Promise<readonly [string, string | undefined]> => {
    try {
      return [name, await secrets.read(name)]
    } catch (cause) {
      // The failure is retryable, because a secret store may be temporarily unavailable.
      throw new EndpointRefused(
        "secret_missing",
        "secrets",
        `the secret "${name}" could not be read`,
        { retryable: true, cause },
      )
    }
  }
  const entries = await Promise.all(names.map(read))
  return {
    values: new Map(
      entries.flatMap(([name, value]) =>
        value === undefined || value === "" ? [] : [[name, value]],
      ),
    ),
    derived: [],
  }
}

export const maskOf = (secrets: CallSecrets): Mask =>
  createMask([
    ...[...secrets.values].map(([name, value]) => ({ value, label: secretLabel([name]) })),
    ...secrets.derived,
  ])

/**
 * Fills all templates of an endpoint. `meter` limits the total work of their evaluation.
 *
 * @throws EndpointRefused before anything is sent, if a template fails or violates a rule
 */
export async function fillEndpoint(
  endpoint: ReadEndpoint,
  scope: TemplateScope,
  secrets: CallSecrets,
  rule: HostRule,
  meter: TemplateMeter,
  { anyBody = false, ...mode }: FillMode = {},
): Promise<FilledEndpoint> {
  const options: FillOptions = {
    ...mode,
    meter,
    secret: (name) => secrets.values.get(name),
    onSecretValue: (value, names) => {
      if (typeof value === "string") secrets.derived.push({ value, label: secretLabel(names) })
    },
  }
  const url = await filledField("url", async () =>
    fillUrl(await fillParts(endpoint.url, scope, options), rule),
  )
  const headers = new Map<string, string>()
  for (const [name, template] of endpoint.headers) {
    const decidesHost =
      name.toLowerCase() === "host" &&
      templatesOfHeader(template).some(({ parts }) =>
        parts.some((part) => part.type === "expression"),
      )
    if (decidesHost && !rule.mayDecide)
      throw new EndpointRefused(
        "host_refused",
        `headers.${name}`,
        "a template must not set the host; write the host itself, or allow it with allowedHosts",
      )
    const text = await filledField(`headers.${name}`, () => fillHeader(template, scope, options))
    if (text === undefined) continue
    const header = checkedHeader(name, text)
    if (decidesHost) refuseHostHeader(name, header[1], url.url, rule)
    headers.set(...header)
  }
  const body = await filledField("body", () => fillJson(endpoint.body, scope, options))
  moveCredentials(url.url, headers, secrets)
  return {
    ...url,
    method: endpoint.method,
    headers: Object.fromEntries(headers),
    body: anyBody ? {} : fieldsOf(body),
    value: body,
  }
}

/**
 * Returns a filled request body as an object. Throws if the body consists of a single template that
 * has produced a value of another type.
 */
function fieldsOf(body: unknown): JsonObject {
  if (isJsonObject(body)) return body
  throw new EndpointRefused(
    "template_failed",
    "body",
    `the template must return an object, not ${Array.isArray(body) ? "a list" : `a ${typeof body}`}`,
  )
}

/**
 * Throws if the value of a `Host` header violates the rule for hosts. The same rule applies to the
 * host of the URL. The header is checked because proxies use it for routing.
 */
function refuseHostHeader(name: string, value: string, { protocol }: URL, rule: HostRule): void {
  const named = `${protocol}//${value}`
  const isHost = /^[^\s/?#@\\]+$/.test(value) && URL.canParse(named)
  const refusal = isHost ? rule.refusal(new URL(named)) : "is not a host"
  // The message does not contain the value, because it may be a secret.
  if (refusal !== null)
    throw new EndpointRefused(
      "host_refused",
      `headers.${name}`,
      `the value of the template ${refusal}`,
    )
}

/**
 * Removes the credentials from a URL such as `https://user:password@host/` and adds them as a basic
 * authentication header, because the HTTP client ignores them.
 */
function moveCredentials(url: URL, headers: Map<string, string>, secrets: CallSecrets): void {
  const { username, password } = url
  if (username === "" && password === "") return
  url.username = ""
  url.password = ""
  const token = base64Of(
    new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`),
  )
  secrets.derived.push({ value: token, label: "[credentials of the URL]" })
  if (!headers.has("authorization")) headers.set("authorization", `Basic ${token}`)
}

function inField<Value>(field: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof TemplateRefused)
      throw new EndpointRefused(
        error.code,
        field,
        `at character ${error.position + 1}: ${error.message}`,
        { cause: error },
      )
    throw error
  }
}

async function filledField<Value>(field: string, fill: () => Promise<Value>): Promise<Value> {
  try {
    return await fill()
  } catch (error) {
    if (error instanceof TemplateFailed)
      throw new EndpointRefused(error.code, field, error.message, { cause: error })
    throw error
  }
}
