import type { MiddlewareHandler } from "hono"
import { hostIn, hostnameIn, isToken } from "../../adapters/access-check.js"

/**
 * Content security policy of the page. The page may only load files of the studio, cannot run
 * inline scripts, and cannot be embedded in a frame. Inline styles are allowed, because drawings
 * contain a style element.
 */
const contentSecurity = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** Middleware that adds security headers to each response. */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  context.header("content-security-policy", contentSecurity)
  context.header("x-content-type-options", "nosniff")
  context.header("referrer-policy", "no-referrer")
  context.header("cross-origin-resource-policy", "same-origin")
}

/**
 * Returns middleware that rejects requests for unknown host names, which prevents DNS rebinding,
 * and requests from pages of other origins.
 */
export function requireHost(hosts: ReadonlySet<string>): MiddlewareHandler {
  return async (context, next) => {
    const host = hostnameIn(`http://${context.req.header("host") ?? ""}`)
    const origin = context.req.header("origin")
    if (host === null || !hosts.has(host))
      return context.text(
        "The host name of the request is not a name of the studio. Open the address that the studio printed.\n",
        403,
      )
    // The port is compared as well, because another port belongs to another program.
    if (origin !== undefined && hostIn(origin) !== hostIn(`http://${context.req.header("host")}`))
      return context.text("Requests from other pages are not allowed.\n", 403)
    await next()
    return undefined
  }
}

/**
 * Returns middleware that rejects requests without the token in an `Authorization: Bearer` header.
 * A token in the URL is not accepted, because URLs appear in histories and logs.
 */
export function requireToken(token: string): MiddlewareHandler {
  const isValid = isToken(token)
  return async (context, next) => {
    const received = /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "")?.[1] ?? ""
    if (!isValid(received))
      return context.json(
        {
          code: "unauthorized",
          message:
            "The token is missing or belongs to an earlier start of the studio. Open the address that the studio printed.",
        },
        401,
      )
    await next()
    return undefined
  }
}
