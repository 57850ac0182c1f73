export const services = {
  async story_flow({ state, runAgent, emit }) {
    await runAgent("story_generator")
    if (!state.get("current_story")) return

    await runAgent("critic_reviser_loop")
    await runAgent("post_processing")

    if (state.get("tone_check_result") === "negative") {
      emit("regenerating", { because: "the story is too sad for the night" })
      await runAgent("story_generator")
    }
  },
}
