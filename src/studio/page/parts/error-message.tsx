/**
 * Component for an error message, which screen readers announce. Renders nothing if `text` is null.
 */
export const ErrorMessage = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <p role="alert" class="trouble">
      {text}
    </p>
  )
