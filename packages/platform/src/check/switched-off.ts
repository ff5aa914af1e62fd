import type { RuleName } from 'eslint-plugin-signalbox/findings'

/** A comment of the parser. */
export interface Comment {
  readonly type: 'CommentBlock' | 'CommentLine'
  readonly value: string
  readonly loc?: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>> | null
}

/** Where a rule found a mistake. Lines and columns start at 1. */
interface Place {
  readonly rule: RuleName
  readonly line: number
  readonly column: number
}

/** A comment that switches rules on or off. */
interface Switch extends Pick<Place, 'line' | 'column'> {
  readonly kind: 'disable' | 'enable' | 'disable-line' | 'disable-next-line'
  /** The lines of the comment. */
  readonly end: number
  /** The names of rules, such as `signalbox/batch-response`. Without one, all rules are meant. */
  readonly rules: readonly string[]
}

const directive = /^\s*eslint-(disable(?:-next-line|-line)?|enable)(?=\s|$)(.*)$/s

/**
 * Returns whether the comments of a source switch a rule off at a place: `eslint-disable-next-line`,
 * `eslint-disable-line`, and from `eslint-disable` to `eslint-enable`, with the same meaning as in ESLint.
 */
export function switchedOff(comments: readonly Comment[]): (place: Place) => boolean {
  const switches = comments.flatMap(switchOf)
  return ({ rule, line, column }) => {
    const own = switches.filter(({ rules }) => rules.length === 0 || rules.includes(`signalbox/${rule}`))
    if (own.some(each => each.kind === 'disable-line' && each.line <= line && line <= each.end)) return true
    if (own.some(each => each.kind === 'disable-next-line' && each.end + 1 === line)) return true
    const blocks = own.filter(each => each.kind === 'disable' || each.kind === 'enable')
    const before = blocks.filter(each => each.line < line || (each.line === line && each.column <= column))
    return before.at(-1)?.kind === 'disable'
  }
}

function switchOf({ type, value, loc }: Comment): readonly Switch[] {
  // What follows two hyphens is the reason.
  const [, kind, names = ''] = directive.exec(value.split(/\s-{2,}\s/)[0]!) ?? []
  if (kind === undefined || loc === undefined || loc === null) return []
  // ESLint takes the two that have no end only from a block comment.
  if (type === 'CommentLine' && !kind.endsWith('-line')) return []
  const rules = names
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  const { start, end } = loc
  return [{ kind: kind as Switch['kind'], line: start.line, column: start.column + 1, end: end.line, rules }]
}
