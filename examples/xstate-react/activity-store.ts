import { createStore } from "@xstate/store"
import type { EmittedEvent } from "agent-statecharts/machines"

/** A store of the last events of the agents. */
export const createActivityStore = () =>
  createStore({
    context: { lines: [] as string[], modelCalls: 0 },
    on: {
      emitted: (context, { event }: { event: EmittedEvent }) => ({
        lines: [...context.lines, `${event.type} ${event.agent}`].slice(-20),
        modelCalls: context.modelCalls + (event.type === "model.called" ? 1 : 0),
      }),
    },
  })
