import { expect, test } from "vitest"
import { progressLine } from "../../src/cli/progress/progress-line.js"
import { createPaint } from "../../src/cli/terminal/paint.js"

/** Returns a terminal that records the drawn lines, and a clock that the test sets. */
function screen(isLive: boolean) {
  const drawn: (readonly [readonly string[], number])[] = []
  const clock = { time: 0 }
  const line = progressLine(
    {
      isLive,
      paint: createPaint(false),
      size: () => ({ columns: 30, rows: 24 }),
      redraw: (lines, over) => void drawn.push([lines, over]),
    },
    () => clock.time,
  )
  const at = (time: number, text: string): void => {
    clock.time = time
    line.show(text)
  }
  return { drawn, line, at }
}

test("the line appears after two seconds, changes at most ten times per second, and disappears", () => {
  const { drawn, line, at } = screen(true)
  at(0, "file 1")
  at(1_999, "file 2")
  expect(drawn).toEqual([])
  at(2_000, "file 3")
  at(2_050, "file 4")
  at(2_100, "file 5")
  at(4_000, "a file with a very long name of its own")
  line.clear()
  line.clear()
  expect(drawn).toEqual([
    [["file 3 (2 s)"], 0],
    [["file 5 (2 s)"], 1],
    [[expect.stringMatching(/^a file with a very long n.*…$/)], 1],
    [[], 1],
  ])
})

test("the line is not shown for work under two seconds or for output to a pipe", () => {
  const short = screen(true)
  short.at(1_500, "file 1")
  short.line.clear()
  const piped = screen(false)
  piped.at(9_000, "file 1")
  piped.line.clear()
  expect([...short.drawn, ...piped.drawn]).toEqual([])
})
