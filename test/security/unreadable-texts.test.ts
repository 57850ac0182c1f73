import { connect } from "../../src/adapters/sqlite/connect.js"
import { expect, test } from "vitest"
import { sqliteJournal } from "../../src/adapters/journal/sqlite/sqlite-journal.js"
import { sqliteSessionStore } from "../../src/adapters/session/sqlite/sqlite-session-store.js"
import { cli, isBuilt } from "../cli/command.js"
import { changed, codeOf, newPlace } from "./stored-runs.js"

const first = "WHERE number = 1"
const second = "WHERE run = 1 AND position = 1"

test.each([
  ["runs", "id", first],
  ["runs", "chart", first],
  ["runs", "status", first],
  ["runs", "requests", first],
  ["runs", "owner", first],
  ["runs", "started_at", first],
  ["runs", "tail", first],
  ["runs", "crc", first],
  ["run_headers", "header", "WHERE run = 1"],
  ["run_charts", "chart", ""],
  ["run_records", "record", second],
  ["run_records", "position", second],
  ["run_owners", "host", ""],
  ["run_owners", "began", ""],
  ["run_owners", "renewed_at", ""],
])("a text in %s.%s that is not UTF-8 does not crash the process", async (table, column, where) => {
  const place = await changed(`UPDATE ${table} SET ${column} = CAST(x'66ff67' AS TEXT) ${where}`)
  const warnings: string[] = []
  const journal = sqliteJournal(place, { onWarning: ({ message }) => warnings.push(message) })
  const codes = [
    codeOf(() => journal.list()),
    codeOf(() => journal.load("r")),
    codeOf(() => journal.verify()),
  ]
  expect(codes.filter((code) => code !== null && code !== "journal_corrupt")).toEqual([])
  // The owner of a run is not part of the stored run.
  const isOfRun = table !== "run_owners" && column !== "owner"
  const problems = journal.verify().filter(({ problem }) => problem?.code === "journal_corrupt")
  expect(problems.length > 0).toBe(isOfRun)
  // `list` reads rows and leases, but no records.
  const isInLists =
    (table === "runs" && column !== "tail") || (table === "run_owners" && column !== "renewed_at")
  expect(warnings.length > 0).toBe(isInLists)
  journal.close()
})

test.skipIf(!isBuilt)(
  "runs list prints a warning for an unreadable run and lists the other runs",
  async () => {
    const place = await changed(`UPDATE runs SET chart = CAST(x'66ff67' AS TEXT) ${first}`)
    const listed = await cli(["runs", "list", "--journal", place])
    expect(listed.code).toBe(0)
    expect(listed.stdout).toMatch(/^s {2}waiting/)
    expect(listed.stderr).toContain("warning: ")
  },
)

test("loading a session with a text that is not UTF-8 fails with session_store_failed", () => {
  const place = newPlace("sessions.db")
  const store = sqliteSessionStore(place)
  const key = { appName: "app", userId: "ann", sessionId: "s" }
  void store.create(key, { colour: "red" }, 1)
  const database = connect(place)
  database.exec("UPDATE session_state SET value = CAST(x'66ff67' AS TEXT)")
  expect(codeOf(() => store.load(key))).toBe("session_store_failed")
  database.exec(
    "UPDATE sessions SET active_agent = CAST(x'66ff67' AS TEXT), saved_by = active_agent",
  )
  database.close()
  expect(codeOf(() => store.load(key))).toBe("session_store_failed")
  store.close()
})
