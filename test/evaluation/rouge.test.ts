import { describe, expect, test } from "vitest"
import { rouge1 } from "../../src/evaluation/rouge/rouge1.js"
import { stemOf } from "../../src/evaluation/rouge/porter-stemmer.js"
import { tokenize } from "../../src/evaluation/rouge/tokenize.js"
import pairs from "./rouge.json" with { type: "json" }
import stems from "./stemmer.json" with { type: "json" }

describe("ROUGE-1", () => {
  test("all words have the same stems as in NLTK", () => {
    const found = Object.fromEntries(Object.keys(stems).map((word) => [word, stemOf(word)]))
    expect(found).toEqual(stems)
  })

  test("all pairs of texts have the same tokens and scores as in rouge-score", () => {
    for (const { reference, response, tokens, precision, recall, f1 } of pairs) {
      expect([tokenize(reference), tokenize(response)]).toEqual(tokens)
      const score = rouge1(reference, response)
      expect(score.precision).toBeCloseTo(precision, 9)
      expect(score.recall).toBeCloseTo(recall, 9)
      expect(score.f1).toBeCloseTo(f1, 9)
    }
  })

  test("the time to tokenize a long word of the letter y is linear", () => {
    const word = "y".repeat(200_000)
    expect(tokenize(word)).toHaveLength(1)
  })
})
