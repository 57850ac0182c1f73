/** Component that shows a text. Parts between backticks are shown as code. */
export const CodeText = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split("`")
      .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
  </>
)
