import { parse } from '@babel/parser'
import type { File } from '@babel/types'

/** The syntax tree of a module. Undefined for text that cannot be parsed. */
export function parsed(path: string, code: string): File | undefined {
  try {
    const language = /\.[cm]?tsx?$/.test(path) ? (['typescript'] as const) : []
    return parse(code, {
      sourceType: 'module',
      plugins: [...language, ...(/x$/.test(path) ? ['jsx' as const] : [])],
    })
  } catch {
    return undefined
  }
}
