const stiffWords = /hereby|pursuant|aforementioned/i

export const services = {
  intake: (context, application) => (/\d+ euros/.test(application) ? "complete" : "incomplete"),

  open_case({ state }, application) {
    const sum = Number(/(\d+) euros/.exec(application)[1])
    const opened = { number: "N-27", sum }
    state.set("case", opened)
    return { ...opened, application }
  },

  tone_gate({ state }, letter) {
    const found = stiffWords.exec(letter)
    if (found === null) return "friendly"
    state.set("tone_remark", `Nobody says "${found[0].toLowerCase()}" to a neighbour.`)
    return "stiff"
  },

  /** Stands in for the post: `step` is what happens once, however often the run is taken up again. */
  async send_letter({ state, step }, letter) {
    const receipt = await step("post the letter", () => ({
      to: state.get("case").number,
      words: letter.split(" ").length,
    }))
    state.set("receipt", receipt)
    return letter
  },
}
