/** A row of a foldable JSON view. */
export interface JsonRow {
  /** The JSON pointer of the value. */
  readonly pointer: string
  readonly depth: number
  /** The name or index within the parent. Undefined for the whole value. */
  readonly name: string | number | undefined
  /**
   * `open` and `shut` begin an unfolded or folded object or list, `end` ends an unfolded one, and `more` stands
   * for omitted rows.
   */
  readonly kind: 'value' | 'open' | 'shut' | 'end' | 'more'
  readonly value: unknown
  /** The number of members, or the number of omitted members if the kind is `more`. */
  readonly size: number
}

/** Which values of a JSON view are unfolded, and how many members of each are shown. */
export interface JsonFolds {
  readonly isOpen: (pointer: string, depth: number) => boolean
  /** Returns the maximum number of members to show for a value. */
  readonly limitOf: (pointer: string) => number
}

/** The maximum number of rows of one view. */
export const mostRows = 3000

/** Returns the visible rows of a value: at most `mostRows`, plus the `end` rows of unfolded values. */
export function jsonRows(value: unknown, folds: JsonFolds): readonly JsonRow[] {
  const rows: JsonRow[] = []
  add(rows, folds, value, '', 0, undefined)
  return rows
}

function add(
  rows: JsonRow[],
  folds: JsonFolds,
  value: unknown,
  pointer: string,
  depth: number,
  name: string | number | undefined,
): void {
  if (!isContainer(value)) {
    rows.push({ pointer, depth, name, kind: 'value', value, size: 0 })
    return
  }
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const size = names?.length ?? (value as readonly unknown[]).length
  if (size === 0 || !folds.isOpen(pointer, depth) || rows.length >= mostRows) {
    rows.push({ pointer, depth, name, kind: size === 0 ? 'value' : 'shut', value, size })
    return
  }
  rows.push({ pointer, depth, name, kind: 'open', value, size })
  const most = Math.min(size, folds.limitOf(pointer))
  let shown = 0
  for (; shown < most && rows.length < mostRows; shown++) {
    const member = names?.[shown] ?? shown
    add(rows, folds, memberOf(value, member), `${pointer}/${pointerPart(member)}`, depth + 1, member)
  }
  if (shown < size)
    rows.push({ pointer, depth: depth + 1, name: undefined, kind: 'more', value, size: size - shown })
  rows.push({ pointer, depth, name: undefined, kind: 'end', value, size })
}

/** Returns the pointers to the names and values that contain a string, in document order. */
export function jsonMatches(value: unknown, text: string, most: number): readonly string[] {
  const wanted = text.toLowerCase()
  const found: string[] = []
  if (wanted === '') return found
  const stack: Place[] = [{ value, name: undefined, parent: undefined }]
  for (let place = stack.pop(); place !== undefined && found.length < most; place = stack.pop()) {
    const { value: current, name } = place
    const isNamed = typeof name === 'string' && name.toLowerCase().includes(wanted)
    if (isNamed || (!isContainer(current) && String(current).toLowerCase().includes(wanted)))
      found.push(pointerOf(place))
    if (isContainer(current)) {
      const names = Array.isArray(current) ? [...current.keys()] : Object.keys(current)
      for (const each of names.reverse())
        stack.push({ value: memberOf(current, each), name: each, parent: place })
    }
  }
  return found
}

interface Place {
  readonly value: unknown
  readonly name: string | number | undefined
  readonly parent: Place | undefined
}

function pointerOf(place: Place): string {
  const parts: string[] = []
  for (let at: Place | undefined = place; at?.name !== undefined; at = at.parent)
    parts.push(pointerPart(at.name))
  return parts
    .reverse()
    .map(part => `/${part}`)
    .join('')
}

/** Returns the pointers to a value and to all its ancestors, outermost first. */
export function pointersTo(pointer: string): readonly string[] {
  const parts = pointer.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/**
 * Returns the pointer itself if it points to a value. Otherwise, returns the pointer to the closest existing
 * ancestor.
 */
export function existingPointer(value: unknown, pointer: string): string {
  let at = value
  let existing = ''
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isContainer(at) || !Object.hasOwn(at, name)) return existing
    at = memberOf(at, name)
    existing += `/${part}`
  }
  return existing
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
}

function memberOf(value: object, name: string | number): unknown {
  return (value as Readonly<Record<string | number, unknown>>)[name]
}

function pointerPart(name: string | number): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1')
}

/** A number that JavaScript would round, with its original digits. */
class ExactNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  toString(): string {
    return this.source
  }
}

/**
 * Reads JSON text and keeps the digits of numbers that JavaScript would round.
 * @throws SyntaxError
 */
export function readJson(text: string): unknown {
  if (/\d{16}|\d[eE]|\.\d{15}/.test(text)) {
    try {
      return JSON.parse(text, exactly as (key: string, value: unknown) => unknown)
    } catch (error) {
      if (error instanceof SyntaxError) throw error
      // The value is nested too deeply to keep exact numbers. Rounded numbers are better than an error.
    }
  }
  return JSON.parse(text)
}

function exactly(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && source !== undefined && String(value) !== source
    ? new ExactNumber(source)
    : value
}
