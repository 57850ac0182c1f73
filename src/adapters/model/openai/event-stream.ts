export interface EventStream {
  /** More of the stream, cut anywhere. */
  push(text: string): void
  /** The stream has ended, perhaps without the empty line that ends an event. */
  end(): void
}

/** Reads server-sent events: tells the data of each. Names, ids and comments mean nothing here. */
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
      // A long line is put together once, however many pieces it comes in.
      if (!/[\r\n]/.test(text)) return
      // What follows a carriage return at the end decides whether it ends a line by itself.
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
