import type { ComponentChildren } from 'preact'
import type { Action } from '../api/use-answer.ts'
import { ProblemNote } from './problem-note.tsx'

/** A form with fields and a submit button, which also shows its error and its result. */
export function Form({
  action,
  button,
  busy = button,
  isCard = false,
  isDisabled = false,
  tools,
  result,
  children,
}: {
  readonly action: Action
  /** The label of the button, such as `Send`. */
  readonly button: string
  /** The label while the action runs, such as `Sending`. */
  readonly busy?: string
  readonly isCard?: boolean
  readonly isDisabled?: boolean
  /** Additional buttons before the submit button. */
  readonly tools?: ComponentChildren
  readonly result?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <form
      class={isCard ? 'card stack' : 'stack'}
      onSubmit={event => {
        event.preventDefault()
        action.start()
      }}
    >
      {children}
      <div class="actions">
        {tools}
        <button type="submit" class="main" disabled={isDisabled || action.isBusy}>
          {action.isBusy ? busy : button}
        </button>
      </div>
      {action.error && <ProblemNote text={action.error} />}
      {result}
    </form>
  )
}
