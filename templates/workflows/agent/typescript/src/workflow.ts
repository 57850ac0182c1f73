import { createHttpTool, createLlmAgent, GraphCompose } from "agent-statecharts/adk"

/** An agent answers questions about orders. It looks each order up with a tool. */
export const workflow = new GraphCompose()
  .adk("support")
  .withWorkflow((builder) =>
    builder
      .rootAgent("support")
      .agent(
        createLlmAgent({
          id: "support",
          description: "Answers questions about orders.",
          model: "assistant",
          instructions:
            "Answer questions about orders in one or two sentences. Look up each order with lookup_order. Never guess.",
          tools: ["lookup_order"],
          outputKey: "answer",
        }),
      )
      .httpTool(
        createHttpTool({
          id: "lookup_order",
          description: "Returns the status of an order.",
          parameters: {
            type: "object",
            properties: {
              order_id: { type: "string", description: "Id of the order, such as A-7731." },
            },
            required: ["order_id"],
          },
          httpConfig: { url: "https://tools.example.com/lookup_order", method: "POST" },
        }),
      )
      .build(),
  )
  .withInitialPrompt("Where is my order A-7731?")
  .end()
  .toConfig()
