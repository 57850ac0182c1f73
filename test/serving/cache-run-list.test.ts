import { expect, test } from "vitest"
import type { CompleteJournal } from "../../src/runtime/journal/journal.js"
import { cacheRunList } from "../../src/serving/cache-run-list.js"

/** A journal that counts how often its complete list is read. */
function countingJournal() {
  let lists = 0
  const nothing = async (): Promise<void> => {}
  const journal = {
    create: nothing,
    store: nothing,
    release: nothing,
    delete: nothing,
    append: nothing,
    list: async () => {
      lists += 1
      return []
    },
  } as unknown as CompleteJournal
  return { journal, lists: () => lists }
}

test("a cached list is read again after it expires, and a filter bypasses the cache", async () => {
  const { journal, lists } = countingJournal()
  let time = 0
  const cached = cacheRunList(journal, 1_000, () => time)
  await cached.list()
  time = 999
  await cached.list()
  expect(lists()).toBe(1)
  await cached.list({ resumableAt: 0 })
  expect(lists()).toBe(2)
  time = 1_000
  await cached.list()
  expect(lists()).toBe(3)
})

test.each(["create", "store", "release", "delete"] as const)(
  "a list that was read before or during a call of %s is not used after the call",
  async (method) => {
    const { journal, lists } = countingJournal()
    const cached = cacheRunList(journal, 1_000, () => 0)
    await cached.list()
    const changing = (cached[method] as (id: string) => Promise<void>)("run")
    await cached.list()
    expect(lists()).toBe(2)
    await changing
    await cached.list()
    expect(lists()).toBe(3)
    await cached.append("run", { seq: 0 } as never)
    await cached.list()
    expect(lists()).toBe(3)
  },
)
