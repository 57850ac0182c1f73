import type { MiddlewareHandler } from "hono"
import { Hono } from "hono"
import type { DeliveryStore } from "../../runtime/journal/delivery-store.js"
import { HttpError } from "../../serving/http-error.js"
import type { RunHub } from "../../serving/run-hub.js"
import { receiveWebhook } from "../webhooks/incoming-webhooks.js"
import type { IncomingWebhook } from "../webhooks/webhook.js"

export interface IncomingParts {
  readonly webhooks: readonly IncomingWebhook[]
  readonly runs: RunHub
  /**
   * Store for the ids of received messages, which detects duplicates. Null if the server has no
   * webhook file.
   */
  readonly store: DeliveryStore | null
  /** Middleware that limits the size of request bodies. */
  readonly limitBody: MiddlewareHandler
}

/**
 * Creates the route with which other programs answer pending requests of runs. Its requests are
 * authenticated by a signature instead of the server's token.
 */
export function incomingRoutes({ webhooks, runs, store, limitBody }: IncomingParts): Hono {
  const routes = new Hono()
  const byName = new Map(webhooks.map((webhook) => [webhook.name, webhook]))
  routes.post("/v1/hooks/:name", limitBody, async ({ req, json }) => {
    const webhook = byName.get(req.param("name"))
    if (webhook === undefined || store === null)
      throw new HttpError(404, {
        code: "webhook_unknown",
        message: "the webhook does not exist; check the field incoming of the webhook file",
      })
    const message = { body: await req.text(), header: (name: string) => req.header(name) }
    return json(await receiveWebhook(webhook, message, { runs, store, now: Date.now }))
  })
  return routes
}
