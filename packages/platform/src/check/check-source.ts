import { type ParserPlugin, parse } from '@babel/parser'
import { findingsIn, type Node, type RuleName } from 'eslint-plugin-signalbox/findings'
import { type Comment, switchedOff } from './switched-off.ts'

/** A mistake of the contract in a source. Lines and columns start at 1. */
interface Mistake {
  readonly rule: RuleName
  readonly line: number
  readonly column: number
  /** What is wrong, what follows from it, and the address of the row of the contract. */
  readonly message: string
}

/** What was found in a source. */
export type SourceReport =
  | { readonly result: 'valid' }
  | { readonly result: 'invalid'; readonly mistakes: readonly Mistake[] }
  | { readonly result: 'unreadable'; readonly why: string }

/**
 * Finds the mistakes that the rules of `eslint-plugin-signalbox` find in a source, sorted by their places. Comments of
 * ESLint switch them off, as they do in ESLint.
 */
export function checkSource(path: string, text: string): SourceReport {
  const program = programOf(path, text)
  if ('why' in program) return { result: 'unreadable', why: program.why }
  let mistakes: Mistake[]
  try {
    const isOff = switchedOff(program.tree.comments)
    mistakes = findingsIn(program.tree)
      .map(({ rule, node, message }) => ({ rule, ...placeOf(node), message }))
      .filter(mistake => !isOff(mistake))
  } catch (error) {
    if (error instanceof RangeError) return { result: 'unreadable', why: 'it is nested too deep' }
    throw error
  }
  mistakes.sort((a, b) => a.line - b.line || a.column - b.column)
  return mistakes.length === 0 ? { result: 'valid' } : { result: 'invalid', mistakes }
}

type Tree = Node & { readonly comments: readonly Comment[] }

function programOf(path: string, text: string): { readonly tree: Tree } | { readonly why: string } {
  const parsed = (decorators: 'decorators' | 'decorators-legacy'): Tree => {
    const { program, comments } = parse(text, {
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      errorRecovery: true,
      plugins: pluginsFor(path, decorators),
    })
    return { ...program, comments: comments ?? [] }
  }
  try {
    return { tree: parsed('decorators-legacy') }
  } catch (error) {
    try {
      return { tree: parsed('decorators') }
    } catch {
      // The error of the first attempt says more about most sources.
    }
    const { loc } = error as { readonly loc?: { readonly line: number; readonly column: number } }
    // A stack that overflows has no place.
    return {
      why:
        loc === undefined
          ? 'it cannot be parsed'
          : `it cannot be parsed from line ${loc.line}, column ${loc.column + 1} on`,
    }
  }
}

/** Angle brackets before an expression are a type in `.ts`, and an element in all other files. */
function pluginsFor(path: string, decorators: 'decorators' | 'decorators-legacy'): ParserPlugin[] {
  const isTypeScript = /\.[cm]?tsx?$/.test(path)
  return [
    'estree',
    decorators,
    'decoratorAutoAccessors',
    'deferredImportEvaluation',
    ...(isTypeScript ? (['typescript'] as const) : []),
    ...(/\.[cm]?ts$/.test(path) ? [] : (['jsx'] as const)),
  ]
}

function placeOf({ loc }: Node): { readonly line: number; readonly column: number } {
  const { start } = loc as { readonly start: { readonly line: number; readonly column: number } }
  return { line: start.line, column: start.column + 1 }
}
