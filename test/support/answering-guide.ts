import { chartOf } from "./in-both-interpreters.js"

/** A chart with one agent, which calls the model `m`. */
export const guide = chartOf({
  rootAgentId: "guide",
  agents: [{ type: "LlmAgent", name: "guide", model: "m", outputKey: "said" }],
})

/** A model `m` that answers with the number of messages in its request. */
export const guideModels = {
  m: {
    call: async ({ messages }: { readonly messages: readonly { readonly role: string }[] }) => ({
      content: `Answer ${messages.filter(({ role }) => role !== "system").length}.`,
    }),
  },
}
