import type { Attempt } from '@signalbox/platform-invoke/console'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { changesOf } from './changes-of.ts'

/** The maximum number of lines that an attempt shows. */
const mostLines = 60

/** The attempts of a step, each with what differs from the attempt before it. */
export function Attempts({ of }: { readonly of: readonly Attempt[] }) {
  return (
    <ol class="texts" aria-label="Attempts">
      {of.map((attempt, index) => {
        const text = textOf(attempt)
        const before = of[index - 1]
        const lines = before === undefined ? text.split('\n').map(plain) : changesOf(textOf(before), text)
        return (
          <li key={attempt.number} class="stack">
            <p class="faint">
              Attempt {attempt.number}, <Time at={attempt.startedAt} />, took{' '}
              {durationInWords(attempt.endedAt - attempt.startedAt)}
              {attempt.againIn !== undefined && `, again after ${durationInWords(attempt.againIn * 1000)}`}
            </p>
            {before !== undefined && text === textOf(before) ? (
              <p>The same as attempt {before.number}.</p>
            ) : (
              <pre class="lines">
                {lines.slice(0, mostLines).map(({ sign, line }, at) => (
                  <div key={at}>
                    {before !== undefined && `${sign} `}
                    <Text of={line} most={400} />
                  </div>
                ))}
                {lines.length > mostLines && <div class="faint">{lines.length - mostLines} more lines</div>}
              </pre>
            )}
          </li>
        )
      })}
    </ol>
  )
}

const plain = (line: string) => ({ sign: ' ' as const, line })

/** Returns the error or the result of an attempt, with a line for each of its fields. */
function textOf({ error, result }: Attempt): string {
  const text = error ?? result ?? ''
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
