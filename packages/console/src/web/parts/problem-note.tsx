import { Text } from '../text/text.tsx'

/** An error message, with a button to try again. */
export function ProblemNote({
  text,
  retry,
}: {
  readonly text: string
  readonly retry?: (() => void) | undefined
}) {
  return (
    <div class="note bad" role="alert">
      <Text of={text} most={1000} />
      {retry && (
        <button type="button" class="quiet" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
