import { parse } from '@babel/parser'
import type { File } from '@babel/types'

/** Parses a module. Returns undefined for code that cannot be parsed. */
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
