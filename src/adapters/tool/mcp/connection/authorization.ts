import type { ConsentRequest, HostContext } from "../../../../runtime/host/host-function.js"
import { isJsonObject } from "../../../../machines/data/json-object.js"
import { causesOf } from "./causes-of.js"
import { discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } from "./sdk.js"

/** The response of an MCP server that requires the authorization of a person. */
export interface AuthorizationRequired {
  readonly auth: ConsentRequest
}

/** The error that `fetchWithAuthorization` throws if an MCP server responds with the status 401. */
class UnauthorizedResponse extends Error {
  readonly auth: ConsentRequest

  constructor(auth: ConsentRequest) {
    super("the server requires an authorization (status 401)")
    this.auth = auth
  }
}

/**
 * Returns the authorization that an MCP server requires, if an error or one of its causes reports
 * it. Returns null for other errors.
 */
export function authorizationIn(error: unknown): AuthorizationRequired | null {
  const found = causesOf(error).find((cause) => cause instanceof UnauthorizedResponse)
  return found === undefined ? null : { auth: found.auth }
}

/**
 * Returns a `fetch` function for the MCP server at `url`. If the server responds with the status
 * 401, the function throws an error that contains the required authorization.
 */
export function fetchWithAuthorization(url: string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.status !== 401) return response
    const auth = await requiredAuthorization(url, response)
    await response.body?.cancel()
    throw new UnauthorizedResponse(auth)
  }
}

/**
 * Determines the authorization that a response with the status 401 requires. Resolves to the URL of
 * the authorization server and the required scopes.
 */
async function requiredAuthorization(url: string, response: Response): Promise<ConsentRequest> {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
  const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }
  // A server without metadata can still be used with a token. The person then sees the server's own
  // address.
  const metadata = await discoverOAuthProtectedResourceMetadata(url, options).catch(() => null)
  const scopes = scope?.split(" ") ?? metadata?.scopes_supported
  return {
    url: metadata?.authorization_servers?.[0] ?? new URL(url).origin,
    ...(scopes !== undefined && { scopes }),
  }
}

/**
 * Key of the session state that contains the names of the secrets that people have granted, by MCP
 * server.
 */
const grantedSecrets = "_mcp_secrets"

/**
 * Returns the name of the secret that a person has granted for an MCP server. Returns null if no
 * secret was granted.
 */
export function grantedSecret({ state }: HostContext, server: string): string | null {
  const granted = state.get(grantedSecrets)
  const secret = isJsonObject(granted) ? granted[server] : undefined
  return typeof secret === "string" ? secret : null
}

/**
 * Asks a person to authorize the access to an MCP server. Returns the name of the secret that
 * contains the access token, and stores the name in the session state.
 */
export async function askForSecret(
  { ask, state }: HostContext,
  server: string,
  { auth }: AuthorizationRequired,
): Promise<string> {
  const prompt = `The MCP server ${server} asks for your consent at ${auth.url}`
  const answer = await ask(prompt, null, { auth })
  const secret = isJsonObject(answer) ? String(answer["secret"]) : ""
  const granted = state.get(grantedSecrets)
  state.set(grantedSecrets, { ...(isJsonObject(granted) && granted), [server]: secret })
  return secret
}
