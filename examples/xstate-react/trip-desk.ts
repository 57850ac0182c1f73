import { pendingRequests } from "agent-statecharts/runtime"
import { assign, sendTo, setup } from "xstate"
import { tripAgents } from "./agents.js"

/** A machine that starts the agents, forwards the traveler's answer, and keeps the result. */
export const tripDesk = setup({
  types: {
    context: {} as { question: { id: string; prompt: string | null } | null; booking: string },
    events: {} as
      | { type: "plan"; wish: string }
      | { type: "answer"; verdict: "yes" | "no" }
      | { type: "stop" },
  },
  actors: { agents: tripAgents },
  guards: { isAsked: ({ context }) => context.question !== null },
}).createMachine({
  id: "tripDesk",
  context: { question: null, booking: "" },
  initial: "idle",
  states: {
    idle: { on: { plan: "traveling" } },
    traveling: {
      invoke: {
        id: "agents",
        src: "agents",
        input: ({ event }) => ({ prompt: event.type === "plan" ? event.wish : null }),
        // The child changes its snapshot when it asks a person, and when it continues.
        onSnapshot: {
          actions: assign({ question: ({ event }) => pendingRequests(event.snapshot)[0] ?? null }),
        },
        onDone: {
          target: "idle",
          actions: assign({
            question: null,
            booking: ({ event }) => `${event.output.status}: ${event.output.text}`,
          }),
        },
        onError: {
          target: "idle",
          actions: assign({ booking: ({ event }) => `failed: ${String(event.error)}` }),
        },
      },
      on: {
        answer: {
          guard: "isAsked",
          actions: sendTo("agents", ({ context, event }) => ({
            type: "answer",
            id: context.question?.id ?? "",
            value: event.verdict,
          })),
        },
        stop: { actions: sendTo("agents", { type: "cancel" }) },
      },
    },
  },
})
