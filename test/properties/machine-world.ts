import { assign, fromPromise, setup } from "xstate"
import type { HostService } from "../../src/runtime/host/host-service.js"
import { hashOf } from "./hash.js"
import type { Pause } from "./host-world.js"

/** Prefixes of the parts of a workflow. Each part has its own machines. */
const prefixes = ["s0", "s1", "s2", "s3", "s4", "s5"]

const mostSteps = 5

/**
 * Returns the machines of the MachineAgents, by service name. The seed decides the order in which a
 * machine starts actors: two agents, a promise, a promise that fails, a timer, or an event of a person.
 */
export function machinesOf(seed: number, pause: Pause): Readonly<Record<string, HostService>> {
  return Object.fromEntries(
    prefixes.map((prefix) => [`${prefix}_machine`, machineOf(prefix, seed, pause)]),
  )
}

function machineOf(prefix: string, seed: number, pause: Pause): HostService {
  const next = (from: string): string =>
    ["one", "two", "both", "work", "fails", "later", "asks", "done"][
      hashOf(`${seed} ${prefix} after ${from}`) % 8
    ] ?? "done"
  /** The values are so precise that no two actors end at the same time. */
  const delay = (of: string): number => 1 + hashOf(`${seed} ${prefix} ${of}`) / 2 ** 22
  const note = assign(
    ({ context, event }: { context: { trail: readonly string[] }; event: { type: string } }) => ({
      trail: [...context.trail, event.type],
    }),
  )
  const leave = (from: string) => ({ target: next(from), reenter: true, actions: note })
  const isLong = {
    guard: ({ context }: { context: { trail: readonly string[] } }) =>
      context.trail.length >= mostSteps,
    target: "done",
  }
  const running = (src: string) => ({
    always: isLong,
    invoke: { src, onDone: leave(src), onError: leave(`failed ${src}`) },
  })
  // The types of XState cannot describe a config that is only known at run time.
  return setup({
    actors: {
      [`${prefix}_one`]: fromPromise(async () => null),
      [`${prefix}_two`]: fromPromise(async () => null),
      work: fromPromise(async () => {
        await pause(`${seed} ${prefix} work`)
        return { worked: prefix }
      }),
      fails: fromPromise(async () => {
        await pause(`${seed} ${prefix} fails`)
        throw new Error("no work")
      }),
    },
  }).createMachine({
    id: `${prefix}-machine`,
    context: ({ input }: { input: unknown }) => ({ trail: [], input }),
    initial: "begins",
    states: {
      // Transitions take no time, so each machine begins at its own time.
      begins: { after: { [delay("begins")]: next("start") } },
      one: running(`${prefix}_one`),
      two: running(`${prefix}_two`),
      work: running("work"),
      fails: running("fails"),
      both: {
        type: "parallel",
        always: isLong,
        states: Object.fromEntries(
          [`${prefix}_one`, `${prefix}_two`].map((src) => [
            src,
            {
              initial: "active",
              states: {
                active: { invoke: { src, onDone: "ended", onError: "ended" } },
                ended: { type: "final" },
              },
            },
          ]),
        ),
        onDone: leave("both"),
      },
      later: {
        always: isLong,
        after: { [delay("later") / 3]: leave("later") },
      },
      asks: {
        always: isLong,
        on: { GO: leave("GO"), STOP: { target: "done" } },
        ...(hashOf(`${seed} ${prefix} waits`) % 2 === 0 && {
          after: { [delay("late")]: leave("late") },
        }),
      },
      done: { type: "final" },
    },
    output: ({ context }: { context: unknown }) => context,
  } as never) as unknown as HostService
}
