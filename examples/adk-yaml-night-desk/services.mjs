/** The model receives this description of its tool. */
export const declarations = [
  {
    name: "newsdesk.on_duty",
    kind: "tool",
    description: "Returns who is on duty, with a telephone number.",
  },
]

export const services = {
  "newsdesk.on_duty": () => ({ name: "Captain Reyes", telephone: "555-0147" }),

  /** After each turn; it answers nothing, so the text stays as it is. A turn that only calls a tool has no text. */
  "newsdesk.count_words"({ state }, { text }) {
    if (text !== null) state.set("word_count", text.split(/\s+/).length)
  },
}
