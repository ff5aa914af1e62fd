import { useState } from 'preact/hooks'
import { plainText, segmentsOf } from './segments-of.ts'

/** Untrusted text on one line. Characters that change how text is displayed are shown as escapes. */
export function Text({ of, most = 300 }: { readonly of: string; readonly most?: number }) {
  const isCut = of.length > most
  return (
    <bdi class="text" title={isCut ? plainText(of.slice(0, 2000)) : undefined}>
      <Segments text={isCut ? of.slice(0, most) : of} />
      {isCut && <span class="faint">…</span>}
    </bdi>
  )
}

/** Untrusted text in which escapes are marked. */
export function Segments({ text, hasLines = false }: { readonly text: string; readonly hasLines?: boolean }) {
  return (
    <>
      {segmentsOf(text, { hasLines }).map((segment, index) =>
        segment.isEscape ? (
          <span class="escape" key={index}>
            {segment.text}
          </span>
        ) : (
          segment.text
        ),
      )}
    </>
  )
}

const step = 20_000

/** Untrusted text with many lines. A long text is shown in parts. */
export function LongText({ of, label }: { readonly of: string; readonly label: string }) {
  const [shown, setShown] = useState(step)
  return (
    <div class="long-text">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label={label} tabIndex={0}>
        <pre>
          <bdi>
            <Segments text={of.slice(0, shown)} hasLines />
          </bdi>
        </pre>
      </section>
      {of.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + step)}>
          Show more ({(of.length - shown).toLocaleString('en')} characters left)
        </button>
      )}
    </div>
  )
}
