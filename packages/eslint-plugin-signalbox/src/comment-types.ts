import { children, type Node } from './syntax.ts'

/** What a comment of JSDoc says of the function below it, as names of types of `aws-lambda`. */
interface CommentType {
  /** The type of the function, such as `SQSHandler`, by `@type`. */
  readonly handler?: string
  /** The type of its event, such as `SQSEvent`, by `@param`. */
  readonly event?: string
}

const typeTag = /@type\s*\{\s*import\(['"](?:@types\/)?aws-lambda['"]\)\.(\w+)\s*\}/
const eventTag = /@param\s*\{\s*import\(['"](?:@types\/)?aws-lambda['"]\)\.(\w*Event)\s*\}/

/**
 * Returns the types in a comment that ends on the line before a statement. Templates of Amplify write the type of a
 * handler in JavaScript so. A tree without `comments` has none.
 */
export function commentTypes(program: Node): (statement: Node) => CommentType | undefined {
  const types = new Map<number, CommentType>()
  for (const { value, loc } of children(program, 'comments')) {
    const [, handler] = typeTag.exec(String(value)) ?? []
    const [, event] = eventTag.exec(String(value)) ?? []
    const end = linesOf(loc)?.end
    if (end !== undefined && (handler ?? event) !== undefined)
      types.set(end, { ...(handler !== undefined && { handler }), ...(event !== undefined && { event }) })
  }
  return types.size === 0 ? () => undefined : ({ loc }) => types.get((linesOf(loc)?.start ?? Number.NaN) - 1)
}

function linesOf(loc: unknown): { readonly start: number; readonly end: number } | undefined {
  const place = loc as { readonly [side in 'start' | 'end']: { readonly line: number } } | null | undefined
  return place ? { start: place.start.line, end: place.end.line } : undefined
}
