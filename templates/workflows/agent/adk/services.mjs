const orders = {
  "A-7731": { item: "teapot", status: "in transit", arrives: "tomorrow" },
  "A-7732": { item: "kettle", status: "delivered", arrives: "yesterday" },
}

/** Functions by the name of their tool: `(context, args) => result`. */
export const services = {
  lookup_order(_context, { order_id }) {
    return orders[order_id] ?? { error: `The order ${order_id} does not exist.` }
  },
}
