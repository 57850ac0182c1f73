/** Shows a text in which code is between backticks. */
export const CodeText = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split("`")
      .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
  </>
)
