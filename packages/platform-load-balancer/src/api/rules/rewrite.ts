import type { ValuesOf } from '@signalbox/platform-runtime/config'
import { expression } from '../../config/expression.ts'
import type { RuleSettings } from '../../config/load-balancer-settings.ts'
import type { replacementFields } from '../../config/sign-in-config.ts'
import { isHost } from '../request/request-target.ts'

/** The parts of a request that a rule rewrites. Undefined for an unchanged part. */
interface Rewritten {
  readonly host?: string | undefined
  readonly target?: { readonly path: string; readonly query: string } | undefined
}

/** Returns what functions get instead of the host and the target of a request, or `failed`. */
export type Rewrite = (request: {
  readonly authority: string
  readonly path: string
  readonly query: string
}) => Rewritten | 'failed'

/** Returns how a rule rewrites requests, or undefined. */
export function rewriteOf(rewrite: RuleSettings['rewrite']): Rewrite | undefined {
  if (rewrite === undefined) return undefined
  const host = rewrite.host && replacing(rewrite.host)
  const path = rewrite.path && replacing(rewrite.path)
  return ({ authority, path: before, query }) => {
    const newHost = host?.(authority)
    if (newHost !== undefined && (newHost === '' || !isHost(newHost))) return 'failed'
    const target = path?.(query === '' ? before : `${before}?${query}`)
    if (target !== undefined && !/^\/[!"$-~]{0,16383}$/.test(target)) return 'failed'
    return { host: newHost, target: target === undefined ? undefined : cut(target) }
  }
}

/** Returns a function that replaces the first match in a text. It returns undefined without a match. */
function replacing({ regex, replace }: Pick<ValuesOf<typeof replacementFields>, 'regex' | 'replace'>) {
  const compiled = expression(regex)
  return (text: string): string | undefined => {
    const matcher = compiled.matcher(text)
    if (!matcher.find()) return undefined
    const by = replace.replaceAll(/\$(\$|\d)/g, (_, name: string) =>
      name === '$' ? '$' : (matcher.group(Number(name)) ?? ''),
    )
    return text.slice(0, matcher.start()) + by + text.slice(matcher.end())
  }
}

function cut(target: string) {
  const question = target.indexOf('?')
  return question < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, question), query: target.slice(question + 1) }
}
