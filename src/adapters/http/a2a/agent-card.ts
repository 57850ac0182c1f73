import { CallFailedError } from "../../../machines/contract/services.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { isJsonObject } from "../../../machines/data/json-object.js"

/** Versions of the A2A protocol that this package supports. */
export type A2aVersion = "1.0" | "0.3"

/** The interface for calls of a remote agent, as its agent card declares it. */
export interface AgentInterface {
  readonly version: A2aVersion
  readonly url: string
  readonly streams: boolean
  readonly tenant: string | null
}

/** The URL path at which a server publishes its agent card, as defined by A2A. */
const wellKnownPath = "/.well-known/agent-card.json"

/**
 * Returns the URL of an agent card. If the path of the configured URL does not end with `.json`,
 * appends `/.well-known/agent-card.json`.
 */
export function cardUrl(configured: URL): URL {
  if (configured.pathname.endsWith(".json")) return configured
  const url = new URL(configured)
  url.pathname = url.pathname.replace(/\/*$/, "") + wellKnownPath
  return url
}

const jsonRpc = "JSONRPC"

/**
 * Selects from an agent card the JSON-RPC interface with the newest A2A version that this package
 * supports.
 *
 * @throws CallFailedError `agent_card_invalid` or `a2a_version_unsupported`
 */
export function interfaceOf(card: unknown, subject: string, cardAddress: string): AgentInterface {
  if (!isJsonObject(card)) throw invalidCard(subject, cardAddress, "is not a JSON object")
  const offered = offeredInterfaces(card)
  if (offered.length === 0)
    throw invalidCard(subject, cardAddress, "contains neither supportedInterfaces nor a url")
  const callable = offered.filter(({ binding }) => binding === jsonRpc)
  const chosen =
    callable.find(({ version }) => version.startsWith("1.")) ??
    callable.find(({ version }) => version.startsWith("0.3"))
  if (chosen === undefined)
    throw new CallFailedError({
      code: "a2a_version_unsupported",
      message: `${subject}: the agent card ${cardAddress} offers ${offered.map(({ binding, version }) => `${binding} ${version}`).join(", ")}, but only JSONRPC 1.0 and 0.3 are supported`,
      retryable: false,
    })
  const capabilities = isJsonObject(card["capabilities"]) ? card["capabilities"] : {}
  return {
    version: chosen.version.startsWith("1.") ? "1.0" : "0.3",
    url: chosen.url,
    streams: capabilities["streaming"] === true,
    tenant: chosen.tenant,
  }
}

export const invalidCard = (subject: string, address: string, why: string): CallFailedError =>
  new CallFailedError({
    code: "agent_card_invalid",
    message: `${subject}: the agent card ${address} ${why}`,
    retryable: false,
  })

interface Offered {
  readonly url: string
  readonly binding: string
  readonly version: string
  readonly tenant: string | null
}

function offeredInterfaces(card: JsonObject): readonly Offered[] {
  const text = (value: unknown, otherwise: string): string =>
    typeof value === "string" && value !== "" ? value : otherwise
  const listed = (value: unknown): readonly JsonObject[] =>
    Array.isArray(value) ? value.filter(isJsonObject) : []
  const current = listed(card["supportedInterfaces"]).map((one) => ({
    url: text(one["url"], ""),
    binding: text(one["protocolBinding"], ""),
    version: text(one["protocolVersion"], "1.0"),
    tenant: text(one["tenant"], "") || null,
  }))
  // Cards of version 0.3 contain one version for all interfaces.
  const version = text(card["protocolVersion"], "0.3")
  const earlier = [
    { url: card["url"], binding: card["preferredTransport"] },
    ...listed(card["additionalInterfaces"]).map(({ url, transport }) => ({
      url,
      binding: transport,
    })),
  ].map(({ url, binding }) => ({
    url: text(url, ""),
    binding: text(binding, jsonRpc),
    version,
    tenant: null,
  }))
  return [...current, ...earlier].filter(({ url }) => url !== "")
}
