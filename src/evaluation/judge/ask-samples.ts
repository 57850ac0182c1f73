import type { Judge, JudgeQuestion } from "./judge.js"
import type { JudgeOptions } from "./judge-options.js"

/**
 * Sends the same question to the judge model several times, one call after the other. Returns the
 * answers of the successful calls.
 */
export async function askSamples(
  judge: Judge,
  { model, generationConfig, samples }: JudgeOptions,
  question: Omit<JudgeQuestion, "model" | "generationConfig">,
): Promise<{ readonly answers: readonly string[]; readonly hasFailed: boolean }> {
  const answers: string[] = []
  for (let sample = 0; sample < samples; sample++) {
    const answer = await judge.ask({ ...question, model, generationConfig })
    if (answer !== null) answers.push(answer)
  }
  return { answers, hasFailed: answers.length < samples }
}
