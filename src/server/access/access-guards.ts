import type { MiddlewareHandler } from "hono"
import { hostIn, hostnameIn, isToken } from "../../adapters/access-check.js"
import { HttpError } from "../../serving/http-error.js"

/**
 * Creates middleware that requires a token in the header `Authorization: Bearer`. For event
 * streams, it also accepts `?token=`, because the `EventSource` of browsers cannot send headers.
 */
export function onlyWithToken(token: string): MiddlewareHandler {
  const isRight = isToken(token)
  return async (context, next) => {
    const inQuery =
      context.req.method === "GET" && context.req.path.endsWith("/events")
        ? context.req.query("token")
        : undefined
    const received =
      /^Bearer (.+)$/i.exec(context.req.header("authorization") ?? "")?.[1] ?? inQuery ?? ""
    if (!isRight(received)) {
      context.header("www-authenticate", "Bearer")
      return context.json(
        {
          code: "unauthorized",
          message:
            "the token is missing or wrong; send it in the header Authorization: Bearer TOKEN",
        },
        401,
      )
    }
    await next()
    return undefined
  }
}

/**
 * Creates middleware that rejects requests from web pages of other origins, unless `allowed`
 * contains the origin. It also rejects requests whose `Host` header is not in `names`, because a
 * page can point its own host name at a local server (DNS rebinding). If `names` is null, every
 * host name is accepted.
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
        message: `the host name ${hostnameIn(`http://${host}`) ?? ""} is not a name of this server; use one of ${[...names].join(", ")}`,
      })
    if (origin !== undefined && !allowed.has(origin) && hostIn(origin) !== host)
      throw new HttpError(403, {
        code: "origin_refused",
        message: `requests from pages of ${origin} are not allowed; to allow them, start the server with --allow-origin ${origin}`,
      })
    await next()
  }
}
