import { copyFileSync } from "node:fs"
import { expect, test } from "vitest"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { sqliteSessionStore } from "../../src/adapters/session/sqlite/sqlite-session-store.js"
import { headerFor, newPlace, records } from "./stored-runs.js"

test("a copy of a journal file is complete after close, even while another connection is open", async () => {
  const place = newPlace("runs.sqlite")
  const [journal, other] = [sqliteJournal(place), sqliteJournal(place)]
  await journal.create(headerFor("r"))
  for (const record of records) await journal.append("r", record)
  journal.close()
  const copy = newPlace("copy.sqlite")
  copyFileSync(place, copy)
  const copied = sqliteJournal(copy)
  expect(copied.load("r")).toMatchObject({ records })
  expect(copied.verify()).toMatchObject([{ runId: "r", problem: null }])
  expect(other.load("r")).toMatchObject({ records })
  for (const open of [copied, other]) open.close()
})

test("a copy of the file of a session store is complete after close", () => {
  const place = newPlace("sessions.db")
  const store = sqliteSessionStore(place)
  const key = { appName: "app", userId: "ann", sessionId: "s" }
  void store.create(key, { colour: "red" }, 1)
  store.close()
  const copy = newPlace("copy.db")
  copyFileSync(place, copy)
  const copied = sqliteSessionStore(copy)
  expect(copied.load(key)).toMatchObject({ state: { colour: "red" } })
  copied.close()
})
