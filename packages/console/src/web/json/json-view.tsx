import { useMemo, useRef, useState } from 'preact/hooks'
import { CopyButton } from '../parts/copy-button.tsx'
import { LongText } from '../text/text.tsx'
import { JsonRowView } from './json-row-view.tsx'
import { existingPointer, jsonMatches, jsonRows, pointersTo, readJson } from './json-rows.ts'

/** A problem in a JSON value, with a JSON pointer to the value that causes it. */
export interface MarkedProblem {
  /** The JSON pointer to the value. */
  readonly pointer: string
  readonly text: string
}

const membersAtFirst = 100
const mostMatches = 1000

/**
 * A view of JSON text that can be folded and searched, and that marks the values that cause problems. Text that is
 * not JSON is shown unchanged.
 */
export function JsonView({
  text,
  label,
  problems = [],
}: {
  readonly text: string
  readonly label: string
  readonly problems?: readonly MarkedProblem[]
}) {
  const read = useMemo(() => tryToRead(text), [text])
  if (text === '') return <p class="faint">Nothing.</p>
  if (read === undefined)
    return (
      <>
        <p class="faint">This is not JSON, so it is shown as text.</p>
        <LongText of={text} label={label} />
      </>
    )
  return <JsonTree value={read.value} text={text} label={label} problems={problems} />
}

function tryToRead(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: readJson(text) }
  } catch {
    return undefined
  }
}

function JsonTree({
  value,
  text,
  label,
  problems,
}: {
  readonly value: unknown
  readonly text: string
  readonly label: string
  readonly problems: readonly MarkedProblem[]
}) {
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [limits, setLimits] = useState<ReadonlyMap<string, number>>(new Map())
  const [depth, setDepth] = useState(text.length > 20_000 ? 3 : 6)
  const [search, setSearch] = useState('')
  const [current, setCurrent] = useState(0)
  const view = useRef<HTMLElement>(null)

  const marks = useMemo(() => {
    const at = new Map<string, string[]>()
    for (const problem of problems) {
      const pointer = existingPointer(value, problem.pointer)
      const missing = problem.pointer.slice(pointer.length)
      at.set(pointer, [
        ...(at.get(pointer) ?? []),
        missing === '' ? problem.text : `${missing}: ${problem.text}`,
      ])
    }
    return at
  }, [problems, value])
  const around = useMemo(
    () => new Set([...marks.keys()].flatMap(pointer => pointersTo(pointer).slice(0, -1))),
    [marks],
  )
  const rows = jsonRows(value, {
    isOpen: (pointer, level) => folds.get(pointer) ?? (level < depth || around.has(pointer)),
    limitOf: pointer => limits.get(pointer) ?? membersAtFirst,
  })
  const matches = useMemo(() => jsonMatches(value, search, mostMatches), [value, search])
  const matching = useMemo(() => new Set(matches), [matches])

  const go = (index: number) => {
    const pointer = matches[index]
    if (pointer === undefined) return
    setCurrent(index)
    const opened = new Map(folds)
    const raised = new Map(limits)
    const parts = pointersTo(pointer)
    for (const [level, each] of parts.slice(0, -1).entries()) {
      opened.set(each, true)
      const member = Number(parts[level + 1]?.slice(each.length + 1))
      if (member >= (limits.get(each) ?? membersAtFirst)) raised.set(each, member + membersAtFirst)
    }
    setFolds(opened)
    setLimits(raised)
    requestAnimationFrame(() =>
      view.current?.querySelector('.is-current')?.scrollIntoView({ block: 'nearest' }),
    )
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || matches.length === 0) return
    event.preventDefault()
    go((current + (event.shiftKey ? matches.length - 1 : 1)) % matches.length)
  }
  const foldAll = (level: number) => {
    setFolds(new Map())
    setDepth(level)
  }
  return (
    <div class="json">
      <div class="json-tools">
        <input
          type="search"
          aria-label={`Search in ${label}`}
          placeholder="Search"
          value={search}
          onInput={event => {
            setSearch(event.currentTarget.value)
            setCurrent(-1)
          }}
          onKeyDown={onKey}
        />
        {search !== '' && (
          <span class="faint" role="status">
            {matches.length === 0
              ? 'No match'
              : `${current < 0 ? '' : `${current + 1} of `}${matches.length}${matches.length >= mostMatches ? ' or more' : ''}`}
          </span>
        )}
        {search !== '' && matches.length > 0 && (
          <button type="button" class="quiet" onClick={() => go((current + 1) % matches.length)}>
            Next
          </button>
        )}
        <span class="grow" />
        <button type="button" class="quiet" onClick={() => foldAll(1)}>
          Fold
        </button>
        <button type="button" class="quiet" onClick={() => foldAll(100)}>
          Unfold
        </button>
        <CopyButton text={() => text} label="Copy" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section class="json-rows" aria-label={label} tabIndex={0} ref={view}>
        {rows.map(row => (
          <JsonRowView
            key={`${row.kind === 'end' || row.kind === 'more' ? row.kind : ''}${row.pointer}`}
            row={row}
            problems={row.kind === 'end' || row.kind === 'more' ? undefined : marks.get(row.pointer)}
            isMatch={row.kind !== 'end' && matching.has(row.pointer)}
            isCurrent={row.kind !== 'end' && matches[current] === row.pointer}
            onFold={isOpen => setFolds(new Map(folds).set(row.pointer, isOpen))}
            onMore={() =>
              setLimits(
                new Map(limits).set(
                  row.pointer,
                  (limits.get(row.pointer) ?? membersAtFirst) + 10 * membersAtFirst,
                ),
              )
            }
          />
        ))}
      </section>
    </div>
  )
}
