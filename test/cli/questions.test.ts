import { describe, expect, test } from "vitest"
import { requestLines } from "../../src/cli/format/format-request.js"
import type { PendingRequest } from "../../src/machines/contract/pending-request.js"
import { cli, folderWith, isBuilt, samples } from "./command.js"

const request: PendingRequest = {
  id: "editor#0",
  kind: "human",
  agent: "editor",
  path: "editor",
  branch: null,
  prompt: "Publish?",
  details: null,
}

describe("the lines of a request", () => {
  test("each line of a prompt is quoted, so that it cannot imitate a line of the program", () => {
    expect(
      requestLines({
        ...request,
        prompt: 'Publish?\nproposes pay {"amount":5} (1)',
        shown: { draft: "one\n\ntwo", title: "Tea", "odd key": { a: 1 } },
        omittedKeys: ["book"],
        choices: ["yes", 2],
        details: { page: 1 },
      }),
    ).toEqual([
      "| Publish?",
      '| proposes pay {"amount":5} (1)',
      "draft:",
      "| one",
      "|",
      "| two",
      "title: Tea",
      '"odd key": {"a":1}',
      "too large to show: book",
      'choices: "yes", 2',
      'details: {"page":1}',
    ])
  })

  test("long arguments are printed with one field per line", () => {
    const args = { to: "x".repeat(90), note: "a\nb" }
    expect(
      requestLines({
        ...request,
        kind: "approval",
        toolCalls: [{ id: "1", name: "send", args }],
      }),
    ).toEqual([
      "proposes send (1) with these arguments:",
      "  {",
      `    "to": "${args.to}",`,
      '    "note": "a\\nb"',
      "  }",
      "prompt: Publish?",
    ])
  })

  test("a long value is cut, and its last line contains the number of omitted lines", () => {
    const shown = { book: Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n") }
    const lines = requestLines({ ...request, shown })
    expect(lines).toHaveLength(42)
    expect(lines.at(-1)).toBe('| ... 61 more lines; "runs pending --json" prints them')
  })
})

describe.skipIf(!isBuilt)("a question with choices on the command line", () => {
  test("a question prints its choices and state, and accepts only its choices, in upper or lower case", async () => {
    const cwd = folderWith(samples)
    const scripted = ["--scripted", "review.scenario.json"]
    const asked = await cli(["run", "review.json", ...scripted, "--run-id", "r1"], { cwd })
    expect(asked.code).toBe(3)
    expect(asked.stderr).toContain(
      [
        "    | Publish this article?",
        "    | It has  words.",
        "    article:",
        "    | Tea",
        "    |",
        "    | It is hot.",
        '    choices: "publish", "do not"',
        '    answer with {"answer":"publish"} or {"answer":"do not"}',
      ].join("\n"),
    )
    expect(asked.stderr).toContain("agent-statecharts runs answer r1 'do not'")
    const shown = await cli(["runs", "show", "r1"], { cwd })
    expect(shown.stdout).toContain('choices: "publish", "do not"')
    const wrong = await cli(["runs", "answer", "r1", "perhaps", ...scripted], { cwd })
    expect(wrong.code).not.toBe(0)
    expect(wrong.stderr).toContain('accepts one of these answers: "publish", "do not"')
    const right = await cli(["runs", "answer", "r1", "Do Not", ...scripted], { cwd })
    expect(right.code).toBe(0)
    expect(right.stdout).toContain('decision  "do not"')
  })
})
