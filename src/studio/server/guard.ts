import type { MiddlewareHandler } from "hono"
import { hostIn, hostnameIn, isToken } from "../../adapters/access-check.js"

/** Nothing but the studio's own files, no script in a page, in nobody's frame. Drawings bring a style element of their own. */
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

export const withHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  context.header("content-security-policy", contentSecurity)
  context.header("x-content-type-options", "nosniff")
  context.header("referrer-policy", "no-referrer")
  context.header("cross-origin-resource-policy", "same-origin")
}

/**
 * A page of somebody else's may give its own name the address of this machine and then ask for it (DNS rebinding). Its requests tell by
 * the name in `Host`, and those of other pages by `Origin`.
 */
export function onlyHosts(hosts: ReadonlySet<string>): MiddlewareHandler {
  return async (context, next) => {
    const host = hostnameIn(`http://${context.req.header("host") ?? ""}`)
    const origin = context.req.header("origin")
    if (host === null || !hosts.has(host))
      return context.text(
        "The host name of the request is not a name of the studio. Use the address that the studio printed.\n",
        403,
      )
    // Another port is another program. The page's own requests have the host of its address.
    if (origin !== undefined && hostIn(origin) !== hostIn(`http://${context.req.header("host")}`))
      return context.text("Requests from other pages are not allowed.\n", 403)
    await next()
    return undefined
  }
}

/**
 * The token of the printed address, in a header. A stream of events takes it from the query too, as browsers open streams without headers. Nothing that
 * changes something does: an address is kept in histories and logs.
 */
export function onlyWithToken(token: string): MiddlewareHandler {
  const isRight = isToken(token)
  return async (context, next) => {
    const inQuery =
      context.req.method === "GET" && context.req.path.endsWith("/events")
        ? context.req.query("token")
        : undefined
    const given =
      /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "")?.[1] ?? inQuery ?? ""
    if (!isRight(given))
      return context.json(
        {
          code: "unauthorized",
          message: "the token is missing or expired; open the address that the studio printed",
        },
        401,
      )
    await next()
    return undefined
  }
}
