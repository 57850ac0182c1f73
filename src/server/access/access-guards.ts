import type { MiddlewareHandler } from "hono"
import { hostIn, hostnameIn, isToken } from "../../adapters/access-check.js"
import { HttpError } from "../../serving/http-error.js"

/** The token in `Authorization: Bearer`, or in the query of a stream of events, which browsers open without headers. */
export function onlyWithToken(token: string): MiddlewareHandler {
  const isRight = isToken(token)
  return async (context, next) => {
    const inQuery =
      context.req.method === "GET" && context.req.path.endsWith("/events")
        ? context.req.query("token")
        : undefined
    const given =
      /^Bearer (.+)$/i.exec(context.req.header("authorization") ?? "")?.[1] ?? inQuery ?? ""
    if (!isRight(given)) {
      context.header("www-authenticate", "Bearer")
      return context.json(
        {
          code: "unauthorized",
          message: "the token is missing or wrong; send it as Authorization: Bearer",
        },
        401,
      )
    }
    await next()
    return undefined
  }
}

/**
 * Pages of others may not ask: by `Origin`, where it is neither the server's own nor allowed. On this machine alone, a page may also give its own name
 * the address of the server (DNS rebinding); such requests tell by the name in `Host`.
 */
export function onlyOrigins(
  allowed: ReadonlySet<string>,
  names: ReadonlySet<string> | null,
): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header("host") ?? ""
    const origin = context.req.header("origin")
    if (names !== null && !names.has(hostnameIn(`http://${host}`) ?? ""))
      throw new HttpError(403, {
        code: "host_refused",
        message: "the host name of the request is not a name of this server",
      })
    if (origin !== undefined && !allowed.has(origin) && hostIn(origin) !== host)
      throw new HttpError(403, {
        code: "origin_refused",
        message: `requests from pages of ${origin} are not allowed; allow them with --allow-origin`,
      })
    await next()
  }
}
