export interface EventStream {
  /** Adds a chunk of the stream, which may end anywhere. */
  push(text: string): void
  /** Ends the stream. The last event may lack its empty line. */
  end(): void
}

/**
 * Parses server-sent events and passes the data of each to `onData`. Names, ids and comments are
 * ignored.
 */
export function eventStream(onData: (data: string) => void): EventStream {
  let unfinished: string[] = []
  let data: string[] = []
  const line = (text: string): void => {
    if (text === "") {
      if (data.length > 0) onData(data.join("\n"))
      data = []
    } else if (text.startsWith("data:")) data.push(text.slice(text.startsWith("data: ") ? 6 : 5))
  }
  return {
    push(text) {
      unfinished.push(text)
      // Join the chunks of a long line once.
      if (!/[\r\n]/.test(text)) return
      // The character after a trailing carriage return decides whether the line ends there.
      const lines = unfinished.join("").split(/\r\n|\n|\r(?!$)/)
      unfinished = [lines.pop() ?? ""]
      for (const each of lines) line(each)
    },
    end() {
      line(unfinished.join("").replace(/\r$/, ""))
      line("")
    },
  }
}
