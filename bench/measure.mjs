export const median = (numbers) =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1]

/** Measures the CPU time of all threads and the elapsed time of an action, in milliseconds. */
export async function measure(act) {
  const [cpu, from] = [process.cpuUsage(), performance.now()]
  const value = await act()
  const wall = performance.now() - from
  const { user, system } = process.cpuUsage(cpu)
  return { value, wall, cpu: (user + system) / 1000 }
}

/** Returns k in size ~ n^k by linear regression of the logarithms. 1 is linear, 2 is quadratic. */
export function exponent(points) {
  const logs = points.map(([n, size]) => [Math.log(n), Math.log(size)])
  const mean = (of) => logs.reduce((sum, point) => sum + point[of], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const [over, under] = logs.reduce(
    ([a, b], [n, size]) => [a + (n - x) * (size - y), b + (n - x) ** 2],
    [0, 0],
  )
  return over / under
}

const shown = (number) =>
  Number.isInteger(number)
    ? number.toLocaleString("en")
    : number >= 100
      ? number.toFixed(0)
      : number >= 10
        ? number.toFixed(1)
        : number.toFixed(2)

/** Prints a Markdown table. */
export function printTable(title, columns, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => (typeof cell === "number" ? shown(cell) : cell)).join(" | ")} |`
  console.log(
    [
      "",
      `### ${title}`,
      "",
      line(columns),
      `|${" --- |".repeat(columns.length)}`,
      ...rows.map(line),
    ].join("\n"),
  )
}
