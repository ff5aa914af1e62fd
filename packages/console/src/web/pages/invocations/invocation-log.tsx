import type { InvocationDetails } from '../../../api/invocations.ts'
import { Command } from '../../parts/empty.tsx'
import { Section } from '../../parts/section.tsx'
import { LongText, Text } from '../../text/text.tsx'
import { stackLinesOf } from './stack-lines.ts'

const mostLines = 1000

/** What a function wrote. The frames of libraries in stacks are folded. */
export function InvocationLog({ logs }: Pick<InvocationDetails, 'logs'>) {
  return (
    <Section title={`Log (${logs.length})`}>
      {logs.length === 0 ? (
        <p class="faint">The function wrote nothing.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
        <ol class="log" tabIndex={0}>
          {logs.slice(0, mostLines).map(({ stream, text }, index) => (
            <li key={index} class={stream}>
              <TextOrLines text={text} />
            </li>
          ))}
          {logs.length > mostLines && <li class="faint">{logs.length - mostLines} more lines</li>}
        </ol>
      )}
      {logs.some(({ text }) => text.includes('***')) && (
        <p class="faint">
          A secret is masked as ***. In development, <Command>signalbox dev --unmasked</Command> prints it in
          the terminal.
        </p>
      )}
    </Section>
  )
}

/** Text with few lines, in which the frames of libraries are folded, or long text in a frame that scrolls. */
export function TextOrLines({ text }: { readonly text: string }) {
  if (text.length > 8000) return <LongText of={text} label="long text" />
  return (
    <pre class="lines">
      {stackLinesOf(text).map(({ kind, lines }, index) =>
        kind === 'library' ? (
          <details key={index}>
            <summary class="faint">
              {lines.length} {lines.length === 1 ? 'frame' : 'frames'} of libraries
            </summary>
            <Lines of={lines} />
          </details>
        ) : (
          <Lines key={index} of={lines} />
        ),
      )}
    </pre>
  )
}

function Lines({ of }: { readonly of: readonly string[] }) {
  return (
    <>
      {of.map((line, index) => (
        <div key={index}>
          <Text of={line} most={2000} />
        </div>
      ))}
    </>
  )
}
