export const services = {
  place_order: async (context) => {
    // oxlint-disable-next-line oxc/erasing-op
    const order = await context.step("number", () => Math.floor(Math.random() * 0) + 7)
    await context.step("time", () => (Date.now() > 0 ? "noted" : "never"))
    context.state.set("order", order)
    return { number: order }
  },
}
