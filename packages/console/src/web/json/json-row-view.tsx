import { useState } from 'preact/hooks'
import { plainText } from '../text/segments-of.ts'
import { Segments } from '../text/text.tsx'
import type { JsonRow } from './json-rows.ts'

/** A row of a JSON value, with its problems below it. */
export function JsonRowView({
  row,
  problems,
  isMatch,
  isCurrent,
  onFold,
  onMore,
}: {
  readonly row: JsonRow
  readonly problems: readonly string[] | undefined
  readonly isMatch: boolean
  readonly isCurrent: boolean
  readonly onFold: (isOpen: boolean) => void
  readonly onMore: () => void
}) {
  const { kind, name, value, size, depth } = row
  const isList = Array.isArray(value)
  const classes = ['json-row', isMatch && 'is-match', isCurrent && 'is-current', problems && 'has-problem']
  return (
    <>
      <div
        class={classes.filter(Boolean).join(' ')}
        style={{ paddingInlineStart: `${Math.min(depth, 20) * 16 + 20}px` }}
      >
        {(kind === 'open' || kind === 'shut') && (
          <button
            type="button"
            class="fold"
            aria-expanded={kind === 'open'}
            aria-label={`${isList ? 'List' : 'Object'} ${plainText(String(name ?? '').slice(0, 100))}`}
            onClick={() => onFold(kind === 'shut')}
          >
            {kind === 'open' ? '▾' : '▸'}
          </button>
        )}
        {kind === 'more' ? (
          <button type="button" class="quiet" onClick={onMore}>
            {size.toLocaleString('en')} more
          </button>
        ) : kind === 'end' ? (
          <span class="json-mark">{isList ? ']' : '}'}</span>
        ) : (
          <>
            {typeof name === 'string' && (
              <>
                <bdi class="json-name">
                  <Segments text={name.length > 300 ? `${name.slice(0, 300)}…` : name} />
                </bdi>
                <span class="json-mark">: </span>
              </>
            )}
            {typeof name === 'number' && <span class="json-index">{name} </span>}
            {kind === 'open' ? (
              <span class="json-mark">{isList ? '[' : '{'}</span>
            ) : kind === 'shut' ? (
              <span class="json-mark">
                {isList ? '[…] ' : '{…} '}
                <span class="faint">
                  {size.toLocaleString('en')} {size === 1 ? 'member' : 'members'}
                </span>
              </span>
            ) : (
              <Leaf value={value} />
            )}
          </>
        )}
      </div>
      {problems?.map(problem => (
        <div
          class="json-problem"
          key={problem}
          style={{ marginInlineStart: `${Math.min(depth, 20) * 16 + 20}px` }}
        >
          <Segments text={problem.slice(0, 500)} />
        </div>
      ))}
    </>
  )
}

const shownOfText = 600

function Leaf({ value }: { readonly value: unknown }) {
  const [shown, setShown] = useState(shownOfText)
  if (typeof value === 'string') {
    return (
      <span class="json-text">
        "
        <bdi>
          <Segments text={value.slice(0, shown)} />
        </bdi>
        {value.length > shown ? (
          <button
            type="button"
            class="quiet"
            onClick={() => setShown(shown === shownOfText ? 20_000 : shown + 20_000)}
          >
            … {(value.length - shown).toLocaleString('en')} more characters
          </button>
        ) : (
          '"'
        )}
      </span>
    )
  }
  if (typeof value === 'object' && value !== null && String(value) === '[object Object]')
    return <span class="json-mark">{'{}'}</span>
  if (Array.isArray(value)) return <span class="json-mark">[]</span>
  return <span class={value === null ? 'json-mark' : 'json-number'}>{String(value)}</span>
}
