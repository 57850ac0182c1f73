import type { ComparisonReport } from "../compare/comparison-report.js"
import { changeTexts, divergenceText, scoreChangeTexts, verdictOf } from "./comparison-text.js"
import { junitXml } from "./junit-xml.js"

/**
 * Formats a comparison of two workflows as a JUnit report. A test case fails if it has regressed.
 */
export const comparisonJUnit = ({ agents, sets }: ComparisonReport): string =>
  junitXml(
    `eval ${agents.a} ${agents.b}`,
    sets.map(({ file, evalSetId, cases }) => ({
      name: evalSetId,
      cases: Object.entries(cases).map(([evalId, compared]) => {
        const texts = [
          ...scoreChangeTexts(compared),
          ...changeTexts(compared),
          divergenceText(compared),
        ].filter((text) => text !== "")
        return {
          name: evalId,
          className: file,
          seconds: compared.b.duration,
          failures:
            verdictOf(compared) === "regressed"
              ? [
                  {
                    type: "regressed",
                    message: `${compared.a.status} with A, ${compared.b.status} with B`,
                    text: texts.join("\n"),
                  },
                ]
              : [],
        }
      }),
    })),
  )
