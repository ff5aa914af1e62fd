import type { MailContent } from '@signalbox/platform-mail/console'
import { query, setQuery } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Figure } from '../../parts/figure.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Section } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { LongText, Text } from '../../text/text.tsx'
import { bytesInWords } from '../../time/words-of-time.ts'
import { frameOf } from './frame-of.ts'

const views = [
  ['text', 'Text'],
  ['html', 'HTML'],
  ['headers', 'Headers'],
  ['source', 'Source'],
] as const

/** Shows the content of a mail: as text, as HTML in a frame without scripts, and as source. */
export function MailContents({
  content,
  files,
}: {
  readonly content: MailContent
  /** The URL below which the API serves the source and the attachments of the mail. */
  readonly files: string
}) {
  const wanted = query.value.get('view')
  const view = views.some(([name]) => name === wanted) ? wanted : content.html === undefined ? 'text' : 'html'
  return (
    <Section title="Content">
      <dl class="facts card">
        <Figure name="From">
          <Text of={content.from} />
        </Figure>
        <Figure name="To">
          <Text of={content.to} />
        </Figure>
        {content.cc !== '' && (
          <Figure name="Copy to">
            <Text of={content.cc} />
          </Figure>
        )}
        <Figure name="Date">
          <Text of={content.date} />
        </Figure>
      </dl>
      {content.attachments.length > 0 && (
        <ul class="attachments">
          {content.attachments.map(({ filename, mimeType, size }, index) => (
            <li key={index}>
              <a href={`${files}/attachments/${index}`} download="">
                <Text of={filename || 'unnamed'} most={80} />
              </a>{' '}
              <span class="faint">
                <Text of={mimeType} most={60} />, {bytesInWords(size)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <fieldset class="tabs" aria-label="How to show the mail">
        {views.map(([name, title]) => (
          <button
            type="button"
            key={name}
            aria-pressed={view === name}
            onClick={() => setQuery({ view: name })}
          >
            {title}
          </button>
        ))}
      </fieldset>
      {view === 'text' &&
        (content.text ? (
          <LongText of={content.text} label="The text of the mail" />
        ) : (
          <p class="faint">The mail has no text.</p>
        ))}
      {view === 'html' &&
        (content.html ? (
          <>
            <p class="faint small">
              The frame loads nothing from elsewhere and runs nothing. Links in it do not open.
            </p>
            <iframe
              class="mail-frame"
              title="The HTML of the mail"
              sandbox=""
              srcdoc={frameOf(content.html)}
            />
          </>
        ) : (
          <p class="faint">The mail has no HTML.</p>
        ))}
      {view === 'headers' && (
        <Table
          label="Headers"
          columns={columns}
          rows={content.headers.map((header, index) => ({ header, index })).slice(0, 500)}
          keyOf={({ index }) => index}
        />
      )}
      {view === 'source' && <Source address={`${files}/source`} />}
    </Section>
  )
}

const columns: readonly Column<{ readonly header: readonly [string, string] }>[] = [
  {
    name: 'Header',
    cell: ({ header }) => (
      <span class="mono">
        <Text of={header[0]} most={120} />
      </span>
    ),
  },
  { name: 'Value', cell: ({ header }) => <Text of={header[1]} most={1000} /> },
]

function Source({ address }: { readonly address: string }) {
  const { value, error, reload } = useAnswer(signal => ask(sourceAt(address, signal)), address)
  return (
    <>
      {error && <ProblemNote text={error} retry={reload} />}
      {value !== undefined && <LongText of={value} label="The source of the mail" />}
      <p>
        <a href={address} download="mail.eml">
          Save the source
        </a>
      </p>
    </>
  )
}

async function sourceAt(address: string, signal: AbortSignal) {
  const response = await fetch(address, { signal })
  return { status: response.status as 200, body: await response.text() }
}
