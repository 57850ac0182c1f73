import type { ToolService } from "agent-statecharts/machines"

const orders = new Map([
  ["A-7731", { item: "teapot", status: "in transit", arrives: "tomorrow" }],
  ["A-7732", { item: "kettle", status: "delivered", arrives: "yesterday" }],
])

/**
 * Tools by their id in `workflow.ts`. These functions are called instead of the tool's
 * `httpConfig`. Remove a function to call the URL of its tool.
 */
export const tools: Record<string, ToolService> = {
  lookup_order: {
    async call({ arguments: { order_id } }) {
      return orders.get(String(order_id)) ?? { error: `The order ${order_id} does not exist.` }
    },
  },
}
