export const services = {
  place_order: () => ({ done: true }),
  cancel_order: () => ({ done: true }),
  list_orders: () => ({ done: true }),
  spending_rules: (context, { tool }) => ({
    outcome: { place_order: "CONFIRM", cancel_order: "DENY" }[tool] ?? "ALLOW",
  }),
}
