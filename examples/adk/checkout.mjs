// An XState machine as an agent: a checkout that charges a card, asks an agent for advice, and waits for the customer.
// The process ends while the customer decides. Another process resumes the machine in its state.
// Run it: node examples/adk/checkout.mjs
import { compileOrThrow } from "agent-statecharts"
import {
  agentActor,
  LlmAgent,
  MachineAgent,
  programOf,
  SequentialAgent,
} from "agent-statecharts/adk"
import { drawMermaid } from "agent-statecharts/drawing"
import { createRunner, memoryJournal } from "agent-statecharts/runtime"
import { assign, fromPromise, setup } from "xstate"

let charges = 0

const checkout = setup({
  actors: {
    charge: fromPromise(async ({ input }) => {
      charges++
      if (input.total > 500) throw new Error("the card was declined")
      return { receipt: `R-${charges}` }
    }),
    advisor: agentActor(),
  },
}).createMachine({
  id: "checkout",
  context: ({ input }) => ({ total: input.cart.total, receipt: null, advice: null }),
  initial: "paying",
  states: {
    paying: {
      invoke: {
        src: "charge",
        input: ({ context }) => ({ total: context.total }),
        onDone: {
          target: "paid",
          actions: assign({ receipt: ({ event }) => event.output.receipt }),
        },
        onError: "advising",
      },
    },
    advising: {
      invoke: {
        src: "advisor",
        input: ({ context }) => `The payment of ${context.total} EUR was declined.`,
        onDone: {
          target: "deciding",
          actions: assign({ advice: ({ event }) => event.output.text }),
        },
      },
    },
    deciding: {
      after: { 86_400_000: "abandoned" },
      on: {
        PAY_HALF: {
          target: "paying",
          actions: assign({ total: ({ context }) => context.total / 2 }),
        },
        CANCEL: "abandoned",
      },
    },
    paid: { type: "final" },
    abandoned: { type: "final" },
  },
  output: ({ context }) => ({ receipt: context.receipt, paid: context.total }),
})

const shop = new SequentialAgent({
  name: "shop",
  subAgents: [
    new MachineAgent({
      name: "checkout",
      machine: checkout,
      input: ["cart"],
      outputKey: "order",
      maxAgentRuns: 5,
      subAgents: [
        new LlmAgent({
          name: "advisor",
          model: "small",
          instruction: "Suggest another way to pay.",
        }),
      ],
    }),
    new LlmAgent({ name: "clerk", model: "small", instruction: "Thank for the order: {order}" }),
  ],
})

// Responds instead of the model.
const answers = { advisor: "Pay in two parts.", clerk: "Thank you!" }
const small = { call: async ({ agent }) => ({ content: answers[agent] }) }

const { config, services } = programOf(shop)
const chart = compileOrThrow({ ...config, state: { cart: { total: 800 } } })
console.log(
  drawMermaid(chart)
    .split("\n")
    .filter((line) => line.includes("PAY_HALF") || line.includes("after"))
    .map((line) => line.trim())
    .join("\n"),
)

const journal = memoryJournal()
const options = { services, models: { small } }
const runner = createRunner({ ...options, journal })
const first = runner.start(chart, { runId: "order-1" })
first.events$.subscribe((event) => {
  if (event.type === "machine.entered") console.log(`${event.agent} is in ${event.states}`)
})
await first.whenSettled()
console.log(first.pending()[0].prompt)
await runner.close() // suspends the run and stops its timer

// Later, in another process: only the journal is needed.
const stored = memoryJournal(JSON.parse(JSON.stringify(journal)))
const run = await createRunner({ ...options, journal: stored }).resume("order-1")
await run.whenSettled()
run.answer(run.pending()[0].id, "PAY_HALF")
const { text, state } = await run.result
console.log(text, JSON.stringify(state.order), `${charges} charges`)
