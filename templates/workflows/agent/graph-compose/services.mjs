const orders = {
  "A-7731": { item: "teapot", status: "in transit", arrives: "tomorrow" },
  "A-7732": { item: "kettle", status: "delivered", arrives: "yesterday" },
}

/**
 * Tools by their id in `globalTools` of workflow.json. These functions are called instead of the
 * tool's `httpConfig`. Remove a function to call the URL of its tool.
 */
export const tools = {
  lookup_order: {
    async call({ arguments: { order_id } }) {
      return orders[order_id] ?? { error: `The order ${order_id} does not exist.` }
    },
  },
}
