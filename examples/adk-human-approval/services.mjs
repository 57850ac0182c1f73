export const services = {
  /** Is asked once for each call of a tool, before anything happens. */
  spending_rules(context, { args }) {
    if (args.price <= 100) return { outcome: "ALLOW" }
    if (args.price <= 5000)
      return { outcome: "CONFIRM", reason: "Orders above 100 need a signature." }
    return { outcome: "DENY", reason: "Orders above 5000 go through the council." }
  },

  place_order({ state, callId }, { item, price }) {
    state.set(`order_${callId}`, { item, price })
    return { order: callId, item, price }
  },
}
