import { type Problem, pointerTo } from '@signalbox/codec'

/** A template that cannot be understood, with everything that is wrong in it. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(
      problems
        .map(({ pointer, expected, actual }) => `${pointer}: expected ${expected}, got ${actual}`)
        .join('\n'),
    )
    this.problems = problems
  }
}

/** A position in a template: the keys and indexes that lead to it. */
export type Place = readonly (string | number)[]

/** Returns an error about one place of a template. */
export function wrongAt(place: Place, expected: string, actual: string): TemplateError {
  return new TemplateError([{ pointer: pointerTo(...place), expected, actual }])
}
