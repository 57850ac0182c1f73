/** Model services that answer with the next entry of `llm[agent]`, and records of their requests. */
export function scriptedModels(llm) {
  const left = new Map(Object.entries(llm).map(([agent, answers]) => [agent, [...answers]]))
  const requests = []
  const script = { requests, active: 0, mostActive: 0, left: () => leftover(left) }
  const service = {
    async call(request) {
      requests.push(request)
      const answers = left.get(request.agent) ?? []
      const answer = answers[0]?.repeat === true ? answers[0] : answers.shift()
      if (answer === undefined)
        throw new Error(`the script has no answer left for ${request.agent}`)
      script.active++
      script.mostActive = Math.max(script.mostActive, script.active)
      try {
        if (answer.delayMs !== undefined)
          await new Promise((resolve) => setTimeout(resolve, answer.delayMs))
        if (answer.error !== undefined) throw new Error(answer.error)
      } finally {
        script.active--
      }
      const { content, toolCalls = [], usage } = answer
      return {
        content,
        toolCalls: toolCalls.map(({ id, function_name, function_args }) => ({
          id,
          function_name,
          function_args,
        })),
        ...(usage && { usage }),
      }
    },
  }
  return { ...script, script, models: { "gemini-2.5-flash": service } }
}

const leftover = (left) =>
  [...left].flatMap(([agent, answers]) =>
    answers.some(({ repeat }) => repeat !== true) ? [agent] : [],
  )
