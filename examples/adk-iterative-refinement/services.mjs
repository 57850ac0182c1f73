export const services = {
  stop_when_passed({ state, escalate }) {
    const [verdict, ...remarks] = state.get("check_result").split("\n")
    if (verdict.trim() === "pass") {
      state.delete("remarks")
      escalate()
    } else {
      state.set("remarks", remarks.join("\n").trim())
    }
  },
}
