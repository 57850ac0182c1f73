export const services = {
  book_table({ state }, { guests, time, place }) {
    if (guests > 8) throw new Error("tables for more than eight are booked by telephone")
    const booking = { table: place === "terrace" ? 21 : 7, guests, time, place }
    state.set("booking", booking)
    return booking
  },

  send_housekeeping(context, { room, wish }) {
    return { room, wish, onTheWay: true }
  },
}
