import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAction } from '../api/use-answer.ts'
import { Confirmation } from './dialog.tsx'
import { ProblemNote } from './problem-note.tsx'

/** A button that changes something. If the change fails, the error appears beside the button. */
export function ActionButton({
  label,
  busy = label,
  question,
  isDangerous = false,
  work,
}: {
  readonly label: string
  /** The label while the action runs, such as `Purging`. */
  readonly busy?: string
  /** The question that the user must confirm before the action starts. */
  readonly question?: {
    readonly title: string
    /** The label of the button that confirms, such as `Delete 3 messages`. */
    readonly confirm: string
    readonly text: ComponentChildren
  }
  readonly isDangerous?: boolean
  readonly work: () => Promise<unknown>
}) {
  const action = useAction(work)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button
        type="button"
        class={isDangerous ? 'danger' : undefined}
        disabled={action.isBusy}
        onClick={question === undefined ? action.start : () => setAsking(true)}
      >
        {action.isBusy ? busy : label}
      </button>
      {action.error && <ProblemNote text={action.error} />}
      {question !== undefined && isAsking && (
        <Confirmation
          title={question.title}
          action={question.confirm}
          onConfirm={action.start}
          onClose={() => setAsking(false)}
        >
          <p>{question.text}</p>
        </Confirmation>
      )}
    </>
  )
}
