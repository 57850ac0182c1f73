import { AgentStatechartsError } from "../../../errors.js"
import type { McpConnection } from "../../../machines/contract/mcp-connection.js"
import type { Secrets } from "../../http/secrets/secrets.js"
import { authorizationIn, type AuthorizationRequired } from "./connection/authorization.js"
import type { McpSession } from "./mcp-session.js"

/**
 * The sessions that a toolset has with an MCP server. There is one session without an
 * authorization, and one session for each secret (access token) that a person has granted.
 */
export interface AuthorizedSessions {
  /**
   * Calls `work` with a session and resolves to its result. The session uses the secret with the
   * name `secret` as its access token. If `secret` is null, the session has no authorization. If
   * the server rejects the request with 401, resolves to an `AuthorizationRequired` with the
   * required authorization.
   *
   * @throws AgentStatechartsError `secret_missing`
   */
  use<Value extends object>(
    secret: string | null,
    work: (session: McpSession) => Promise<Value>,
  ): Promise<Value | AuthorizationRequired>
  close(): Promise<void>
}

interface OpenSession {
  readonly session: McpSession
  readonly token: string
  /**
   * Number of requests that are using the session now. A session is replaced if the value of its
   * secret changes. A replaced session is closed when this number is 0.
   */
  uses: number
}

/**
 * Creates the sessions that a toolset has with an MCP server. A secret is read before each use. If
 * its value has changed, the request uses a new session.
 */
export function authorizedSessions(
  connection: McpConnection,
  open: (connection: McpConnection) => McpSession,
  secrets: Secrets | undefined,
): AuthorizedSessions {
  const anonymous: OpenSession = { session: open(connection), token: "", uses: 0 }
  const bySecret = new Map<string, OpenSession>()
  /**
   * All sessions that are not closed. They include sessions that were replaced because the value of
   * their secret changed.
   */
  const opened = new Set([anonymous])

  const close = async (one: OpenSession): Promise<void> => {
    opened.delete(one)
    await one.session.close()
  }

  async function sessionOf(secret: string): Promise<OpenSession> {
    const token = await secrets?.read(secret)
    if (token === undefined || token === "" || !("url" in connection))
      throw new AgentStatechartsError(
        "secret_missing",
        `the secret "${secret}" that was granted for an MCP server does not exist; add it to the secrets of the toolset`,
      )
    const known = bySecret.get(secret)
    if (known?.token === token) return known
    const headers = { ...connection.headers, authorization: `Bearer ${token}` }
    const session = { session: open({ ...connection, headers }), token, uses: 0 }
    bySecret.set(secret, session)
    opened.add(session)
    if (known?.uses === 0) await close(known)
    return session
  }

  return {
    async use(secret, work) {
      const used = secret === null ? anonymous : await sessionOf(secret)
      used.uses++
      try {
        return await work(used.session)
      } catch (error) {
        const required = secrets === undefined ? null : authorizationIn(error)
        if (required === null) throw error
        return required
      } finally {
        used.uses--
        const isReplaced = secret !== null && bySecret.get(secret) !== used
        if (isReplaced && used.uses === 0 && opened.has(used)) await close(used)
      }
    },
    async close() {
      bySecret.clear()
      await Promise.all([...opened].map(({ session }) => session.close()))
    },
  }
}
