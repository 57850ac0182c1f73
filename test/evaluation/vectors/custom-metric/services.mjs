const words = (text) => text.split(/\s+/).filter(Boolean).length
export const metrics = {
  shorter_than_reference: ({ invocations }) => {
    const perInvocation = invocations.map(({ text, reference }) =>
      words(text) <= words(reference) ? 1 : 0,
    )
    return {
      score: perInvocation.reduce((sum, score) => sum + score, 0) / perInvocation.length,
      perInvocation,
    }
  },
  polarity: async ({ invocations }) => ({ score: -invocations.length }),
}
