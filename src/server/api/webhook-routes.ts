import { Hono } from "hono"
import { HttpError } from "../../serving/http-error.js"
import type { Deliveries } from "../webhooks/deliveries.js"
import { deliveryStatus } from "../webhooks/delivery-status.js"
import { addRoute } from "./add-route.js"
import { operations } from "./operations.js"

/** Creates the routes of the JSON API that list webhooks and retry failed webhook deliveries. */
export function webhookRoutes(deliveries: Deliveries | null): Hono {
  const routes = new Hono()
  addRoute(routes, operations.listWebhooks, async ({ query: { limit = 100 } }) => {
    const open = (await (deliveries?.list() ?? [])).flatMap(
      (delivery) => deliveryStatus(delivery) ?? [],
    )
    return {
      body: {
        webhooks: (deliveries?.webhooks ?? []).map(({ name, url, events, workflows }) => ({
          name,
          // The query of the URL is omitted, because it may contain a secret.
          url: `${url.origin}${url.pathname}`,
          events,
          ...(workflows !== null && { workflows }),
          failed: open.filter((one) => one.receiver === name && one.status === "failed").length,
        })),
        deliveries: open.slice(0, limit),
      },
    }
  })
  addRoute(routes, operations.retryWebhook, async ({ context }) => {
    const name = context.req.param("id") ?? ""
    if (deliveries?.webhooks.every((webhook) => webhook.name !== name) ?? true)
      throw new HttpError(404, {
        code: "webhook_unknown",
        message: `the webhook "${name}" does not exist; GET /v1/webhooks lists all webhooks`,
      })
    return { body: { retried: (await deliveries?.retry(name)) ?? 0 } }
  })
  return routes
}
